# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Terms: equal computations are one object, different ones are not."""

from __future__ import annotations

import pytest

from gen.ir.ir import Imm, Insn, Mem, Reg, Var, physical
from gen.isa import build
from gen.passes.terms import SP, Machine, Terms, Unknown

R0, R1, R2 = map(physical, ("r0", "r1", "r2"))


def machine() -> Machine:
    made = Machine(Terms())
    made.regs = {SP: made.dom.leaf("sp"), R0: made.dom.leaf("x"), R1: made.dom.leaf("y")}
    return made


def test_equal_computations_are_one_term() -> None:
    one, other = machine(), machine()
    other.dom = one.dom
    other.regs = {R2: one.regs[R0], R1: one.regs[R1]}
    one.step(build.insn("eor", Reg(R0), Reg(R0), Reg(R1)))
    other.step(build.insn("eor", Reg(R2), Reg(R2), Reg(R1)))
    assert one.regs[R0] is other.regs[R2]
    other.step(build.insn("eor", Reg(R2), Reg(R2), Reg(R1)))
    assert one.regs[R0] is not other.regs[R2]


def test_constants_are_folded() -> None:
    made = machine()
    for insn in build.constant(R0, 0x12345678):
        made.step(insn)
    assert made.regs[R0] == 0x12345678


def test_frame_is_memory_of_its_own() -> None:
    made = machine()
    before = made.memory
    made.step(build.push((R0, R1)))
    assert made.frame == {-8: made.dom.leaf("x"), -4: made.dom.leaf("y")}
    assert made.memory is before
    made.step(build.load_word(R2, SP, 4))
    assert made.regs[R2] is made.dom.leaf("y")
    made.step(build.pop((R1, R2)))
    assert made.regs[R1] is made.dom.leaf("x")
    assert made.regs[SP] is made.dom.leaf("sp")


def both(*insns: Insn) -> tuple[Machine, Machine]:
    """The instructions executed from the first to the last, and from the last to the first."""
    made = machine(), machine()
    made[1].dom = made[0].dom
    made[1].regs, made[1].memory = dict(made[0].regs), made[0].memory
    for one, order in zip(made, (insns, insns[::-1]), strict=True):
        for insn in order:
            one.step(insn)
    return made


@pytest.mark.parametrize(
    ("second", "alike"),
    [
        (build.store_word(R1, R1, 0), False),  # the same place
        (build.store_word(R1, R1, 4), True),
        (build.store_word(R1, R1, 2), False),  # two bytes in common
        (build.store_word(R1, R0, 4), False),  # another pointer: who knows
    ],
)
def test_order_of_stores_matters_where_they_may_meet(second: Insn, alike: bool) -> None:
    first, last = both(build.store_word(R0, R1, 0), second)
    assert (first.memory is last.memory) == alike


@pytest.mark.parametrize(
    ("base", "offset", "alike"), [(R1, 4, True), (R1, 2, False), (R0, 4, False)]
)
def test_a_load_behind_a_store(base: Var, offset: int, alike: bool) -> None:
    first, last = both(build.store_word(R0, R1, 0), build.load_word(R2, base, offset))
    assert (first.regs[R2] is last.regs[R2]) == alike


def test_what_was_stored_is_what_is_loaded() -> None:
    made = machine()
    made.step(build.store_word(R0, R1, 8))
    made.step(build.store_word(R1, R1, 12))
    made.step(build.load_word(R2, R1, 8))
    assert made.regs[R2] is made.dom.leaf("x")


def test_condition_keeps_the_old_value_in_sight() -> None:
    made = machine()
    made.flags["Z"] = made.dom.leaf("z")
    made.step(build.insn("mov", Reg(R0), Imm(1), cond="eq"))
    assert made.regs[R0] == made.dom.ite(made.flags["Z"], 1, made.dom.leaf("x")) or made.dom.leaf(
        "x"
    ) in getattr(made.regs[R0], "args", ())


def test_what_is_not_there_cannot_be_read() -> None:
    with pytest.raises(Unknown):
        machine().step(build.insn("mov", Reg(R0), Reg(R2)))
    with pytest.raises(Unknown):
        machine().step(build.load_word(R2, SP, 0))
    with pytest.raises(Unknown):
        machine().step(build.insn("mov", Reg(R0), Imm(1), cond="eq"))
    with pytest.raises(Unknown):
        machine().step(build.insn("ldr", Reg(R0), Mem(R2)))
