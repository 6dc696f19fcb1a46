# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Intervals: what range a value can have, for the whole and, where it matters, for the two half-
words.

A `Range` (see halves.py) stands for every integer x with lo <= x <= hi whose half-words, read as
signed 16-bit numbers, lie in `b` and `t` (None: nothing more is known). A register may hold any
integer congruent to its word modulo 2**32: a packed pair of small signed numbers has an interval
across zero, a pointer its exact address, and both stay as narrow as they can.
"""

from __future__ import annotations

from math import gcd

from gen.ir.domains import bits
from gen.ir.domains.halves import (
    FULL_HALF,
    ZERO,
    Pair,
    Range,
    bottom_of,
    fit,
    packed,
    top_of,
    unsigned_half,
)

TRUE, FALSE, MAYBE = Range(1, 1), Range(0, 0), Range(0, 1)


def _view(x: Range, least: int) -> Range:
    """x modulo 2**32 in [least, least + 2**32), using the half-words when the whole says too
    little."""
    whole = fit(x.lo, x.hi, least, 1 << 32)
    if whole is not None and x.b is None and x.t is None:
        return x if whole[0] == x.lo else Range(*whole, None, None, x.step)
    lo, hi = whole or (least, least + 0xFFFFFFFF)
    if x.t is not None:
        top = x.t if least else fit(*x.t, 0, 0x10000)
        if top is not None:
            low = unsigned_half(bottom_of(x))
            lo, hi = max(lo, top[0] * 0x10000 + low[0]), min(hi, top[1] * 0x10000 + low[1])
    return Range(lo, hi, x.b, x.t)


class Intervals:
    """The domain of `Range`s."""

    def const(self, value: int) -> Range:
        return Range(value, value)

    def add(self, x: Range, y: Range) -> Range:
        b, t = bits.add_halves(x, y, 1)
        return Range(x.lo + y.lo, x.hi + y.hi, b, t, _step(x, y) or 1)

    def sub(self, x: Range, y: Range) -> Range:
        b, t = bits.add_halves(x, y, -1)
        return Range(x.lo - y.hi, x.hi - y.lo, b, t, _step(x, y) or 1)

    def mul(self, x: Range, y: Range) -> Range:
        corners = (x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi)
        return Range(min(corners), max(corners))

    def div(self, x: Range, y: Range) -> Range:
        ends = [d for d in (y.lo, y.hi, -1, 1) if d and y.lo <= d <= y.hi]
        quotients = [
            abs(n) // abs(d) * (1 if (n < 0) == (d < 0) else -1) for n in (x.lo, x.hi) for d in ends
        ]
        if y.lo <= 0 <= y.hi:
            quotients.append(0)
        return Range(min(quotients), max(quotients))

    def and_(self, x: Range, y: Range) -> Range:
        return bits.combine("and", x, y)

    def or_(self, x: Range, y: Range) -> Range:
        return bits.combine("or", x, y)

    def xor(self, x: Range, y: Range) -> Range:
        return bits.combine("xor", x, y)

    def inv(self, x: Range) -> Range:
        b = None if x.b is None else (~x.b[1], ~x.b[0])
        t = None if x.t is None else (~x.t[1], ~x.t[0])
        return Range(~x.hi, ~x.lo, b, t)

    def shl(self, x: Range, n: Range) -> Range:
        if n.lo != n.hi:
            ends = (x.lo << n.lo, x.lo << n.hi, x.hi << n.lo, x.hi << n.hi)
            return Range(min(ends), max(ends))
        if n.lo == 16:
            return Range(x.lo << 16, x.hi << 16, ZERO, bottom_of(x))
        return Range(x.lo << n.lo, x.hi << n.lo, ZERO if n.lo > 16 else None) if n.lo else x

    def shr(self, x: Range, n: Range) -> Range:
        if n.lo != n.hi:
            ends = (x.lo >> n.lo, x.lo >> n.hi, x.hi >> n.lo, x.hi >> n.hi)
            return Range(min(ends), max(ends))
        if n.lo == 16:
            return Range(x.lo >> 16, x.hi >> 16, top_of(x))
        return Range(x.lo >> n.lo, x.hi >> n.lo) if n.lo else x

    def u(self, x: Range, bits: int) -> Range:
        if bits == 32:
            return _view(x, 0)
        if bits == 16:
            half = bottom_of(x)
            return Range(*unsigned_half(half), half, ZERO)
        lo, hi = x.lo, x.hi
        if bits < 16 and x.b is not None and x.b[1] - x.b[0] < hi - lo:
            lo, hi = x.b
        fitted = fit(lo, hi, 0, 1 << bits)
        return Range(*fitted) if fitted else Range(0, (1 << bits) - 1)

    def s(self, x: Range, bits: int) -> Range:
        if bits == 32:
            return _view(x, -0x80000000)
        if bits == 16:
            return Range(*bottom_of(x))
        fitted = fit(x.lo, x.hi, -1 << (bits - 1), 1 << bits)
        return Range(*fitted) if fitted else Range(-1 << (bits - 1), (1 << (bits - 1)) - 1)

    def half(self, x: Range, top: bool) -> Range:
        return Range(*(top_of(x) if top else bottom_of(x)))

    def pack(self, bottom: Range, top: Range) -> Range:
        return packed(bottom_of(bottom), bottom_of(top))

    def eq(self, x: Range, y: Range) -> Range:
        if x.hi < y.lo or y.hi < x.lo:
            return FALSE
        if x.lo == x.hi == y.lo == y.hi:
            return TRUE
        for one, other in ((x.b, y.b), (x.t, y.t)):
            if one and other and (one[1] < other[0] or other[1] < one[0]):
                return FALSE
        return MAYBE

    def lt(self, x: Range, y: Range) -> Range:
        if x.hi < y.lo:
            return TRUE
        return FALSE if x.lo >= y.hi else MAYBE

    def ite(self, cond: Range, x: Range, y: Range) -> Range:
        known = self.truth(cond)
        if known is None:
            return self.join(x, y)
        return x if known else y

    def truth(self, x: Range) -> bool | None:
        if x.lo > 0 or x.hi < 0:
            return True
        return False if x.lo == x.hi == 0 else None

    def join(self, x: Range, y: Range) -> Range:
        if x is y or x == y:
            return x
        lo, hi = min(x.lo, y.lo), max(x.hi, y.hi)
        if x.b is None and x.t is None and y.b is None and y.t is None and hi - lo < 0x10000:
            return Range(lo, hi, None, None, gcd(_step(x, y), abs(x.lo - y.lo)))
        return Range(lo, hi, _hull(bottom_of(x), bottom_of(y)), _hull(top_of(x), top_of(y)))

    def unknown(self, lo: int, hi: int) -> Range:
        return Range(lo, hi)

    def exactly(self, x: Range) -> int | None:
        return x.lo if x.lo == x.hi else None

    def bounds(self, x: Range) -> tuple[int, int, int] | None:
        return x.lo, x.hi, x.step

    def clip(self, x: Range, lo: int, hi: int) -> Range:
        lo, hi = max(lo, x.lo), min(hi, x.hi)
        step = x.step or 1
        lo, hi = x.lo - (x.lo - lo) // step * step, x.lo + (hi - x.lo) // step * step
        return Range(lo, hi, x.b, x.t, step)

    def public(self, x: Range) -> Range:
        return x

    def word(self, x: Range, bits: int = 32) -> Range:
        if x.lo >= -1 << (bits - 1) and x.hi < 1 << bits:
            return x
        if bits != 32:
            return self.u(x, bits)
        signed = _view(x, -0x80000000)
        if signed.hi - signed.lo <= x.hi - x.lo:
            unsigned = _view(x, 0)
            return unsigned if unsigned.hi - unsigned.lo < signed.hi - signed.lo else signed
        return signed


def _step(x: Range, y: Range) -> int:
    """The step of a sum: of either operand when the other is a single number (0: both are)."""
    if x.lo == x.hi:
        return 0 if y.lo == y.hi else y.step
    return x.step if y.lo == y.hi else gcd(x.step, y.step)


def _hull(x: Pair, y: Pair) -> Pair | None:
    hull = (min(x[0], y[0]), max(x[1], y[1]))
    return None if hull == FULL_HALF else hull
