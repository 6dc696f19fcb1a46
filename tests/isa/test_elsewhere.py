# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What other assemblers call things is answered with what is written here."""

from __future__ import annotations

import re

import pytest

from gen import isa
from gen.isa.elsewhere import OTHERS
from tests.gen.passes.make import complaints

KNOWN = {*isa.mnemonics(), *isa.aliases()}


@pytest.mark.parametrize("name", OTHERS)
def test_answers_are_instructions_that_exist(name: str) -> None:
    assert name not in KNOWN
    for line in re.split(r", and below it: |, or at the top: ", OTHERS[name]):
        word = line.split()[0]
        assert word in KNOWN or line.startswith(("reg NAME", "a table's address")), line


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("xor x, x, x", "eor d, n, m"),
        ("b again", "`do:`"),
        ("b.ne again", "`while ne` below"),
        ("beq out", "`when ne:` above it"),
        ("jne out", "`while ne`"),
        ("jmp out", "`loop at most N:`"),
        ("cbz x, out", "`cmp x, #0`"),
        ("bl other", "call NAME(ARGUMENTS)"),
        ("bx lr", "around the rest"),
        ("ret", "around the rest"),
        ("push {x}", "spill NAME"),
        ("pop {pc}", "spill NAME"),
        ("itt eq", "then COND:"),
        ("moveq x, #1", "then eq:   and below it, indented: mov"),
        ("smulbbne x, x, x", "then ne:"),
        ("adda x, x, x", "add"),
        ("umlul x, x, x, x", "umlal"),
        ("lw x, [k]", "ldr d, [a, #k]"),
        ("LDR x, [k]", "ldr"),
    ],
)
def test_what_to_write_instead(line: str, help: str) -> None:
    said = complaints(f"reg x : u32\nldr x, [k]\n{line}\nstr x, [r]", "select")
    assert [one.code for one in said] == ["unknown-mnemonic"]
    assert help in said[0].help
