# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The same instruction over other registers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gen.ir.ir import Base, Half, Insn, Mem, Operand, Reg, RegList, Var

Naming = Callable[[Var], Var]


def operand(op: Operand, plain: Naming, base: Naming) -> Operand:
    """`op` with its registers named by `plain`; a base that is written back by `base`."""
    match op:
        case Reg(var):
            return Reg(plain(var))
        case Half(var, which):
            return Half(plain(var), which)
        case RegList(listed):
            return RegList(tuple(plain(var) for var in listed))
        case Base(var, writeback):
            return Base(base(var) if writeback else plain(var), writeback)
        case Mem(var, offset, index, shift, mode):
            moved = None if index is None else plain(index)
            return Mem(base(var) if mode != "offset" else plain(var), offset, moved, shift, mode)
    return op


def insn(old: Insn, read: Naming, write: Naming, both: Naming) -> Insn:
    """`old` with registers named by what it does to them; `ops` become the form's operands."""
    assert old.form is not None, old.mnemonic
    naming = {"r": read, "w": write if old.cond is None else both, "rw": both}
    roles = {}
    for role in old.form.roles:
        moved = role.kind in ("mem", "base")
        roles[role.name] = operand(
            old.roles[role.name], read if moved else naming[role.access], both
        )
    return replace(old, ops=tuple(roles.values()), roles=roles)


def everywhere(old: Insn, naming: Naming) -> Insn:
    """`old` with every register named by `naming`."""
    return insn(old, naming, naming, naming)
