# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Cores that begin several instructions in a cycle: what may begin together, and what waits for a result.

Instructions begin in order. One begins in the cycle of the one before it when a slot and its units are free there and
its operands are ready; else in the first cycle after that where they are. Numbers are the core file's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gen.cores.price import Event

SHIFTED = "shifted"  # in the place of a kind: sums and logic with a shifted operand
ALONE, FIRST = "alone", "first"  # nothing else begins in its cycle; it is the first in its cycle
ACCUMULATE = frozenset({"mac", "dspmac", "mac64"})
FLAGS, ARITHMETIC = "flags", frozenset("NZCV")  # the name of all of them as something to wait for
State = tuple[int, tuple[str, ...], tuple[tuple[str, int], ...]]
FULL: State = (
    0,
    (),
    (),
)  # slots left in the cycle, units taken in it, results and when they are there


@dataclass(frozen=True)
class Pipe:
    """What a kind takes: units, and cycles until its result is there."""

    units: tuple[str, ...]
    latency: int


@dataclass(frozen=True)
class Issue:
    """Sections [issue], [units] and [pipes] of a core file."""

    width: int
    bus: int
    early: int
    late: int
    narrow_load: int
    units: tuple[tuple[str, int], ...]
    pipes: tuple[tuple[str, Pipe], ...]

    @cached_property
    def number(self) -> Mapping[str, int]:
        return dict(self.units)

    @cached_property
    def pipe(self) -> Mapping[str, Pipe]:
        return dict(self.pipes)

    def words(self, words: int) -> int:
        """Cycles that a transfer of so many words takes beyond its first."""
        return max(0, -(-words // self.bus) - 1)

    def begin(self, state: State, event: Event, held: int) -> tuple[int, State]:
        """Cycles from the beginning of the instruction before to where the next may begin; the state then. `held`:
        cycles after its own in which nothing begins."""
        left, taken, ready = state
        pipe = self.pipe[self.pipe_of(event)]
        wait = self._wait(dict(ready), event)
        units = tuple(unit for unit in pipe.units if unit not in (ALONE, FIRST))
        if wait > 0 or not self._fits(left, taken, pipe.units):
            wait, left, taken = max(1, wait), self.width, ()
        left = 0 if held or event.taken or ALONE in pipe.units else left - 1
        passed = wait + held
        late = {name: when - passed for name, when in ready if when > passed}
        done = (
            pipe.latency
            - held
            + (self.narrow_load if event.kind == "load" and event.bytes < 4 else 0)
        )
        for name in event.writes:
            late.pop(name, None)
            if done > -self.early:  # an early operand may have to wait for it all the same
                late[name] = done
        return passed, (left, (*taken, *units), tuple(sorted(late.items())))

    def pipe_of(self, event: Event) -> str:
        return SHIFTED if event.shifted and event.kind == "alu" else event.kind

    def _wait(self, ready: Mapping[str, int], event: Event) -> int:
        """Cycles until the operands are there."""
        early = {*event.address_regs, *event.shifted}
        late = {*event.late}
        wait = 0
        for name in event.reads:
            if name in ready:
                shift = self.early if name in early else -self.late if name in late else 0
                wait = max(wait, ready[name] + shift)
        return wait

    def _fits(self, left: int, taken: tuple[str, ...], units: tuple[str, ...]) -> bool:
        if left <= 0 or ALONE in units or (FIRST in units and left < self.width):
            return False
        return all(
            taken.count(unit) + units.count(unit) <= self.number[unit]
            for unit in units
            if unit != FIRST
        )
