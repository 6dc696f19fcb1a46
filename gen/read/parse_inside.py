# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Declarations at the top of fn, sub and macro: param, result, reg, local, stack."""

from __future__ import annotations

from collections.abc import Callable

from gen.diag import fail
from gen.read.cursor import Cursor
from gen.read.syntax import (
    Expr,
    Name,
    ParamDecl,
    Pin,
    Promise,
    Registers,
    ResultDecl,
    Role,
    StackObject,
    Stmt,
    Word,
)

HOMES = ("slot", "park", "fp")


def names(cursor: Cursor) -> tuple[Name, ...]:
    """`name, name[8], ...`."""
    found = [name(cursor)]
    while cursor.take(","):
        found.append(name(cursor))
    return tuple(found)


def name(cursor: Cursor) -> Name:
    """`name` or `name[8]`."""
    word = cursor.word("a name")
    if not cursor.take("["):
        return Name(word)
    count = cursor.expr()
    cursor.expect("]")
    return Name(word, count)


def pin(cursor: Cursor) -> Pin:
    """`r4` or `r4..r7`, behind an `@` or in a list of clobbers."""
    start = cursor.i
    first = cursor.word("a register such as r4")
    last = cursor.word("a register such as r7") if cursor.take("..") else None
    return Pin(first, last, cursor.since(start))


def _registers(kind: str) -> Callable[[Cursor, str], Stmt]:
    def parse(cursor: Cursor, comment: str) -> Stmt:
        found = names(cursor)
        cursor.expect(":", help=f"{kind} {found[0].word.text} : u32")
        type_ = cursor.word("a type")
        home = cursor.word("a home") if cursor.token.text in HOMES else None
        place = pin(cursor) if cursor.take("@") else None
        init = cursor.expr() if cursor.take("=") else None
        cursor.end()
        which = "reg" if kind == "reg" else "local"
        return Registers(cursor.since(0), comment, which, found, type_, home, place, init)  # type: ignore[arg-type]

    return parse


def _stack(cursor: Cursor, comment: str) -> Stmt:
    found = name(cursor)
    cursor.expect(":")
    type_ = cursor.word("a type")
    over = cursor.word("another stack object") if cursor.take("over") else None
    cursor.end()
    return StackObject(cursor.since(0), comment, found, type_, over)


def _result(cursor: Cursor, comment: str) -> Stmt:
    word = cursor.word("a name")
    cursor.expect(":", help=f"result {word.text} : u32")
    type_ = cursor.word("a type")
    cursor.end()
    return ResultDecl(cursor.since(0), comment, word, type_)


class _Options:
    """What stands behind the commas of a param."""

    def __init__(self) -> None:
        self.align: Expr | None = None
        self.noalias = self.flash = False
        self.promises: list[Promise] = []
        self.length: Expr | None = None
        self.lengths: Expr | None = None
        self.public: list[tuple[Expr, Expr]] = []

    def read(self, cursor: Cursor, param: Word) -> None:
        """One option."""
        if cursor.take("align"):
            self.align = cursor.expr()
        elif cursor.take("noalias"):
            self.noalias = True
        elif cursor.at("in") and cursor.after("flash"):
            cursor.next()
            cursor.next()
            self.flash = True
        elif cursor.at("len") and cursor.after("("):
            self._length(cursor, param)
        elif cursor.take("lengths"):
            self.lengths = cursor.expr()
        elif cursor.take("public"):
            self._public(cursor, param)
        else:
            pre = None if cursor.at("->") else cursor.cond()
            post = cursor.cond() if cursor.take("->") else None
            self.promises.append(Promise(pre, post))

    def _length(self, cursor: Cursor, param: Word) -> None:
        cursor.next()
        cursor.expect("(")
        _same(cursor, param)
        cursor.expect(")")
        cursor.expect("=")
        self.length = cursor.cond()

    def _public(self, cursor: Cursor, param: Word) -> None:
        _same(cursor, param)
        cursor.expect("[")
        low = cursor.expr()
        cursor.expect(":")
        high = cursor.expr()
        cursor.expect("]")
        self.public.append((low, high))


def _same(cursor: Cursor, param: Word) -> None:
    word = cursor.word(f"`{param.text}`")
    if word.text != param.text:
        raise fail(
            "syntax",
            word.span,
            f"this line is about `{param.text}`, not `{word.text}`",
            help=param.text,
        )


def _param(cursor: Cursor, comment: str) -> Stmt:
    word = cursor.word("a parameter of the prototype")
    cursor.expect(":", help=f"param {word.text} : public in")
    secret = cursor.at("secret")
    if not (cursor.take("secret") or cursor.take("public")):
        raise cursor.wrong("`secret` or `public`", help=f"param {word.text} : secret in")
    role: Role | None = None
    for known in ("in", "out", "inout"):
        if cursor.take(known):
            role = known
            break
    if role is None:
        raise cursor.wrong("`in`, `out` or `inout`", help=f"param {word.text} : secret in")
    options = _Options()
    while cursor.take(","):
        options.read(cursor, word)
    table = cursor.word("a table") if cursor.take("=") else None
    cursor.end()
    return ParamDecl(
        cursor.since(0),
        comment,
        word,
        secret,
        role,
        options.align,
        options.noalias,
        options.flash,
        tuple(options.promises),
        options.length,
        options.lengths,
        tuple(options.public),
        table,
    )


INSIDE: dict[str, tuple[Callable[[Cursor, str], Stmt], tuple[str, ...]]] = {
    "param": (_param, ("fn",)),
    "result": (_result, ("fn",)),
    "reg": (_registers("reg"), ("fn", "sub")),
    "stack": (_stack, ("fn", "sub")),
    "local": (_registers("local"), ("macro",)),
}
