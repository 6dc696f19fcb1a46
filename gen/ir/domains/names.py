# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Polynomials over named integers, and what can be said of their values.

A name is an input word, a value of which only an interval is known, or a quotient floor(y / 2**k) of a polynomial y in
older names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

Monomial = tuple[int, ...]  # numbers of names, ascending; a square has its name twice
Terms = Mapping[Monomial, int]
MATTERS = Fraction(1, 1 << 16)  # a bit that moves an integer by less is not worth a distinction
Fractions = dict[Monomial, Fraction]


@dataclass(frozen=True)
class Quotient:
    """floor(terms / 2**bits)."""

    terms: Terms
    bits: int


@dataclass(frozen=True)
class Bit:
    """`terms` = floor of a quotient, which is `lo` or `lo` + 1."""

    terms: Terms
    lo: int
    of: Quotient


def plus(x: Terms, y: Terms, times: int = 1) -> dict[Monomial, int]:
    """x + times * y."""
    out = dict(x)
    for monomial, factor in y.items():
        if total := out.get(monomial, 0) + times * factor:
            out[monomial] = total
        else:
            out.pop(monomial, None)
    return out


def product(x: Terms, y: Terms) -> dict[Monomial, int]:
    """x * y."""
    out: dict[Monomial, int] = {}
    for left, one in x.items():
        for right, other in y.items():
            monomial = tuple(sorted(left + right))
            out[monomial] = out.get(monomial, 0) + one * other
    return {monomial: factor for monomial, factor in out.items() if factor}


def number(value: int) -> dict[Monomial, int]:
    return {(): value} if value else {}


class Names:
    """Names by their numbers; a newer one has a higher number."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.ranges: list[tuple[int, int]] = []
        self.quotients: dict[int, Quotient] = {}
        self.bits: dict[int, Bit] = {}  # by the newest name in it

    def named(self, text: str, lo: int, hi: int) -> int:
        """A new name for an integer from lo to hi."""
        self.names.append(text)
        self.ranges.append((lo, hi))
        return len(self.names) - 1

    def bit(self, bit: Bit) -> None:
        """Remembers it for distinctions of cases."""
        newest = max((name for monomial in bit.terms for name in monomial), default=-1)
        if (newest,) in bit.terms:
            self.bits.setdefault(newest, bit)

    def settled(self, terms: Terms) -> dict[Monomial, int]:
        """The same number, without the bits that can be shown to be always the same."""
        out = dict(terms)
        for name in sorted(self.bits, reverse=True):
            bit = self.bits[name]
            value = self._decided(bit) if (name,) in out else None
            if value is not None and abs(bit.terms[(name,)]) == 1:
                times = -out[(name,)] * bit.terms[(name,)]
                out = plus(out, plus(bit.terms, number(value), -1), times)
        return out

    def _decided(self, bit: Bit) -> int | None:
        if self.most(bit.terms) <= bit.lo:
            return bit.lo
        return bit.lo + 1 if self.least(bit.terms) > bit.lo else None

    def least(self, terms: Terms, cases: bool = True) -> int:
        """A lower bound."""
        return -self.most({monomial: -factor for monomial, factor in terms.items()}, cases)

    def most(self, terms: Terms, cases: bool = True) -> int:
        """An upper bound: quotients are replaced, the newest first, by what they are quotients of; with `cases`, the
        values of each bit that comes up are distinguished. The best bound counts."""
        left = {monomial: Fraction(factor) for monomial, factor in terms.items()}
        best = self._linear(left)
        for name in sorted(self.bits, reverse=True) if cases else ():
            left = self._without(left, name + 1)
            if abs(left.get((name,), Fraction(0))) >= MATTERS:
                bit = self.bits[name]
                ends = (self._given(left, name, bit, value) for value in (bit.lo, bit.lo + 1))
                best = min(best, max(ends))
        return int(best // 1)

    def _given(self, terms: Fractions, name: int, bit: Bit, value: int) -> Fraction:
        """An upper bound where the bit, whose newest name this is, has this value: its quotient y / 2**k says that
        0 <= y - 2**k * value < 2**k, and any multiple of either may be added."""
        part = terms.get((name,), Fraction(0)) / bit.terms[(name,)]
        left = added(terms, bit.terms, -part)
        left[()] = left.get((), Fraction(0)) + part * value
        best = self._linear(left)
        for times in set(scales(left, bit.of.terms)):
            end = ((value + 1) << bit.of.bits) - 1 if times < 0 else value << bit.of.bits
            moved = added(left, bit.of.terms, times)
            moved[()] = moved.get((), Fraction(0)) - times * end
            best = min(best, self._linear(moved))
        return best

    def _linear(self, terms: Fractions) -> Fraction:
        """An upper bound without distinctions."""
        left = self._without(terms, 0)
        return sum((max(ends) for ends in self._ends(left)), Fraction(0))

    def _without(self, terms: Fractions, first: int) -> Fractions:
        """Something that is never less, without the quotients from `first` on.

        With q = floor(y / 2**k): y / 2**k - 1 + 2**-k <= q <= y / 2**k.
        """
        left = dict(terms)
        names = {m[0] for m in left if len(m) == 1 and m[0] >= first and m[0] in self.quotients}
        while names:
            name = max(names)
            names.remove(name)
            factor = left.pop((name,), Fraction(0))
            if not factor:
                continue
            made = self.quotients[name]
            names |= {
                m[0] for m in made.terms if len(m) == 1 and m[0] >= first and m[0] in self.quotients
            }
            left = added(left, made.terms, factor / (1 << made.bits))
            if factor < 0:
                rest = factor * ((1 << made.bits) - 1) / (1 << made.bits)
                left[()] = left.get((), Fraction(0)) - rest
        return left

    def _ends(
        self, terms: Mapping[Monomial, Fraction | int]
    ) -> Iterator[tuple[Fraction, Fraction]]:
        """The bounds of each term."""
        for monomial, factor in terms.items():
            lo = hi = Fraction(factor)
            for name in monomial:
                corners = [end * edge for end in (lo, hi) for edge in self.ranges[name]]
                lo, hi = min(corners), max(corners)
            yield lo, hi

    def bounds_of(self, terms: Terms) -> tuple[int, int]:
        """Bounds, term by term."""
        ends = list(self._ends(terms))
        return int(sum(lo for lo, _ in ends)), int(sum(hi for _, hi in ends))

    def shown(self, terms: Terms) -> tuple[str, ...]:
        """The terms for people, the largest coefficients first."""
        ordered = sorted(terms.items(), key=lambda item: (-abs(item[1]), item[0]))
        return tuple(
            f"{power(factor)} * {' * '.join(self.names[name] for name in monomial) or '1'}"
            for monomial, factor in ordered
        )


def added(x: Fractions, y: Terms, times: Fraction) -> Fractions:
    """x + times * y."""
    out = dict(x)
    for monomial, factor in y.items():
        out[monomial] = out.get(monomial, Fraction(0)) + times * factor
    return out


def scales(x: Fractions, y: Terms) -> Iterator[Fraction]:
    """Powers of two, with a sign, by which y comes near to -x in some term."""
    for monomial, factor in y.items():
        if monomial and (other := x.get(monomial)):
            ratio = -other / factor
            size = abs(ratio)
            bits = size.numerator.bit_length() - size.denominator.bit_length()
            for exponent in (bits - 1, bits):
                power_ = Fraction(2) ** exponent
                yield power_ if ratio > 0 else -power_


def power(factor: int) -> str:
    """A coefficient: "-38 * 2**64"."""
    bits = (factor & -factor).bit_length() - 1
    return str(factor) if bits < 16 else f"{factor >> bits} * 2**{bits}"
