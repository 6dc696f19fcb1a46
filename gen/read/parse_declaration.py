# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Declarations of a file: import, const, table, macro, sub, fn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gen.diag import fail, nearest
from gen.read.cursor import Cursor
from gen.read.parse_inside import name, pin
from gen.read.source import Span
from gen.read.syntax import (
    ConstDecl,
    Decl,
    Expr,
    FnDecl,
    Import,
    MacroDecl,
    MacroParam,
    Pin,
    Role,
    SubDecl,
    TableDecl,
    Word,
)

if TYPE_CHECKING:
    from gen.read.parse import Parser

LONGEST_PROTOTYPE = 2000


def declaration(parser: Parser, cursor: Cursor, above: str) -> Decl | Import:
    """The declaration that begins with this line, with its block. Raises `Failed` with code
    `syntax`."""
    word = cursor.next()
    known = DECLARATIONS.get(word.text)
    if known is None:
        near = nearest(word.text, DECLARATIONS) or "fn"
        raise fail(
            "syntax",
            cursor.span(word),
            f"expected a declaration, found `{word.text}`",
            details=("declarations: " + " ".join(DECLARATIONS),),
            help=near,
        )
    return known(parser, cursor, above)


def _import(parser: Parser, cursor: Cursor, above: str) -> Import:
    if cursor.token.kind != "string":
        raise cursor.wrong("a path in quotation marks", help='import "common/montgomery"')
    token = cursor.next()
    cursor.end()
    return Import(token.text[1:-1], cursor.span(token))


def _const(parser: Parser, cursor: Cursor, above: str) -> Decl:
    word = cursor.constant_name("a constant")
    params: list[Word] | None = None
    if cursor.take("("):
        params = [cursor.constant_name("a parameter")]
        while cursor.take(","):
            params.append(cursor.constant_name("a parameter"))
        cursor.expect(")")
    cursor.expect("=", help=f"const {word.text} = ...")
    expr = cursor.expr()
    cursor.end()
    return ConstDecl(cursor.since(0), word, above, None if params is None else tuple(params), expr)


def _table(parser: Parser, cursor: Cursor, above: str) -> Decl:
    word = cursor.constant_name("a table")
    help = f"table {word.text} : i16[128] = ..."
    cursor.expect(":", help)
    type_ = cursor.word("an element type")
    cursor.expect("[", help)
    count = cursor.expr()
    cursor.expect("]")
    cursor.expect("=", help)
    expr = cursor.expr()
    cursor.end()
    return TableDecl(cursor.since(0), word, above, type_, count, expr)


def _words(cursor: Cursor, what: str) -> tuple[Word, ...]:
    found = [cursor.word(what)]
    while cursor.take(","):
        found.append(cursor.word(what))
    return tuple(found)


def _params(cursor: Cursor) -> tuple[MacroParam, ...]:
    cursor.expect("(")
    found: list[MacroParam] = []
    while not cursor.at(")"):
        found.append(_macro_param(cursor))
        if not cursor.take(","):
            break
    cursor.expect(")")
    return tuple(found)


def _macro_param(cursor: Cursor) -> MacroParam:
    role: Role | None = None
    for known in ("in", "out", "inout"):
        if cursor.at(known) and not cursor.after(":"):
            cursor.next()
            role = known
            break
    found = name(cursor)
    cursor.expect(":", help=f"in {found.word.text} : u32")
    type_ = cursor.word("a type or `const`")
    place = pin(cursor) if cursor.take("@") else None
    if type_.text == "const" and role is not None:
        raise fail(
            "syntax", type_.span, "a constant has no direction", help=f"{found.word.text} : const"
        )
    if type_.text == "ptr" and role is None:
        role = "in"
    if type_.text != "const" and role is None:
        raise fail(
            "syntax",
            found.word.span,
            f"`{found.word.text}` needs a direction",
            help=f"in {found.word.text} : {type_.text}",
        )
    return MacroParam(found, role, type_, place)


def _body(parser: Parser, cursor: Cursor, inside: str) -> tuple:  # type: ignore[type-arg]
    cursor.expect(":")
    cursor.end()
    parser.inside = inside
    return parser.block(cursor.line)


def _macro(parser: Parser, cursor: Cursor, above: str) -> Decl:
    word = cursor.word("a macro")
    params = _params(cursor)
    uses: tuple[Word, ...] = ()
    requires: tuple[Word, ...] = ()
    ensures: Expr | None = None
    if cursor.take("uses"):
        uses = _words(cursor, "a register of the caller")
    if cursor.take("requires"):
        requires = _words(cursor, "a feature")
    if cursor.take("ensures"):
        ensures = cursor.cond()
    span = cursor.since(0)
    return MacroDecl(
        span, word, above, params, uses, requires, ensures, _body(parser, cursor, "macro")
    )


def _sub(parser: Parser, cursor: Cursor, above: str) -> Decl:
    word = cursor.word("a sub")
    params = _params(cursor)
    clobbers: list[Pin] = []
    if cursor.take("clobbers"):
        clobbers.append(pin(cursor))
        while cursor.take(","):
            clobbers.append(pin(cursor))
    ensures = cursor.cond() if cursor.take("ensures") else None
    span = cursor.since(0)
    body = _body(parser, cursor, "sub")
    return SubDecl(span, word, above, params, tuple(clobbers), ensures, body)


def _fn(parser: Parser, cursor: Cursor, above: str) -> Decl:
    start = cursor.i
    word = _prototype(cursor)
    span = cursor.since(start)
    variant = None
    if cursor.take("variant"):
        variant = cursor.word("a name for the variant")
    requires: tuple[Word, ...] = ()
    if cursor.take("requires"):
        requires = _words(cursor, "a feature")
    ensures = cursor.cond() if cursor.take("ensures") else None
    head = cursor.since(0)
    text = " ".join(span.source.text[span.start : span.end].split())
    if len(text) > LONGEST_PROTOTYPE:
        raise fail("bad-prototype", span, f"longer than {LONGEST_PROTOTYPE} characters")
    body = _body(parser, cursor, "fn")
    return FnDecl(head, word, above, text, span, variant, requires, ensures, body)


def _prototype(cursor: Cursor) -> Word:
    """Passes over a C prototype; returns the function's name (the word before the first
    parenthesis)."""
    name_token = None
    depth = 0
    while True:
        token = cursor.token
        if token.kind == "end" or (depth == 0 and token.text == ":"):
            raise cursor.wrong("a C prototype", help="fn void mlkem_add(int16_t r[256]):")
        cursor.next()
        if token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                break
        elif depth == 0 and token.kind == "name":
            name_token = token
    if name_token is None:
        raise fail("bad-prototype", cursor.since(1), "the prototype names no function")
    return Word(name_token.text, Span(cursor.source, name_token.start, name_token.end))


DECLARATIONS: dict[str, Callable[[Parser, Cursor, str], Decl | Import]] = {
    "import": _import,
    "const": _const,
    "table": _table,
    "macro": _macro,
    "sub": _sub,
    "fn": _fn,
}
