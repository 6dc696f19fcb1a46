# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The arithmetic of ML-KEM straight from FIPS 203, slow and obvious, on many inputs at once.

Every function takes and returns int64 arrays whose last axis is the coefficient index; earlier axes are a batch.
Values are integers; "mod Q" results are canonical (0 <= x < Q).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

Q = 3329
N = 256
ZETA = 17  # primitive 256th root of unity, FIPS 203 section 4.3
PLANTARD = pow(-(2**32), -1, Q)  # factor that a product of two variables carries


def bitrev7(i: int) -> int:
    """BitRev7 of FIPS 203 section 4.3."""
    return int(f"{i:07b}"[::-1], 2)


ROOTS = [pow(ZETA, 2 * bitrev7(i) + 1, Q) for i in range(128)]  # gamma_i of FIPS 203, appendix A


def _evaluation() -> Ints:
    """Matrix E with ntt(f) = f E: residues modulo X^2 - gamma_i (FIPS 203, equation 4.9)."""
    matrix = np.zeros((N, N), dtype=np.int64)
    for i, gamma in enumerate(ROOTS):
        for n in range(128):
            power = pow(gamma, n, Q)
            matrix[2 * n, 2 * i] = power
            matrix[2 * n + 1, 2 * i + 1] = power
    return matrix


def _interpolation() -> Ints:
    """The inverse of `_evaluation` modulo Q."""
    matrix = np.zeros((N, N), dtype=np.int64)
    inverse = pow(128, -1, Q)
    for i, gamma in enumerate(ROOTS):
        for n in range(128):
            power = pow(gamma, -n, Q) * inverse % Q
            matrix[2 * i, 2 * n] = power
            matrix[2 * i + 1, 2 * n + 1] = power
    return matrix


_E = _evaluation()
_I = _interpolation()
_GAMMA = np.array(ROOTS, dtype=np.int64)


def ntt(f: Ints) -> Ints:
    """Algorithm 9 of FIPS 203, by its defining property."""
    return (np.asarray(f, dtype=np.int64) % Q) @ _E % Q


def inverse_ntt(f: Ints) -> Ints:
    """Algorithm 10 of FIPS 203: the inverse of `ntt`."""
    return (np.asarray(f, dtype=np.int64) % Q) @ _I % Q


def multiply_ntts(a: Ints, b: Ints) -> Ints:
    """Algorithm 11 of FIPS 203: the product of two polynomials in the NTT domain."""
    a, b = np.asarray(a, dtype=np.int64) % Q, np.asarray(b, dtype=np.int64) % Q
    a0, a1, b0, b1 = a[..., 0::2], a[..., 1::2], b[..., 0::2], b[..., 1::2]
    out = np.empty(np.broadcast(a, b).shape, dtype=np.int64)
    out[..., 0::2] = (a0 * b0 + a1 * b1 % Q * _GAMMA) % Q
    out[..., 1::2] = (a0 * b1 + a1 * b0) % Q
    return out


def decode12(data: NDArray[np.uint8]) -> Ints:
    """ByteDecode_12 of FIPS 203 without the reduction: two coefficients to three bytes."""
    d = np.asarray(data, dtype=np.int64)
    b0, b1, b2 = d[..., 0::3], d[..., 1::3], d[..., 2::3]
    out = np.empty((*d.shape[:-1], d.shape[-1] // 3 * 2), dtype=np.int64)
    out[..., 0::2] = b0 | (b1 & 15) << 8
    out[..., 1::2] = b1 >> 4 | b2 << 4
    return out


def rej_uniform(data: bytes, most: int) -> list[int]:
    """The inner loop of SampleNTT, algorithm 7 of FIPS 203: accepted values, at most `most`."""
    out: list[int] = []
    for i in range(0, len(data) - 2, 3):
        d1 = data[i] + 256 * (data[i + 1] % 16)
        d2 = data[i + 1] // 16 + 16 * data[i + 2]
        for d in (d1, d2):
            if d < Q and len(out) < most:
                out.append(d)
    return out
