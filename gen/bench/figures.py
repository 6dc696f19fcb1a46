# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Figures of ours and of peers, and the file that holds the latter."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
QUANTITIES = ("cycles", "code", "memory")
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
    work: int = 0  # bytes that the caller lends for the call

    @property
    def memory(self) -> int:
        return self.stack + self.work

    def __post_init__(self) -> None:
        if self.instructions <= 0 or self.cycles <= 0 or self.code <= 0:
            raise ValueError(f"{self.routine}: nothing was measured")


@dataclass(frozen=True, slots=True)
class Peer:
    """A public implementation of the same function; None where a figure is not known."""

    routine: str
    cores: tuple[str, ...]
    implementation: str
    instructions: int | None
    cycles: int
    code: int | None
    rodata: int | None
    stack: int | None  # and what its caller lends


def peers(path: Path = FOLDER / "peers.csv") -> tuple[Peer, ...]:
    """The rows of a file of peers. `ValueError` or `KeyError` when it is not one."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Peer(
                row["routine"],
                tuple(row["core"].split()),
                row["implementation"],
                _known(row["instructions"]),
                int(row["cycles"]),
                *(_known(row[key]) for key in ("code", "rodata", "stack")),
            )
            for row in csv.DictReader(file)
        )


def _known(cell: str) -> int | None:
    return int(cell) if cell else None


def best(figure: Figure, known: tuple[Peer, ...]) -> Peer | None:
    """The peer to beat: the fastest that is not compiled C, or the fastest of all."""
    rivals = [p for p in known if p.routine == figure.routine and figure.core in p.cores]
    written = [p for p in rivals if not p.implementation.startswith(COMPILED)]
    return min(written or rivals, key=lambda peer: peer.cycles, default=None)


@dataclass(frozen=True, slots=True)
class Target:
    """What a routine or operation must not exceed on a core, in form gas; memory is stack and work space. None: no
    target."""

    routine: str
    core: str
    cycles: int | None
    code: int | None
    memory: int | None

    def of(self, figure: Figure) -> dict[str, tuple[int, int]]:
        """Quantity -> (figure, target) of each that has one."""
        pairs = {name: (getattr(figure, name), getattr(self, name)) for name in QUANTITIES}
        return {name: pair for name, pair in pairs.items() if pair[1] is not None}


Targets = Mapping[tuple[str, str], Target]


REACHED = FOLDER / "reached.csv"


def targets(path: Path = FOLDER / "targets.csv") -> dict[tuple[str, str], Target]:
    """The rows of a file of targets, by routine and core; a row may be about several cores."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (row["routine"], core): Target(
            row["routine"], core, *(_known(row[name]) for name in QUANTITIES)
        )
        for row in rows
        for core in row["core"].split()
    }


def reached(figures: Iterable[Figure], path: Path = REACHED) -> str:
    """The text of reached.csv with these figures in the place of those it has."""
    old = targets(path) if path.exists() else {}
    new = {
        (one.routine, one.core): Target(one.routine, one.core, one.cycles, one.code, one.memory)
        for one in figures
    }
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("routine", "core", *QUANTITIES))
    writer.writerows(astuple(row) for _, row in sorted((old | new).items()))
    return out.getvalue()
