# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The routines of SHA-2, in terms of tests/ref/sha2.py."""

from __future__ import annotations

import numpy as np

from tests.generated.contracts.contract import Arrays, Contract, Expected, Extreme, constant
from tests.ref import sha2 as ref

EXTREMES: tuple[Extreme, ...] = (
    constant(0),
    constant(2**32 - 1),
    constant(0x80000000),
    constant(0x7FFFFFFF),
    constant(1),
    lambda low, high, count: np.arange(count),
    lambda low, high, count: np.where(np.arange(count) % 2, low, high),
)


def _sha256(x: Arrays) -> Expected:
    state = list(x["state"].astype(np.uint64).T)
    after = ref.compress(ref.SHA256, state, ref.words(ref.SHA256, x["data"].astype(np.uint8)))
    return {"state": np.stack(after, axis=1).astype(np.int64)}


def _sha512(x: Arrays) -> Expected:
    halves = x["state"].astype(np.uint64).T
    state = [
        low | high << np.uint64(32) for low, high in zip(halves[::2], halves[1::2], strict=True)
    ]
    after = ref.compress(ref.SHA512, state, ref.words(ref.SHA512, x["data"].astype(np.uint8)))
    split = [word >> np.uint64(s) & np.uint64(2**32 - 1) for word in after for s in (0, 32)]
    return {"state": np.stack(split, axis=1).astype(np.int64)}


CONTRACTS = {
    "sha256_block": Contract(_sha256, extremes=EXTREMES),
    "sha512_block": Contract(_sha512, extremes=EXTREMES),
}
