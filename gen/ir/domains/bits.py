# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Bitwise operations on intervals, and additions that do not carry from one half-word into the
other."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from gen.ir.domains.halves import (
    ZERO,
    Pair,
    Range,
    bottom_of,
    fit,
    signed_half,
    top_of,
    unsigned_half,
)

Op = Literal["and", "or", "xor"]
_EXACT: dict[Op, Callable[[int, int], int]] = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
}


@lru_cache(maxsize=1 << 14)  # words that nobody knows meet again and again
def combine(op: Op, x: Range, y: Range) -> Range:
    """x op y on integers of unbounded two's complement; half-words follow when either operand has
    any."""
    if x.lo == x.hi and y.lo == y.hi:
        value = _EXACT[op](x.lo, y.lo)
        return Range(value, value)
    if op == "and" and (masked := _mask(x, y) or _mask(y, x)):
        return masked
    lo, hi = _whole(op, (x.lo, x.hi), (y.lo, y.hi))
    if x.b is None and x.t is None and y.b is None and y.t is None and hi - lo < 0x10000:
        return Range(lo, hi)
    b = _half(op, bottom_of(x), bottom_of(y))
    t = _half(op, top_of(x), top_of(y))
    if lo < 0:
        return Range(lo, hi, b, t)
    top, low = (
        unsigned_half(t),
        unsigned_half(b),
    )  # hi may exceed 32 bits: only then is this no bound
    if hi <= 0xFFFFFFFF:
        lo = max(lo, top[0] * 0x10000 + low[0])
        hi = min(hi, top[1] * 0x10000 + low[1])
    return Range(lo, hi, b, t)


def _mask(x: Range, y: Range) -> Range | None:
    """x & (2**k - 1) where x stays within one period of it: exact ends."""
    mask = y.lo
    if y.lo != y.hi or mask <= 0 or mask & (mask + 1):
        return None
    lo, hi = x.lo, x.hi
    if mask <= 0xFFFF and x.b is not None and x.b[1] - x.b[0] < hi - lo:
        lo, hi = x.b
    fitted = fit(lo, hi, 0, mask + 1)
    return Range(*fitted) if fitted else None


def _half(op: Op, x: Pair, y: Pair) -> Pair:
    """The operation on half-words: by their unsigned and by their signed readings, whichever says
    more."""
    unsigned = signed_half(_whole(op, unsigned_half(x), unsigned_half(y)))
    signed = _whole(op, x, y)
    return unsigned if unsigned[1] - unsigned[0] < signed[1] - signed[0] else signed


def _whole(op: Op, x: Pair, y: Pair) -> Pair:
    """Bounds of x op y."""
    if x[0] == x[1] and y[0] == y[1]:
        value = _EXACT[op](x[0], y[0])
        return value, value
    for one, other in ((x, y), (y, x)):
        if one == ZERO:
            return ZERO if op == "and" else other
        if one == (-1, -1):
            return {"and": other, "or": (-1, -1), "xor": (~other[1], ~other[0])}[op]
    size = max(abs(end + (end < 0)) for end in x + y).bit_length()
    if op == "and":
        positive = [pair[1] for pair in (x, y) if pair[0] >= 0]
        return (
            (0, min(positive))
            if positive
            else (-1 << size, max(x[1], y[1], 0) if _mixed(x, y) else -1)
        )
    if x[0] >= 0 and y[0] >= 0:
        return (max(x[0], y[0]) if op == "or" else 0), (1 << size) - 1
    if op == "or" and (x[1] < 0 or y[1] < 0):
        return max(pair[0] for pair in (x, y) if pair[1] < 0), -1
    return -1 << size, (1 << size) - 1


def _mixed(x: Pair, y: Pair) -> bool:
    """Whether x & y can be non-negative."""
    return x[1] >= 0 or y[1] >= 0


def add_halves(x: Range, y: Range, sign: int) -> tuple[Pair | None, Pair | None]:
    """Half-words of x + sign * y: known when the bottom of one operand is zero, so that nothing
    carries."""
    if _whole_halves(y) and (x.b is not None or x.t is not None or x.hi - x.lo >= 0x10000):
        return bottom_of(x), _top(top_of(x), top_of(y), sign)
    if (
        sign > 0
        and _whole_halves(x)
        and (y.b is not None or y.t is not None or y.hi - y.lo >= 0x10000)
    ):
        return bottom_of(y), _top(top_of(y), top_of(x), sign)
    return None, None


def _whole_halves(x: Range) -> bool:
    """Whether the bottom half-word is zero."""
    return x.b == ZERO or (x.lo == x.hi and x.lo & 0xFFFF == 0)


def _top(x: Pair, y: Pair, sign: int) -> Pair | None:
    ends = (x[0] + y[0], x[1] + y[1]) if sign > 0 else (x[0] - y[1], x[1] - y[0])
    return fit(ends[0], ends[1], -0x8000, 0x10000)
