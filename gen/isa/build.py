# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Instructions that the passes make themselves: frame, branches, IT, spills, constants, padding.

The passes name none of them: a mnemonic occurs in the tables and here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from gen.ir.ir import Base, Imm, Insn, LabelRef, Mem, Operand, Part, Reg, RegList, Var, physical
from gen.isa import tables
from gen.isa.encode import immediate_fits
from gen.isa.match import match
from gen.isa.render import it_name

_SP = physical("sp")


def insn(
    name: str,
    *ops: Operand,
    cond: str | None = None,
    width: Literal["", ".n", ".w"] = "",
    part: Part = "body",
    comment: str = "",
    tables_of: Sequence[str] = tables.M_PROFILE,
) -> Insn:
    """An instruction in the first form of some tables that takes `ops`. Raises ValueError when there is none."""
    for form in tables.forms_named(name):
        roles = match(form, ops) if form.isa in tables_of else None
        if isinstance(roles, dict):
            return Insn(
                name,
                ops,
                cond=cond,
                width=width,
                part=part,
                comment=comment,
                form=form,
                roles=roles,
            )
    raise ValueError(f"no form of {name} takes {ops}")


def branch(label: str, cond: str | None = None, width: Literal["", ".w"] = "") -> Insn:
    """B, or B with a condition."""
    return insn("b" if cond is None else "bc", LabelRef(label), cond=cond, width=width)


def call(label: str) -> Insn:
    """BL."""
    return insn("bl", LabelRef(label))


def it_block(conds: Sequence[str]) -> Insn:
    """IT over one to four instructions with these conditions, the first one's or its inverse."""
    return insn(it_name(conds), LabelRef(conds[0]))


def conditional(conds: Sequence[str]) -> Iterator[Insn]:
    """What stands before one to four instructions with these conditions."""
    yield it_block(conds)


def nop(width: Literal["", ".n", ".w"] = "") -> Insn:
    return insn("nop", width=width)


def give_back(part: Part = "exit") -> Insn:
    """BX lr."""
    return insn("bx", Reg(physical("lr")), part=part)


def push(listed: Sequence[Var], part: Part = "entry") -> Insn:
    """Saves core or FP registers, which are physical and ascending."""
    name = "vpush" if (listed[0].pin or "")[0] in "sd" and listed[0] is not _SP else "push"
    return insn(name, RegList(tuple(listed)), part=part)


def pop(listed: Sequence[Var], part: Part = "exit") -> Insn:
    """Restores what `push` saved; with pc in the place of lr it also returns."""
    name = "vpop" if (listed[0].pin or "")[0] in "sd" and listed[0] is not _SP else "pop"
    return insn(name, RegList(tuple(listed)), part=part)


def stack_bytes(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> int:
    """Bytes of a frame with these registers and `room` below them. SP is kept a multiple of four and no more: no call
    is made from here (AAPCS32, 6.2.1)."""
    return 4 * (len(saved) + len(saved_fp)) + room


def places(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[tuple[Var, int]]:
    """Each saved register and the bytes below the caller's SP where it is: the highest number on top."""
    for place, var in enumerate(reversed((*saved_fp, *saved))):
        yield var, 4 * (place + 1)


def enter(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]:
    """Makes the frame."""
    if saved:
        yield push(saved)
    if saved_fp:
        yield push(saved_fp)
    if room:
        yield grow(room)


def leave(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]:
    """Gives the frame back and returns: LR, where it was saved, straight to PC."""
    if room:
        yield shrink(room)
    if saved_fp:
        yield pop(saved_fp)
    if saved:
        yield pop([physical("pc") if var is physical("lr") else var for var in saved])
    else:
        yield give_back()


def grow(count: int, part: Part = "entry") -> Insn:
    """Makes room for `count` bytes of stack, a multiple of four below 4096."""
    return insn("sub", Reg(_SP), Reg(_SP), Imm(count), part=part)


def shrink(count: int, part: Part = "exit") -> Insn:
    """Gives back what `grow` took."""
    return insn("add", Reg(_SP), Reg(_SP), Imm(count), part=part)


def load_word(var: Var, base: Var, offset: int, part: Part = "body", comment: str = "") -> Insn:
    """var = [base, #offset]; the offset is -255 to 4095."""
    return insn("ldr", Reg(var), Mem(base, Imm(offset)), part=part, comment=comment)


def load_words(listed: Sequence[Var], base: Var, part: Part = "body") -> Iterator[Insn]:
    """The words at `base` into ascending registers, which it may be among."""
    if len(listed) == 1:
        yield load_word(listed[0], base, 0, part)
    elif listed:
        yield insn("ldm", Base(base, writeback=False), RegList(tuple(listed)), part=part)


def store_word(var: Var, base: Var, offset: int, part: Part = "body", comment: str = "") -> Insn:
    """[base, #offset] = var; the offset is -255 to 4095."""
    return insn("str", Reg(var), Mem(base, Imm(offset)), part=part, comment=comment)


def move(dest: Var, source: Var, part: Part = "body", comment: str = "") -> Insn:
    """dest = source, each a core or an FP register."""
    fp = any((v.pin or "")[:1] == "s" and v is not _SP or v.home == "fp" for v in (dest, source))
    return insn("vmov" if fp else "mov", Reg(dest), Reg(source), part=part, comment=comment)


def constant(dest: Var, value: int, text: str = "", part: Part = "entry") -> tuple[Insn, ...]:
    """One or two instructions that put `value` (modulo 2**32) into a core register."""
    word = value & 0xFFFFFFFF
    if immediate_fits("t2|0..65535", word):
        return (insn("mov", Reg(dest), Imm(word, text), part=part),)
    if immediate_fits("t2", word ^ 0xFFFFFFFF):
        return (insn("mvn", Reg(dest), Imm(word ^ 0xFFFFFFFF), part=part, comment=text),)
    return (
        insn("movw", Reg(dest), Imm(word & 0xFFFF), part=part, comment=text),
        insn("movt", Reg(dest), Imm(word >> 16), part=part, comment=text),
    )
