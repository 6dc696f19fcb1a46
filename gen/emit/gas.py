# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The form `gas`: a `.S` file for GNU as and clang."""

from __future__ import annotations

from collections.abc import Iterator

from gen.emit import cfi
from gen.emit.backend import guard
from gen.emit.contract import banner, sub_rows
from gen.emit.dialect import dialect
from gen.emit.render import render
from gen.emit.view import (
    Piece,
    as_comment,
    comment_of,
    element_bytes,
    instruction,
    number_rows,
    plain,
    table_align,
    with_comment,
)
from gen.ir.ir import Align, Comment, Insn, Item, Label, Routine

_DIRECTIVE = {1: ".byte", 2: ".short", 4: ".word", 8: ".quad"}


def body_lines(routine: Routine, stem: str) -> Iterator[str]:
    """Lines between the label of a function or sub and its end: a line an item."""
    insns = (item for item in routine.final if isinstance(item, Insn))
    frame = cfi.directives(insns, routine.core.abi)
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


def _subs(routine: Routine, stem: str) -> list[dict[str, object]]:
    """What is called from the routine, behind it in its section."""
    return [
        {
            "label": f"{stem}{sub.name}",
            "comment": "\n".join(["/*", *as_comment(sub_rows(sub)), " */"]),
            "lines": list(body_lines(sub, stem)),
        }
        for sub in routine.subs
    ]


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
    stem = "" if routine is None else f".L{routine.symbol}_"
    text = render(
        "gas.S.j2",
        banner=banner(piece),
        guard=guard(piece.core.key, "gas"),
        dialect=dialect(piece.core.abi),
        symbol=routine.symbol if routine is not None else "",
        lines=list(body_lines(routine, stem)) if routine is not None else [],
        subs=_subs(routine, stem) if routine is not None else [],
        tables=_tables(piece),
    )
    return {f"{piece.core.key}/{piece.stem}.S": text}
