# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What it says about the operands of a comparison that a condition on its flags holds, or does not.

No table of comparisons: the instruction that set the flags is executed again on parts of its
operands' ranges, and ends of a range from which the flags can only come out otherwise are cut off,
by bisection.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from gen import isa
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.state import Setter, State
from gen.ir.ir import Var

V = TypeVar("V")


class Refiner(Generic[V]):
    """Executes one flag-setting instruction on chosen operands."""

    def __init__(self, machine: Machine[V], setter: Setter[V]) -> None:
        self.dom = machine.dom
        self.setter = setter
        self.machine: Machine[V] = Machine(machine.dom, machine.regions, Observer())
        self.machine.consts = machine.consts
        self.machine.insn = self.insn = replace(setter.insn, cond=None)

    def run(self, regs: dict[Var, V]) -> State[V]:
        scratch = State(0, dict(regs), {}, self.machine.state.memory)
        self.machine.state = scratch
        isa.run(self.insn, self.machine)
        return scratch

    def can(self, regs: dict[Var, V], cond: str, value: bool) -> bool:
        """Whether `cond` can come out as `value` with these operands."""
        self.run(regs)
        truth = self.dom.truth(isa.condition_value(cond, self.machine))
        return truth is None or truth == value

    def narrow(self, cond: str, value: bool) -> dict[Var, V] | None:
        """Operands cut down to where `cond` can be `value`; None when it cannot be."""
        regs = dict(self.setter.before)
        if not self.can(regs, cond, value):
            return None
        for var in regs:
            bounds = self.dom.bounds(regs[var])
            if bounds is not None and bounds[0] < bounds[1]:
                cut = self._cut(regs, var, bounds[:2], cond, value)
                if cut is None:
                    return None
                regs[var] = cut
        return regs

    def _cut(
        self, regs: dict[Var, V], var: Var, ends: tuple[int, int], cond: str, value: bool
    ) -> V | None:
        lo, hi = ends
        whole = regs[var]

        def possible(part_lo: int, part_hi: int) -> bool:
            return self.can(regs | {var: self.dom.clip(whole, part_lo, part_hi)}, cond, value)

        least, most = lo, hi
        if not possible(lo, lo):
            below, least = lo, hi  # nothing is possible up to `below`; something is up to `least`
            while least - below > 1:
                middle = (below + least) // 2
                below, least = (below, middle) if possible(lo, middle) else (middle, least)
        if not possible(hi, hi):
            above, most = hi, least
            while above - most > 1:
                middle = (above + most) // 2
                above, most = (above, middle) if possible(middle, hi) else (middle, most)
        return self.dom.clip(whole, least, most) if possible(least, most) else None


def _narrowed(
    machine: Machine[V], setter: Setter[V], cond: str, value: bool
) -> tuple[dict[Var, V], State[V]] | None:
    """What `assume` finds out, remembered: it depends on the comparison and its operands alone."""
    key = (setter.insn, cond, value, tuple(setter.before.values()))
    if key not in machine.narrowed:
        refiner = Refiner(machine, setter)
        regs = refiner.narrow(cond, value)
        machine.narrowed[key] = None if regs is None else (regs, refiner.run(regs))
    found: tuple[dict[Var, V], State[V]] | None = machine.narrowed[key]
    return found


def assume(machine: Machine[V], state: State[V], cond: str, value: bool) -> State[V] | None:
    """`state` where `cond` is `value`; None when it cannot be. The argument is not changed."""
    out = state.copy()
    setter = state.setter
    if setter is not None and isa.condition_flags(cond) <= isa.flags_set(setter.insn):
        found = _narrowed(machine, setter, cond, value)
        if found is None:
            return None
        regs, again = found
        for var, narrowed in regs.items():
            if out.regs.get(var) is setter.before[var]:
                out.regs[var] = narrowed
        for var, written in setter.after.items():
            if out.regs.get(var) is written:
                out.regs[var] = again.regs[var]
        out.flags.update(again.flags)
        out.setter = Setter(setter.insn, regs, {v: again.regs[v] for v in setter.after})
    out.known[cond] = value
    return out
