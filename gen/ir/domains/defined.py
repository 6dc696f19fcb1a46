# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Defined or undefined, for each half-word: intervals, and words of which a half or both were never
written.

A `Partial` may be copied, cut down to its defined half or be completed; any other use of it is
reported to `report`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from gen.ir.domains.halves import FULL_HALF, Pair, Range, packed
from gen.ir.domains.interval import Intervals

BOTTOM, TOP = 1, 2
ANY = Range(-(1 << 31), (1 << 31) - 1)


class Partial(NamedTuple):
    """A word whose halves in `missing` were never written; b and t are ranges of the others."""

    missing: int
    b: Pair = FULL_HALF
    t: Pair = FULL_HALF


NOTHING = cast(Range, Partial(BOTTOM | TOP))  # travels where the domain's values do


def missing_of(x: Range) -> int:
    """The undefined halves of a value."""
    return x.missing if isinstance(x, Partial) else 0


def _partial(missing: int, b: Pair, t: Pair) -> Range:
    return cast(Range, Partial(missing, b, t)) if missing else packed(b, t)


class Defined(Intervals):
    """Intervals with `Partial`. `report(missing)` is called at each use of an undefined half."""

    def __init__(self, report: Callable[[int], None]) -> None:
        self.report = report

    def _need(self, x: Range) -> Range:
        """x, all of which is used."""
        if isinstance(x, Partial):
            self.report(x.missing)
            return ANY
        return x

    def add(self, x: Range, y: Range) -> Range:
        return super().add(self._need(x), self._need(y))

    def sub(self, x: Range, y: Range) -> Range:
        return super().sub(self._need(x), self._need(y))

    def mul(self, x: Range, y: Range) -> Range:
        return super().mul(self._need(x), self._need(y))

    def div(self, x: Range, y: Range) -> Range:
        return super().div(self._need(x), self._need(y))

    def and_(self, x: Range, y: Range) -> Range:
        """A constant mask may clear an undefined half."""
        for word, mask in ((x, y), (y, x)):
            if isinstance(word, Partial) and not isinstance(mask, Partial) and mask.lo == mask.hi:
                cleared = BOTTOM * (mask.lo & 0xFFFF == 0) | TOP * (mask.lo >> 16 & 0xFFFF == 0)
                kept = BOTTOM * (mask.lo & 0xFFFF == 0xFFFF) | TOP * (
                    mask.lo >> 16 & 0xFFFF == 0xFFFF
                )
                if word.missing & ~cleared & ~kept == 0:
                    b, t = (
                        self._masked(word.b, cleared & BOTTOM, mask.lo),
                        self._masked(word.t, cleared & TOP, mask.lo),
                    )
                    return _partial(word.missing & kept, b, t)
        return super().and_(self._need(x), self._need(y))

    @staticmethod
    def _masked(half: Pair, cleared: int, mask: int) -> Pair:
        return (0, 0) if cleared else half if mask == -1 else FULL_HALF

    def or_(self, x: Range, y: Range) -> Range:
        """Or with zero in an undefined half keeps it undefined."""
        for word, other in ((x, y), (y, x)):
            if isinstance(word, Partial) and not isinstance(other, Partial):
                halves = super().half(other, False), super().half(other, True)
                blocked = BOTTOM * (halves[0] != Range(0, 0)) | TOP * (halves[1] != Range(0, 0))
                if word.missing & blocked == 0:
                    return _partial(word.missing, FULL_HALF, FULL_HALF)
        return super().or_(self._need(x), self._need(y))

    def xor(self, x: Range, y: Range) -> Range:
        return super().xor(self._need(x), self._need(y))

    def inv(self, x: Range) -> Range:
        return super().inv(self._need(x))

    def shl(self, x: Range, n: Range) -> Range:
        if isinstance(x, Partial) and x.missing == TOP and n == Range(16, 16):
            return packed((0, 0), x.b)
        return super().shl(self._need(x), self._need(n))

    def shr(self, x: Range, n: Range) -> Range:
        if isinstance(x, Partial) and x.missing == BOTTOM and n == Range(16, 16):
            return Range(*x.t)
        return super().shr(self._need(x), self._need(n))

    def u(self, x: Range, bits: int) -> Range:
        if isinstance(x, Partial):
            return x if bits >= 32 else super().u(self._bottom(x), bits)
        return super().u(x, bits)

    def s(self, x: Range, bits: int) -> Range:
        if isinstance(x, Partial):
            return x if bits >= 32 else super().s(self._bottom(x), bits)
        return super().s(x, bits)

    def _bottom(self, x: Partial) -> Range:
        return Range(*x.b) if not x.missing & BOTTOM else self._need(cast(Range, x))

    def half(self, x: Range, top: bool) -> Range:
        if isinstance(x, Partial):
            if x.missing & (TOP if top else BOTTOM):
                return self._need(cast(Range, x))
            return Range(*(x.t if top else x.b))
        return super().half(x, top)

    def pack(self, bottom: Range, top: Range) -> Range:
        return super().pack(self._need(bottom), self._need(top))

    def eq(self, x: Range, y: Range) -> Range:
        return super().eq(self._need(x), self._need(y))

    def lt(self, x: Range, y: Range) -> Range:
        return super().lt(self._need(x), self._need(y))

    def truth(self, x: Range) -> bool | None:
        return super().truth(self._need(x))

    def join(self, x: Range, y: Range) -> Range:
        missing = missing_of(x) | missing_of(y)
        return cast(Range, Partial(missing)) if missing else super().join(x, y)

    def exactly(self, x: Range) -> int | None:
        return None if isinstance(x, Partial) else super().exactly(x)

    def bounds(self, x: Range) -> tuple[int, int, int] | None:
        return None if isinstance(x, Partial) else super().bounds(x)

    def clip(self, x: Range, lo: int, hi: int) -> Range:
        return x if isinstance(x, Partial) else super().clip(x, lo, hi)

    def word(self, x: Range, bits: int = 32) -> Range:
        return x if isinstance(x, Partial) else super().word(x, bits)
