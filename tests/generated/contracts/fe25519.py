# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The arithmetic modulo 2**255 - 19: results are right modulo p; what is canonical is compared as it stands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.generated.contracts.contract import Arrays, Contract, Expected, Extreme, Ints
from tests.ref import fe25519 as ref

P, TOP = ref.P, 2**256
# Where carries begin, and where they are lost if they are.
NUMBERS = (
    *(0, 1, 18, 19, 20, 37, 38, 39, P - 1, P, P + 1, P + 18, 2 * P - 1, 2 * P, 2 * P + 1),
    *(2**255 - 1, 2**255, TOP - 39, TOP - 38, TOP - 2, TOP - 1),
    *((2**32 - 1) << 32 * i for i in range(8)),
    *(TOP - 1 - ((2**32 - 1) << 32 * i) for i in range(8)),
    *(1 << 32 * i for i in range(1, 8)),
)


def _fit(numbers: tuple[int, ...], low: int, high: int, count: int) -> Ints:
    """The number in the elements that there are: eight words or 32 bytes of a field element, or one number."""
    bits = 8 if high == 255 else 32
    both = [number >> bits * i & 2**bits - 1 for number in numbers for i in range(256 // bits)]
    return np.clip(np.resize(np.array(both, dtype=np.int64), count), low, high)


def extreme(number: int) -> Extreme:
    return lambda low, high, count: _fit((number,), low, high, count)


def draw(rng: np.random.Generator, low: int, high: int, shape: tuple[int, int]) -> Ints:
    """A third of the rows uniform, a third of extreme elements, a third of extreme numbers."""
    out = rng.integers(low, high, shape, endpoint=True)
    kind = rng.integers(0, 3, shape[0])
    edges = np.array([low, high, high, low + 1, high - 1])
    some = rng.integers(0, 4, shape) > 0
    out = np.where((kind == 1)[:, None] & some, rng.choice(edges, shape), out)
    for row in np.flatnonzero(kind == 2):
        picked = rng.choice(len(NUMBERS), 1 + shape[1] // 8)
        out[row] = _fit(tuple(NUMBERS[at] for at in picked), low, high, shape[1])
    return out


def numbers(rows: Ints) -> list[int]:
    return [ref.value(row) for row in rows]


def elements(values: list[int]) -> Ints:
    return np.array([ref.words(value % P) for value in values], dtype=np.int64)


def canonical(rows: Ints) -> Ints:
    """Field elements by their least representative; anything else as it stands."""
    if rows.shape[-1] % 8:
        return rows
    flat = np.asarray(rows).reshape(-1, 8)
    return elements(numbers(flat)).reshape(rows.shape)


def _bytes(values: list[int]) -> Ints:
    return np.array([list(value.to_bytes(32, "little")) for value in values], dtype=np.int64)


def _binary(operation: Callable[[int, int], int]) -> Contract:
    def wanted(x: Arrays) -> Expected:
        pairs = zip(numbers(x["a"]), numbers(x["b"]), strict=True)
        return {"r": elements([operation(a, b) for a, b in pairs])}

    return field(wanted)


def _unary(operation: Callable[[int], int], rows: int = 10_000) -> Contract:
    return field(lambda x: {"r": elements([operation(a) for a in numbers(x["a"])])}, rows)


def _constant(value: int) -> Contract:
    return Contract(lambda x: {"r": elements([value] * len(x["r"]))})


def _answer(question: Callable[[int], int]) -> Contract:
    return field(lambda x: {"return": np.array([[question(a % P)] for a in numbers(x["a"])])})


def field(wanted: Callable[[Arrays], Expected], rows: int = 10_000) -> Contract:
    return Contract(
        wanted, extremes=tuple(map(extreme, NUMBERS)), draw=draw, view=canonical, rows=rows
    )


def exact(wanted: Callable[[Arrays], Expected]) -> Contract:
    """The very elements."""
    return Contract(wanted, extremes=tuple(map(extreme, NUMBERS)), draw=draw)


def _frombytes(x: Arrays) -> Expected:
    values = [int.from_bytes(bytes(row.tolist()), "little") % 2**255 for row in x["s"]]
    return {"r": np.array([ref.words(value) for value in values], dtype=np.int64)}


def _cmov_table(x: Arrays) -> Expected:
    rows = []
    for table, b in zip(x["table"].reshape(-1, 8, 3, 8), x["b"], strict=True):
        plus, minus, product = numbers(table[abs(b) - 1]) if b else (1, 1, 0)
        rows.append(elements([minus, plus, -product] if b < 0 else [plus, minus, product]))
    return {"r": np.stack(rows).reshape(-1, 24)}


CONTRACTS: dict[str, Contract] = {
    "fe25519_0": _constant(0),
    "fe25519_1": _constant(1),
    "fe25519_copy": exact(lambda x: {"r": x["a"]}),
    "fe25519_frombytes": exact(_frombytes),
    "fe25519_tobytes": exact(lambda x: {"s": _bytes([a % P for a in numbers(x["a"])])}),
    "fe25519_add": _binary(lambda a, b: a + b),
    "fe25519_sub": _binary(lambda a, b: a - b),
    "fe25519_neg": _unary(lambda a: -a),
    "fe25519_mul": _binary(lambda a, b: a * b),
    "fe25519_sq": _unary(lambda a: a * a),
    "fe25519_sq2": _unary(lambda a: 2 * a * a),
    "fe25519_mul121666": _unary(lambda a: 121666 * a),
    "fe25519_invert": _unary(ref.inverse, 300),
    "fe25519_pow22523": _unary(ref.root_power, 300),
    "fe25519_isnonzero": _answer(lambda a: int(a != 0)),
    "fe25519_isnegative": _answer(lambda a: a % 2),
    "fe25519_cmov_table": field(_cmov_table, 2000),
    "fe25519_cmov": exact(lambda x: {"r": np.where(x["b"][:, None] == 1, x["a"], x["r"])}),
}
