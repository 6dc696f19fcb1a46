# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The value of the interval domain, and how its whole and its half-words say things about each
other."""

from __future__ import annotations

from typing import NamedTuple

Pair = tuple[int, int]
FULL_HALF: Pair = (-0x8000, 0x7FFF)
ZERO: Pair = (0, 0)


class Range(NamedTuple):
    """Integers lo, lo + step, ..., hi whose half-words, as signed numbers, lie in b and t.

    None as a half: no more is known than the whole says. The step matters for pointers that advance
    on some paths.
    """

    lo: int
    hi: int
    b: Pair | None = None
    t: Pair | None = None
    step: int = 1

    def __str__(self) -> str:
        return str(self.lo) if self.lo == self.hi else f"[{self.lo}, {self.hi}]"


def fit(lo: int, hi: int, least: int, size: int) -> Pair | None:
    """The interval moved by a multiple of `size` into [least, least + size), if it is in one piece
    there."""
    shift = (lo - least) // size
    return (lo - shift * size, hi - shift * size) if (hi - least) // size == shift else None


def bottom_of(x: Range) -> Pair:
    """Range of the bottom half-word, signed."""
    return x.b or fit(x.lo, x.hi, -0x8000, 0x10000) or FULL_HALF


def top_of(x: Range) -> Pair:
    """Range of the top half-word, signed."""
    return x.t or fit(x.lo >> 16, x.hi >> 16, -0x8000, 0x10000) or FULL_HALF


def unsigned_half(half: Pair) -> Pair:
    """The same half-words read as unsigned numbers."""
    return fit(half[0], half[1], 0, 0x10000) or (0, 0xFFFF)


def signed_half(half: Pair) -> Pair:
    """The same half-words read as signed numbers."""
    return fit(half[0], half[1], -0x8000, 0x10000) or FULL_HALF


def packed(b: Pair, t: Pair) -> Range:
    """The word made of two half-words."""
    low = unsigned_half(b)
    return Range(t[0] * 0x10000 + low[0], t[1] * 0x10000 + low[1], b, t)
