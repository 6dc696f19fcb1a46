# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Branches, their reach, and IT blocks, as both assemblers write them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from gen import isa
from gen.ir.ir import Imm, Insn, LabelRef, Reg, physical
from tests.isa import toolchain
from tests.isa.toolchain import CLANG, GAS, HEAD, assemble

TOOLS = pytest.mark.parametrize("tool", [GAS, CLANG], ids=["gas", "clang"])


def branch(name: str, width: str) -> Insn:
    """A branch to `target`, with its condition or register."""
    form = isa.forms_named(name, isa.M_PROFILE)[0]
    ops = [Reg(physical("r3"))] * (len(form.roles) - 1) + [LabelRef("target")]
    roles = isa.match(form, ops)
    assert isinstance(roles, dict)
    cond = "ne" if name == "bc" else None
    return Insn(name, tuple(ops), form=form, roles=roles, cond=cond, width=width)  # type: ignore


def program(insn: Insn, displacement: int) -> str:
    """The branch with its target `displacement` bytes away."""
    far = f"\t.space {abs(displacement) - (0 if displacement < 0 else isa.size(insn))}\n"
    line = f"\t{isa.render(insn)}\n"
    mark = "target:\n"
    return HEAD + (mark + far + line if displacement < 0 else line + far + mark + "\tnop\n")


REACHES = [
    # the furthest targets both ways, from the encodings of the manual
    ("b", ".n", -2044, 2050),
    ("b", ".w", -16777212, 16777218),
    ("bc", ".n", -252, 258),
    ("bc", ".w", -1048572, 1048578),
    ("bl", "", -16777212, 16777218),
    ("cbz", "", 4, 130),
    ("cbnz", "", 4, 130),
]


@TOOLS
@pytest.mark.parametrize(("name", "width", "low", "high"), REACHES)
def test_reach(
    name: str, width: str, low: int, high: int, tool: tuple[str, ...], tmp_path: Path
) -> None:
    """The furthest target is reached and the next one is not, by assembler and by in_reach."""
    insn = branch(name, width)
    size, form = isa.size(insn), isa.forms_named(name, isa.M_PROFILE)[0]
    for inside, outside in ((low, low - 2), (high, high + 2)):
        assert isa.in_reach(form, inside, size)
        assert not isa.in_reach(form, outside, size)
        code = assemble(tool, program(insn, inside), tmp_path)
        at = max(0, -inside)
        lines = list(toolchain.disassembler().disasm(code[at : at + size], at))
        assert int(lines[0].op_str.split("#")[1], 0) == at + inside
        if 2 < outside < 1 << 20:
            assert not fits(tool, insn, outside, tmp_path)


def fits(tool: tuple[str, ...], insn: Insn, displacement: int, folder: Path) -> bool:
    """Whether an assembler takes the branch; clang writes a longer one than was asked for."""
    try:
        code = assemble(tool, program(insn, displacement), folder)
    except AssertionError:
        return False
    return len(code) == displacement + 2


def test_conditional_branch_text() -> None:
    insn = isa.build.branch(".Lx", "ne")
    assert isa.render(insn) == "bne\t.Lx"
    assert isa.flags_used(insn) == {"Z"}
    assert isa.render(isa.build.branch(".Lx")) == "b\t.Lx"


ITS = [
    [first if letter == "t" else isa.inverse(first) for letter in ("t", *rest)]
    for first in ("eq", "lo", "gt")
    for count in range(4)
    for rest in itertools.product("te", repeat=count)
]


@TOOLS
def test_it_blocks(tool: tuple[str, ...], tmp_path: Path) -> None:
    """Every pattern of one to four conditions assembles and reads back as meant."""
    text, expected = HEAD, []
    for conds in ITS:
        text += f"\t{isa.render(isa.build.it_block(conds))}\n"
        expected.append(isa.render(isa.build.it_block(conds)).replace("\t", " "))
        for cond in conds:
            insn = isa.build.insn("mov", Reg(physical("r0")), Imm(1), cond=cond)
            text += f"\t{isa.render(insn)}\n"
            expected.append(isa.render(insn).replace("\t", " "))
    code = assemble(tool, text, tmp_path)
    found = [f"{x.mnemonic} {x.op_str}" for x in toolchain.disassembler().disasm(code, 0)]
    assert [toolchain.normal(x, "lo") for x in found] == [
        toolchain.normal(x.replace(" lo", " cc"), "lo") for x in expected
    ] or found == expected


@pytest.mark.parametrize("cond", list(isa.CONDITIONS))
def test_inverse(cond: str) -> None:
    assert isa.inverse(isa.inverse(cond)) == cond
    assert isa.condition_flags(cond) == isa.condition_flags(isa.inverse(cond))
