# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Exact integer identities: what a value is as a polynomial over the inputs, beside its interval.

Nothing is rounded away. Where a word keeps the low bits of a larger value x, it is x - 2**k * q, with a name for the
quotient q = floor(x / 2**k); the carry that a later instruction adds is the same name, so that it cancels in the sum
of all words. A quotient that intervals or the sum itself show to be one number is that number: a carry that is dropped
must be shown to be none, or its name stays in the result.

What is no sum or product (most logical operations) is a new name of which only the interval is known.
"""

from __future__ import annotations

from dataclasses import dataclass

from gen.ir.domains.halves import Range
from gen.ir.domains.interval import Intervals
from gen.ir.domains.names import Bit, Monomial, Names, Quotient, Terms, number, plus, product

RANGES = Intervals()
WORD = 1 << 32
NEAR = 4  # times the limit: how far beyond it an interval may reach before a closer look is in vain
MOST_TERMS, SHORT = 4000, 3


def _twos(factor: int) -> int:
    """How often two divides a factor."""
    return (factor & -factor).bit_length() - 1


@dataclass(frozen=True, eq=False)
class Exact:
    """An integer in `range` that equals the polynomial `terms`."""

    range: Range
    terms: Terms


class Identity(Names):
    """The domain."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[object, int] = {}
        self.place = ""  # where the run is, for the names of quotients

    def at(self, place: str) -> None:
        """Where the run is."""
        self.place = place

    # --- making values ---

    def name(self, text: str, lo: int, hi: int) -> Exact:
        """A new name for an integer from lo to hi."""
        return Exact(Range(lo, hi), {(self.named(text, lo, hi),): 1})

    def made(self, range_: Range, terms: Terms) -> Exact:
        """A value; one that its interval decides is a number. A short sum may know better than the interval."""
        if len(terms) <= SHORT:
            lo, hi = self.bounds_of(terms)
            if lo > range_.lo or hi < range_.hi:
                range_ = Range(max(lo, range_.lo), min(hi, range_.hi))
        if range_.lo == range_.hi:
            return Exact(range_, number(range_.lo))
        if len(terms) > MOST_TERMS:
            return self.name(f"a value at {self.place}", range_.lo, range_.hi)
        return Exact(range_, terms)

    def opaque(self, range_: Range) -> Exact:
        """A value of which only the interval is known."""
        if range_.lo == range_.hi:
            return self.const(range_.lo)
        made = self.name(f"a value at {self.place}", range_.lo, range_.hi)
        return Exact(range_, made.terms)

    def const(self, value: int) -> Exact:
        return Exact(Range(value, value), number(value))

    # --- sums and products ---

    def add(self, x: Exact, y: Exact) -> Exact:
        return self.made(RANGES.add(x.range, y.range), plus(x.terms, y.terms))

    def sub(self, x: Exact, y: Exact) -> Exact:
        return self.made(RANGES.sub(x.range, y.range), plus(x.terms, y.terms, -1))

    def mul(self, x: Exact, y: Exact) -> Exact:
        return self.made(RANGES.mul(x.range, y.range), product(x.terms, y.terms))

    def inv(self, x: Exact) -> Exact:
        return self.sub(self.const(-1), x)

    def shl(self, x: Exact, n: Exact) -> Exact:
        amount = self.exactly(n)
        range_ = RANGES.shl(x.range, n.range)
        return (
            self.opaque(range_)
            if amount is None
            else self.made(range_, product(x.terms, number(1 << amount)))
        )

    # --- quotients and what they leave ---

    def shr(self, x: Exact, n: Exact) -> Exact:
        amount = self.exactly(n)
        return (
            self.opaque(RANGES.shr(x.range, n.range))
            if amount is None
            else self.quotient(x, amount)
        )

    def quotient(self, x: Exact, bits: int) -> Exact:
        """floor(x / 2**bits)."""
        range_ = RANGES.shr(x.range, Range(bits, bits))
        if not bits:
            return x
        if range_.lo == range_.hi:
            return self.const(range_.lo)
        terms = self._divided(x.terms, bits)
        if range_.hi == range_.lo + 1:
            self.bit(Bit(terms, range_.lo, Quotient(x.terms, bits)))
        return self.made(range_, terms)

    def _divided(self, terms: Terms, bits: int) -> Terms:
        """Terms that divide leave the quotient; equal rests have one name, of quotients there is one."""
        whole: dict[Monomial, int] = {}
        rest: dict[Monomial, int] = {}
        for monomial, factor in terms.items():
            times = (factor + (1 << bits - 1) if monomial else factor) >> bits
            left = factor - (times << bits)
            if times:
                whole[monomial] = times
            if left:
                rest[monomial] = left
        names = set(rest) - {()}
        if not names:
            return whole  # the rest is below 2**bits
        common = min(_twos(factor) for factor in rest.values())
        if common:  # floor(2**k * y / 2**n) = floor(y / 2**(n - k))
            rest = {monomial: factor >> common for monomial, factor in rest.items()}
            bits -= common
        least, most = (end >> bits for end in self.bounds_of(rest))
        if least == most:
            return plus(whole, number(least))
        if len(names) == 1 and rest[next(iter(names))] == 1:
            inner = self._inner(next(iter(names)))
            if inner is not None:  # floor((floor(y / 2**k) + c) / 2**n)
                moved = plus(inner.terms, number(rest.get((), 0) << inner.bits))
                return plus(whole, self._divided(moved, inner.bits + bits))
        key = frozenset(rest.items()), bits
        if key not in self.known:
            self.known[key] = self._quotient(rest, bits)
        return plus(whole, {(self.known[key],): 1})

    def _inner(self, monomial: Monomial) -> Quotient | None:
        return self.quotients.get(monomial[0]) if len(monomial) == 1 else None

    def _quotient(self, rest: Terms, bits: int) -> int:
        lo, hi = self.bounds_of(rest)
        made = self.named(f"the carry at {self.place}", lo >> bits, hi >> bits)
        self.quotients[made] = Quotient(rest, bits)
        return made

    def u(self, x: Exact, bits: int) -> Exact:
        limit = 1 << bits
        if x.range.lo >= 0 and x.range.hi < limit:
            return x
        closer = self._closer(x, limit)
        if closer is not None:
            return closer
        q = self.quotient(x, bits)
        return self.made(RANGES.u(x.range, bits), plus(x.terms, q.terms, -limit))

    def s(self, x: Exact, bits: int) -> Exact:
        half = 1 << (bits - 1)
        if -half <= x.range.lo and x.range.hi < half:
            return x
        q = self.quotient(self.add(x, self.const(half)), bits)
        return self.made(RANGES.s(x.range, bits), plus(x.terms, q.terms, -(1 << bits)))

    def word(self, x: Exact, bits: int = 32) -> Exact:
        fits = x.range.lo >= -1 << (bits - 1) and x.range.hi < 1 << bits
        return x if fits else self.u(x, bits)

    def half(self, x: Exact, top: bool) -> Exact:
        return self.s(self.quotient(x, 16) if top else x, 16)

    def pack(self, bottom: Exact, top: Exact) -> Exact:
        return self.add(self.u(bottom, 16), self.shl(self.u(top, 16), self.const(16)))

    # --- bits ---

    def and_(self, x: Exact, y: Exact) -> Exact:
        for value, mask in ((x, self.exactly(y)), (y, self.exactly(x))):
            if mask is None:
                continue
            kept = mask % WORD if value.range.lo >= 0 and value.range.hi < WORD else mask
            if kept >= 0 and kept & (kept + 1) == 0:  # the low bits
                return self.u(value, kept.bit_length())
            low = mask & -mask
            if mask < 0 and mask + low == 0:  # all but the low bits
                return self.sub(value, self.u(value, low.bit_length() - 1))
            if mask > 0 and mask & (mask - 1) == 0:
                return self._bit(value, mask)
            if mask < 0 and ~mask & (~mask - 1) == 0:  # all but one
                return self.sub(value, self._bit(value, ~mask))
        return self.opaque(RANGES.and_(x.range, y.range))

    def _bit(self, x: Exact, weight: int) -> Exact:
        """The bit of this weight, times its weight."""
        shifted = self.quotient(x, weight.bit_length() - 1)
        return self.mul(self.u(shifted, 1), self.const(weight))

    def or_(self, x: Exact, y: Exact) -> Exact:
        for value, mask in ((x, self.exactly(y)), (y, self.exactly(x))):
            if mask is not None and mask >= 0 and mask & (mask - 1) == 0:
                if not mask:
                    return value
                sum_ = self.sub(self.add(value, self.const(mask)), self._bit(value, mask))
                return Exact(RANGES.or_(x.range, y.range), sum_.terms)
        for high, low in ((x, y), (y, x)):
            zeros = min(map(_twos, high.terms.values()), default=0)
            if high.range.lo >= 0 and low.range.lo >= 0 and low.range.hi < 1 << zeros:
                return self.add(high, low)  # no bit is in both
        return self.opaque(RANGES.or_(x.range, y.range))

    def xor(self, x: Exact, y: Exact) -> Exact:
        for value, mask in ((x, self.exactly(y)), (y, self.exactly(x))):
            if mask in (0, -1):
                return value if mask == 0 else self.inv(value)
        return self.opaque(RANGES.xor(x.range, y.range))

    def div(self, x: Exact, y: Exact) -> Exact:
        return self.opaque(RANGES.div(x.range, y.range))

    # --- comparisons ---

    def eq(self, x: Exact, y: Exact) -> Exact:
        return self.opaque(RANGES.eq(x.range, y.range))

    def lt(self, x: Exact, y: Exact) -> Exact:
        """1 + floor((y - x - 1) / 2**32), where the difference is near enough."""
        decided = RANGES.lt(x.range, y.range)
        less = self.sub(self.sub(y, x), self.const(1))
        if decided.lo == decided.hi or less.range.lo < -WORD or less.range.hi >= WORD:
            return self.opaque(decided)
        return self.made(decided, plus(number(1), self.quotient(less, 32).terms))

    def ite(self, cond: Exact, x: Exact, y: Exact) -> Exact:
        known = self.truth(cond)
        if known is not None:
            return x if known else y
        range_ = RANGES.join(x.range, y.range)
        if cond.range.lo < 0 or cond.range.hi > 1:
            return self.opaque(range_)
        return self.made(range_, plus(y.terms, product(cond.terms, plus(x.terms, y.terms, -1))))

    def truth(self, x: Exact) -> bool | None:
        return RANGES.truth(x.range)

    # --- runs ---

    def join(self, x: Exact, y: Exact) -> Exact:
        if x is y:
            return x
        range_ = RANGES.join(x.range, y.range)
        return Exact(range_, x.terms) if x.terms == y.terms else self.opaque(range_)

    def unknown(self, lo: int, hi: int) -> Exact:
        return self.opaque(Range(lo, hi))

    def exactly(self, x: Exact) -> int | None:
        return RANGES.exactly(x.range)

    def bounds(self, x: Exact) -> tuple[int, int, int] | None:
        return RANGES.bounds(x.range)

    def clip(self, x: Exact, lo: int, hi: int) -> Exact:
        return self.made(RANGES.clip(x.range, lo, hi), x.terms)

    def public(self, x: Exact) -> Exact:
        return x

    # --- a closer look ---

    def _closer(self, x: Exact, limit: int) -> Exact | None:
        """x, if its polynomial keeps it within [0, limit) though its interval does not."""
        lo, hi = x.range.lo, x.range.hi
        if not (-NEAR * limit < lo and hi < NEAR * limit):
            return None
        if hi >= limit:
            hi = min(hi, self.most(x.terms, cases=False))
        if lo < 0:
            lo = max(lo, self.least(x.terms, cases=False))
        return self.made(Range(lo, hi), x.terms) if lo >= 0 and hi < limit else None
