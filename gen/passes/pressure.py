# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The test that comes before any colouring: no more live registers than the core has."""

from __future__ import annotations

import re

from gen.diag import fail
from gen.ir.ir import Call, Insn, Move, Routine
from gen.passes.relief import advice
from gen.passes.segments import Segments


def check_pressure(routine: Routine, segments: Segments, have: int) -> None:
    """Raises reg-pressure at the line where most registers are live, if those are more than `have`."""
    position, count = segments.fullest()
    if count <= have:
        return
    item = _item(segments, position)
    span, trail = (routine.span, ()) if item is None else (item.span, item.trail)
    live = segments.live(position)
    names = sorted({var.name for var in live}, key=natural)
    raise fail(
        "reg-pressure",
        span,
        f"{count} registers live, {_owner(routine)} has {have}",
        trail=trail,
        details=("live: " + " ".join(names),),
        help=advice(routine, segments, position, have),
    )


def _owner(routine: Routine) -> str:
    return routine.core.key if routine.contract is None else f"the contract of {routine.name}"


def _item(segments: Segments, position: int) -> Insn | Move | Call | None:
    """The instruction at a position, or the next one."""
    for item in segments.flow.items[position // 3 :]:
        if isinstance(item, Insn | Move | Call):
            return item
    return None


def natural(name: str) -> list[tuple[bool, int, str]]:
    """Sorts a[2] before a[10]."""
    return [
        (part.isdigit(), int(part) if part.isdigit() else 0, part)
        for part in re.split(r"(\d+)", name)
    ]
