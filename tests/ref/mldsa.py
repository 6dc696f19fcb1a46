# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The arithmetic of ML-DSA straight from FIPS 204, slow and obvious, on many inputs at once.

Every function takes and returns int64 arrays whose last axis is the coefficient index; earlier axes are a batch.
Values are integers; "mod Q" results are canonical (0 <= x < Q).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

Q = 8380417
N = 256
ZETA = 1753  # primitive 512th root of unity, FIPS 204 section 2.5
MONTGOMERY = pow(2**32, -1, Q)  # factor that a product of two variables carries


def bitrev8(i: int) -> int:
    """BitRev8 of FIPS 204 (algorithm 43)."""
    return int(f"{i:08b}"[::-1], 2)


ROOTS = [pow(ZETA, 2 * bitrev8(i) + 1, Q) for i in range(N)]  # w_hat[i] = w(ROOTS[i]), section 2.5


def _evaluation() -> Ints:
    """Matrix E with ntt(f) = f E."""
    return np.array([[pow(root, n, Q) for root in ROOTS] for n in range(N)], dtype=np.int64)


def _interpolation() -> Ints:
    """The inverse of `_evaluation` modulo Q."""
    inverse = pow(N, -1, Q)
    rows = [[pow(root, -n, Q) * inverse % Q for n in range(N)] for root in ROOTS]
    return np.array(rows, dtype=np.int64)


_E = _evaluation()
_I = _interpolation()


def ntt(f: Ints) -> Ints:
    """Algorithm 41 of FIPS 204, by its defining property. A sum of 256 products stays below 2**54."""
    return (np.asarray(f, dtype=np.int64) % Q) @ _E % Q


def inverse_ntt(f: Ints) -> Ints:
    """Algorithm 42 of FIPS 204: the f with ntt(f) given."""
    return (np.asarray(f, dtype=np.int64) % Q) @ _I % Q


def multiply_ntts(a: Ints, b: Ints) -> Ints:
    """Algorithm 45 of FIPS 204: products in the NTT domain."""
    return (np.asarray(a, dtype=np.int64) % Q) * (np.asarray(b, dtype=np.int64) % Q) % Q


def rej_uniform(data: bytes, limit: int) -> list[int]:
    """Coefficients that algorithm 30 of FIPS 204 accepts from whole groups of three bytes (algorithm 14), `limit` at
    most."""
    found = []
    for k in range(0, len(data) - 2, 3):
        z = data[k] | data[k + 1] << 8 | (data[k + 2] & 0x7F) << 16
        if z < Q and len(found) < limit:
            found.append(z)
    return found
