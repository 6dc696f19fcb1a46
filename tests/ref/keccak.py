# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Keccak-f[1600] as FIPS 202 writes it (section 3.2), and the forms in which a state is stored.

A state is a list of 25 lanes of 64 bits, lane (x, y) at 5*y + x. Interleaved it is 50 words: word
10*y + 2*x + h holds the even bits (h = 0) or the odd bits (h = 1) of lane (x, y). A lane or a word
is a number, or an array of uint64 with one element for each of many states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from numpy.typing import NDArray

L = TypeVar("L", int, NDArray[Any])
MASK = (1 << 64) - 1
ROUNDS = 24


def rotated(lane: L, count: int) -> L:
    """The lane rotated left by `count` modulo 64."""
    count %= 64
    return lane if count == 0 else (lane << count | lane >> 64 - count) & MASK


def theta(a: list[L]) -> list[L]:
    c = [a[x] ^ a[5 + x] ^ a[10 + x] ^ a[15 + x] ^ a[20 + x] for x in range(5)]
    d = [c[(x - 1) % 5] ^ rotated(c[(x + 1) % 5], 1) for x in range(5)]
    return [lane ^ d[i % 5] for i, lane in enumerate(a)]


def rho(a: list[L]) -> list[L]:
    out = list(a)
    x, y = 1, 0
    for t in range(24):
        out[5 * y + x] = rotated(a[5 * y + x], (t + 1) * (t + 2) // 2)
        x, y = y, (2 * x + 3 * y) % 5
    return out


def pi(a: list[L]) -> list[L]:
    return [a[5 * x + (x + 3 * y) % 5] for y in range(5) for x in range(5)]


def chi(a: list[L]) -> list[L]:
    def lane(x: int, y: int) -> L:
        return a[5 * y + x % 5]

    return [
        lane(x, y) ^ (~lane(x + 1, y) & lane(x + 2, y) & MASK) for y in range(5) for x in range(5)
    ]


def round_bit(t: int) -> int:
    """Algorithm 5: bit t of the shift register."""
    r = 1
    for _ in range(t % 255):
        r <<= 1
        r ^= (r >> 8) * 0x171
    return r & 1


def round_constant(index: int) -> int:
    return sum(round_bit(j + 7 * index) << (2**j - 1) for j in range(7))


def permute(a: list[L]) -> list[L]:
    """Keccak-f[1600]."""
    for index in range(ROUNDS):
        a = chi(pi(rho(theta(a))))
        a[0] ^= round_constant(index)
    return a


def lanes(data: bytes) -> list[int]:
    """The lanes of 200 bytes (appendix B.1)."""
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, 200, 8)]


def octets(a: list[int]) -> bytes:
    """The inverse of `lanes`."""
    return b"".join(lane.to_bytes(8, "little") for lane in a)


def interleaved(a: Sequence[L]) -> list[L]:
    """Lanes as even and odd words."""
    return [
        sum(((lane >> 2 * i + h & 1) << i for i in range(32)), start=lane & 0)
        for lane in a
        for h in (0, 1)
    ]


def plain(words: Sequence[L]) -> list[L]:
    """The inverse of `interleaved`."""
    return [
        sum(
            ((words[n + h] >> i & 1) << 2 * i + h for i in range(32) for h in (0, 1)),
            start=words[n] & 0,
        )
        for n in range(0, len(words), 2)
    ]
