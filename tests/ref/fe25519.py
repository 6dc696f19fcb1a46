# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Arithmetic modulo p = 2**255 - 19, the slow and obvious way: Python's whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

P = 2**255 - 19
WORDS = 8


def value(words: Sequence[int]) -> int:
    """The number that 32-bit words stand for, least significant first."""
    return sum(int(word) << 32 * i for i, word in enumerate(words))


def words(number: int, count: int = WORDS) -> list[int]:
    """The words of a number below 2**(32 * count)."""
    return [number >> 32 * i & 0xFFFFFFFF for i in range(count)]


def inverse(a: int) -> int:
    """1/a modulo p, and 0 of 0."""
    return pow(a, P - 2, P)


def root_power(a: int) -> int:
    """a ** ((p - 5) / 8), from which square roots are made (RFC 8032, section 5.1.3)."""
    return pow(a, (P - 5) // 8, P)
