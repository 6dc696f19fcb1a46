# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Secret or public: intervals with one more value, `SECRET`, that everything computed from it
becomes.

Public values keep their ranges, so that loops are followed and addresses known. Of secret values
nothing is known.
"""

from __future__ import annotations

from gen.ir.domains.halves import Range
from gen.ir.domains.interval import FALSE, Intervals

SECRET = Range(-(1 << 62), 1 << 62)  # known by identity


class Taint(Intervals):
    """Intervals where `SECRET` absorbs."""

    def add(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().add(x, y)

    def sub(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().sub(x, y)

    def mul(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().mul(x, y)

    def div(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().div(x, y)

    def and_(self, x: Range, y: Range) -> Range:
        if x == FALSE or y == FALSE:
            return FALSE
        return SECRET if x is SECRET or y is SECRET else super().and_(x, y)

    def or_(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().or_(x, y)

    def xor(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().xor(x, y)

    def inv(self, x: Range) -> Range:
        return SECRET if x is SECRET else super().inv(x)

    def shl(self, x: Range, n: Range) -> Range:
        return SECRET if x is SECRET or n is SECRET else super().shl(x, n)

    def shr(self, x: Range, n: Range) -> Range:
        return SECRET if x is SECRET or n is SECRET else super().shr(x, n)

    def u(self, x: Range, bits: int) -> Range:
        return SECRET if x is SECRET else super().u(x, bits)

    def s(self, x: Range, bits: int) -> Range:
        return SECRET if x is SECRET else super().s(x, bits)

    def half(self, x: Range, top: bool) -> Range:
        return SECRET if x is SECRET else super().half(x, top)

    def pack(self, bottom: Range, top: Range) -> Range:
        return SECRET if bottom is SECRET or top is SECRET else super().pack(bottom, top)

    def eq(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().eq(x, y)

    def lt(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().lt(x, y)

    def ite(self, cond: Range, x: Range, y: Range) -> Range:
        return SECRET if cond is SECRET else super().ite(cond, x, y)

    def truth(self, x: Range) -> bool | None:
        return None if x is SECRET else super().truth(x)

    def join(self, x: Range, y: Range) -> Range:
        return SECRET if x is SECRET or y is SECRET else super().join(x, y)

    def exactly(self, x: Range) -> int | None:
        return None if x is SECRET else super().exactly(x)

    def bounds(self, x: Range) -> tuple[int, int, int] | None:
        return None if x is SECRET else super().bounds(x)

    def clip(self, x: Range, lo: int, hi: int) -> Range:
        return SECRET if x is SECRET else super().clip(x, lo, hi)

    def word(self, x: Range, bits: int = 32) -> Range:
        return SECRET if x is SECRET else super().word(x, bits)

    def public(self, x: Range) -> Range:
        return Range(-(1 << 31), (1 << 31) - 1) if x is SECRET else x
