# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a contract of values says, and inputs that every routine should see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Arrays = Mapping[str, Ints]
Expected = dict[str, Ints]
# An extreme input: from the least and the greatest promised element, and the count, to the elements.
Extreme = Callable[[int, int, int], Ints]
# Random inputs: from a generator, the least and the greatest promised element, and the shape.
Draw = Callable[[np.random.Generator, int, int, tuple[int, int]], Ints]


def uniform(rng: np.random.Generator, low: int, high: int, shape: tuple[int, int]) -> Ints:
    """Every promised element equally likely."""
    return rng.integers(low, high, shape, endpoint=True)


def as_it_is(rows: Ints) -> Ints:
    return rows


def constant(value: int) -> Extreme:
    """All elements equal."""
    return lambda low, high, count: np.full(count, value)


def extremes(modulus: int) -> tuple[Extreme, ...]:
    """All at a bound, all zero, one, minus one, modulus - 1; rising, and swinging between the bounds."""
    return (
        lambda low, high, count: np.full(count, low),
        lambda low, high, count: np.full(count, high),
        *(constant(value) for value in (0, 1, -1, modulus - 1)),
        lambda low, high, count: np.arange(count) + low,
        lambda low, high, count: np.where(np.arange(count) % 2, low, high),
    )


@dataclass(frozen=True)
class Contract:
    """`wanted` takes the inputs by parameter name, arrays of shape (batch, length), and gives the value of each written
    buffer (and of "return"); a masked element is promised nothing. With a modulus a buffer may hold any congruent
    number within its promised bound; without one it must give these very numbers. `step`: what public byte counts are
    multiples of. `view`: what of a buffer's rows is compared. `rows`: how many random inputs a routine that takes long
    gets."""

    wanted: Callable[[Arrays], Expected]
    modulus: int = 0
    extremes: tuple[Extreme, ...] = extremes(2)
    step: int = 1
    draw: Draw = uniform
    view: Callable[[Ints], Ints] = as_it_is
    rows: int = 10_000
