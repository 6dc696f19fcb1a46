# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Tables: evaluated, and every element within its type."""

from __future__ import annotations

import ast

from gen.diag import fail, nearest
from gen.ir.ir import Table
from gen.read.builtins import Budget, Value, show
from gen.read.consteval import Names, evaluate, integer
from gen.read.expression import place
from gen.read.load import table_symbol
from gen.read.source import Span
from gen.read.syntax import Expr, TableDecl

# Element type -> least and greatest value.
RANGES: dict[str, tuple[int, int]] = {
    "u8": (0, 2**8 - 1),
    "i16": (-(2**15), 2**15 - 1),
    "u16": (0, 2**16 - 1),
    "i32": (-(2**31), 2**31 - 1),
    "u32": (0, 2**32 - 1),
    "u64": (0, 2**64 - 1),
}


def table(decl: TableDecl, path: str, names: Names, budget: Budget) -> Table:
    """The Table declared in file `path`. Errors: `table-mismatch`, `undefined` for its type, those
    of expressions."""
    type_ = decl.type.text
    if type_ not in RANGES:
        raise fail(
            "undefined",
            decl.type.span,
            f"no element type `{type_}`",
            details=("element types: " + " ".join(RANGES),),
            help=nearest(type_, RANGES),
        )
    values = evaluate(decl.expr, names, budget)
    if isinstance(values, int):
        raise fail(
            "table-mismatch",
            decl.expr.span,
            "a table needs a list, not a number",
            help=f"[{decl.expr.text}]",
        )
    assert decl.count is not None
    count = integer(decl.count, names, budget)
    if len(values) != count or not values:
        raise fail(
            "table-mismatch",
            decl.count.span,
            f"`{decl.name.text}` has {len(values)} elements, not {show(count)}",
            help=f"table {decl.name.text} : {type_}[{len(values)}] = ...",
        )
    symbol = table_symbol(path, decl.name.text)
    checked = _within(decl, values)
    return Table(decl.name.text, symbol, type_, checked, (), decl.above, decl.name.span)


def _within(decl: TableDecl, values: tuple[Value, ...]) -> tuple[int, ...]:
    type_ = decl.type.text
    low, high = RANGES[type_]
    checked: list[int] = []
    for at, value in enumerate(values):
        if isinstance(value, tuple):
            raise fail("table-mismatch", _element(decl.expr, at), f"element {at} is a list")
        if not low <= value <= high:
            raise fail(
                "table-mismatch",
                _element(decl.expr, at),
                f"element {at} is {show(value)}; {type_} holds {low} to {high}",
            )
        checked.append(int(value))
    return tuple(checked)


def _element(expr: Expr, at: int) -> Span:
    """Where an element stands when the list is written out, else the whole list."""
    node = expr.node
    return place(expr, node.elts[at]) if isinstance(node, ast.List) else expr.span
