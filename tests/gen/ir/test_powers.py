# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Polynomials over elements have the values of numbers modulo the modulus."""

from __future__ import annotations

import random

import pytest

from gen.ir.domains.powers import LARGEST, Powers, Ring, TooLarge

M = 2**61 - 1


def value(x: Powers, at: dict[int, int]) -> int:
    total = 0
    for monomial, factor in x.items():
        for element, exponent in monomial:
            factor = factor * pow(at[element], exponent, M) % M
        total += factor
    return total % M


@pytest.mark.parametrize("seed", range(20))
def test_values(seed: int) -> None:
    rng, ring = random.Random(seed), Ring(M)
    at = {n: rng.randrange(M) for n in range(3)}
    known = [(ring.element(n), at[n]) for n in at] + [(ring.number(-7), -7 % M)]
    for _ in range(30):
        (x, a), (y, b) = rng.choice(known), rng.choice(known)
        n, few = rng.randrange(-3, 4), rng.randrange(1, 4)
        try:
            rows = [
                (ring.plus(x, y, n), a + n * b),
                (ring.product(x, y), a * b),
                (ring.power(x, few), pow(a, few, M)),
            ]
        except TooLarge:
            continue
        for made, wanted in rows:
            assert value(made, at) == wanted % M
            assert all(made.values())
            known.append((made, wanted % M))


def test_exponents_of_any_size_but_not_of_sums() -> None:
    ring = Ring(M)
    x, y = ring.element(0), ring.element(1)
    assert ring.power(ring.power(x, 2**200), 3) == {((0, 3 * 2**200),): 1}
    assert ring.power(ring.number(0), 5) == {} == ring.power(ring.number(M), 10**9)
    with pytest.raises(TooLarge):
        ring.power(ring.plus(x, y), LARGEST + 1)
    wide = x
    with pytest.raises(TooLarge):
        for n in range(2, 99):
            wide = ring.product(ring.plus(wide, ring.element(n)), ring.plus(x, ring.element(n)))
