# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""X25519 as RFC 7748, section 5, writes it down."""

from __future__ import annotations

from tests.ref.fe25519 import P, inverse

A24 = 121665
BASE = (9).to_bytes(32, "little")


def decode_scalar(k: bytes) -> int:
    number = int.from_bytes(k, "little")
    return number & ~7 & (2**255 - 1) | 2**254


def ladder(k: int, u: int) -> int:
    """The u-coordinate of k times the point at u; k < 2**255."""
    x1, x2, z2, x3, z3, swap = u, 1, 0, u, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + A24 * e) % P
    if swap:
        x2, z2 = x3, z3
    return x2 * inverse(z2) % P


def x25519(k: bytes, u: bytes) -> bytes:
    point = int.from_bytes(u, "little") & (2**255 - 1)
    return ladder(decode_scalar(k), point % P).to_bytes(32, "little")
