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

    def bad(self, first: int, every: int) -> int:
        """Colours of the second segment, of those in `every`, that violate it beside this one of the first.

        A rule on one segment is violated by all of them or by none.
        """
        if self.kind == "same":
            return every & ~(1 << first)
        if self.kind == "differ":
            return every & 1 << first
        if self.kind == "below":
            return every & (2 << first) - 1
        return 0 if self.mask >> first & 1 else every


class Colouring:
    """A colouring in the making. `liked[s]` ranks the colours for segment s, best first."""

    def __init__(
        self, segments: Sequence[Segment], rules: Sequence[Rule], liked: Sequence[Sequence[int]]
    ) -> None:
        self.segments, self.rules, self.liked = segments, rules, liked
        colours = sorted(liked[0]) if liked else [0]
        self.none = colours[-1] + 1  # the colour of a segment that has none; it breaks nothing
        # Behind the segments stands one that all rules on a single segment have as their second.
        self.colour = [self.none] * len(segments) + colours[:1]
        # For each colour its segments from left to right, as start << _NUMBER | number.
        self.lanes: dict[int, list[int]] = {c: [] for c in colours}
        self.starts = [segment.start << _NUMBER for segment in segments]
        self.ends = [(segment.end + 1 << _NUMBER) - 1 for segment in segments]
        self.bad = self._bad(colours)
        self.touching: list[list[int]] = [[] for _ in segments]
        for number, rule in enumerate(rules):
            for segment in {rule.first, rule.second} - {-1}:
                self.touching[segment].append(number)
        self.weight = [1] * len(rules)
        self.broken: set[int] = set()
        self.tabu: dict[tuple[int, int], int] = {}
        self.seed = 1

    def _bad(self, colours: Sequence[int]) -> list[tuple[int, int, list[int]]]:
        """For each rule its two segments, and for each colour of the first the bad ones of the second."""
        every = sum(1 << colour for colour in colours)
        rows = {
            (kind, mask): [Rule(kind, 0, 0, mask).bad(c, every) for c in range(self.none)] + [0]
            for kind, mask in {(rule.kind, rule.mask) for rule in self.rules}
        }
        return [(rule.first, rule.second, rows[rule.kind, rule.mask]) for rule in self.rules]

    # --- a colouring of the intervals ---

    def sweep(self) -> None:
        """Colours all segments from left to right, with an eye on the rules."""
        claims = self._claims()
        for number in sorted(range(len(self.segments)), key=lambda n: self.segments[n].start):
            free = [c for c in self.lanes if not self._meets(number, c)]
            good = [c for c in free if not self._breaks(number, c)] or free
            best = min(good, key=lambda c: self._fit(number, c, claims))
            self.colour[number] = best
            insort(self.lanes[best], self.starts[number] | number)
        self.broken = {n for n in range(len(self.rules)) if self._is_broken(n)}

    def _claims(self) -> dict[int, list[int]]:
        """For each web with several segments, where they start."""
        claims: dict[int, list[int]] = {}
        for segment in self.segments:
            claims.setdefault(segment.web, []).append(segment.start)
        return {web: sorted(starts) for web, starts in claims.items() if len(starts) > 1}

    def _breaks(self, number: int, colour: int) -> bool:
        self.colour[number] = colour
        found = any(self._is_broken(rule) for rule in self.touching[number])
        self.colour[number] = self.none
        return found

    def _fit(self, number: int, colour: int, claims: Mapping[int, list[int]]) -> tuple[int, int]:
        """Small when the colour is claimed again soon after the segment's end, but not before."""
        segment, lane = self.segments[number], self.lanes[colour]
        taste = self.liked[number].index(colour)
        starts = claims.get(self.segments[lane[-1] & _MASK].web, []) if lane else []
        place = bisect_right(starts, segment.start)
        if place == len(starts):
            return _NEVER, taste
        return starts[place] if starts[place] > segment.end else 2 * _NEVER, taste

    def _meets(self, number: int, colour: int) -> list[int]:
        """The segments of `colour` that overlap segment `number`, which has another one."""
        lane, start = self.lanes[colour], self.starts[number]
        low = bisect_left(lane, start)
        if low and self.ends[lane[low - 1] & _MASK] >= start:
            low -= 1
        return [code & _MASK for code in lane[low : bisect_right(lane, self.ends[number])]]

    def members(self, colour: int) -> list[int]:
        """The segments of a colour, from left to right."""
        return [code & _MASK for code in self.lanes[colour]]

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
        touched = {rule for segment in chain for rule in self.touching[segment]}
        if not touched:
            return 0
        colour, broken, weight, change = self.colour, self.broken, self.weight, 0
        self._swap(chain, a + b)
        for rule in touched:  # `_is_broken` in place: this is most of the time of a repair
            first, second, bad = self.bad[rule]
            change += weight[rule] * ((bad[colour[first]] >> colour[second] & 1) - (rule in broken))
        self._swap(chain, a + b)
        return change

    def _swap(self, chain: Iterable[int], both: int) -> None:
        """Exchanges two colours, whose sum is `both`, on a chain; lanes and rules do not know."""
        colour = self.colour
        for segment in chain:
            colour[segment] = both - colour[segment]

    def exchange(self, chain: Sequence[int], a: int, b: int) -> None:
        """Swaps colours a and b on a chain."""
        for segment in chain:
            lane = self.lanes[self.colour[segment]]
            del lane[bisect_left(lane, self.starts[segment] | segment)]
        self._swap(chain, a + b)
        for segment in chain:
            insort(self.lanes[self.colour[segment]], self.starts[segment] | segment)
        for rule in {rule for segment in chain for rule in self.touching[segment]}:
            (self.broken.add if self._is_broken(rule) else self.broken.discard)(rule)

    def _is_broken(self, number: int) -> bool:
        first, second, bad = self.bad[number]
        return bool(bad[self.colour[first]] >> self.colour[second] & 1)


_NEVER = 1 << 40
_NUMBER = 24  # bits of a segment's number in a lane
_MASK = (1 << _NUMBER) - 1
