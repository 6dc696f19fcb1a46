# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""reg and local -> Vars with type, home, pin and initial value."""

from __future__ import annotations

import re
from dataclasses import replace

from gen.diag import fail, nearest
from gen.ir.ir import Home, Var
from gen.passes.elaborate.operands import formula, magic
from gen.passes.elaborate.scope import Broken, Many, One, Scope
from gen.read.builtins import Value, show
from gen.read.consteval import evaluate, integer
from gen.read.syntax import Expr, Name, Pin, Registers, Word

TYPES = ("u32", "i32", "i16", "i16x2", "u8x4", "ptr", "flag")
LARGEST_ARRAY = 64
_HOMES: dict[str, Home] = {"slot": "slot", "park": "park", "fp": "fp"}
_GENERAL = re.compile(r"r(\d|1[0-2])|lr")


def registers(decl: Registers, scope: Scope) -> None:
    """Enters the registers of a `reg` or `local` line. Errors: `duplicate`, `undefined`,
    `bad-expression`, `syntax`."""
    try:
        _registers(decl, scope)
    except BaseException:
        for name in decl.names:
            scope.names.setdefault(name.word.text, Broken())
        raise


def _registers(decl: Registers, scope: Scope) -> None:
    type_ = register_type(decl.type)
    _allowed(decl)
    for name in decl.names:
        count = array_length(name, scope)
        pins = _pins(decl.pin, count, scope) if decl.pin else ()
        inits = _inits(decl.init, count, scope) if decl.init else ()
        home = _HOMES[decl.home.text] if decl.home else None
        span = name.word.span
        text = name.word.text
        texts = (text,) if count is None else tuple(f"{text}[{i}]" for i in range(count))
        made = tuple(Var(one, type_, home=home, span=span) for one in texts)
        if pins:
            made = tuple(replace(var, pin=pin) for var, pin in zip(made, pins, strict=True))
        if inits:
            made = tuple(
                replace(v, init=i, init_text=t) for v, (i, t) in zip(made, inits, strict=True)
            )
        scope.declare(text, span, One(made[0], type_) if count is None else Many(made, type_))


def _allowed(decl: Registers) -> None:
    if decl.home and decl.home.text == "fp":
        raise fail(
            "syntax",
            decl.home.span,
            "registers that live in the FP unit cannot be declared yet",
            help="park",
        )
    if decl.kind == "local" and decl.home:
        raise fail(
            "syntax",
            decl.home.span,
            "a local has no home; declare a `reg` and pass it to the macro",
        )
    if decl.kind == "local" and decl.init:
        raise fail(
            "syntax", decl.init.span, "a local has no initial value; declare a `reg` and `uses` it"
        )
    if decl.type.text == "flag" and (decl.home or decl.pin or decl.init):
        raise fail(
            "syntax", decl.type.span, "a named carry has neither home, pin nor initial value"
        )
    if decl.pin and len(decl.names) > 1:
        raise fail("syntax", decl.pin.span, "a pinned register has a line of its own")
    if decl.init and len(decl.names) > 1:
        raise fail(
            "syntax", decl.init.span, "a register with an initial value has a line of its own"
        )


def register_type(word: Word) -> str:
    """The name of a register's type. Errors: `undefined`."""
    if word.text not in TYPES:
        raise fail(
            "undefined",
            word.span,
            f"no register type `{word.text}`",
            details=("register types: " + " ".join(TYPES),),
            help=nearest(word.text, TYPES),
        )
    return word.text


def array_length(name: Name, scope: Scope) -> int | None:
    """The length in `name[length]`; None for a single register."""
    if name.count is None:
        return None
    count = integer(name.count, scope, scope.file.world.budget)
    if not 0 < count <= LARGEST_ARRAY:
        raise fail(
            "bad-expression",
            name.count.span,
            f"an array of {show(count)} registers; 1 to {LARGEST_ARRAY} go",
        )
    return count


def _pins(pin: Pin, count: int | None, scope: Scope) -> tuple[str, ...]:
    first = _physical(pin.first, scope)
    if pin.last is None:
        if count not in (None, 1):
            raise fail(
                "syntax", pin.span, f"{count} registers need {count} pins", help=f"@ {first}.."
            )
        return (first,)
    last = _physical(pin.last, scope)
    if not (first[0] == "r" and last[0] == "r"):
        raise fail("syntax", pin.span, "a range of pins is one of r0 to r12", help="@ r4..r7")
    names = tuple(f"r{n}" for n in range(int(first[1:]), int(last[1:]) + 1))
    if len(names) != (count or 1):
        raise fail("syntax", pin.span, f"{len(names)} pins for {count or 1} registers")
    return names


def _physical(word: Word, scope: Scope) -> str:
    core = scope.file.world.core
    if not _GENERAL.fullmatch(word.text) or word.text not in core.registers:
        raise fail(
            "undefined",
            word.span,
            f"no register `{word.text}` to pin to on {core.key}",
            details=("registers: " + " ".join(core.registers),),
        )
    return word.text


def _inits(expr: Expr, count: int | None, scope: Scope) -> tuple[tuple[int, str], ...]:
    magic(expr)
    value = evaluate(expr, scope, scope.file.world.budget)
    if count is None:
        return ((_word(expr, value), formula(scope, expr)),)
    if isinstance(value, int) or len(value) != count:
        raise fail("bad-expression", expr.span, f"{count} registers need a list of {count} values")
    return tuple((_word(expr, one), "") for one in value)


def _word(expr: Expr, value: Value) -> int:
    if isinstance(value, tuple):
        raise fail("bad-expression", expr.span, "a list; one number is needed")
    if not -(2**31) <= value < 2**32:
        raise fail("bad-expression", expr.span, f"{show(value)} does not fit 32 bits")
    return value % 2**32
