# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Polynomials over named integers with rational coefficients, each standing for one integer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

Monomial = tuple[str, ...]  # sorted names; a square has its name twice
Interval = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Poly:
    """Sum of coefficient times monomial; no coefficient is zero."""

    terms: Mapping[Monomial, Fraction]

    @staticmethod
    def of(value: int) -> Poly:
        return Poly({(): Fraction(value)} if value else {})

    @staticmethod
    def name(name: str) -> Poly:
        return Poly({(name,): Fraction(1)})

    def __add__(self, other: Poly) -> Poly:
        terms = dict(self.terms)
        for monomial, factor in other.terms.items():
            terms[monomial] = terms.get(monomial, Fraction(0)) + factor
        return Poly({monomial: factor for monomial, factor in terms.items() if factor})

    def __sub__(self, other: Poly) -> Poly:
        return self + other.times(-1)

    def __mul__(self, other: Poly) -> Poly:
        out = Poly({})
        for left, x in self.terms.items():
            product = {tuple(sorted(left + right)): x * y for right, y in other.terms.items()}
            out = out + Poly(product)
        return out

    def times(self, factor: Fraction | int) -> Poly:
        return Poly({m: x * factor for m, x in self.terms.items()} if factor else {})

    @property
    def key(self) -> tuple[tuple[Monomial, Fraction], ...]:
        """Equal for equal polynomials."""
        return tuple(sorted(self.terms.items()))

    @property
    def number(self) -> int | None:
        """The integer, where no name is left."""
        if not self.terms:
            return 0
        constant = self.terms.get(())
        return int(constant) if constant is not None and len(self.terms) == 1 else None

    def replaced(self, name: str, value: Poly) -> Poly:
        """With `value` in the place of a name."""
        out = Poly({})
        for monomial, factor in self.terms.items():
            part = Poly({tuple(n for n in monomial if n != name): factor})
            for _ in range(monomial.count(name)):
                part = part * value
            out = out + part
        return out

    def multiples(self, modulus: int) -> tuple[Poly, Poly]:
        """The terms whose coefficients are multiples of `modulus`, and the others."""
        inside = {m: x for m, x in self.terms.items() if (x / modulus).denominator == 1}
        return Poly(inside), Poly({m: x for m, x in self.terms.items() if m not in inside})

    def range(self, ranges: Mapping[str, tuple[int, int]]) -> Interval:
        """Bounds, term by term."""
        lo = hi = Fraction(0)
        for monomial, factor in self.terms.items():
            least = most = factor
            for name in monomial:
                corners = [end * edge for end in (least, most) for edge in ranges[name]]
                least, most = min(corners), max(corners)
            lo, hi = lo + least, hi + most
        return lo, hi
