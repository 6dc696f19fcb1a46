# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Follows the control flow of linear code.

A known condition follows its path: counted loops are run round by round with real addresses. An
unknown one forks; states that come to the same place while both wait there meet. The state that is
furthest back in the code goes on first, so paths around a choice meet right after it, and all exits
of a loop meet behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from gen import isa
from gen.diag import Trail, fail
from gen.ir.interp.calls import Calls
from gen.ir.interp.machine import Machine
from gen.ir.interp.refine import assume
from gen.ir.interp.splits import parts_of
from gen.ir.interp.state import Setter, State, join, join_maps
from gen.ir.ir import Call, Insn, Item, Label, LabelRef, Mark, Move, physical
from gen.ir.program import Piece

V = TypeVar("V")
Key = tuple[int, bool, tuple[tuple[str, bool], ...]]

MOST_STEPS = 1_000_000  # of one call; the longest routine of this project takes a fifth
PC = physical("pc")


class Paths(Generic[V]):
    """One run over `items` on `machine`. `marks` handles what only some domains understand."""

    def __init__(
        self,
        machine: Machine[V],
        items: Sequence[Item],
        marks: Callable[[State[V], Mark], None] | None = None,
        calls: Calls[V] | None = None,
    ) -> None:
        self.machine, self.dom, self.observer = machine, machine.dom, machine.observer
        self.items = tuple(items)
        self.marks = marks
        self.calls = calls
        self.exit = len(self.items) if calls is None else calls.program.main.end
        self.labels = {item.name: at for at, item in enumerate(items) if isinstance(item, Label)}
        self.targets = [_target(item) for item in items]
        self.forks = 0
        self.steps = 0
        self.seen: dict[int, tuple[int, State[V]]] = {}

    def run(self, state: State[V]) -> State[V] | None:
        """The state at the end of the code; None when no path gets there."""
        return self.region(state, lambda pc: pc < self.exit)

    def _call(self, state: State[V], item: Call | Insn, name: str) -> list[State[V]]:
        """Runs a sub up to its return, where all its paths meet."""
        assert self.calls is not None
        told = self.observer.calls(state, item)
        end = self.calls.run(state, item, name, self._sub, told)
        if end is None:
            return []
        self.calls.returned(state, item, name, end)
        self.observer.returned(state, item, end.extra)
        return [state]

    def _sub(self, state: State[V], piece: Piece) -> State[V] | None:
        saved = self.exit, self.seen
        self.exit, self.seen = piece.end, {}
        end = self.region(state, lambda pc: piece.start <= pc < piece.end)
        self.exit, self.seen = saved
        return end

    def region(self, start: State[V], inside: Callable[[int], bool]) -> State[V] | None:
        """Runs while `inside`; the states that leave meet."""
        waiting: dict[Key, State[V]] = {_key(start): start}
        left: State[V] | None = None
        while waiting:
            state = waiting.pop(min(waiting))
            bound = min(waiting, default=None)
            while True:
                if not inside(state.pc):
                    left = state if left is None else self.meet(left, state)
                    break
                after = self.step(state)
                if len(after) == 1 and (bound is None or _key(after[0]) < bound):
                    state = after[0]
                    continue
                for other in after:
                    key = _key(other)
                    waiting[key] = self.meet(waiting[key], other) if key in waiting else other
                break
        return left

    def meet(self, x: State[V], y: State[V]) -> State[V]:
        extra = self.observer.met(x, y)
        out = join(self.dom, x, y)
        out.extra = extra
        return out

    # --- one item ---

    def step(self, state: State[V]) -> list[State[V]]:
        """Executes the item at `state.pc`; the states after it (none: this path ends or adds
        nothing)."""
        self.steps += 1
        item = self.items[state.pc]
        if state.known and not self._conditional(state.pc):
            state.known = {}  # the end of an IT block: its paths meet before anything else
            return [state]
        if isinstance(item, Insn):
            return self._insn(state, item)
        if isinstance(item, Call):
            self.machine.state = state
            for var in item.ins:
                self.machine.register(var)
            return self._call(state, item, item.contract.name)
        state.pc += 1
        if isinstance(item, Label):
            return self._label(state, item, 1)
        if isinstance(item, Mark):
            return self._mark(state, item)
        if isinstance(item, Move):
            self._move(state, item)
        return [state]

    def _conditional(self, pc: int) -> bool:
        """Whether the item is an instruction of an IT block."""
        item = self.items[pc]
        return isinstance(item, Insn) and item.cond is not None and self.targets[pc] is None

    def _insn(self, state: State[V], insn: Insn) -> list[State[V]]:
        if self.steps > MOST_STEPS:
            raise fail(
                "unending",
                insn.span,
                f"after {MOST_STEPS} steps the run does not end here",
                trail=insn.trail,
                help="a loop's counter starts at a known value; more rounds than that belong to the caller",
            )
        target = self.targets[state.pc]
        if insn.cond is None:
            if target is not None:
                return self._jump(state, insn, target)
            name = isa.callee(insn)
            return [self._execute(state, insn)] if name is None else self._call(state, insn, name)
        self.machine.insn, self.machine.state = insn, state
        truth = self._truth(state, insn.cond)
        if self.observer.blends(state, insn, target is not None):
            return [self._blend(state, insn)]
        if truth is None:
            return self._fork(state, insn, target)
        return self._go(state, insn, target, truth)

    def _go(self, state: State[V], insn: Insn, target: str | None, truth: bool) -> list[State[V]]:
        """A conditional instruction or branch whose condition is known."""
        if target is None:
            if truth:
                return [self._execute(state, insn)]
            state.pc += 1
            self.observer.skipped(state, insn)
            return [state]
        if truth:
            return self._jump(state, insn, target)
        self.observer.branch(state, insn, None)
        state.pc += 1
        state.known = {}
        return [state]

    def _fork(self, state: State[V], insn: Insn, target: str | None) -> list[State[V]]:
        assert insn.cond is not None
        self.forks += 1
        out: list[State[V]] = []
        for value in (False, True):
            assumed = assume(self.machine, state, insn.cond, value)
            if assumed is not None:
                out += self._go(assumed, insn, target, value)
        return out

    def _truth(self, state: State[V], cond: str) -> bool | None:
        if cond in state.known:
            return state.known[cond]
        return self.dom.truth(isa.condition_value(cond, self.machine))

    def _blend(self, state: State[V], insn: Insn) -> State[V]:
        """What a conditional instruction leaves, executed or not, where the two must not be told
        apart."""
        other = self._execute(state.copy(), insn)
        state.pc += 1
        return self.meet(state, other)

    def _jump(self, state: State[V], insn: Insn, target: str) -> list[State[V]]:
        at = self.labels[target]
        self.observer.branch(state, insn, at)
        state.known = {}
        state.pc = at + 1
        label = self.items[at]
        assert isinstance(label, Label)
        return self._label(state, label, state.trips.get(at, 0) + 1)

    def _execute(self, state: State[V], insn: Insn) -> State[V]:
        machine = self.machine
        machine.insn, machine.state = insn, state
        form = insn.form
        assert form is not None, f"{insn.mnemonic} is not selected"
        if passed := machine.leaves_out(state):
            self.observer.left_out(state, passed)
            state.pc += passed
            return state
        self.observer.begins(state, insn)
        if form.sets:
            before = {var: state.regs[var] for var in isa.reads(insn) if var in state.regs}
            isa.run(insn, machine)
            after = {var: state.regs[var] for var in isa.writes(insn) if var in state.regs}
            state.setter = None if form.loads else Setter(insn, before, after)
            state.known = {}
        else:
            isa.run(insn, machine)
        state.pc += 1
        self.observer.executed(state, insn)
        if PC in state.regs:
            state.pc = self.exit
        return state

    def _move(self, state: State[V], move: Move) -> None:
        name = move.var.name
        if move.kind == "spill":
            self.machine.insn, self.machine.state = _as_insn(move), state
            state.homes[name] = self.machine.register(move.var)
        elif name in state.homes:
            state.regs[move.var] = state.homes[name]
        else:
            self.machine.state = state
            self.observer.unset(_as_insn(move), f"home of {name}")
            state.regs[move.var] = self.machine.any_word(move.var.bits)

    # --- places where paths meet or part ---

    def _label(self, state: State[V], label: Label, round: int) -> list[State[V]]:
        """Arrives just behind a label, the `round`th time since it was reached from above."""
        at = state.pc - 1
        if label.loop:
            state.trips[at] = round
            if round > label.loop:
                self.observer.endless(label)
                return []
        if self.forks:
            forks, before = self.seen.get(at, (self.forks, None))
            if before is not None and forks != self.forks and self._adds_nothing(before, state):
                return []
            self.seen[at] = (self.forks, state.copy())
        return [state]

    def _adds_nothing(self, before: State[V], state: State[V]) -> bool:
        if join_maps(self.dom, before.regs, state.regs) != before.regs:
            return False
        return before.memory.join(state.memory).cells == before.memory.cells

    def _mark(self, state: State[V], mark: Mark) -> list[State[V]]:
        if mark.kind == "ensures-begin":
            state.olds[mark.number] = dict(state.regs)
            return [state]
        if mark.kind == "split":
            return self._split(state, mark)
        if self.marks is not None:
            self.machine.state = state
            self.marks(state, mark)
        if mark.kind == "ensures":
            state.olds.pop(mark.number, None)
        return [state]

    def _split(self, state: State[V], mark: Mark) -> list[State[V]]:
        """Runs to the end of the expansion once for each part of the operand's range."""
        out: State[V] | None = None
        for part in parts_of(self.machine, state, mark):
            end = self.region(part, lambda pc: self._within(pc, mark.trail))
            if end is not None:
                out = end if out is None else self.meet(out, end)
        return [] if out is None else [out]

    def _within(self, pc: int, trail: Trail) -> bool:
        if pc >= self.exit:
            return False
        item = self.items[pc]
        if isinstance(item, Insn | Mark | Move):
            return item.trail[: len(trail)] == trail
        return True


def _key(state: State[V]) -> Key:
    return state.pc, not state.known, tuple(sorted(state.known.items()))


def _as_insn(move: Move) -> Insn:
    return Insn(move.kind, (), move.span, move.trail)


def _target(item: Item) -> str | None:
    """The label a branch goes to."""
    if isinstance(item, Insn) and item.form is not None and item.form.kind == "branch":
        for op in item.ops:
            if isinstance(op, LabelRef):
                return op.name
    return None
