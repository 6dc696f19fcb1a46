# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What to type when too many registers are live: which value rests, and where it can be put away meanwhile."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gen import isa
from gen.ir.interp.entry import vars_of
from gen.ir.ir import Call, Insn, Item, Move, Routine, Var
from gen.passes.dataflow import Flow, target
from gen.passes.segments import Segments
from gen.read.source import NOWHERE, Source


@dataclass(frozen=True, slots=True)
class Rest:
    """A value that is not used between two lines of the source: away before one, back before the other."""

    var: Var
    items: int
    away: int
    back: int


def advice(routine: Routine, segments: Segments, position: int, have: int) -> str:
    """The lines that keep the value which rests for longest around a position out of its register."""
    parameters = [var.name for param in routine.params for var in vars_of(param)]
    live = segments.live(position)
    easy = [var for var in live if var.home is not None or var.homed]
    params = [var for var in live if var.span == NOWHERE and var.name in parameters]
    lines = _Lines(routine, segments, have)
    for group, say in ((easy, _spilled), (params, _copied)):
        found = [rest for var in group if (rest := lines.rest(position // 3, var)) is not None]
        if found:
            return say(max(found, key=lambda rest: (rest.items, rest.var.name)))
    return "no value rests here that could be spilled; compute with fewer at a time"


def _spilled(rest: Rest) -> str:
    var = rest.var
    moves = f"`spill {var.name}` before line {rest.away}, `fill {var.name}` before line {rest.back}"
    if var.home is not None:
        return moves
    return f"line {var.span.line}: `{var.homed}`, {moves}"


def _copied(rest: Rest) -> str:
    """A parameter has no home, a copy of it has."""
    var = rest.var
    kept = re.sub(r"\W+", "_", var.name).strip("_") + "_kept"
    return (
        f"`reg {kept} : {var.type} slot`, `{_move(kept, var.name)}` and `spill {kept}` before line "
        f"{rest.away}, `fill {kept}` and `{_move(var.name, kept)}` before line {rest.back}"
    )


def _move(dest: str, source: str) -> str:
    text = isa.render(isa.build.move(Var(dest), Var(source)), lambda var: var.name)
    return text.replace("\t", " ")


# --- where a value rests -------------------------------------------------------------------------------


class _Lines:
    """The items that begin a line before which a statement can be put, each with the number of its line."""

    def __init__(self, routine: Routine, segments: Segments, have: int) -> None:
        self.flow = segments.flow
        self.starts: dict[int, int] = {}
        last = 0
        for number, item in enumerate(self.flow.items):
            line = _line(routine, item)
            if line and line != last and _plain(item):
                self.starts[number] = line
            last = line or last
        self.roomy = [n for n in self.starts if len(segments.live(3 * n)) <= have]

    def rest(self, at: int, var: Var) -> Rest | None:
        """The longest stretch around item `at` that does not use `var`, is entered and left in one place only, and
        ends where there is room to come back."""
        flow, mask = self.flow, self.flow.mask([var])
        used = [n for n in range(len(flow.items)) if (flow.used[n] | flow.killed[n]) & mask]
        before = max((n for n in used if n <= at), default=-1)
        after = min((n for n in used if n > at), default=len(flow.items))
        for away in (n for n in self.starts if before < n <= at):
            for back in (n for n in reversed(self.roomy) if at < n <= after):
                if _closed(flow, away, back):
                    return Rest(var, back - away, self.starts[away], self.starts[back])
        return None


def _plain(item: Item) -> bool:
    """Neither a branch, which `flow` made, nor in the middle of an IT block."""
    return not isinstance(item, Insn) or (item.cond is None and target(item) is None)


def _line(routine: Routine, item: Item) -> int:
    """The line of the routine's own text that an item comes from; of the outermost `for` around it; 0: none."""
    if not isinstance(item, Insn | Move | Call):
        return 0
    span = item.trail[0].span if item.trail else item.span
    source = routine.span.source
    return _outermost(source, span.line) if span.source.path == source.path else 0


def _outermost(source: Source, line: int) -> int:
    """The line of the outermost `for` that a line stands in, or the line."""
    found, indent = line, _indent(source.line(line))
    for number in range(line - 1, 0, -1):
        text = source.line(number)
        if text.strip() and not text.lstrip().startswith("//") and _indent(text) < indent:
            indent = _indent(text)
            found = number if text.split()[0] == "for" else found
        if not indent:
            break
    return found


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _closed(flow: Flow, first: int, end: int) -> bool:
    """Whether control comes into items `first` to `end` (exclusive) at their top and leaves them at their bottom."""
    for block in flow.blocks:
        for after in block.after:
            here, there = block.end - 1, flow.blocks[after].start
            falls = there == here + 1 and there in (first, end)
            if (first <= here < end) != (first <= there < end) and not falls:
                return False
    return True
