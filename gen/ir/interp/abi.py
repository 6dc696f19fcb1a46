# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Where a caller puts arguments (Arm IHI 0042, AAPCS32, 6.4; Arm IHI 0055, AAPCS64, 6.4): general registers and stack,
no FP arguments."""

from __future__ import annotations

from dataclasses import dataclass

from gen.cores.abi import Abi
from gen.ir.ir import CType, Param


@dataclass(frozen=True, slots=True)
class Place:
    """One word of an argument: in a general register, or at the caller's SP plus `stack`."""

    register: str | None
    stack: int | None


def words_of(ctype: CType, abi: Abi) -> int:
    """Words an argument takes."""
    return 2 if not ctype.pointer and ctype.bits > abi.bits else 1


def places(params: tuple[Param, ...], abi: Abi) -> list[tuple[Place, ...]]:
    """For each parameter the places of its words, low word first."""
    out: list[tuple[Place, ...]] = []
    number, stack = 0, 0
    for param in params:
        words = words_of(param.ctype, abi)
        if words == 2:
            number += number % 2
        if number + words <= len(abi.arguments):
            out.append(tuple(Place(abi.arguments[number + i], None) for i in range(words)))
            number += words
            continue
        number = len(abi.arguments)
        stack += stack % (words * abi.bytes)
        out.append(tuple(Place(None, stack + abi.bytes * i) for i in range(words)))
        stack += abi.bytes * words
    return out


def stack_bytes(params: tuple[Param, ...], abi: Abi) -> int:
    """Bytes of the arguments on the stack, a multiple of what public interfaces align SP to."""
    used = [
        place.stack + abi.bytes
        for words in places(params, abi)
        for place in words
        if place.stack is not None
    ]
    align = 2 * abi.bytes
    return -(-max(used, default=0) // align) * align
