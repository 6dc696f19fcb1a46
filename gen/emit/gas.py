# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The form `gas`: a `.S` file for GNU as and clang."""

from __future__ import annotations

from collections.abc import Iterator

from gen.emit import cfi
from gen.emit.backend import guard
from gen.emit.contract import banner
from gen.emit.render import render
from gen.emit.view import (
    Piece,
    comment_of,
    element_bytes,
    instruction,
    number_rows,
    plain,
    table_align,
    with_comment,
)
from gen.ir.ir import Align, Comment, Insn, Item, Label, Routine

_DIRECTIVE = {1: ".byte", 2: ".short", 4: ".word"}


def body_lines(routine: Routine) -> Iterator[str]:
    """Lines between the label of the function and its end: a line an item."""
    stem = f".L{routine.symbol}_"
    frame = cfi.directives(item for item in routine.final if isinstance(item, Insn))
    for item in routine.final:
        yield from _lines(item, stem)
        if isinstance(item, Insn):
            yield from (f"\t{directive}" for directive in frame.get(item, ()))


def _lines(item: Item, stem: str) -> Iterator[str]:
    match item:
        case Insn():
            yield with_comment("\t" + instruction(item, stem), comment_of(item))
        case Label():
            yield f"{stem}{item.name}:"
        case Comment():
            yield f"\t/* {plain(item.text)} */"
        case Align():
            yield f"\t.balign {item.bytes}"
        case _:
            pass


def _tables(piece: Piece) -> list[dict[str, object]]:
    return [
        {
            "symbol": table.symbol,
            "comment": plain(table.comment),
            "align": table_align(table, piece.routine),
            "rows": [f"{_DIRECTIVE[element_bytes(table)]} {row}" for row in number_rows(table)],
        }
        for table in piece.tables
    ]


def emit(piece: Piece) -> dict[str, str]:
    """Path below generated/ -> text."""
    routine = piece.routine
    text = render(
        "gas.S.j2",
        banner=banner(piece),
        guard=guard(piece.core.key, "gas"),
        symbol=routine.symbol if routine is not None else "",
        lines=list(body_lines(routine)) if routine is not None else [],
        tables=_tables(piece),
    )
    return {f"{piece.core.key}/{piece.stem}.S": text}
