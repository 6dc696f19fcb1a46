# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Ed25519, Ed25519ctx and Ed25519ph as RFC 8032, section 5.1, writes them down, on affine points."""

from __future__ import annotations

import hashlib

from tests.ref.fe25519 import P, inverse, root_power

L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * inverse(121666) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
Point = tuple[int, int]
IDENTITY: Point = (0, 1)


def add(p: Point, q: Point) -> Point:
    """The sum on -x^2 + y^2 = 1 + d x^2 y^2."""
    (x1, y1), (x2, y2) = p, q
    t = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * inverse(1 + t) % P,
        (y1 * y2 + x1 * x2) * inverse(1 - t) % P,
    )


def times(k: int, p: Point) -> Point:
    out = IDENTITY
    while k:
        if k & 1:
            out = add(out, p)
        p, k = add(p, p), k >> 1
    return out


def recover_x(y: int, sign: int) -> int | None:
    """Section 5.1.3, steps 2 to 4."""
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * root_power(u * v**7) % P
    if (v * x * x - u) % P:
        x = x * SQRT_M1 % P
    if (v * x * x - u) % P or (x == 0 and sign):
        return None
    return x if x % 2 == sign else P - x


def encode(p: Point) -> bytes:
    return (p[1] | (p[0] & 1) << 255).to_bytes(32, "little")


def decode(text: bytes) -> Point | None:
    number = int.from_bytes(text, "little")
    y = number & (2**255 - 1)
    x = recover_x(y, number >> 255) if y < P else None
    return None if x is None else (x, y)


_y = 4 * inverse(5) % P
_x = recover_x(_y, 0)
assert _x is not None
BASE: Point = (_x, _y)


def dom2(flag: int | None, context: bytes) -> bytes:
    """The prefix of the hashed text: none for Ed25519, flag 0 for Ed25519ctx, 1 for Ed25519ph."""
    if flag is None:
        return b""
    return b"SigEd25519 no Ed25519 collisions" + bytes((flag, len(context))) + context


def _hash(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def expand(seed: bytes) -> tuple[int, bytes]:
    """The scalar, and the prefix that nonces are made with."""
    digest = hashlib.sha512(seed).digest()
    number = int.from_bytes(digest[:32], "little")
    return number & ~7 & (2**254 - 1) | 2**254, digest[32:]


def public_key(seed: bytes) -> bytes:
    return encode(times(expand(seed)[0], BASE))


def sign(seed: bytes, message: bytes, flag: int | None = None, context: bytes = b"") -> bytes:
    """The message is its SHA-512 digest where the flag is 1."""
    a, prefix = expand(seed)
    dom = dom2(flag, context)
    r = _hash(dom, prefix, message) % L
    encoded = encode(times(r, BASE))
    k = _hash(dom, encoded, public_key(seed), message) % L
    return encoded + ((r + k * a) % L).to_bytes(32, "little")


def verify(
    key: bytes, message: bytes, signature: bytes, flag: int | None = None, context: bytes = b""
) -> bool:
    """Without the cofactor: [S]B = R + [k]A."""
    a, r = decode(key), decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = _hash(dom2(flag, context), signature[:32], key, message) % L
    return times(s, BASE) == add(r, times(k, a))


Entry = tuple[int, int, int]  # y + x, y - x, 2*d*x*y


def entry(point: Point) -> Entry:
    x, y = point
    return (y + x) % P, (y - x) % P, 2 * D * x * y % P


def odd_multiples(count: int) -> list[Entry]:
    """Of BASE."""
    out, point, twice = [], BASE, add(BASE, BASE)
    for _ in range(count):
        out.append(entry(point))
        point = add(point, twice)
    return out


def base_table(teeth: int) -> list[list[Entry]]:
    """The 1- to 8-fold of 16**(64 // teeth * t) * BASE, for each tooth t."""
    rows = []
    start = BASE
    for _ in range(teeth):
        point, row = start, []
        for _ in range(8):
            row.append(entry(point))
            point = add(point, start)
        rows.append(row)
        start = times(16 ** (64 // teeth), start)
    return rows
