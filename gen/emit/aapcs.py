# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The arguments of a call as one row of words: those of registers, then the caller's stack upwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gen.cores.abi import Abi
from gen.ir.interp.abi import places
from gen.ir.ir import Param


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the row: the low (0) or high (1) part of a parameter, or a hole."""

    param: Param | None = None
    part: int = 0


def words(params: Sequence[Param], abi: Abi) -> tuple[Word, ...]:
    """The row of words of a call; 64-bit values start at an even one, which may leave a hole."""
    row: dict[int, Word] = {}
    for param, parts in zip(params, places(tuple(params), abi), strict=True):
        for number, place in enumerate(parts):
            stacked = len(abi.arguments) + (place.stack or 0) // abi.bytes
            at = stacked if place.register is None else abi.arguments.index(place.register)
            row[at] = Word(param, number)
    return tuple(row.get(number, Word()) for number in range(max(row, default=-1) + 1))
