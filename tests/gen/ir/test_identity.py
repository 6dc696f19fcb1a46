# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Whatever is computed, a value's polynomial has the value that the integers have, and its interval holds it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from gen.ir.domains.identity import Exact, Identity
from gen.ir.domains.ints import Ints
from gen.ir.domains.names import Fractions, Names, Terms

WORDS = (0, 1, 2, 19, 38, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
INTS = Ints()


class Pairs:
    """Values of both domains, side by side."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.dom = rng, Identity()
        self.values: dict[int, int] = {}  # of names
        self.known: list[tuple[Exact, int]] = []
        for number in range(4):
            word = rng.choice((*WORDS, rng.randrange(1 << 32)))
            made = self.dom.name(f"x{number}", 0, 0xFFFFFFFF)
            self.values[len(self.dom.names) - 1] = word
            self.known.append((made, word))

    def value(self, terms: Terms) -> int:
        """A polynomial at the values of its names; a quotient is what it is the quotient of."""
        total = 0
        for monomial, factor in terms.items():
            for name in monomial:
                if name not in self.values:
                    made = self.dom.quotients[name]
                    self.values[name] = self.value(made.terms) >> made.bits
                factor *= self.values[name]
            total += factor
        return total

    def check(self, made: Exact, wanted: int) -> None:
        opaque = [n for m in made.terms for n in m if n not in self.dom.quotients]
        if any(name not in self.values for name in opaque):
            (name,) = (n for n in opaque if n not in self.values)
            self.values[name] = wanted  # a new name: it stands for just this value
        assert self.value(made.terms) == wanted
        assert made.range.lo <= wanted <= made.range.hi
        if self.rng.randrange(4) == 0:
            assert self.dom.least(made.terms) <= wanted <= self.dom.most(made.terms)
            assert self.value(self.dom.settled(made.terms)) == wanted
        for name, number in self.values.items():
            lo, hi = self.dom.ranges[name]
            assert lo <= number <= hi, self.dom.names[name]

    def step(self) -> None:
        (x, a), (y, b) = (self.rng.choice(self.known[-12:]) for _ in "xy")
        name, bits = self.rng.choice(OPERATIONS), self.rng.choice((1, 8, 16, 31, 32))
        made = apply(self.dom, name, x, y, bits)
        wanted = apply(INTS, name, a, b, bits)
        self.check(made, wanted)
        word, number = self.dom.u(made, 32), INTS.u(wanted, 32)
        self.check(word, number)
        self.known.append((word, number))


OPERATIONS = (
    *("add", "sub", "mul", "mul", "shr", "shl", "u", "s", "word", "low", "mask", "top", "clear"),
    *("lt", "carry", "borrow", "ite", "inv", "xor", "and", "half", "pack", "umaal"),
)


def apply(d: Any, name: str, x: Any, y: Any, bits: int) -> Any:
    """One operation of a domain."""
    c: Callable[[int], Any] = d.const
    carry = d.lt(c((1 << 32) - 1), d.add(x, y))
    return {
        "add": lambda: d.add(x, y),
        "sub": lambda: d.sub(x, y),
        "mul": lambda: d.mul(x, y),
        "shr": lambda: d.shr(x, c(bits)),
        "shl": lambda: d.shl(x, c(bits)),
        "u": lambda: d.u(x, bits),
        "s": lambda: d.s(d.add(x, y), bits),
        "word": lambda: d.u(d.word(d.sub(x, y)), 32),
        "low": lambda: d.and_(x, c((1 << bits) - 1)),
        "mask": lambda: d.and_(x, c(~((1 << bits) - 1))),
        "top": lambda: d.or_(x, c(1 << 31)),
        "clear": lambda: d.and_(x, c(~(1 << bits))),
        "lt": lambda: d.lt(x, y),
        "carry": lambda: d.add(d.u(d.add(x, y), 32), d.shl(carry, c(32))),
        "borrow": lambda: d.sub(d.sub(x, y), d.lt(x, y)),
        "ite": lambda: d.ite(d.lt(x, y), x, y),
        "inv": lambda: d.inv(x),
        "xor": lambda: d.xor(x, c(-1)),
        "and": lambda: d.and_(x, y),
        "half": lambda: d.half(x, bits == 16),
        "pack": lambda: d.pack(x, y),
        "umaal": lambda: d.shr(d.add(d.mul(x, y), d.add(x, y)), c(32)),
    }[name]()


@pytest.mark.parametrize("seed", range(60))
def test_polynomials_have_the_value_of_the_integers(seed: int) -> None:
    pairs = Pairs(random.Random(seed))
    for _ in range(25):
        pairs.step()


def test_low_and_high_word_share_the_quotient() -> None:
    dom = Identity()
    x, y = (dom.name(text, 0, 0xFFFFFFFF) for text in "xy")
    whole = dom.mul(x, y)
    low, high = dom.u(whole, 32), dom.shr(whole, dom.const(32))
    assert dom.add(low, dom.shl(high, dom.const(32))).terms == whole.terms


def test_the_carry_flag_is_the_quotient_of_the_sum() -> None:
    dom = Identity()
    x, y = (dom.name(text, 0, 0xFFFFFFFF) for text in "xy")
    total = dom.add(x, y)
    carry = dom.lt(dom.const((1 << 32) - 1), total)
    assert dom.add(dom.u(total, 32), dom.shl(carry, dom.const(32))).terms == total.terms


def test_a_carry_that_cannot_be_is_none() -> None:
    """The top word of a square takes what is carried into it: intervals cannot tell, the whole sum can."""
    dom = Identity()
    a = dom.name("a", 0, 0xFFFFFFFF)
    lower = dom.mul(a, a)
    top = dom.add(dom.shr(lower, dom.const(32)), dom.const(0))
    assert dom.u(top, 32) is top or dom.u(top, 32).terms == top.terms
    pair = dom.add(dom.shr(dom.mul(a, a), dom.const(32)), dom.name("c", 0, 1))
    assert dom.u(pair, 32).terms == pair.terms  # (2**32 - 1)**2 leaves room for one more
    beyond = dom.add(dom.name("b", 0, 0xFFFFFFFF), dom.name("d", 0, 1))
    assert dom.u(beyond, 32).terms != beyond.terms


def test_a_bit_decides_what_is_added() -> None:
    """x - k + k * (1 if that is below zero) is not below zero: a bound that ignores the bit cannot tell."""
    dom = Identity()
    k = 1 << 30
    x = dom.name("x", 0, 2 * k)
    less = dom.sub(x, dom.const(k))
    borrow = dom.sub(dom.const(0), dom.shr(less, dom.const(32)))
    total = dom.add(less, dom.mul(borrow, dom.const(k)))
    assert (dom.least(total.terms), dom.most(total.terms)) == (0, k)
    assert dom.least(total.terms, cases=False) < 0
    carry = dom.shr(total, dom.const(32))
    assert carry.terms and not dom.settled(carry.terms)
    assert dom.settled(borrow.terms) == borrow.terms


def test_a_wrong_bound_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Names._without

    def wrong(self: Names, terms: Fractions, first: int) -> Fractions:
        return right(self, {m: f for m, f in terms.items() if m}, first)

    monkeypatch.setattr(Names, "_without", wrong)
    with pytest.raises(AssertionError):
        for seed in range(60):
            test_polynomials_have_the_value_of_the_integers(seed)


def test_a_wrong_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Identity.lt

    def wrong(self: Identity, x: Exact, y: Exact) -> Exact:
        return right(self, x, self.add(y, self.const(1)))

    monkeypatch.setattr(Identity, "lt", wrong)
    with pytest.raises(AssertionError):
        for seed in range(60):
            test_polynomials_have_the_value_of_the_integers(seed)
