# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Too many live registers: where, which, and what to do."""

from __future__ import annotations

import re

import pytest

from tests.gen.passes.make import HEAD, complaints


def lines(count: int) -> str:
    """A loop with r, k, n and `count` more registers live."""
    out = f"reg a[{count}] : u32\nreg n : u32 slot\nmov n, #3\ndo:\n"
    out += f"    for i in range({count}):\n        ldr a[i], [k, #4*i]\n"
    out += f"    for i in range({count}):\n        str a[i], [r, #4*i]\n"
    return out + "    subs n, n, #1\nwhile ne"


def test_all_fourteen_fit() -> None:
    assert complaints(lines(11), "allocate") == []


def test_one_too_many_is_named() -> None:
    (said,) = complaints(lines(12), "allocate")
    assert said.code == "reg-pressure"
    assert said.message == "15 registers live, cortex-m4 has 14"
    assert said.details == ("live: " + " ".join(f"a[{i}]" for i in range(12)) + " k n r",)


def test_what_rests_longest_goes() -> None:
    (said,) = complaints(lines(12), "allocate")
    assert said.help == "`spill n` before line 8, `fill n` before line 12"


def test_home_is_proposed() -> None:
    text = lines(12).replace(" slot", "")
    (said,) = complaints(text, "allocate")
    assert said.help.startswith("line 5: `reg n : u32 slot`, `spill n` before line 8")


def followed(text: str, help: str) -> str:
    """The body with what the help says typed in."""
    head = HEAD.count("\n")
    rows = text.split("\n")
    added: dict[int, list[str]] = {}
    for line, declaration in re.findall(r"line (\d+): `(reg [^`]*)`", help):
        rows[int(line) - head - 1] = declaration
    help = re.sub(r"line \d+: `reg [^`]*`, ", "", help)
    for quoted, line in re.findall(r"((?:`[^`]*`(?:, | and )?)+) before line (\d+)", help):
        added[int(line) - head - 1] = re.findall(r"`([^`]*)`", quoted)
    out: list[str] = []
    for number, row in enumerate(rows):
        pad = row[: len(row) - len(row.lstrip())]
        for one in added.get(number, []):
            if one.startswith("reg "):
                out.insert(0, one)
            else:
                out.append(pad + one)
        out.append(row)
    return "\n".join(out)


ARRAY = """reg x[16], t : u32
for i in range(8):
    ldr x[i], [k, #4*i]
for i in range(8, 16):
    ldr x[i], [k, #4*i]
for i in range(8, 16):
    add t, x[i], #1
    str t, [r, #4*i]
for i in range(8):
    add t, x[i], #1
    str t, [r, #4*i]"""
NOTHING = """reg x[16] : u32
for i in range(16):
    ldr x[i], [k, #4*i]
for i in range(16):
    str x[i], [r, #4*i]"""
SHARED = "reg n, a[12] : u32" + lines(12)[len("reg a[12] : u32\nreg n : u32 slot") :]
POINTERS = """reg x[13] : u32
for i in range(13):
    ldr x[i], [k, #4*i]
for i in range(13):
    for j in range(2):
        add x[i], x[i], x[12 - i]
for i in range(13):
    str x[i], [r, #4*i]"""
CHOICE = """reg m : u32
reg x[12] : u32
ldr m, [k]
for i in range(12):
    ldr x[i], [k, #4*i]
cmp x[0], #1
when eq:
    add x[0], x[0], x[1]
otherwise:
    add x[0], x[0], x[2]
for i in range(12):
    str x[i], [r, #4*i]
str m, [r, #48]
str k, [r, #52]"""


@pytest.mark.parametrize(
    "text", [lines(12), lines(12).replace(" slot", ""), ARRAY, SHARED, POINTERS, CHOICE]
)
def test_following_the_help_helps(text: str) -> None:
    """Typing what is said, as often as it is said, ends in code that fits and is still initialised."""
    for _ in range(8):
        said = complaints(text, "allocate")
        if not said:
            assert complaints(text, "check_result") == []
            return
        assert [one.code for one in said] == ["reg-pressure"], said[0].message
        text = followed(text, said[0].help)
    pytest.fail(said[0].help)


def test_when_nothing_rests_it_says_so() -> None:
    (said,) = complaints(NOTHING, "allocate")
    assert "with fewer at a time" in said.help
