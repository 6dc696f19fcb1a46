# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Registers for live segments: the search behind `allocate`.

Along the linear code a web is live on one or more segments, and segments are intervals: as long
as no more of them overlap than there are colours, going from left to right colours them all.
What makes it hard are the rules besides: the segments of one web want one colour (the way around
a loop), pins, ascending lists. So a colouring of the intervals is made first, and then repaired
by exchanges that keep it one: two colours are swapped on a connected set of segments that have
them (a Kempe chain). A rule that stays broken grows heavier, an exchange may not be undone for a
while, and one that leads nowhere is now and then followed by a random one. Deterministic, and
bounded by a number of exchanges.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

STEPS = 4000  # exchanges before giving up
SHAKE = 12  # exchanges without gain before a random one


@dataclass(frozen=True, slots=True)
class Segment:
    """Where a web is live: positions `start` to `end`, both included."""

    start: int
    end: int
    web: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A constraint on one or two segments, named by number.

    same: one colour; differ: two colours; below: the first has the lower one; among: the first has
    one of those in `mask`.
    """

    kind: Literal["same", "differ", "below", "among"]
    first: int
    second: int = -1
    mask: int = 0

    def broken(self, first: int, second: int) -> bool:
        """Whether these colours of the two segments violate it."""
        if self.kind == "same":
            return first != second
        if self.kind == "differ":
            return first == second
        if self.kind == "below":
            return first >= second
        return not self.mask >> first & 1


class Colouring:
    """A colouring in the making. `liked[s]` ranks the colours for segment s, best first."""

    def __init__(
        self, segments: Sequence[Segment], rules: Sequence[Rule], liked: Sequence[Sequence[int]]
    ) -> None:
        self.segments, self.rules, self.liked = segments, rules, liked
        self.colour = [-1] * len(segments)
        colours = sorted(liked[0]) if liked else []
        self.lanes: dict[int, list[tuple[int, int]]] = {c: [] for c in colours}
        self.touching: list[list[int]] = [[] for _ in segments]
        for number, rule in enumerate(rules):
            for segment in {rule.first, rule.second} - {-1}:
                self.touching[segment].append(number)
        self.weight = [1] * len(rules)
        self.broken: set[int] = set()
        self.tabu: dict[tuple[int, int], int] = {}
        self.seed = 1

    # --- a colouring of the intervals ---

    def sweep(self) -> None:
        """Colours all segments from left to right, with an eye on the rules."""
        claims = self._claims()
        for number in sorted(range(len(self.segments)), key=lambda n: self.segments[n].start):
            free = [c for c in self.lanes if not self._meets(number, c)]
            good = [c for c in free if not self._breaks(number, c)] or free
            best = min(good, key=lambda c: self._fit(number, c, claims))
            self.colour[number] = best
            insort(self.lanes[best], (self.segments[number].start, number))
        self.broken = {n for n in range(len(self.rules)) if self._is_broken(n)}

    def _claims(self) -> dict[int, list[int]]:
        """For each web with several segments, where they start."""
        claims: dict[int, list[int]] = {}
        for segment in self.segments:
            claims.setdefault(segment.web, []).append(segment.start)
        return {web: sorted(starts) for web, starts in claims.items() if len(starts) > 1}

    def _breaks(self, number: int, colour: int) -> bool:
        return any(self._is_broken(r, {number: colour}) for r in self.touching[number])

    def _fit(self, number: int, colour: int, claims: Mapping[int, list[int]]) -> tuple[int, int]:
        """Small when the colour is claimed again soon after the segment's end, but not before."""
        segment, lane = self.segments[number], self.lanes[colour]
        taste = self.liked[number].index(colour)
        starts = claims.get(self.segments[lane[-1][1]].web, []) if lane else []
        place = bisect_right(starts, segment.start)
        if place == len(starts):
            return _NEVER, taste
        return starts[place] if starts[place] > segment.end else 2 * _NEVER, taste

    def _meets(self, number: int, colour: int) -> list[int]:
        """The segments of `colour` that overlap segment `number`."""
        segment, lane = self.segments[number], self.lanes[colour]
        low = bisect_left(lane, (segment.start, -1))
        if low and self.segments[lane[low - 1][1]].end >= segment.start:
            low -= 1
        high = bisect_right(lane, (segment.end, len(self.segments)))
        return [other for _, other in lane[low:high] if other != number]

    # --- repair ---

    def repair(self, steps: int = STEPS) -> bool:
        """Exchanges colours until no rule is broken; False when `steps` are not enough."""
        fewest, since = len(self.broken), 0
        for clock in range(steps):
            if not self.broken:
                return True
            since += 1
            if len(self.broken) < fewest:
                fewest, since = len(self.broken), 0
            if since % SHAKE == SHAKE - 1:
                self._shake()
            else:
                self._mend(clock)
        return not self.broken

    def _mend(self, clock: int) -> None:
        """The best exchange that changes a broken rule."""
        numbers = sorted(self.broken)
        rule = self.rules[numbers[self._dice(len(numbers))]]
        moves = [m for s in {rule.first, rule.second} - {-1} for m in self._moves(s, clock)]
        if not moves:
            return
        _, gain, _, number, colour, chain = min(moves)
        if gain >= 0:
            for other in numbers:
                self.weight[other] += 1
        before = self.colour[number]
        self.exchange(chain, before, colour)
        for segment in chain:
            if self.touching[segment]:
                old = before + colour - self.colour[segment]
                self.tabu[segment, old] = clock + 5 + self._dice(10)

    def _shake(self) -> None:
        """Exchanges two colours anywhere."""
        number = self._dice(len(self.segments))
        colour = list(self.lanes)[self._dice(len(self.lanes))]
        if colour != self.colour[number]:
            a = self.colour[number]
            self.exchange(self.chain(number, a, colour), a, colour)

    def _dice(self, sides: int) -> int:
        """A number below `sides`; the same ones in every run and every version of Python."""
        self.seed = (self.seed * 1103515245 + 12345) % (1 << 31)
        return (self.seed >> 12) % sides

    def _moves(
        self, number: int, clock: int
    ) -> Iterable[tuple[bool, int, int, int, int, list[int]]]:
        """The exchanges that give a segment another colour:
        (tabu, gain, size, number, colour, chain)."""
        before = self.colour[number]
        for colour in self.lanes:
            if colour != before:
                chain = self.chain(number, before, colour)
                tabu = self.tabu.get((number, colour), 0) > clock
                gain = self.gain(chain, before, colour)
                yield tabu, gain, len(chain), number, colour, chain

    def chain(self, number: int, a: int, b: int, most: int = 1 << 30) -> list[int]:
        """The connected segments of colours a and b around `number`, which has one of them.

        Empty when there are more than `most`.
        """
        found, todo = {number}, [number]
        while todo:
            if len(found) > most:
                return []
            segment = todo.pop()
            for other in self._meets(segment, a + b - self.colour[segment]):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return sorted(found)

    def gain(self, chain: Sequence[int], a: int, b: int) -> int:
        """Change of the weight of the broken rules by an exchange; negative is better."""
        after = {segment: a + b - self.colour[segment] for segment in chain}
        touched = {rule for segment in chain for rule in self.touching[segment]}
        return sum(
            self.weight[rule] * (self._is_broken(rule, after) - (rule in self.broken))
            for rule in touched
        )

    def exchange(self, chain: Sequence[int], a: int, b: int) -> None:
        """Swaps colours a and b on a chain."""
        for segment in chain:
            lane = self.lanes[self.colour[segment]]
            del lane[bisect_left(lane, (self.segments[segment].start, segment))]
        for segment in chain:
            self.colour[segment] = a + b - self.colour[segment]
            insort(self.lanes[self.colour[segment]], (self.segments[segment].start, segment))
        for rule in {rule for segment in chain for rule in self.touching[segment]}:
            (self.broken.add if self._is_broken(rule) else self.broken.discard)(rule)

    def _is_broken(self, number: int, change: Mapping[int, int] | None = None) -> bool:
        """Whether a rule is broken under `change`. A segment without colour breaks nothing."""
        rule = self.rules[number]
        change = change or {}
        first = change.get(rule.first, self.colour[rule.first])
        if rule.second < 0:
            return first >= 0 and rule.broken(first, -1)
        second = change.get(rule.second, self.colour[rule.second])
        return first >= 0 and second >= 0 and rule.broken(first, second)


_NEVER = 1 << 40
