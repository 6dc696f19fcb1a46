# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Where a caller puts arguments (Arm IHI 0042, AAPCS32, 6.4): core registers and stack, no FP
arguments."""

from __future__ import annotations

from dataclasses import dataclass

from gen.ir.ir import CType, Param


@dataclass(frozen=True, slots=True)
class Place:
    """One word of an argument: in a core register, or at the caller's SP plus `stack`."""

    register: int | None
    stack: int | None


def words_of(ctype: CType) -> int:
    """Words an argument takes."""
    return 2 if not ctype.pointer and ctype.bits == 64 else 1


def places(params: tuple[Param, ...]) -> list[tuple[Place, ...]]:
    """For each parameter the places of its words, low word first."""
    out: list[tuple[Place, ...]] = []
    register, stack = 0, 0
    for param in params:
        words = words_of(param.ctype)
        if words == 2:
            register += register % 2
        if register + words <= 4:
            out.append(tuple(Place(register + i, None) for i in range(words)))
            register += words
            continue
        register = 4
        if words == 2:
            stack += stack % 8
        out.append(tuple(Place(None, stack + 4 * i) for i in range(words)))
        stack += 4 * words
    return out


def stack_bytes(params: tuple[Param, ...]) -> int:
    """Bytes of the arguments on the stack, a multiple of 8."""
    used = [
        place.stack + 4 for words in places(params) for place in words if place.stack is not None
    ]
    return -(-max(used, default=0) // 8) * 8
