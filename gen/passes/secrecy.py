# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs the final instructions over secret and public: no secret in a branch, in an address, or in
an operand that this core takes its time over.

A conditional instruction may depend on a secret when it accesses no memory and costs as much as one
that is skipped; what it writes is secret then.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from gen import isa
from gen.ir.domains.halves import Range
from gen.ir.domains.taint import SECRET, Taint
from gen.ir.interp.entry import Call
from gen.ir.interp.machine import Machine
from gen.ir.interp.state import State
from gen.ir.ir import Half, Insn, Label, Mark, Param, Reg, Routine
from gen.passes.running import Reporter, aliases, cases, promised, run, shown

DOM = Taint()


class Secrets:
    """Arguments: secret, or public and within their bounds."""

    def __init__(self, scalars: Mapping[str, int], shown: frozenset[str] = frozenset()) -> None:
        self.scalars = scalars
        self.shown = shown  # secret buffers that are a public one too: nothing secret is in them

    def scalar(self, param: Param) -> Range:
        if param.secret:
            return SECRET
        if param.name in self.scalars:
            return DOM.const(self.scalars[param.name])
        return DOM.unknown(*promised(param))

    def element(self, param: Param, index: int) -> Range | None:
        if param.table is not None:
            return DOM.const(param.table.values[index])
        hidden = param.secret and param.name not in self.shown
        if hidden and not any(lo <= index < hi for lo, hi in param.public_ranges):
            return SECRET
        return DOM.unknown(*promised(param))


class Watch(Reporter[Range]):
    """Errors of the secrecy run."""

    def __init__(self, routine: Routine) -> None:
        super().__init__()
        self.core = routine.core
        self.hidden: Insn | None = None  # executed or not, by a secret

    def watching(self, call: Call[Range]) -> Machine[Range]:
        return Machine(DOM, call.regions, self)

    def blends(self, state: State[Range], insn: Insn, branch: bool) -> bool:
        assert insn.cond is not None
        if not any(state.flags.get(name) is SECRET for name in isa.condition_flags(insn.cond)):
            return False
        if branch:
            self.error(
                "secret-branch",
                insn,
                "this branch depends on a secret",
                help="compute both outcomes and choose with `then`, or declassify: public x // why",
            )
            return False
        self._judge_conditional(insn)
        self.hidden = insn
        return True

    def _judge_conditional(self, insn: Insn) -> None:
        form = insn.form
        assert form is not None
        if form.loads or form.stores:
            self.error(
                "secret-branch",
                insn,
                f"whether `{shown(insn)}` accesses memory depends on a secret",
                help="access in either case, and choose the value before",
            )
        price = self.core.cycles[form.kind]
        if (price.low, price.high) != (self.core.rules.skipped, self.core.rules.skipped):
            self.error(
                "secret-timing",
                insn,
                f"whether `{shown(insn)}` is executed depends on a secret, and costs time",
            )

    def begins(self, state: State[Range], insn: Insn) -> None:
        form = insn.form
        assert form is not None
        price = self.core.cycles.get(form.kind)
        if price is None or not price.data_dependent:
            return
        if any(state.regs.get(var) is SECRET for var in isa.reads(insn)):
            self.error(
                "secret-timing",
                insn,
                f"`{shown(insn)}` takes {price.low} to {price.high} cycles here, by a secret",
                help="use an instruction of fixed time",
            )

    def executed(self, state: State[Range], insn: Insn) -> None:
        if insn is self.hidden:
            for var in isa.writes(insn):
                state.regs[var] = SECRET
            for name in isa.flags_set(insn):
                state.flags[name] = SECRET
            self.hidden = None

    def access(self, insn: Insn, address: Range, size: int, stored: bool) -> None:
        if address is SECRET:
            self.error(
                "secret-address",
                insn,
                f"the address of `{shown(insn)}` depends on a secret",
                help="read every element and choose with a mask",
            )

    def endless(self, label: Label) -> None:
        """The interval run's business."""


def _shown_by(routine: Routine, same: Mapping[str, str]) -> frozenset[str]:
    """Buffers that are equal to a public input: a caller who passes them so has made them public."""
    public = {p.name for p in routine.params if not p.secret and p.role != "out"}
    pairs = [pair for pair in same.items() if public & set(pair)]
    return frozenset(name for pair in pairs for name in pair)


def _declassify(state: State[Range], mark: Mark) -> None:
    if mark.kind == "public":
        assert isinstance(mark.operand, Reg | Half)
        var = mark.operand.var
        if var in state.regs:
            state.regs[var] = DOM.public(state.regs[var])


def secrecy(routine: Routine) -> Routine:
    """The pass. Raises `Failed` with secret-branch, secret-address, secret-timing."""
    watch = Watch(routine)
    for scalars, same in product(cases(routine), tuple(aliases(routine))):
        known = Secrets(scalars, _shown_by(routine, same))
        run(routine, watch.watching, DOM, known, "final", scalars, _declassify, same=same)
    watch.bag.close()
    return routine
