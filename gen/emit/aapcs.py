# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Where the arguments of a call are: the base procedure call standard for the Arm architecture (AAPCS32), section 6.5.

Arguments are seen as a row of words: the first four arrive in r0 to r3, the others on the stack, in order. A 64-bit
value starts at an even word; one that does not fit the registers goes to the stack, and so does all behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gen.ir.ir import CType, Param

IN_REGISTERS = 4


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the row: the low (0) or high (1) part of a parameter, or a hole."""

    param: Param | None = None
    part: int = 0


def width(ctype: CType) -> int:
    """Words that a value of this type takes as an argument."""
    return 2 if not ctype.pointer and ctype.bits == 64 else 1


def words(params: Sequence[Param]) -> tuple[Word, ...]:
    """The row of words of a call."""
    row: list[Word] = []
    for param in params:
        count = width(param.ctype)
        if count == 2 and len(row) % 2:
            row.append(Word())
        row += [Word(param, part) for part in range(count)]
    return tuple(row)
