# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Operands of instructions, arguments of macros."""

from __future__ import annotations

from gen.diag import Failed, fail
from gen.read.cursor import Cursor
from gen.read.source import Span
from gen.read.syntax import Arg, ImmOp, Instr, ListOp, MemOp, Op, RegOp, ShiftOp, Word


def instruction(cursor: Cursor, comment: str) -> Instr:
    """`mnemonic op, op, ... [-> carry]`."""
    mnemonic, width = _mnemonic(cursor)
    if cursor.at(":"):
        raise fail(
            "syntax",
            cursor.since(0),
            "labels are not written; loops and choices have no names",
            help="do: ... while ne",
        )
    ops: list[Op] = []
    if cursor.token.kind != "end" and not cursor.at("->"):
        ops.append(_operand(cursor))
        while cursor.take(","):
            ops.append(_operand(cursor))
    carry = None
    if cursor.take("->"):
        carry = cursor.word("a name for the carry")
    cursor.end()
    return Instr(cursor.since(0), comment, mnemonic, width, tuple(ops), carry)  # type: ignore[arg-type]


def _mnemonic(cursor: Cursor) -> tuple[Word, str]:
    """A name with suffixes glued to it: `vmov.f32`; a last `.n` or `.w` is the width."""
    first = cursor.next()
    parts = [first.text]
    end = first.end
    while cursor.at(".") and cursor.token.start == end:
        cursor.next()
        if cursor.token.kind not in ("name", "number"):
            raise cursor.wrong("a suffix")
        suffix = cursor.next()
        parts.append(suffix.text)
        end = suffix.end
    width = "." + parts.pop() if len(parts) > 1 and parts[-1] in ("n", "w") else ""
    text = ".".join(parts)
    return Word(text, Span(cursor.source, first.start, first.start + len(text))), width


def _operand(cursor: Cursor) -> Op:
    if cursor.at("#"):
        return immediate(cursor)
    if cursor.at("["):
        return _memory(cursor)
    if cursor.at("{"):
        return register_list(cursor)
    if cursor.token.kind == "number":
        raise fail(
            "syntax",
            cursor.span(),
            "a constant operand is written with `#`",
            help=f"#{cursor.token.text}",
        )
    if cursor.at("="):
        raise fail(
            "syntax",
            cursor.span(),
            "a register gets its constant where it is declared",
            help="reg NAME : u32 = VALUE",
        )
    if cursor.after("#"):
        return _shift(cursor)
    ref = cursor.ref("an operand")
    if ref.index is None and cursor.at("("):
        raise fail(
            "syntax",
            ref.span,
            f"a value computed by `{ref.name.text}(...)` is a constant; write `#` before it",
        )
    return RegOp(ref, cursor.take("!"))


def immediate(cursor: Cursor) -> ImmOp:
    """`#expr`."""
    start = cursor.i
    cursor.expect("#")
    expr = cursor.expr()
    return ImmOp(expr, cursor.since(start))


def _shift(cursor: Cursor) -> ShiftOp:
    kind = cursor.word("a shift")
    return ShiftOp(kind, immediate(cursor))


def _memory(cursor: Cursor) -> MemOp:
    start = cursor.i
    cursor.expect("[")
    base = cursor.ref("an address register")
    offset = index = shift = None
    if cursor.take(","):
        if cursor.at("#"):
            offset = immediate(cursor)
        else:
            index = cursor.ref("`#` and an offset, or an index register")
            if cursor.take(","):
                shift = _shift(cursor)
    cursor.expect("]")
    if cursor.take("!"):
        return MemOp(base, cursor.since(start), offset, index, shift, "pre")
    if offset is None and index is None and cursor.at(",") and cursor.after("#"):
        cursor.next()
        offset = immediate(cursor)
        return MemOp(base, cursor.since(start), offset, None, None, "post")
    return MemOp(base, cursor.since(start), offset, index, shift)


def register_list(cursor: Cursor) -> ListOp:
    """`{a[0..3], b}`."""
    start = cursor.i
    cursor.expect("{")
    items = [cursor.ref()]
    while cursor.take(","):
        items.append(cursor.ref())
    cursor.expect("}")
    return ListOp(tuple(items), cursor.since(start))


def arguments(cursor: Cursor) -> tuple[Arg, ...]:
    """`(argument, ...)` up to the end of the line."""
    cursor.expect("(")
    args: list[Arg] = []
    while not cursor.at(")"):
        args.append(_argument(cursor))
        if not cursor.take(","):
            break
    cursor.expect(")")
    cursor.end()
    return tuple(args)


def _argument(cursor: Cursor) -> Arg:
    """A reference if it has that shape; if it can also be read as an expression, both are kept."""
    start = cursor.i
    if cursor.at("{"):
        items = register_list(cursor)
        return Arg(items.span, items=items)
    ref = None
    if cursor.token.kind == "name":
        try:
            ref = cursor.ref()
        except Failed:
            ref = None
        if ref is not None and not (cursor.at(",") or cursor.at(")")):
            ref = None
    if ref is not None and (ref.half or ref.last):
        return Arg(cursor.since(start), ref=ref)
    cursor.i = start
    try:
        expr = cursor.expr()
    except Failed:
        if ref is None:
            raise
        return Arg(ref.span, ref=ref)
    return Arg(cursor.since(start), ref=ref, expr=expr)
