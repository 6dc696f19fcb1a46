# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A machine for runs that ask where a routine goes, not what it computes: of memory it keeps tables and what is
reached through SP (saved registers, slots, arguments); whatever else is loaded may be anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gen.ir.domains.base import Lattice
from gen.ir.interp.entry import Call
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.state import State
from gen.ir.ir import Base, Insn, Mem, Routine, Var, physical
from gen.ir.memory import Memory, Region

V = TypeVar("V")
SP = physical("sp")


@dataclass(frozen=True, slots=True)
class Row:
    """Instructions one behind the other that are left out, and what they write."""

    length: int
    regs: tuple[Var, ...]
    flags: tuple[str, ...]


class FrameOnly(Machine[V]):
    """`blank` stands for what is loaded from elsewhere, and for what the instructions of `rows` (by the place of
    the first in the code) write. A store elsewhere that may touch what is kept makes it blank."""

    def __init__(
        self,
        dom: Lattice[V],
        regions: Sequence[Region],
        observer: Observer[V],
        blank: V,
        rows: Mapping[int, Row],
    ) -> None:
        super().__init__(dom, regions, observer)
        self.blank, self.rows = blank, rows

    def leaves_out(self, state: State[V]) -> int:
        row = self.rows.get(state.pc)
        if row is None:
            return 0
        for var in row.regs:
            state.regs[var] = self.blank
        for flag in row.flags:
            state.flags[flag] = self.blank
        if row.flags:
            state.setter, state.known = None, {}
        return row.length

    def load(self, address: V, size: int) -> V:
        self.observer.access(self.insn, address, size, False)
        at, memory = self.dom.exactly(address), self.state.memory
        if at is None or not any(near in memory.cells for near in range(at - 15, at + size)):
            return self.blank
        value = memory.load(at, size)
        return self.blank if value is None else value

    def store(self, address: V, size: int, value: V) -> None:
        self.observer.access(self.insn, address, size, True)
        at = self.dom.exactly(address)
        if at is not None and through_sp(self.insn):
            self.state.memory.store(at, size, value)
        else:
            self._forget(address, size)

    def _forget(self, address: V, size: int) -> None:
        cells, bounds = self.state.memory.cells, self.dom.bounds(address)
        low, high = (bounds[0], bounds[1] + size) if bounds is not None else (0, 1 << 32)
        hit = [at for at, cell in cells.items() if at < high and low < at + cell[0]]
        for at in hit:
            del cells[at]


def through_sp(insn: Insn) -> bool:
    """Whether an access to memory goes through SP."""
    form = insn.form
    assert form is not None
    if "sp" in form.effects.writes:
        return True
    bases = [op.base for op in insn.roles.values() if isinstance(op, Mem)]
    bases += [op.var for op in insn.roles.values() if isinstance(op, Base)]
    return SP in bases


def bare(routine: Routine, call: Call[V]) -> None:
    """Takes from the start of a run what buffers hold, tables excepted."""
    memory = call.state.memory
    tables = [p.name for p in routine.params if p.table is not None]
    hidden = [region for name, region in call.buffers.items() if name not in tables]
    cells = {
        at: cell
        for at, cell in memory.cells.items()
        if not any(region.base <= at < region.end for region in hidden)
    }
    call.state.memory = Memory(memory.dom, cells, memory.partly)
