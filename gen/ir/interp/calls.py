# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Calls of subs in a run: what a sub sees of its caller's state, and what comes back.

A sub is run in a state of its own that holds nothing but what it may look at: its inputs, its stack
objects, memory without the slots and saved registers of its callers. So it is the same state
wherever that is the same, and what a run made of it is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from gen.diag import fail
from gen.ir.domains.base import Lattice
from gen.ir.interp.entry import RETURN, STACK, STACK_ROOM, initialised
from gen.ir.interp.machine import kept
from gen.ir.interp.state import State
from gen.ir.ir import Call, Insn, Routine, StackObject, Var, physical
from gen.ir.memory import Cells, Memory, Region
from gen.ir.program import Piece, Program

V = TypeVar("V")
Run = Callable[[State[V], Piece], State[V] | None]
SP, PC = physical("sp"), physical("pc")


class Calls(Generic[V]):
    """The subs of a program; `remember`: equal entry states need one run only."""

    def __init__(
        self, dom: Lattice[V], program: Program, places: Mapping[Var, Region], remember: bool = True
    ) -> None:
        self.dom, self.program, self.remember = dom, program, remember
        self.places = places  # of stack objects, in `code`
        self.memo: dict[Hashable, State[V] | None] = {}
        self.callers = [program.main]
        self.presets = {name: initialised(p.routine.code) for name, p in program.subs.items()}

    def run(
        self, state: State[V], item: Call | Insn, name: str, run: Run[V], told: tuple[Hashable, Any]
    ) -> State[V] | None:
        """The state behind the sub's last item, reached from `state`.

        `told`: what entries differ in beside what the sub sees, and the `extra` to start with.
        """
        piece = self.program.subs[name]
        inner = self._entered(state, item, piece)
        key, inner.extra = told
        if not self.remember:
            return self._inside(inner, piece, run)
        seen = (inner.regs, inner.flags, inner.memory.cells)
        whole = (name, key, *(frozenset(row.items()) for row in seen))
        if whole not in self.memo:
            self.memo[whole] = self._inside(inner, piece, run)
        return self.memo[whole]

    def _inside(self, inner: State[V], piece: Piece, run: Run[V]) -> State[V] | None:
        self.callers.append(piece)
        end = run(inner, piece)
        self.callers.pop()
        return end

    # --- into a sub

    def _entered(self, state: State[V], item: Call | Insn, piece: Piece) -> State[V]:
        if isinstance(item, Call):
            regs, cells = self._webs(state, item, piece.routine), self._fresh(state, piece.routine)
        else:
            regs, cells = self._registers(state, piece.routine), self._shown(state)
        memory = Memory(self.dom, cells, state.memory.partly)
        flags = {flag: value for flag, value in state.flags.items() if flag == "Q"}
        return State(piece.start, regs, flags, memory)

    def _webs(self, state: State[V], item: Call, sub: Routine) -> dict[Var, V]:
        assert sub.contract is not None
        regs = {
            var: self.dom.word(self.dom.const(var.init or 0), var.bits)
            for var in self.presets[sub.name]
        }
        for one in sub.objects:
            regs[one.var] = self.dom.const(self.places[one.var].base)
        for var, formal in zip(item.ins, sub.contract.ins, strict=True):
            if var in state.regs:
                regs[formal] = kept(self.dom, formal, state.regs[var])
        return regs

    def _fresh(self, state: State[V], sub: Routine) -> Cells[V]:
        """Memory in which nothing is known of the sub's objects."""
        own = [self.places[one.var] for one in sub.objects]
        return without(state.memory.cells, [(region.base, region.end) for region in own])

    def _registers(self, state: State[V], sub: Routine) -> dict[Var, V]:
        assert sub.contract is not None
        regs = {SP: state.regs[SP], physical(sub.core.abi.link): self.dom.const(RETURN)}
        for formal in sub.contract.ins:
            var = physical(formal.pin or "")
            if var in state.regs:
                regs[var] = state.regs[var]
        return regs

    def _shown(self, state: State[V]) -> Cells[V]:
        """Memory without the caller's frame, but for its objects."""
        return without(state.memory.cells, self._frame(state))

    def _frame(self, state: State[V]) -> list[tuple[int, int]]:
        """The addresses of the caller's frame that are none of its objects."""
        routine, sp = self.callers[-1].routine, self.dom.exactly(state.regs[SP])
        assert sp is not None
        parts: list[tuple[int, int]] = []
        start = sp
        for low, high in sorted({place(routine, one) for one in routine.objects}):
            parts.append((start, sp + low))
            start = sp + high
        return [*parts, (start, sp + routine.frame.stack)]

    # --- and back

    def returned(self, state: State[V], item: Call | Insn, name: str, end: State[V]) -> None:
        """Puts what the sub left in `end` into the caller's `state`."""
        sub = self.program.subs[name].routine
        assert sub.contract is not None
        if isinstance(item, Call):
            for var, formal in zip(item.outs, sub.contract.outs, strict=True):
                state.regs[var] = kept(self.dom, var, end.regs[formal])
            cells = self._fresh(end, sub)
        else:
            cells = self._popped(state, item, sub, end)
        state.memory = Memory(self.dom, cells, state.memory.partly)
        state.flags = {flag: value for flag, value in end.flags.items() if flag == "Q"}
        state.setter, state.known = None, {}
        state.pc += 1

    def _popped(self, state: State[V], item: Insn, sub: Routine, end: State[V]) -> Cells[V]:
        contract = sub.contract
        assert contract is not None
        back = end.regs.get(PC, end.regs.get(physical(sub.core.abi.link)))
        same = self.dom.exactly(end.regs[SP]) == self.dom.exactly(state.regs[SP])
        if back is None or self.dom.exactly(back) != RETURN or not same:
            raise fail("bad-check", item.span, f"{sub.name} does not come back", trail=item.trail)
        for name in (*contract.spoils, *sub.fp):
            state.regs.pop(physical(name), None)
        for formal in contract.outs:
            var = physical(formal.pin or "")
            if var in end.regs:
                state.regs[var] = end.regs[var]
        hidden = within(state.memory.cells, self._frame(state))
        sp = self.dom.exactly(state.regs[SP])
        assert sp is not None
        return without(end.memory.cells, [(STACK - STACK_ROOM, sp)]) | hidden


def without(cells: Cells[V], parts: Iterable[tuple[int, int]]) -> Cells[V]:
    """The cells that begin in none of the parts."""
    inside = within(cells, parts)
    return {at: cell for at, cell in cells.items() if at not in inside} if inside else dict(cells)


def within(cells: Cells[V], parts: Iterable[tuple[int, int]]) -> Cells[V]:
    """The cells that begin in one of the parts."""
    found: Cells[V] = {}
    for low, high in parts:
        if high - low < len(cells):
            found |= {at: cells[at] for at in range(low, high) if at in cells}
        else:
            found |= {at: cell for at, cell in cells.items() if low <= at < high}
    return found


def place(routine: Routine, one: StackObject) -> tuple[int, int]:
    """Where an object begins and ends, from SP in the body; those that share a place have one answer."""
    base = one
    while base.over is not None:
        base = base.over
    low = routine.frame.objects[base.var]
    return low, low + base.bytes
