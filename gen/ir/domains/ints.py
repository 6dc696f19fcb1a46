# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The oracle: a value is one integer."""

from __future__ import annotations


class Ints:
    """Plain integers; registers hold words in [0, 2**bits)."""

    def const(self, value: int) -> int:
        return value

    def add(self, x: int, y: int) -> int:
        return x + y

    def sub(self, x: int, y: int) -> int:
        return x - y

    def mul(self, x: int, y: int) -> int:
        return x * y

    def div(self, x: int, y: int) -> int:
        if y == 0:
            return 0
        quotient = abs(x) // abs(y)
        return quotient if (x < 0) == (y < 0) else -quotient

    def and_(self, x: int, y: int) -> int:
        return x & y

    def or_(self, x: int, y: int) -> int:
        return x | y

    def xor(self, x: int, y: int) -> int:
        return x ^ y

    def inv(self, x: int) -> int:
        return ~x

    def shl(self, x: int, n: int) -> int:
        return x << n

    def shr(self, x: int, n: int) -> int:
        return x >> n

    def u(self, x: int, bits: int) -> int:
        return x & ((1 << bits) - 1)

    def s(self, x: int, bits: int) -> int:
        half = 1 << (bits - 1)
        return ((x + half) & ((1 << bits) - 1)) - half

    def half(self, x: int, top: bool) -> int:
        return self.s(x >> 16 if top else x, 16)

    def pack(self, bottom: int, top: int) -> int:
        return (bottom & 0xFFFF) | (top & 0xFFFF) << 16

    def eq(self, x: int, y: int) -> int:
        return int(x == y)

    def lt(self, x: int, y: int) -> int:
        return int(x < y)

    def ite(self, cond: int, x: int, y: int) -> int:
        return x if cond else y

    def truth(self, x: int) -> bool | None:
        return x != 0

    def join(self, x: int, y: int) -> int:
        raise AssertionError(f"one run of integers never meets another ({x}, {y})")

    def unknown(self, lo: int, hi: int) -> int:
        return min(max(lo, 0), hi)

    def exactly(self, x: int) -> int | None:
        return x

    def word(self, x: int, bits: int = 32) -> int:
        return x & ((1 << bits) - 1)

    def bounds(self, x: int) -> tuple[int, int, int] | None:
        return x, x, 0

    def clip(self, x: int, lo: int, hi: int) -> int:
        return x

    def public(self, x: int) -> int:
        return x
