# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The arguments of a call as one row of words: r0 to r3, then the caller's stack upwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gen.ir.interp.abi import places
from gen.ir.ir import Param

IN_REGISTERS = 4


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the row: the low (0) or high (1) part of a parameter, or a hole."""

    param: Param | None = None
    part: int = 0


def words(params: Sequence[Param]) -> tuple[Word, ...]:
    """The row of words of a call; 64-bit values start at an even one, which may leave a hole."""
    row: dict[int, Word] = {}
    for param, parts in zip(params, places(tuple(params)), strict=True):
        for number, place in enumerate(parts):
            stacked = IN_REGISTERS + (place.stack or 0) // 4
            row[stacked if place.register is None else place.register] = Word(param, number)
    return tuple(row.get(number, Word()) for number in range(max(row, default=-1) + 1))
