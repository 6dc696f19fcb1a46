# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Numbers modulo the order of Ed25519's base point: the least number, word by word."""

from __future__ import annotations

import numpy as np

from tests.generated.contracts.contract import Arrays, Contract, Expected, Extreme, Ints
from tests.ref import sc25519 as ref
from tests.ref.ed25519 import L
from tests.ref.fe25519 import value, words

WORD = 2**32 - 1
# About multiples of L and about the places where the routines divide: bits 252, 256, 384 and 512.
NUMBERS = (
    *(0, 1, L - 1, L, L + 1, 2 * L - 1, 2 * L, 2 * L + 1, 16 * L - 1, 16 * L, 2**252 - 1, 2**252),
    *(2**256 - L, 2**256 - 1, 2**256, 2**256 * L, 2**384 - 1, 2**384, 2**512 - L, 2**512 - 1),
    *(2**512 - 1 - (2**512 - 1) % L - more for more in (0, 1)),
    *(WORD << 32 * i for i in range(16)),
    *(2**512 - 1 - (WORD << 32 * i) for i in range(16)),
)


def _words(number: int, count: int) -> Ints:
    """The lowest words, or a single number."""
    return np.array(words(number, count), dtype=np.int64)


def extreme(number: int) -> Extreme:
    return lambda low, high, count: _words(number, count)


def draw(rng: np.random.Generator, low: int, high: int, shape: tuple[int, int]) -> Ints:
    """A third of the rows uniform, a third of words at their ends, a third next to a multiple of L."""
    out = rng.integers(low, high, shape, endpoint=True)
    kind = rng.integers(0, 3, shape[0])
    edges = np.array([low, high, high, low + 1, high - 1])
    out = np.where(((kind == 1)[:, None]), rng.choice(edges, shape), out)
    for row in np.flatnonzero(kind == 2):
        number = value(out[row])
        out[row] = _words(number - number % L + int(rng.integers(-1, 2)), shape[1])
    return out


def _reduce(x: Arrays) -> Expected:
    return {"r": np.stack([_words(ref.reduce(value(row)), 8) for row in x["x"]])}


def _muladd(x: Arrays) -> Expected:
    rows = zip(*([value(row) for row in x[name]] for name in "abc"), strict=True)
    return {"r": np.stack([_words(ref.muladd(a, b, c), 8) for a, b, c in rows])}


EXTREMES = tuple(map(extreme, NUMBERS))
CONTRACTS = {
    "sc25519_reduce": Contract(_reduce, extremes=EXTREMES, draw=draw),
    "sc25519_muladd": Contract(_muladd, extremes=EXTREMES, draw=draw),
}
