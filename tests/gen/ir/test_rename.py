# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Registers of an instruction are renamed by what it does to them."""

from __future__ import annotations

from gen.ir.ir import Base, Half, Mem, Reg, RegList, Shift, Var
from gen.ir.rename import everywhere, insn, operand
from gen.isa import build

X, Y, Z, R, W, B = (Var(name) for name in "xyzrwb")


def read(var: Var) -> Var:
    return R


def write(var: Var) -> Var:
    return W


def both(var: Var) -> Var:
    return B


def test_by_role() -> None:
    made = insn(build.insn("add", Reg(X), Reg(Y), Reg(Z), Shift("lsl", 2)), read, write, both)
    assert made.ops == (Reg(W), Reg(R), Reg(R), Shift("lsl", 2))
    assert tuple(made.roles.values()) == made.ops


def test_tied() -> None:
    made = insn(build.insn("umlal", Reg(X), Reg(Y), Reg(Z), Reg(Z)), read, write, both)
    assert made.ops == (Reg(B), Reg(B), Reg(R), Reg(R))


def test_under_a_condition_the_old_value_counts() -> None:
    made = insn(build.insn("mov", Reg(X), Reg(Y), cond="eq"), read, write, both)
    assert made.ops == (Reg(B), Reg(R))


def test_bases() -> None:
    assert insn(build.insn("ldr", Reg(X), Mem(Y)), read, write, both).ops[1] == Mem(R)
    moved = insn(build.insn("ldr", Reg(X), Mem(Y, mode="post")), read, write, both)
    assert moved.ops == (Reg(W), Mem(B, mode="post"))
    listed = insn(build.insn("ldm", Base(Y, True), RegList((X, Z))), read, write, both)
    assert listed.ops == (Base(B, True), RegList((W, W)))
    assert insn(build.insn("ldm", Base(Y, False), RegList((X, Z))), read, write, both).ops[0] == (
        Base(R, False)
    )


def test_everywhere() -> None:
    made = everywhere(build.insn("str", Reg(X), Mem(Y, index=X, shift=2)), {X: Z, Y: W}.get)  # type: ignore[arg-type]
    assert made.ops == (Reg(Z), Mem(W, index=Z, shift=2))


def test_half() -> None:
    assert operand(Half(X, "t"), read, both) == Half(R, "t")
