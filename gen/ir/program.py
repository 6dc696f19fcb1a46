# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A routine and all its subs as one row of items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gen.ir.ir import Item, Routine

Stage = Literal["code", "final"]


@dataclass(frozen=True)
class Piece:
    """The routine itself (at 0) or a sub: items `start` to `end` (exclusive)."""

    routine: Routine
    start: int
    end: int


@dataclass(frozen=True)
class Program:
    """The items of the routine, then those of its subs; `pieces` in this order, by name."""

    items: tuple[Item, ...]
    main: Piece
    subs: Mapping[str, Piece]
    stage: Stage

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return (self.main, *self.subs.values())


def program(routine: Routine, stage: Stage) -> Program:
    """All that a call of the routine can execute."""
    items: list[Item] = []
    pieces: list[Piece] = []
    for one in (routine, *routine.subs):
        start = len(items)
        items += one.code if stage == "code" else one.final
        pieces.append(Piece(one, start, len(items)))
    main, *others = pieces
    return Program(tuple(items), main, {piece.routine.name: piece for piece in others}, stage)
