# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What was written: frozen trees with places, no methods. Names are not looked up and nothing is
evaluated here."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from gen.read.source import Span

Role = Literal["in", "out", "inout"]


@dataclass(frozen=True, slots=True)
class Word:
    """A name and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    """A compile-time expression or condition. `columns[c]` is the offset in the span of column c
    of `node`'s text
    where the two differ (`|x|` was rewritten); `depth` bounds the recursion that walks it."""

    node: ast.expr
    text: str
    span: Span
    depth: int
    names: frozenset[str]
    columns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ref:
    """`name`, `name[index]`, `name[index..last]`, each with an optional `.half`."""

    name: Word
    span: Span
    index: Expr | None = None
    last: Expr | None = None
    half: Word | None = None


# --- operands ---


@dataclass(frozen=True, slots=True)
class RegOp:
    """A register, a half of one, a named carry; `bang`: written `p!`."""

    ref: Ref
    bang: bool = False


@dataclass(frozen=True, slots=True)
class ImmOp:
    """`#expr`; the span takes in the `#`."""

    expr: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class ShiftOp:
    """`lsl #expr`."""

    kind: Word
    amount: ImmOp


@dataclass(frozen=True, slots=True)
class MemOp:
    """An address: offset, pre-indexed (`!`) or post-indexed."""

    base: Ref
    span: Span
    offset: ImmOp | None = None
    index: Ref | None = None
    shift: ShiftOp | None = None
    mode: Literal["offset", "pre", "post"] = "offset"


@dataclass(frozen=True, slots=True)
class ListOp:
    """`{a[0..3], b}`."""

    items: tuple[Ref, ...]
    span: Span


Op = RegOp | ImmOp | ShiftOp | MemOp | ListOp


@dataclass(frozen=True, slots=True)
class Arg:
    """A macro argument: a reference, an expression, a list, or what could be the first two."""

    span: Span
    ref: Ref | None = None
    expr: Expr | None = None
    items: ListOp | None = None


# --- statements ---


@dataclass(frozen=True, eq=False, slots=True)
class Stmt:
    """`comment` is the comment at the end of the line, "" without one."""

    span: Span
    comment: str


@dataclass(frozen=True, eq=False, slots=True)
class Remark(Stmt):
    """A line with nothing but a comment."""


@dataclass(frozen=True, eq=False, slots=True)
class Instr(Stmt):
    """`mnemonic.width ops -> carry`."""

    mnemonic: Word
    width: Literal["", ".n", ".w"]
    ops: tuple[Op, ...]
    carry: Word | None


@dataclass(frozen=True, eq=False, slots=True)
class MacroCall(Stmt):
    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, eq=False, slots=True)
class SubCall(Stmt):
    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, eq=False, slots=True)
class For(Stmt):
    names: tuple[Word, ...]
    over: Expr
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class If(Stmt):
    """Branches in order; the last may have no condition (`else`)."""

    branches: tuple[tuple[Expr | None, Block], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Do(Stmt):
    body: Block
    cond: Word


@dataclass(frozen=True, eq=False, slots=True)
class LoopAtMost(Stmt):
    limit: Expr
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Break(Stmt):
    cond: Word


@dataclass(frozen=True, eq=False, slots=True)
class When(Stmt):
    cond: Word
    then: Block
    other: Block


@dataclass(frozen=True, eq=False, slots=True)
class Then(Stmt):
    cond: Word
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Move(Stmt):
    kind: Literal["spill", "fill"]
    refs: tuple[Ref, ...]


@dataclass(frozen=True, eq=False, slots=True)
class AlignTo(Stmt):
    bytes: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Assert(Stmt):
    """`assert` or `claim`."""

    kind: Literal["assert", "claim"]
    cond: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Split(Stmt):
    ref: Ref
    how: Literal["by", "at"]
    number: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Public(Stmt):
    ref: Ref


# --- declarations inside fn, sub and macro ---


@dataclass(frozen=True, slots=True)
class Name:
    """`name` or `name[count]` in a declaration."""

    word: Word
    count: Expr | None = None


@dataclass(frozen=True, slots=True)
class Pin:
    """`@ r4` or `@ r4..r7`."""

    first: Word
    last: Word | None
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Registers(Stmt):
    """`reg` or `local`."""

    kind: Literal["reg", "local"]
    names: tuple[Name, ...]
    type: Word
    home: Word | None
    pin: Pin | None
    init: Expr | None


@dataclass(frozen=True, eq=False, slots=True)
class StackObject(Stmt):
    name: Name
    type: Word
    over: Word | None


@dataclass(frozen=True, slots=True)
class Promise:
    """`[pre] [-> post]` of a param."""

    pre: Expr | None
    post: Expr | None


@dataclass(frozen=True, eq=False, slots=True)
class ParamDecl(Stmt):
    name: Word
    secret: bool
    role: Role
    align: Expr | None
    noalias: bool
    flash: bool
    promises: tuple[Promise, ...]
    length: Expr | None
    lengths: Expr | None
    public: tuple[tuple[Expr, Expr], ...]
    table: Word | None


@dataclass(frozen=True, eq=False, slots=True)
class ResultDecl(Stmt):
    name: Word
    type: Word


Block = tuple[Stmt, ...]


# --- declarations of a file ---


@dataclass(frozen=True, eq=False, slots=True)
class Decl:
    """`above` is the comment directly above, paragraphs separated by line ends."""

    span: Span
    name: Word
    above: str


@dataclass(frozen=True, eq=False, slots=True)
class Import:
    """`path` is below asm-src, without the suffix."""

    path: str
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class ConstDecl(Decl):
    """`const NAME = expr` (params None) or `const name(x, y) = expr`."""

    params: tuple[Word, ...] | None
    expr: Expr


@dataclass(frozen=True, eq=False, slots=True)
class TableDecl(Decl):
    type: Word
    count: Expr | None
    expr: Expr


@dataclass(frozen=True, slots=True)
class MacroParam:
    """`in|out|inout R : TYPE`, `X : const` (role None), `P : ptr` (role "in")."""

    name: Name
    role: Role | None
    type: Word
    pin: Pin | None = None


@dataclass(frozen=True, eq=False, slots=True)
class MacroDecl(Decl):
    params: tuple[MacroParam, ...]
    uses: tuple[Word, ...]
    requires: tuple[Word, ...]
    ensures: Expr | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class SubDecl(Decl):
    params: tuple[MacroParam, ...]
    clobbers: tuple[Pin, ...]
    ensures: Expr | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class FnDecl(Decl):
    prototype: str
    proto_span: Span
    variant: Word | None
    requires: tuple[Word, ...]
    ensures: Expr | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class File:
    """One parsed file; `path` as a user types it ("asm-src/mlkem/ntt.rasm"), `above` its first
    comment."""

    path: str
    span: Span
    above: str
    imports: tuple[Import, ...]
    decls: tuple[Decl, ...]
