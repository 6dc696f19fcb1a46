# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Figures of ours and of peers, and the file that holds the latter."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
COMPILED = "C, "  # how the implementation of a compiled peer begins


@dataclass(frozen=True, slots=True)
class Figure:
    """What one call takes; code, rodata and stack in bytes.

    `straddling` of the `wide` 32-bit instructions in loops lie across two words.
    """

    routine: str
    core: str
    form: str
    instructions: int
    cycles: int
    code: int
    rodata: int
    stack: int
    wide: int
    straddling: int

    def __post_init__(self) -> None:
        if self.instructions <= 0 or self.cycles <= 0 or self.code <= 0:
            raise ValueError(f"{self.routine}: nothing was measured")


@dataclass(frozen=True, slots=True)
class Peer:
    """A public implementation of the same function; None where a figure is not known."""

    routine: str
    cores: tuple[str, ...]
    implementation: str
    instructions: int
    cycles: int
    code: int | None
    rodata: int | None
    stack: int | None


def peers(path: Path = FOLDER / "peers.csv") -> tuple[Peer, ...]:
    """The rows of a file of peers. `ValueError` or `KeyError` when it is not one."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Peer(
                row["routine"],
                tuple(row["core"].split()),
                row["implementation"],
                int(row["instructions"]),
                int(row["cycles"]),
                *(int(row[key]) if row[key] else None for key in ("code", "rodata", "stack")),
            )
            for row in csv.DictReader(file)
        )


def best(figure: Figure, known: tuple[Peer, ...]) -> Peer | None:
    """The peer to beat: the fastest that is not compiled C, or the fastest of all."""
    rivals = [p for p in known if p.routine == figure.routine and figure.core in p.cores]
    written = [p for p in rivals if not p.implementation.startswith(COMPILED)]
    return min(written or rivals, key=lambda peer: peer.cycles, default=None)


def targets(path: Path = FOLDER / "targets.csv") -> dict[tuple[str, str], int]:
    """Cycles not to be exceeded, by routine and core."""
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["routine"], row["core"]): int(row["cycles"]) for row in csv.DictReader(file)}
