# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""SHA-2's compression of a block as FIPS 180-4 writes it (sections 6.1.2 and 6.4.2), and hashes over it.

A word is an array of uint64 with one element for each of many blocks; a state is the list H0 to H7. The constants are
what sections 4.2.2, 4.2.3 and 5.3 say they are: bits of roots of primes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

Word = NDArray[np.uint64]
PRIMES = [p for p in range(2, 410) if all(p % d for d in range(2, isqrt(p) + 1))]


def _cube_root(n: int) -> int:
    """The greatest integer whose cube is at most n."""
    low, high = 0, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= n else (low, middle)
    return low


@dataclass(frozen=True)
class Family:
    """Section 4.1: rotations of the four functions; the last number of `small` is a shift."""

    bits: int
    rounds: int
    big: tuple[tuple[int, int, int], tuple[int, int, int]]
    small: tuple[tuple[int, int, int], tuple[int, int, int]]

    @property
    def block(self) -> int:
        """Bytes a block."""
        return 2 * self.bits

    def constants(self) -> list[int]:
        """Fractions of cube roots."""
        return [_cube_root(p << 3 * self.bits) % 2**self.bits for p in PRIMES[: self.rounds]]

    def start(self) -> list[int]:
        """Fractions of square roots: where SHA-256 and SHA-512 start."""
        return [isqrt(p << 2 * self.bits) % 2**self.bits for p in PRIMES[:8]]


SHA256 = Family(32, 64, ((2, 13, 22), (6, 11, 25)), ((7, 18, 3), (17, 19, 10)))
SHA512 = Family(64, 80, ((28, 34, 39), (14, 18, 41)), ((1, 8, 7), (19, 61, 6)))


def _operations(bits: int) -> tuple[Callable[..., Word], Callable[[Word, int], Word]]:
    """Sum and rotation to the right of words of so many bits."""
    mask = np.uint64(2**bits - 1)

    def total(*words: Word) -> Word:
        result = words[0]
        for word in words[1:]:
            result = result + word
        return result & mask

    def rotated(x: Word, n: int) -> Word:
        return (x >> np.uint64(n) | x << np.uint64(bits - n)) & mask

    return total, rotated


def compress(family: Family, state: list[Word], block: list[Word]) -> list[Word]:
    """The state after a block of sixteen words."""
    total, rotated = _operations(family.bits)

    def sigma(which: int, x: Word) -> Word:
        r, s, t = family.big[which]
        return rotated(x, r) ^ rotated(x, s) ^ rotated(x, t)

    def small(which: int, x: Word) -> Word:
        r, s, t = family.small[which]
        return rotated(x, r) ^ rotated(x, s) ^ x >> np.uint64(t)

    w = list(block)
    for t in range(16, family.rounds):
        w.append(total(small(1, w[t - 2]), w[t - 7], small(0, w[t - 15]), w[t - 16]))
    a, b, c, d, e, f, g, h = state
    for k, word in zip(family.constants(), w, strict=True):
        t1 = total(h, sigma(1, e), e & f ^ ~e & g, np.full_like(word, k), word)
        t2 = total(sigma(0, a), a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, h = total(t1, t2), a, b, c, total(d, t1), e, f, g
    return [total(x, y) for x, y in zip(state, (a, b, c, d, e, f, g, h), strict=True)]


def words(family: Family, data: NDArray[np.uint8]) -> list[Word]:
    """Rows of bytes as words, the most significant byte first."""
    return list(np.ascontiguousarray(data).view(f">u{family.bits // 8}").astype(np.uint64).T)


def digest(family: Family, message: bytes) -> bytes:
    """SHA-256 or SHA-512 of a message."""
    padded = message + b"\x80"
    padded += bytes(-(len(padded) + family.bits // 4) % family.block)
    padded += (8 * len(message)).to_bytes(family.bits // 4, "big")
    state = [np.array([h], dtype=np.uint64) for h in family.start()]
    for at in range(0, len(padded), family.block):
        block = np.frombuffer(padded[at : at + family.block], np.uint8)[None, :]
        state = compress(family, state, words(family, block))
    return b"".join(int(h[0]).to_bytes(family.bits // 8, "big") for h in state)
