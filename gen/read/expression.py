# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Tokens -> compile-time expressions. They are Python's, parsed by `ast`, with a whitelist of
nodes.

`//` starts a comment in this language, so `/` is exact division and `div(x, y)` rounds down.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import NamedTuple

from gen.diag import fail
from gen.read.lex import Token
from gen.read.source import Source, Span
from gen.read.syntax import Expr

DEEPEST = 40  # levels of an expression
LARGEST = 20_000  # nodes of an expression

_NODES = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Constant,
    ast.Name,
    ast.Call,
    ast.Subscript,
    ast.Slice,
    ast.List,
    ast.Tuple,
    ast.ListComp,
    ast.comprehension,
    ast.Load,
    ast.Store,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)
_REFUSED = (ast.FloorDiv, ast.MatMult, ast.Is, ast.IsNot)


class _Parsed(NamedTuple):
    """`error` is ("", None, ...) for a good expression, else what is wrong and the columns it is
    about."""

    node: ast.expr
    depth: int
    names: frozenset[str]
    error: str
    start: int
    end: int


def expression(source: Source, tokens: list[Token]) -> Expr:
    """The expression made of these tokens. Errors: `syntax`."""
    text = _text(tokens)
    return _made(source, tokens, text, _parse(text, False), ())


def condition(source: Source, tokens: list[Token]) -> Expr:
    """The same where `|x|` means abs(x) and registers may have halves."""
    text = _text(tokens)
    if "|" not in text:
        return _made(source, tokens, text, _parse(text, True), ())
    rewritten, columns = _bars(source, tokens, text)
    parsed = _parse(rewritten, True)
    return _made(source, tokens, text, parsed, columns)


def place(expr: Expr, node: ast.AST) -> Span:
    """Where a node of the expression stands."""
    start = getattr(node, "col_offset", 0)
    end = getattr(node, "end_col_offset", None) or start + 1
    return _place(expr.span.source, expr.span.start, expr.columns, start, end)


def _place(source: Source, base: int, columns: tuple[int, ...], start: int, end: int) -> Span:
    if columns:
        last = len(columns) - 1
        start, end = columns[min(start, last)], columns[min(end, last)]
    return Span(source, base + start, base + end)


def _text(tokens: list[Token]) -> str:
    """The text with everything between tokens (line ends, comments) turned into spaces of the same
    length."""
    pieces: list[str] = []
    at = tokens[0].start
    for token in tokens:
        if token.start > at:
            pieces.append(" " * (token.start - at))
        pieces.append(token.text)
        at = token.end
    return "".join(pieces)


def _made(
    source: Source, tokens: list[Token], text: str, parsed: _Parsed, columns: tuple[int, ...]
) -> Expr:
    base = tokens[0].start
    if parsed.error:
        span = _place(source, base, columns, parsed.start, parsed.end)
        span = Span(source, min(span.start, tokens[-1].start), min(span.end, tokens[-1].end))
        raise fail("syntax", span, parsed.error)
    span = Span(source, base, tokens[-1].end)
    return Expr(parsed.node, text, span, parsed.depth, parsed.names, columns)


def _bars(source: Source, tokens: list[Token], text: str) -> tuple[str, tuple[int, ...]]:
    """Rewrites `|x|` to abs(x); also the offset in `text` of each character of the result."""
    base = tokens[0].start
    out: list[str] = []
    columns: list[int] = []
    previous: Token | None = None
    open_bars = 0
    at = base
    for token in tokens:
        piece = token.text
        if piece == "|":
            opening = previous is None or not _ends_operand(previous)
            open_bars += 1 if opening else -1
            piece = "abs(" if opening else ")"
            if open_bars < 0:
                raise fail(
                    "syntax", Span(source, token.start, token.end), "`|` without its partner"
                )
        gap = token.start - at
        out.append(" " * gap + piece)
        columns += range(at - base, token.start - base)
        columns += [min(token.start - base + i, token.end - 1 - base) for i in range(len(piece))]
        at = token.end
        previous = token
    if open_bars:
        first = next(t for t in tokens if t.text == "|")
        raise fail("syntax", Span(source, first.start, first.end), "`|` without its partner")
    columns.append(at - base)
    return "".join(out), tuple(columns)


def _ends_operand(token: Token) -> bool:
    if token.kind == "name":
        return token.text not in ("and", "or", "not", "in", "if", "else")
    return token.kind == "number" or token.text in (")", "]", "}", "|")


@lru_cache(maxsize=8192)
def _parse(text: str, wide: bool) -> _Parsed:
    nothing = ast.Constant(0)
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError as wrong:
        column = max(0, min((wrong.offset or 1) - 1, len(text) - 1))
        return _Parsed(nothing, 0, frozenset(), "the expression does not parse", column, column + 1)
    except (RecursionError, MemoryError, ValueError):
        return _Parsed(nothing, 0, frozenset(), "the expression is nested too deeply", 0, len(text))
    return _checked(node, wide, len(text))


def _checked(root: ast.expr, wide: bool, length: int) -> _Parsed:
    names: set[str] = set()
    deepest = count = 0
    stack: list[tuple[ast.AST, int]] = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        count += 1
        if depth > DEEPEST or count > LARGEST:
            return _Parsed(
                root, 0, frozenset(), "the expression is too large or nested too deeply", 0, length
            )
        message = _objection(node, wide)
        if message:
            start = getattr(node, "col_offset", 0)
            return _Parsed(
                root, 0, frozenset(), message, start, getattr(node, "end_col_offset", 0) or length
            )
        if isinstance(node, ast.Name):
            names.add(node.id)
        stack += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return _Parsed(root, deepest, frozenset(names), "", 0, 0)


def _objection(node: ast.AST, wide: bool) -> str:
    if wide and isinstance(node, ast.Attribute):
        return "" if node.attr in ("b", "t") else f"`.{node.attr}` is no half; write `.b` or `.t`"
    if isinstance(node, ast.BinOp | ast.Compare):
        operators = node.ops if isinstance(node, ast.Compare) else [node.op]
        return (
            "this operator is not part of expressions"
            if any(isinstance(o, _REFUSED) for o in operators)
            else ""
        )
    if isinstance(node, ast.Constant):
        return "" if type(node.value) is int else "only whole numbers can be written here"
    if isinstance(node, ast.Call):
        plain = isinstance(node.func, ast.Name) and not node.keywords
        return "" if plain else "only named functions can be called, with plain arguments"
    if isinstance(node, ast.comprehension) and node.is_async:
        return "this is not part of expressions"
    return "" if isinstance(node, (*_NODES, *_REFUSED)) else "this is not part of expressions"
