# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The Keccak routines, in terms of tests/ref/keccak.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.generated.contracts.contract import Arrays, Contract, Expected, Ints, constant
from tests.ref import keccak as ref

WORD = 2**32 - 1
EXTREMES = (
    constant(0),
    constant(WORD),
    constant(0x55555555),
    constant(0x80000000),
    *(
        lambda low, high, count, bit=bit: np.eye(1, count, bit, dtype=np.int64)[0]
        for bit in (0, 49)
    ),
    lambda low, high, count: np.arange(count) % (high + 1),
)


Words = list[NDArray[Any]]


def _columns(rows: Ints) -> Words:
    """Column by column, each for all rows."""
    return list(rows.astype(np.uint64).T)


def _rows(columns: Words) -> Ints:
    return np.stack(columns, axis=1).astype(np.int64)


def halves(lanes: Words) -> Words:
    """Each lane's lower and upper word."""
    return [lane >> shift & WORD for lane in lanes for shift in (0, 32)]


def joined(words: Words) -> Words:
    """The inverse of `halves`."""
    return [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]


def _permutation(decode: Callable[[Words], Words], encode: Callable[[Words], Words]) -> Contract:
    return Contract(
        lambda x: {"s": _rows(encode(ref.permute(decode(_columns(x["s"])))))}, extremes=EXTREMES
    )


def _promised(values: Ints, count: Ints) -> Ints:
    """The first `count` elements of each row are promised."""
    return np.ma.masked_array(values, np.arange(values.shape[1]) >= count[:, None])


def _lanes(data: Ints) -> Words:
    """Bytes as lanes; what is beyond the last whole lane stays out."""
    eights = data[:, : data.shape[1] // 8 * 8].reshape(len(data), -1, 8).astype(np.uint64)
    return list(np.bitwise_or.reduce(eights << np.arange(0, 64, 8, dtype=np.uint64), axis=2).T)


def _absorb(x: Arrays) -> Expected:
    wanted = np.array(x["s"])
    block = _rows(ref.interleaved(_lanes(x["in"][:, :200])))
    wanted[:, :50] ^= block
    return {"s": _promised(wanted, x["len"] // 4)}


def _squeeze(x: Arrays) -> Expected:
    lanes = ref.plain(_columns(x["s"][:, :50]))
    wanted = np.zeros(x["out"].shape, dtype=np.int64)
    wanted[:, :200] = _rows([lane >> shift & 255 for lane in lanes for shift in range(0, 64, 8)])
    return {"out": _promised(wanted, x["len"])}


CONTRACTS = {
    **{
        f"keccak_f1600_{name}": _permutation(ref.plain, ref.interleaved)
        for name in ("fast", "inplace", "balanced", "small")
    },
    "keccak_f1600_lanes": _permutation(joined, halves),
    "keccak_absorb": Contract(_absorb, extremes=EXTREMES, step=8),
    "keccak_squeeze": Contract(_squeeze, extremes=EXTREMES, step=8),
}
