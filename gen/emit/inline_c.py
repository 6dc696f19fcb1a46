# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The form `inline`: C with one asm statement that takes the address of an array of arguments.

Inside the statement the registers of the `.S` file are saved, loaded and restored, so the body between is the same
machine code, no compiler option reserves a register that it needs, and the number of operands is one.

The array holds the words of the call in the order of the AAPCS. Its address arrives in a register that the statement
does not list as changed; the frame gives that register back, which is why the result can be stored through it at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gen.emit.aapcs import IN_REGISTERS, Word, width, words
from gen.emit.backend import guard
from gen.emit.contract import banner
from gen.emit.render import render
from gen.emit.view import (
    Piece,
    aligned,
    branches,
    c_type,
    comment_of,
    instruction,
    number_rows,
    plain,
    relabel,
    table_align,
    with_comment,
)
from gen.ir.ir import (
    Align,
    Comment,
    CType,
    Imm,
    Insn,
    Item,
    Label,
    Mem,
    Operand,
    Reg,
    RegList,
    Routine,
    physical,
)
from gen.isa import build, render as assembly, size, writes

COLUMN = 56
_ARRAY = "args"
_OPERAND = "%[args]"
_UNIQUE = '" ARMSCRIBE_ASM_ID "'  # ends the string, and begins it again


# --- the frame around the body -------------------------------------------------------------------------------------


def _stacked(insn: Insn, routine: Routine) -> int | None:
    """Number of the argument word that an instruction of the entry loads from the caller's stack."""
    memory = next((op for op in insn.ops if isinstance(op, Mem)), None)
    if insn.part != "entry" or memory is None or memory.base is not physical("sp"):
        return None
    beyond = memory.offset.value - routine.frame.stack
    return (
        IN_REGISTERS + beyond // 4
        if insn.form is not None and insn.form.loads and beyond >= 0
        else None
    )


def _with_operands(insn: Insn, change: dict[Operand, Operand]) -> Insn:
    roles = {role: change.get(op, op) for role, op in insn.roles.items()}
    return replace(insn, ops=tuple(change.get(op, op) for op in insn.ops), roles=roles)


def _from_array(insn: Insn, base: str, number: int) -> Insn:
    """The same load, from word `number` of the array at `base`."""
    change: dict[Operand, Operand] = {
        op: Mem(physical(base), Imm(4 * number)) for op in insn.ops if isinstance(op, Mem)
    }
    return _with_operands(insn, change)


def _back_to_caller(insn: Insn) -> Insn | None:
    """The last instruction of the exit, without the return: a popped PC goes to LR."""
    change: dict[Operand, Operand] = {}
    for op in insn.ops:
        if isinstance(op, RegList) and physical("pc") in op.vars:
            names = (physical("lr") if var.name == "pc" else var for var in op.vars)
            change[op] = RegList(tuple(names))
    if change:
        return _with_operands(insn, change)
    return None if insn.form is not None and insn.form.kind == "return" else insn
