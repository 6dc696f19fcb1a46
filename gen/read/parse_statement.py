# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""One function for each kind of statement; a line whose first word is none of theirs is a macro
call or an instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from gen.diag import Failed, fail, nearest
from gen.read.cursor import Cursor
from gen.read.lex import Line
from gen.read.parse_inside import INSIDE
from gen.read.parse_operand import arguments, instruction
from gen.read.source import Span
from gen.read.syntax import (
    AlignTo,
    Assert,
    Block,
    Break,
    Do,
    Expr,
    For,
    If,
    LoopAtMost,
    MacroCall,
    Move,
    Public,
    Remark,
    Split,
    Stmt,
    SubCall,
    Then,
    When,
    Word,
)

if TYPE_CHECKING:
    from gen.read.parse import Parser

CONDITIONS = (
    "eq",
    "ne",
    "cs",
    "cc",
    "hs",
    "lo",
    "mi",
    "pl",
    "vs",
    "vc",
    "hi",
    "ls",
    "ge",
    "lt",
    "gt",
    "le",
)


def statement(parser: Parser, cursor: Cursor) -> Stmt:
    """The statement that begins with this line, with its block. Raises `Failed` with code
    `syntax`."""
    first = cursor.token
    if first.text == ".":
        raise fail("syntax", cursor.span(), "directives are not written; the generator places them")
    if first.kind != "name":
        raise cursor.wrong("a statement")
    if first.text in INSIDE:
        return _inside(parser, cursor)
    known = STATEMENTS.get(first.text)
    if known is not None:
        cursor.next()
        return known(parser, cursor)
    if cursor.after("("):
        name = cursor.word("a macro")
        args = arguments(cursor)
        return MacroCall(cursor.since(0), _comment(cursor), name, args)
    return instruction(cursor, _comment(cursor))


def _inside(parser: Parser, cursor: Cursor) -> Stmt:
    word = cursor.word("a declaration")
    parse, where = INSIDE[word.text]
    if parser.depth != 1 or parser.inside not in (*where, "?"):
        raise fail(
            "syntax",
            word.span,
            f"`{word.text}` stands at the top of a {' or '.join(where)}, not here",
        )
    return parse(cursor, _comment(cursor))


def _comment(cursor: Cursor) -> str:
    return cursor.line.comment or ""


def _own(cursor: Cursor) -> Block:
    """The comment of a line in the middle of a statement, as a line of its own."""
    comment = _comment(cursor)
    return (Remark(Span(cursor.source, cursor.line.start, cursor.line.end), comment),) * bool(
        comment
    )


def _header(parser: Parser, cursor: Cursor) -> Block:
    """The `:` that ends a header, and the block below."""
    cursor.expect(":")
    cursor.end()
    return parser.block(cursor.line)


def _condition(cursor: Cursor) -> Word:
    word = cursor.word("a condition (`eq`, `ne`, `cs` ...)")
    if word.text not in CONDITIONS:
        near = nearest(word.text, CONDITIONS)
        raise fail(
            "syntax",
            word.span,
            f"`{word.text}` is no condition",
            details=("conditions: " + " ".join(CONDITIONS),),
            help=near,
        )
    return word


def _starts(*words: str) -> Callable[[Line], bool]:
    return lambda line: line.tokens[0].text in words


# --- at generation time ---


def _for(parser: Parser, cursor: Cursor) -> Stmt:
    names = [cursor.constant_name("a loop variable")]
    while cursor.take(","):
        names.append(cursor.constant_name("a loop variable"))
    cursor.expect("in", help="for i in range(8):")
    over = cursor.expr()
    span = cursor.since(0)
    return For(span, _comment(cursor), tuple(names), over, _header(parser, cursor))


def _if(parser: Parser, cursor: Cursor) -> Stmt:
    span, comment, header = cursor.span(cursor.tokens[0]), _comment(cursor), cursor.line
    branches: list[tuple[Expr | None, Block]] = [(cursor.expr(), _header(parser, cursor))]
    while True:
        line, remarks = parser.follow(header, _starts("elif", "else"))
        if line is None:
            return If(span, comment, tuple(branches))
        part = Cursor(parser.source, line)
        last = part.next().text == "else"
        test = None if last else part.expr()
        branches.append((test, remarks + _own(part) + _header(parser, part)))
        if last:
            return If(span, comment, tuple(branches))


# --- at run time ---


def _do(parser: Parser, cursor: Cursor) -> Stmt:
    span = cursor.since(0)
    body = _header(parser, cursor)
    line, remarks = parser.follow(cursor.line, _starts("while"))
    if line is None:
        raise fail(
            "syntax", span, "this `do:` has no `while CONDITION` at its end", help="while ne"
        )
    part = Cursor(parser.source, line)
    part.next()
    cond = _condition(part)
    part.end()
    return Do(span, _comment(cursor), body + remarks + _own(part), cond)


def _loop(parser: Parser, cursor: Cursor) -> Stmt:
    help = "loop at most 16:"
    cursor.expect("at", help)
    cursor.expect("most", help)
    limit = cursor.expr()
    return LoopAtMost(cursor.since(0), _comment(cursor), limit, _header(parser, cursor))


def _break(parser: Parser, cursor: Cursor) -> Stmt:
    cond = _condition(cursor)
    cursor.end()
    return Break(cursor.since(0), _comment(cursor), cond)


def _when(parser: Parser, cursor: Cursor) -> Stmt:
    cond = _condition(cursor)
    span = cursor.since(0)
    other: Block = ()
    then = _header(parser, cursor)
    line, remarks = parser.follow(cursor.line, _starts("otherwise"))
    if line is not None:
        part = Cursor(parser.source, line)
        part.next()
        other = remarks + _own(part) + _header(parser, part)
    return When(span, _comment(cursor), cond, then, other)


def _then(parser: Parser, cursor: Cursor) -> Stmt:
    cond = _condition(cursor)
    return Then(cursor.since(0), _comment(cursor), cond, _header(parser, cursor))


def _call(parser: Parser, cursor: Cursor) -> Stmt:
    name = cursor.word("a sub")
    args = arguments(cursor)
    return SubCall(cursor.since(0), _comment(cursor), name, args)


def _move(kind: Literal["spill", "fill"]) -> Callable[[Parser, Cursor], Stmt]:
    def parse(parser: Parser, cursor: Cursor) -> Stmt:
        refs = [cursor.ref()]
        while cursor.take(","):
            refs.append(cursor.ref())
        cursor.end()
        return Move(cursor.since(0), _comment(cursor), kind, tuple(refs))

    return parse


def _align(parser: Parser, cursor: Cursor) -> Stmt:
    expr = cursor.expr()
    cursor.end()
    return AlignTo(cursor.since(0), _comment(cursor), expr)


# --- for the analyses ---


def _assert(parser: Parser, cursor: Cursor) -> Stmt:
    cond = cursor.cond()
    cursor.end()
    return Assert(cursor.since(0), _comment(cursor), "assert", cond)


def _claim(parser: Parser, cursor: Cursor) -> Stmt:
    cond = cursor.cond()
    cursor.end()
    return Assert(cursor.since(0), _reason(cursor), "claim", cond)


def _public(parser: Parser, cursor: Cursor) -> Stmt:
    ref = cursor.ref()
    cursor.end()
    return Public(cursor.since(0), _reason(cursor), ref)


def _reason(cursor: Cursor) -> str:
    comment = _comment(cursor)
    if not comment.strip():
        word = cursor.tokens[0]
        end = Span(cursor.source, cursor.line.end, cursor.line.end)
        raise fail(
            "syntax", end, f"`{word.text}` needs its reason as a comment", help="// why this holds"
        )
    return comment


def _split(parser: Parser, cursor: Cursor) -> Stmt:
    ref = cursor.ref()
    how = cursor.word("`by` or `at`")
    if how.text not in ("by", "at"):
        raise fail(
            "syntax", how.span, f"expected `by` or `at`, found `{how.text}`", help="split x by 16"
        )
    number = cursor.expr()
    cursor.end()
    return Split(cursor.since(0), _comment(cursor), ref, "by" if how.text == "by" else "at", number)


def _stray(word: str, opener: str) -> Callable[[Parser, Cursor], Stmt]:
    def parse(parser: Parser, cursor: Cursor) -> Stmt:
        raise _unpaired(cursor, word, opener)

    return parse


def _unpaired(cursor: Cursor, word: str, opener: str) -> Failed:
    return fail(
        "syntax",
        cursor.span(cursor.tokens[0]),
        f"`{word}` without its `{opener}` at the same indentation",
    )


STATEMENTS: dict[str, Callable[[Parser, Cursor], Stmt]] = {
    "for": _for,
    "if": _if,
    "do": _do,
    "loop": _loop,
    "break": _break,
    "when": _when,
    "then": _then,
    "call": _call,
    "spill": _move("spill"),
    "fill": _move("fill"),
    "align": _align,
    "assert": _assert,
    "claim": _claim,
    "public": _public,
    "split": _split,
    "else": _stray("else", "if"),
    "elif": _stray("elif", "if"),
    "while": _stray("while", "do"),
    "otherwise": _stray("otherwise", "when"),
}
