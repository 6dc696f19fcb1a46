# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Places of the registers that live in the FP unit (`reg x : u32 fp`).

There are many and their code says where each is used, so each name has a register of its own; an array has consecutive
ones, as VLDM and VSTM want them. What a sub uses nobody else does. They are the last of those that belong to nobody,
while values are parked from the first on.
"""

from __future__ import annotations

from itertools import pairwise

from gen import isa
from gen.diag import fail
from gen.ir.ir import Insn, RegList, Routine, Var, physical
from gen.passes.dataflow import Flow

KEPT = 16  # s16 and above belong to the caller


def fp_places(routine: Routine, flow: Flow) -> dict[Var, str]:
    """A register for each web. Raises `Failed`: no-colouring."""
    webs = [var for var in flow.vars if var.home == "fp"]
    if not webs:
        return {}
    have = [name for name in routine.core.fp_registers if name not in routine.fp]
    arrays: dict[str, set[int]] = {}
    for var in webs:
        name, index = _element(var.name)
        arrays.setdefault(name, set()).add(index)
    first: dict[str, int] = {}
    used = 0
    for name, indices in arrays.items():
        first[name] = used
        used += max(indices) + 1
    if used > len(have):
        text = f"{used} values live in the FP unit, {routine.core.key} has {len(have)} registers for them"
        raise fail("no-colouring", webs[-1].span, text, help="give some of them another home: slot")
    free = sum(isa.number(physical(name)) < KEPT for name in have)
    start = max(0, min(free, len(have)) - used)
    at = {name: start + number for name, number in first.items()}
    places = {var: have[at[_element(var.name)[0]] + _element(var.name)[1]] for var in webs}
    _check_lists(flow, places)
    return places


def _element(name: str) -> tuple[str, int]:
    """ "a[3]" -> ("a", 3), "x" -> ("x", 0)."""
    array, bracket, index = name.partition("[")
    return array, int(index[:-1]) if bracket else 0


def _check_lists(flow: Flow, places: dict[Var, str]) -> None:
    for item in flow.items:
        if not isinstance(item, Insn):
            continue
        for op in item.roles.values():
            if isinstance(op, RegList) and any(var in places for var in op.vars):
                numbers = [isa.number(physical(places[var])) for var in op.vars]
                if any(b != a + 1 for a, b in pairwise(numbers)):
                    raise fail(
                        "no-colouring",
                        item.span,
                        f"a list for {item.mnemonic} is of consecutive registers",
                        trail=item.trail,
                        help="a part of one array, in its order",
                    )
