# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""COSTS.csv: what each routine costs on each core, so that a change in cost shows in every diff.

A row is counted by the passes alone: cycles and instructions by `timing`, bytes of code from the sizes of the
encodings, bytes of stack from the frame. Where public data decides, cycles and instructions are the least and the most.
A source of tables alone has a row with nothing but its bytes: what is not there is left empty, never 0.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

from gen.emit.view import Piece
from gen.passes.ranges import assumed
from gen.passes.timing import table_bytes, timing

NAME = "COSTS.csv"


@dataclass(frozen=True, slots=True)
class Row:
    """One line; bytes where nothing else is said."""

    routine: str
    core: str
    variant: str
    instructions_least: int | str
    instructions_most: int | str
    cycles_least: int | str
    cycles_most: int | str
    code: int | str
    rodata: int | str
    stack: int | str
    open_claims: int | str

    @property
    def key(self) -> tuple[str, str]:
        return self.routine, self.core


HEAD = tuple(field.name for field in fields(Row))


def row(piece: Piece) -> Row:
    """The line of a routine that the passes of a build have been over, or of tables alone."""
    routine, key = piece.routine, piece.core.key
    if routine is None:
        rodata = sum(map(table_bytes, piece.tables))
        return Row(piece.stem, key, "", "", "", "", "", "", rodata, "", "")
    cost = routine.cost or timing(routine).cost
    assert cost is not None
    counted = (*cost.instructions, *cost.cycles, cost.code, cost.rodata, routine.frame.depth)
    return Row(routine.symbol, key, routine.variant, *counted, len(assumed(routine)))


def text(rows: Iterable[Row]) -> str:
    """The file: a head, then rows by routine and core."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(astuple(one) for one in sorted(rows, key=lambda one: one.key))
    return out.getvalue()


def merged(old: str, rows: Iterable[Row]) -> str:
    """The file with `rows` in the place of those of the same routine and core."""
    known = {}
    for line in csv.reader(io.StringIO(old)):
        if len(line) == len(HEAD) and tuple(line) != HEAD:
            known[line[0], line[1]] = Row(*line)
    return text((known | {one.key: one for one in rows}).values())
