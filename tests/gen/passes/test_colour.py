# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The search finds a colouring wherever one was hidden, at full occupancy, and only true ones."""

from __future__ import annotations

from random import Random

import pytest

from gen.passes.colour import Colouring, Rule, Segment


def kept(rule: Rule, first: int, second: int) -> bool:
    """Whether two colours keep a rule, by the words of its docstring."""
    return {
        "same": first == second,
        "differ": first != second,
        "below": first < second,
        "among": bool(rule.mask >> first & 1),
    }[rule.kind]


class Hidden:
    """A loop in which `colours` registers are busy nearly all the time; each keeps, at the end of
    the round, the web it began with. `rules` are true of the colouring it was made from."""

    def __init__(self, colours: int, length: int, seed: int, gap: int) -> None:
        self.random = Random(seed)
        self.colours, self.length, self.gap = colours, length, gap
        self.spans: list[Segment] = []
        self.answer: list[int] = []
        for colour in range(colours):
            self.lane(colour)
        rows = list(zip(self.spans, self.answer, strict=True))
        self.random.shuffle(rows)
        self.spans, self.answer = [row[0] for row in rows], [row[1] for row in rows]
        self.rules = list(self.same())

    def lane(self, colour: int) -> None:
        """The segments of one register: the end of last round's web, temporaries, its new start."""
        first = self.random.randrange(0, 20)
        last = self.length - self.random.randrange(1, 20)
        last = max(last, first + 1)
        web = len(self.answer)
        self.add(0, first, web, colour)
        self.add(last, self.length, web, colour)
        at = first + 1 + self.pause()
        while at < last:
            end = min(at + int(self.random.random() ** 2 * 40), last - 1)
            self.add(at, end, len(self.answer), colour)
            at = end + 1 + self.pause()

    def pause(self) -> int:
        return int(self.random.random() ** 2 * self.gap)

    def add(self, start: int, end: int, web: int, colour: int) -> None:
        self.spans.append(Segment(start, end, web))
        self.answer.append(colour)

    def same(self):  # type: ignore[no-untyped-def]
        last: dict[int, int] = {}
        for number, span in enumerate(self.spans):
            if span.web in last:
                yield Rule("same", last[span.web], number)
            last[span.web] = number

    def pin(self, count: int) -> None:
        for _ in range(count):
            number = self.random.randrange(len(self.spans))
            self.rules.append(Rule("among", number, mask=1 << self.answer[number]))

    def list(self, count: int) -> None:
        """Ascending lists of what is live together."""
        for _ in range(count):
            at = self.random.randrange(self.length)
            live = [n for n, span in enumerate(self.spans) if span.start <= at <= span.end]
            row = sorted(self.random.sample(live, 4), key=lambda n: self.answer[n])
            self.rules += [Rule("below", a, b) for a, b in zip(row, row[1:], strict=False)]

    def colouring(self) -> Colouring:
        made = Colouring(self.spans, self.rules, [range(self.colours)] * len(self.spans))
        made.sweep()
        return made


def check(made: Colouring) -> None:
    """No two segments of a colour overlap, and no rule is broken: counted here anew."""
    for a, one in enumerate(made.segments):
        for b in range(a):
            other = made.segments[b]
            if one.start <= other.end and other.start <= one.end:
                assert made.colour[a] != made.colour[b]
    for rule in made.rules:
        second = made.colour[rule.second] if rule.second >= 0 else -1
        assert kept(rule, made.colour[rule.first], second)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gap", [0, 2, 6])
@pytest.mark.parametrize("length", [40, 200])
def test_full_loop(length: int, gap: int, seed: int) -> None:
    hidden = Hidden(14, length, seed, gap)
    hidden.pin(length // 60)
    hidden.list(length // 60)
    made = hidden.colouring()
    assert made.repair()
    check(made)


def test_thirty_two_of_thirty_two() -> None:
    made = Hidden(32, 200, 1, 3).colouring()
    assert made.repair()
    check(made)


def test_sweep_alone_colours_intervals() -> None:
    random = Random(3)
    spans = [Segment(at, at + random.randrange(8), at) for at in range(100)]
    most = max(sum(s.start <= at <= s.end for s in spans) for at in range(110))
    made = Colouring(spans, (), [range(most)] * 100)
    made.sweep()
    check(made)


def test_same_answer_every_time() -> None:
    first, second = (Hidden(14, 200, 5, 2).colouring() for _ in range(2))
    assert first.repair() and second.repair()
    assert first.colour == second.colour


def test_impossible_ends() -> None:
    spans = [Segment(0, 5, 0), Segment(2, 7, 1)]
    rules = [Rule("among", 0, mask=1), Rule("among", 1, mask=1)]
    made = Colouring(spans, rules, [range(4)] * 2)
    made.sweep()
    assert not made.repair(200)


def test_chain_is_closed_and_can_be_bounded() -> None:
    made = Hidden(14, 200, 2, 2).colouring()
    chain = made.chain(0, made.colour[0], (made.colour[0] + 1) % 14)
    made.exchange(chain, made.colour[0], (made.colour[0] + 1) % 14)
    for a, one in enumerate(made.segments):
        for b in range(a):
            other = made.segments[b]
            if one.start <= other.end and other.start <= one.end:
                assert made.colour[a] != made.colour[b]
    assert made.chain(0, made.colour[0], (made.colour[0] + 1) % 14, 0) == []
