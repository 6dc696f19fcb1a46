# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Polynomials with coefficients modulo a number, over elements that may have exponents of any size."""

from __future__ import annotations

from collections.abc import Mapping

Monomial = tuple[tuple[int, int], ...]  # (element, exponent), elements ascending
Powers = Mapping[Monomial, int]
MOST = 5000  # terms of a product
LARGEST = 64  # exponent of a sum


class TooLarge(Exception):
    """More terms than are worth writing down."""


class Ring:
    """Sums, products and powers modulo `modulus`; no coefficient is zero."""

    def __init__(self, modulus: int) -> None:
        self.modulus = modulus

    def number(self, value: int) -> Powers:
        return {(): value % self.modulus} if value % self.modulus else {}

    def element(self, number: int) -> Powers:
        return {((number, 1),): 1 % self.modulus}

    def plus(self, x: Powers, y: Powers, times: int = 1) -> Powers:
        """x + times * y."""
        out = dict(x)
        for monomial, factor in y.items():
            if total := (out.get(monomial, 0) + times * factor) % self.modulus:
                out[monomial] = total
            else:
                out.pop(monomial, None)
        return out

    def product(self, x: Powers, y: Powers) -> Powers:
        if len(x) * len(y) > MOST:
            raise TooLarge
        out: dict[Monomial, int] = {}
        for left, one in x.items():
            for right, other in y.items():
                monomial = _joined(left, right)
                out[monomial] = (out.get(monomial, 0) + one * other) % self.modulus
        return {monomial: factor for monomial, factor in out.items() if factor}

    def power(self, x: Powers, exponent: int) -> Powers:
        """x ** exponent, exponent >= 1; of a sum only a small one."""
        if len(x) == 1:
            [(monomial, factor)] = x.items()
            raised = pow(factor, exponent, self.modulus)
            return {tuple((e, n * exponent) for e, n in monomial): raised} if raised else {}
        if exponent > LARGEST and x:
            raise TooLarge
        out: Powers = x
        for _ in range(exponent - 1 if x else 0):
            out = self.product(out, x)
        return out


def _joined(x: Monomial, y: Monomial) -> Monomial:
    exponents = dict(x)
    for element, exponent in y:
        exponents[element] = exponents.get(element, 0) + exponent
    return tuple(sorted(exponents.items()))
