# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The form `acle`: C with Arm's intrinsics, a statement an instruction; compilers allocate registers and may reorder.

Where a Form names no intrinsic its statement is that of the portable form, over registers of the core's width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gen.emit.backend import guard
from gen.emit.cmeaning import Naming, statements
from gen.emit.contract import banner
from gen.emit.portable_c import functions, table_rows
from gen.emit.render import render
from gen.emit.view import Piece
from gen.ir.ir import Half, Imm, Insn, Mem, Operand, Reg, Routine
from gen.isa import bank


def intrinsic(insn: Insn, naming: Naming, live: frozenset[str]) -> list[str]:
    """Statements of one instruction: its intrinsic, moves of vectors, or what its meaning says."""
    form = insn.form
    assert form is not None
    vectors = [op for op in insn.roles.values() if isinstance(op, Reg) and bank(op.var) == "v"]
    if vectors and (form.loads or form.stores):
        return list(_memory(insn, vectors, naming))
    if form.acle and not live and insn.cond is None:
        return [_call(insn, naming)]
    if vectors:  # a copy
        dest, source = (naming.register(op.var) for op in vectors)
        return [f"{dest} = {source};"]
    return statements(insn, naming, live)


def _call(insn: Insn, naming: Naming) -> str:
    """The destination, and the intrinsic of what is read, in the order of the operands."""
    form = insn.form
    assert form is not None
    name = re.sub(r"\{(\w+)\.half\}", lambda found: _which(insn.roles[found[1]]), form.acle)
    (dest,) = (role.name for role in form.roles if "w" in role.access)
    read = (insn.roles[role.name] for role in form.roles if "r" in role.access)
    to = insn.roles[dest]
    assert isinstance(to, Reg)
    return f"{naming.register(to.var)} = {name}({', '.join(_text(op, naming) for op in read)});"


def _which(operand: Operand) -> str:
    assert isinstance(operand, Half)
    return operand.which


def _text(operand: Operand, naming: Naming) -> str:
    if isinstance(operand, Imm):
        return str(operand.value)
    assert isinstance(operand, Reg | Half)
    return naming.register(operand.var)


def _memory(insn: Insn, vectors: list[Reg], naming: Naming) -> Iterator[str]:
    """Loads and stores of vector registers one by one, then the write-back."""
    form = insn.form
    assert form is not None
    mem = next(op for op in insn.roles.values() if isinstance(op, Mem))
    base = naming.register(mem.base)
    start = 0 if mem.mode == "post" else mem.offset.value
    for number, reg in enumerate(vectors):
        name, offset = naming.register(reg.var), start + form.size_bytes * number
        at = f"{base} + {offset}" if offset else base
        if mem.index is not None:
            at = f"{base} + ({naming.register(mem.index)} << {mem.shift})"
        if form.acle:
            yield f"{name} = {form.acle}((const uint64_t *)({at}));"
        elif form.loads:
            yield f"{name} = loadv{8 * form.size_bytes}({at});"
        else:
            yield f"storev{8 * form.size_bytes}({at}, {name});"
    if mem.mode != "offset":
        yield f"{base} += {mem.offset.value};"


def _as_read(routine: Routine | None) -> Routine | None:
    """The routine and its subs over the registers that their bodies name."""
    if routine is None or routine.read is None:
        return routine
    return replace(routine.read, subs=tuple(sub.read or sub for sub in routine.subs))


def emit(piece: Piece) -> dict[str, str]:
    """Path below generated/ -> text."""
    text = render(
        "acle.c.j2",
        banner=banner(piece, machine=False),
        guard=guard(piece.core.key, "acle"),
        stem=piece.stem,
        functions=functions(_as_read(piece.routine), intrinsic),
        tables=table_rows(piece),
    )
    return {f"{piece.core.key}/{piece.stem}_acle.c": text}
