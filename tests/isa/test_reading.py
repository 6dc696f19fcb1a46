# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Text of an instruction, read back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.isa.reading import parsed
from gen.isa.render import render

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "generated").glob("*/*.S"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_all_that_is_generated_is_read_back(path: Path) -> None:
    """What `render` prints of the instruction that was read is what was read, but for the width."""
    isa = tuple(load_core(path.parent.name).isa)
    for row in path.read_text(encoding="utf-8").split("\n"):
        found = re.match(r"\t([a-z][^/@]*?)\s*(/\*|$)", row)
        if found is None:
            continue
        text = re.sub(r"\s+", " ", found[1])
        insn = parsed(text, isa)
        assert insn is not None, text
        assert render(insn).replace("\t", " ") == re.sub(r"^(\S+)\.[wn](?= |$)", r"\1", text)


@pytest.mark.parametrize(
    "text",
    ["svc #1", "ldr r0, [r1", "add r0", "mov r0, r1, r2, r3", "addxx r0, r1", "", "ldm r0, {}"],
)
def test_what_no_table_has(text: str) -> None:
    assert parsed(text) is None


def test_conditions_are_told_from_names() -> None:
    """BLS is B with a condition, BL has none; LSLS sets flags."""
    cases = {"bls .L1": ("b", "ls"), "bl .L1": ("bl", None), "lsls r0, r1, #2": ("lsls", None)}
    for text, (name, cond) in cases.items():
        insn = parsed(text)
        assert insn is not None
        assert insn.form is not None
        assert (insn.form.name, insn.cond) == (name, cond)
