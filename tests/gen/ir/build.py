# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Instructions and runs made by hand, for tests of what executes them."""

from __future__ import annotations

from gen import isa
from gen.ir.domains.interval import Intervals
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.paths import Paths
from gen.ir.interp.state import State
from gen.ir.ir import Insn, Item, LabelRef, Operand, Var
from gen.ir.memory import Memory, Region

DOM = Intervals()


def insn(name: str, *ops: Operand, cond: str | None = None) -> Insn:
    """One instruction over given operands."""
    reasons = []
    for form in isa.forms_named(name, isa.M_PROFILE):
        roles = isa.match(form, ops)
        if not isinstance(roles, isa.Mismatch):
            return Insn(name, ops, form=form, roles=roles, cond=cond)
        reasons.append(roles)
    raise AssertionError((name, reasons))


def branch(label: str, cond: str | None = None) -> Insn:
    """A branch to a label."""
    target = LabelRef(label)
    form = isa.forms_named("bc" if cond else "b", isa.M_PROFILE)[0]
    return Insn("b", (target,), cond=cond, form=form, roles={"t": target})


def run(
    items, regs: dict[Var, object], dom=DOM, regions=(), memory=None, observer=None, marks=None
):  # type: ignore[no-untyped-def]
    """The state after a run over hand-made items."""
    machine = Machine(dom, regions, observer or Observer())
    state = State(0, dict(regs), {}, memory or Memory(dom))
    return Paths(machine, items, marks).run(state)


__all__ = ["DOM", "Item", "Region", "branch", "insn", "run"]
