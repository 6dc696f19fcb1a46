# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What the text of a file promises: a line an instruction, complete clobbers, a contract, comments that end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.emit.aapcs import words
from gen.emit.view import c_number, number_rows
from gen.ir.ir import Insn, Routine, Table
from gen.isa import writes
from tests.gen.emit.odd import CASES, CORES, file, routine


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("symbol", CASES)
def test_a_line_an_instruction(tree: Path, core: str, symbol: str) -> None:
    """The listing has the instructions of the IR and no other; labels are the IR's."""
    one = routine(tree, core, symbol)
    text = file(tree, core, "gas", symbol).read_text()
    body = text[text.index(".cfi_startproc") : text.index(".cfi_endproc")]
    lines = [line for line in body.splitlines() if re.match(r"\t[a-z]", line)]
    assert len(lines) == sum(isinstance(item, Insn) for item in one.final)


def clobbered(text: str) -> set[str]:
    """Registers in the clobber list of an inline file."""
    listed = re.search(r': : \[args\] "r" \(args\) : (.*)\);', text)
    assert listed is not None
    return set(re.findall(r'"([rs]\d+)"', listed[1]))


def lost(one: Routine, text: str) -> set[str]:
    """Registers that the routine changes, does not give back and does not list."""
    changed = {var.name for item in one.final if isinstance(item, Insn) for var in writes(item)}
    saved = {save.register for save in one.frame.saved}
    return changed - saved - clobbered(text) - {"sp", "pc"}


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("symbol", CASES)
def test_clobbers_are_complete(tree: Path, core: str, symbol: str) -> None:
    text = file(tree, core, "inline", symbol).read_text()
    one = routine(tree, core, symbol)
    assert lost(one, text) == set()
    assert '"cc", "memory");' in text and '"sp"' not in text and '"pc"' not in text


def test_each_lost_clobber_is_noticed(tree: Path) -> None:
    one = routine(tree, "cortex-m4f", "odd_park")
    text = (tree / "generated" / "cortex-m4f" / "odd_park_inline.c").read_text()
    changed = {v.name for i in one.final if isinstance(i, Insn) for v in writes(i)}
    parked = changed & clobbered(text)
    assert any(name.startswith("s") for name in parked)
    for name in sorted(parked):
        assert lost(one, text.replace(f'"{name}", ', "")) == {name}


def test_the_row_of_words(tree: Path) -> None:
    one = routine(tree, "cortex-m4", "odd_wide")
    row = [
        (word.param.name if word.param else "", word.part)
        for word in words(one.params, one.core.abi)
    ]
    assert row == [
        ("p", 0),
        ("", 0),
        ("a", 0),
        ("a", 1),
        ("b", 0),
        ("", 0),
        ("c", 0),
        ("c", 1),
        ("d", 0),
        ("e", 0),
    ]


def test_comments_cannot_end_early(tree: Path) -> None:
    for path in sorted((tree / "generated").rglob("odd_wide*")):
        assert "the last * / one / * of them" in path.read_text()


def test_contract_block(tree: Path) -> None:
    text = (tree / "generated/cortex-m4f/odd_park.S").read_text()
    head = text[: text.index("#include")]
    for words_ in (
        "Values that leave the registers",
        "uint32_t odd_park(const uint32_t p[4]);",
        "p  secret in, aligned to 4",
        "parked in s",
        "stack: ",
    ):
        assert words_ in head
    other = (tree / "generated/cortex-m4/odd_park.S").read_text()
    assert "FP registers: none" in other and "vmov" not in other and "vmov" in text


def test_numbers_of_tables_are_constants_of_their_type() -> None:
    signed = Table("t", "t", "i32", (-(2**31), -1, 2**31 - 1))
    unsigned = Table("t", "t", "u32", (0, 2**31, 2**32 - 1))
    assert [c_number(value, signed) for value in signed.values] == [
        "(-2147483647 - 1)",
        "-1",
        "2147483647",
    ]
    assert [c_number(value, unsigned) for value in unsigned.values] == [
        "0u",
        "2147483648u",
        "4294967295u",
    ]
    assert list(number_rows(signed)) == ["-2147483648,          -1,  2147483647"]
