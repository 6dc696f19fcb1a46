# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Pointers that a routine keeps in a stack object: in C a variable beside the object, since a word is too small."""

from __future__ import annotations

from dataclasses import dataclass

from gen.diag import fail
from gen.ir.ir import Insn, Mem, Reg, Var


@dataclass(frozen=True, slots=True)
class Kept:
    """A word that is moved between a pointer register and a place of a stack object."""

    pointer: Var
    object: Var
    offset: int
    loads: bool

    def line(self, pointer: str, place: str) -> str:
        """The C statement."""
        return f"{pointer} = {place};" if self.loads else f"{place} = {pointer};"


def kept(insn: Insn) -> Kept | None:
    """What `insn` does of this kind. Raises `Failed` where a pointer goes to memory that is no stack object."""
    form = insn.form
    if form is None or form.size_bytes != 4 or any(role.kind == "list" for role in form.roles):
        return None
    operands = insn.roles.values()
    pointers = [op.var for op in operands if isinstance(op, Reg) and op.var.type == "ptr"]
    mem = next((op for op in operands if isinstance(op, Mem)), None)
    if not pointers or mem is None:
        return None
    if mem.base.type != "stack" or mem.index is not None or mem.mode != "offset":
        message = f"{pointers[0].name} is a pointer; only a stack object or its home can keep it"
        how = f"reg {pointers[0].name} : ptr slot, and spill and fill"
        raise fail("bad-operands", insn.span, message, trail=insn.trail, help=how)
    return Kept(pointers[0], mem.base, mem.offset.value, form.loads)
