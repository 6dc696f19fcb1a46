# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The values that the ML-KEM routines promise, in terms of tests/ref/mlkem.py."""

from __future__ import annotations

import numpy as np

from tests.generated.contracts.contract import Arrays, Contract, Expected, extremes
from tests.ref import mlkem as ref

FACTOR = -(2**32)  # what conversion multiplies by: the factor that a Plantard product lacks


def _cached(b: ref.Ints) -> ref.Ints:
    """b with each odd coefficient times its root: the operand c of the asymmetric products."""
    out = np.array(b)
    out[..., 1::2] = out[..., 1::2] * np.array(ref.ROOTS) % ref.Q
    return out


def product(a: ref.Ints, b: ref.Ints, c: ref.Ints) -> ref.Ints:
    """The 32-bit product of pairs: a0*c0 + a1*c1, a0*b1 + a1*b0, not reduced."""
    out = np.empty(np.broadcast(a, b).shape, dtype=np.int64)
    out[..., 0::2] = a[..., 0::2] * c[..., 0::2] + a[..., 1::2] * c[..., 1::2]
    out[..., 1::2] = a[..., 0::2] * b[..., 1::2] + a[..., 1::2] * b[..., 0::2]
    return out


def _packed(x: Arrays) -> ref.Ints:
    return ref.multiply_ntts(ref.decode12(x["a"].astype(np.uint8)), x["b"])


def _rej_uniform(x: Arrays) -> Expected:
    rows = []
    for n, length, buf in zip(x["n"], x["len"], x["buf"], strict=True):
        rows.append(ref.rej_uniform(bytes(buf[:length].astype(np.uint8)), int(n)))
    out = np.ma.masked_all((len(rows), x["r"].shape[-1]), dtype=np.int64)
    for row, values in zip(out, rows, strict=True):
        row[: len(values)] = values
    return {"r": out, "return": np.array([[len(values)] for values in rows])}


def _sample_mul_acc(x: Arrays) -> Expected:
    """Coefficients as they come, multiplied where the pairs stand in a whole polynomial."""
    count, width = x["r"].shape
    a, b, r = (np.zeros((count, ref.N), dtype=np.int64) for _ in range(3))
    results, untouched = [], np.ones((count, width), dtype=bool)
    for row, (n, held, length) in enumerate(zip(x["n"], x["held"], x["len"], strict=True)):
        known = [int(held)] if held < ref.Q else []
        data = bytes(x["buf"][row, :length].astype(np.uint8))
        taken = known + ref.rej_uniform(data, 2 * int(n) - len(known))
        pairs, first = min(len(taken) // 2, int(n)), ref.N - 2 * int(n)
        a[row, first : first + 2 * pairs] = taken[: 2 * pairs]
        b[row, first:], r[row, first:] = x["b"][row, : 2 * n], x["r"][row, : 2 * n]
        untouched[row, : 2 * n] = False
        results.append([(int(n) - pairs) | (taken[2 * pairs :] or [ref.Q])[0] << 16])
    sums = r + ref.multiply_ntts(a, b) * ref.PLANTARD
    out = np.zeros((count, width), dtype=np.int64)
    for row, n in enumerate(x["n"]):
        out[row, : 2 * n] = sums[row, ref.N - 2 * n :]
    return {"r": np.ma.masked_array(out, untouched), "return": np.array(results)}


Q, P = ref.Q, ref.PLANTARD
EXTREMES = extremes(Q)
CONTRACTS: dict[str, Contract] = {
    "mlkem_ntt": Contract(lambda x: {"r": ref.ntt(x["r"])}, modulus=Q, extremes=EXTREMES),
    "mlkem_invntt": Contract(
        lambda x: {"r": ref.inverse_ntt(x["r"]) * FACTOR}, modulus=Q, extremes=EXTREMES
    ),
    "mlkem_basemul": Contract(
        lambda x: {"r": ref.multiply_ntts(x["a"], x["b"]) * P}, modulus=Q, extremes=EXTREMES
    ),
    "mlkem_basemul_acc": Contract(
        lambda x: {"r": x["r"] + ref.multiply_ntts(x["a"], x["b"]) * P},
        modulus=Q,
        extremes=EXTREMES,
    ),
    "mlkem_mulcache": Contract(lambda x: {"c": _cached(x["b"])}, modulus=Q, extremes=EXTREMES),
    "mlkem_basemul_16_32": Contract(
        lambda x: {"r": product(x["a"], x["b"], x["c"])}, extremes=EXTREMES
    ),
    "mlkem_basemul_acc_32_32": Contract(
        lambda x: {"r": x["r"] + product(x["a"], x["b"], x["c"])}, extremes=EXTREMES
    ),
    "mlkem_basemul_acc_32_16": Contract(
        lambda x: {"r": (x["acc"] + product(x["a"], x["b"], x["c"])) % Q * P},
        modulus=Q,
        extremes=EXTREMES,
    ),
    "mlkem_frombytes_mul_16_32": Contract(
        lambda x: {"r": _packed(x)}, modulus=Q, extremes=EXTREMES
    ),
    "mlkem_frombytes_mul_acc_32_32": Contract(
        lambda x: {"r": x["r"] + _packed(x)}, modulus=Q, extremes=EXTREMES
    ),
    "mlkem_frombytes_mul_acc_32_16": Contract(
        lambda x: {"r": (x["acc"] + _packed(x)) % Q * P}, modulus=Q, extremes=EXTREMES
    ),
    "mlkem_rej_uniform": Contract(_rej_uniform, extremes=EXTREMES, step=3),
    "mlkem_sample_mul_acc": Contract(_sample_mul_acc, modulus=Q, extremes=EXTREMES, step=3),
    "mlkem_reduce": Contract(lambda x: {"r": x["r"] % Q}, extremes=EXTREMES),
    "mlkem_tomont": Contract(lambda x: {"r": x["r"] * FACTOR}, modulus=Q, extremes=EXTREMES),
    "mlkem_add": Contract(lambda x: {"r": x["a"] + x["b"]}, extremes=EXTREMES),
    "mlkem_sub": Contract(lambda x: {"r": x["a"] - x["b"]}, extremes=EXTREMES),
}
