# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What each routine promises about values, in terms of tests/ref: the buffers it writes, as residues or as they are.

An entry takes the inputs by parameter name, int64 arrays of shape (batch, length), and returns the expected value of
each written buffer. `exact` routines must give these very numbers; the others any numbers congruent modulo Q that are
within the promised bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tests.ref import mlkem as ref

Arrays = Mapping[str, ref.Ints]
Expected = dict[str, ref.Ints]

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
    out = np.full((len(rows), x["r"].shape[-1]), -1, dtype=np.int64)
    for row, values in zip(out, rows, strict=True):
        row[: len(values)] = values
    return {"r": out, "return": np.array([len(values) for values in rows])}


Q, P = ref.Q, ref.PLANTARD
WANTED: dict[str, Callable[[Arrays], Expected]] = {
    "mlkem_ntt": lambda x: {"r": ref.ntt(x["r"])},
    "mlkem_invntt": lambda x: {"r": ref.inverse_ntt(x["r"]) * FACTOR},
    "mlkem_basemul": lambda x: {"r": ref.multiply_ntts(x["a"], x["b"]) * P},
    "mlkem_basemul_acc": lambda x: {"r": x["r"] + ref.multiply_ntts(x["a"], x["b"]) * P},
    "mlkem_mulcache": lambda x: {"c": _cached(x["b"])},
    "mlkem_basemul_16_32": lambda x: {"r": product(x["a"], x["b"], x["c"])},
    "mlkem_basemul_acc_32_32": lambda x: {"r": x["r"] + product(x["a"], x["b"], x["c"])},
    "mlkem_basemul_acc_32_16": lambda x: {
        "r": (x["acc"] + product(x["a"], x["b"], x["c"])) % Q * P
    },
    "mlkem_frombytes_mul_16_32": lambda x: {"r": _packed(x)},
    "mlkem_frombytes_mul_acc_32_32": lambda x: {"r": x["r"] + _packed(x)},
    "mlkem_frombytes_mul_acc_32_16": lambda x: {"r": (x["acc"] + _packed(x)) % Q * P},
    "mlkem_rej_uniform": _rej_uniform,
    "mlkem_reduce": lambda x: {"r": x["r"] % Q},
    "mlkem_tomont": lambda x: {"r": x["r"] * FACTOR},
    "mlkem_add": lambda x: {"r": x["a"] + x["b"]},
    "mlkem_sub": lambda x: {"r": x["a"] - x["b"]},
}
EXACT = frozenset(
    {
        "mlkem_rej_uniform",
        "mlkem_reduce",
        "mlkem_add",
        "mlkem_sub",
        "mlkem_basemul_16_32",
        "mlkem_basemul_acc_32_32",
    }
)
