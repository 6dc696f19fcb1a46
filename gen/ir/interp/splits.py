# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Case distinctions: the parts of a register's or a half-word's range that are run one by one."""

from __future__ import annotations

from typing import TypeVar

from gen.ir.interp.machine import Machine
from gen.ir.interp.preds import unsigned
from gen.ir.interp.state import State
from gen.ir.ir import Half, Mark, Reg

V = TypeVar("V")


def _cuts(lo: int, hi: int, mark: Mark) -> list[tuple[int, int]]:
    """The ends of the parts of [lo, hi]: `by n` makes n about equal ones, `at k` two."""
    if mark.text == "at":
        parts = [(lo, min(hi, mark.number - 1)), (max(lo, mark.number), hi)]
    else:
        count = min(mark.number, hi - lo + 1)
        edges = [lo + (hi - lo + 1) * i // count for i in range(count + 1)]
        parts = [(a, b - 1) for a, b in zip(edges, edges[1:], strict=False)]
    return [(a, b) for a, b in parts if a <= b]


def parts_of(machine: Machine[V], state: State[V], mark: Mark) -> list[State[V]]:
    """One state for each part of the operand's range; just `state` where there are no ranges."""
    dom, operand = machine.dom, mark.operand
    assert isinstance(operand, Reg | Half)
    word = state.regs.get(operand.var)
    if word is None:
        return [state]
    top = isinstance(operand, Half) and operand.which == "t"
    if isinstance(operand, Half):
        value = dom.half(word, top)
    else:
        value = dom.u(word, 32) if unsigned(operand) else dom.s(word, 32)
    bounds = dom.bounds(value)
    if bounds is None or bounds[0] == bounds[1]:
        return [state]
    out = []
    for lo, hi in _cuts(bounds[0], bounds[1], mark):
        part = state.copy()
        piece = dom.clip(value, lo, hi)
        if isinstance(operand, Half):
            other = dom.half(word, not top)
            piece = dom.pack(other, piece) if top else dom.pack(piece, other)
        part.regs[operand.var] = piece
        out.append(part)
    return out
