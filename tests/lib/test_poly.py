# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Compression, messages and noise against FIPS 203 written down plainly."""

from __future__ import annotations

import random
import struct

import pytest

from tests.lib.driver import Driver, Request

Q, N = 3329, 256


def _round(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def _pack(values: list[int], d: int) -> bytes:
    number = sum(value << d * place for place, value in enumerate(values))
    return number.to_bytes(N * d // 8, "little")


def _polynomial(values: list[int]) -> bytes:
    return struct.pack("<256h", *values)


@pytest.mark.parametrize("d", (1, 4, 5, 10, 11))
def test_compression_of_every_coefficient(driver: Driver, d: int) -> None:
    """All residues, in every position of a byte group, and back."""
    rows = [[(start + place) % Q for place in range(N)] for start in range(0, Q + 13, 101)]
    rows += [[value] * N for value in (0, Q - 1, Q // 2, Q // 2 + 1)]
    answers = driver.run(Request("p", d, (_polynomial(row),)) for row in rows)
    for row, answer in zip(rows, answers, strict=True):
        small = [_round(value << d, Q) % (1 << d) for value in row]
        large = [_round(value * Q, 1 << d) for value in small]
        assert answer.result == 0
        assert answer.outputs == (_pack(small, d), _polynomial(large))


@pytest.mark.parametrize("eta", (2, 3))
def test_noise(driver: Driver, eta: int) -> None:
    source = random.Random(eta)
    every = [source.randbytes(64 * eta) for _ in range(20)]
    every += [bytes(64 * eta), b"\xff" * 64 * eta]
    answers = driver.run(Request("q", eta, (row,)) for row in every)
    for row, answer in zip(every, answers, strict=True):
        bits = [row[at // 8] >> at % 8 & 1 for at in range(8 * len(row))]
        sums = [sum(bits[at : at + eta]) for at in range(0, len(bits), eta)]
        wanted = [x - y for x, y in zip(sums[::2], sums[1::2], strict=True)]
        assert answer.outputs == (_polynomial(wanted),)
