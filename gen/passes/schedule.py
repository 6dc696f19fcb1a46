# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Applies a committed order. Without one the author's stays; nothing is searched here.

`code` stays as the author wrote it, which is what proofs and `check_result` speak of; the order is another row of the
same items, from which registers and the frame are made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gen import isa
from gen.console import command
from gen.diag import fail
from gen.ir.ir import Align, Call, Comment, Insn, Item, Label, Mark, Move, Routine, Var
from gen.ir.order import Row
from gen.passes.dataflow import FLAGS, blocks

Real = Insn | Move | Call
UNPLACED = "-"  # in an order: a web that has no register of its own


def schedule(routine: Routine) -> Routine:
    """The pass. Raises `Failed`: stale-order.

    An order that another core has, one that this core is like, holds here as far as the code is the same.
    """
    order = routine.order
    row = order.rows.get(routine.name) if order is not None else None
    if order is None or row is None:
        return routine
    inherited = order.core != routine.core.key
    if inherited and not _has(routine, row):
        return routine
    if row.code != digest(routine.code):
        if inherited:
            return routine
        raise _stale(routine, row, "the code has changed since this order was made")
    found = applied(routine.code, row.items)
    webs = webs_of(routine.code)
    if found is None or len(webs) != len(row.places):
        raise _stale(routine, row, "this is no order of the code")
    places = {var: at for var, at in zip(webs, row.places, strict=True) if at != UNPLACED}
    return replace(routine, ordered=found, places=places)


def _has(routine: Routine, row: Row) -> bool:
    """Whether the core has the registers of an order made for another one."""
    return {*row.places} <= {*routine.core.registers, *routine.core.fp_registers, UNPLACED}


def _stale(routine: Routine, row: Row, message: str) -> Exception:
    stem = routine.source.removeprefix("asm-src/").removesuffix(".rasm")
    help = command(f"optimise {stem} --core {routine.core.key}") + ", or remove the file"
    return fail("stale-order", row.span, message, help=help)


def real(code: Sequence[Item]) -> list[int]:
    """Where the items are that an order numbers."""
    return [at for at, item in enumerate(code) if isinstance(item, Real)]


def applied(code: Sequence[Item], order: Sequence[int]) -> tuple[Item, ...] | None:
    """The items in an order, comments with the instruction that they stand above; None when it is none."""
    where = real(code)
    if sorted(order) != list(range(len(where))):
        return None
    out: list[Item] = []
    done = 0
    for block in blocks(code):
        row = [code[at] for at in range(block.start, block.end)]
        count = sum(isinstance(item, Real) for item in row)
        mine = order[done : done + count]
        if [*mine] == list(range(done, done + count)):
            out += row
        elif not movable(row) or sorted(mine) != list(range(done, done + count)):
            return None
        else:
            out += _permuted(row, [number - done for number in mine])
        done += count
    return tuple(out)


def movable(row: Sequence[Item]) -> bool:
    """Whether the items of a block may be put in order at all: alignment and `public` are about a place."""
    begun = False
    for item in row:
        begun = begun or isinstance(item, Real)
        if isinstance(item, Mark) and item.kind == "public":
            return False
        if begun and isinstance(item, Align | Label):
            return False
    return True


def _permuted(row: Sequence[Item], order: Sequence[int]) -> Iterator[Item]:
    heads = [item for item in row if isinstance(item, Label | Align)]
    groups: list[list[Item]] = [[]]
    for item in row:
        if isinstance(item, Comment):
            groups[-1].append(item)
        elif isinstance(item, Real):
            groups[-1].append(item)
            groups.append([])
    yield from heads
    for number in order:
        yield from groups[number]
    yield from groups[-1]


def webs_of(code: Sequence[Item]) -> list[Var]:
    """The webs that have registers, as they occur."""
    found: dict[Var, None] = {}
    for item in code:
        if isinstance(item, Insn):
            row = (*isa.reads(item), *isa.writes(item))
        elif isinstance(item, Move):
            row = (item.var,)
        elif isinstance(item, Call):
            row = (*item.ins, *item.outs)
        else:
            continue
        found |= dict.fromkeys(var for var in row if var.type != "stack")
    flags = {*FLAGS.values()}
    return [var for var in found if var not in flags]


def digest(code: Sequence[Item]) -> str:
    """A hash of what the items do, whatever registers and labels are called."""
    number: dict[Var, str] = {}

    def name(var: Var) -> str:
        return number.setdefault(var, f"v{len(number)}:{var.type}:{var.pin}:{var.init}:{var.home}")

    lines = []
    for item in code:
        if isinstance(item, Insn):
            lines.append(isa.render(item, name) + f" {item.width}")
        elif isinstance(item, Move):
            lines.append(f"{item.kind} {name(item.var)}")
        elif isinstance(item, Call):
            given = " ".join(map(name, (*item.ins, *item.outs)))
            lines.append(f"call {item.contract.name} {given}")
        elif isinstance(item, Label | Align):
            lines.append(type(item).__name__)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
