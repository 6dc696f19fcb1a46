# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The values that the ML-DSA routines promise, in terms of tests/ref/mldsa.py."""

from __future__ import annotations

import numpy as np

from tests.generated.contracts.contract import Arrays, Contract, Expected, extremes
from tests.ref import mldsa as ref

Q, P = ref.Q, ref.MONTGOMERY
FACTOR = 2**32 % Q  # what mldsa_invntt multiplies by: the factor that a product lacks
EXTREMES = extremes(Q)


def _product(x: Arrays) -> ref.Ints:
    return ref.multiply_ntts(x["a"], x["b"]) * P


def _rej_uniform(x: Arrays) -> Expected:
    rows = []
    for n, length, buf in zip(x["n"], x["len"], x["buf"], strict=True):
        rows.append(ref.rej_uniform(bytes(buf[:length].astype(np.uint8)), int(n)))
    out = np.ma.masked_all((len(rows), x["r"].shape[-1]), dtype=np.int64)
    for row, values in zip(out, rows, strict=True):
        row[: len(values)] = values
    return {"r": out, "return": np.array([[len(values)] for values in rows])}


CONTRACTS: dict[str, Contract] = {
    "mldsa_ntt": Contract(lambda x: {"r": ref.ntt(x["r"])}, modulus=Q, extremes=EXTREMES),
    "mldsa_invntt": Contract(
        lambda x: {"r": ref.inverse_ntt(x["r"]) * FACTOR}, modulus=Q, extremes=EXTREMES
    ),
    "mldsa_pointwise": Contract(lambda x: {"r": _product(x)}, modulus=Q, extremes=EXTREMES),
    "mldsa_pointwise_acc": Contract(
        lambda x: {"r": x["r"] + _product(x)}, modulus=Q, extremes=EXTREMES
    ),
    "mldsa_reduce": Contract(lambda x: {"r": x["r"]}, modulus=Q, extremes=EXTREMES),
    "mldsa_caddq": Contract(lambda x: {"r": x["r"] % Q}, extremes=EXTREMES),
    "mldsa_freeze": Contract(lambda x: {"r": x["r"] % Q}, extremes=EXTREMES),
    "mldsa_rej_uniform": Contract(_rej_uniform, extremes=EXTREMES, step=3),
}
