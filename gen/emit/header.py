# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The public header: every routine and table, with what callers promise and get."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gen.emit.contract import contract_rows
from gen.emit.render import render
from gen.emit.view import Piece, as_comment, c_type


@dataclass(frozen=True)
class Entry:
    """One source in the header."""

    stem: str
    source: str
    summary: str  # first sentence of the routine's comment
    comment: tuple[str, ...]
    prototype: str  # "" for a source of tables alone
    tables: tuple[str, ...]  # declarations


def entry(piece: Piece) -> Entry:
    """What the header says of a piece."""
    tables = tuple(
        f"extern const {c_type(table)} {table.symbol}[{len(table.values)}];"
        for table in piece.tables
    )
    routine = piece.routine
    if routine is None:
        return Entry(piece.stem, piece.source, "", (), "", tables)
    rows = as_comment(contract_rows(routine, machine=False, prototype=False))
    summary = routine.comment.split("\n")[0].partition(". ")[0].rstrip(".")
    prototype = routine.prototype.rstrip("; ") + ";"
    return Entry(piece.stem, piece.source, summary, tuple(rows), prototype, tables)


def header(entries: Iterable[Entry]) -> str:
    """Text of armscribe_routines.h."""
    ordered = sorted(entries, key=lambda one: one.stem)
    named = [one for one in ordered if one.prototype]
    width = max((len(one.stem) for one in named), default=0)
    index = as_comment(f"{one.stem:<{width}}  {one.summary}".rstrip() for one in named)
    return render("header.h.j2", entries=ordered, index=index)
