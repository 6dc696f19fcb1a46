# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""reg and local -> Vars with type, home, pin and initial value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gen.cores.abi import AAPCS32, AAPCS64, width
from gen.diag import fail, nearest
from gen.ir.ir import Home, StackObject, Var
from gen.passes.elaborate.operands import formula, magic
from gen.passes.elaborate.scope import Broken, Many, One, Scope
from gen.passes.elaborate.table import RANGES
from gen.read.builtins import Value, show
from gen.read.consteval import evaluate, integer
from gen.read.source import NOWHERE, Span
from gen.read.syntax import Expr, Name, Pin, Registers, Word
from gen.read.syntax import StackObject as Stack

TYPES = tuple(dict.fromkeys((*AAPCS32.types, *AAPCS64.types)))
LARGEST_ARRAY = 256
LARGEST_OBJECT = 1024  # elements
ELEMENTS = {name: (high - low).bit_length() // 8 for name, (low, high) in RANGES.items()}  # bytes
_HOMES: dict[str, Home] = {"slot": "slot", "park": "park", "fp": "fp"}
_GENERAL = frozenset((*AAPCS32.general, *AAPCS64.general, *AAPCS64.vectors))


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
    type_ = register_type(decl.type, scope)
    _allowed(decl, scope)
    if decl.home and decl.home.text in ("park", "fp"):
        scope.file.world.asked.add("fpregs")
    homed = _homed(decl) if decl.kind == "reg" else ""
    for name in decl.names:
        count = array_length(name, scope)
        pins = _pins(decl.pin, count, scope) if decl.pin else ()
        inits = _inits(decl.init, count, scope) if decl.init else ()
        home = _HOMES[decl.home.text] if decl.home else None
        span = name.word.span
        text = name.word.text
        texts = (text,) if count is None else tuple(f"{text}[{i}]" for i in range(count))
        made = tuple(variable(one, type_, scope, span, home=home, homed=homed) for one in texts)
        if pins:
            made = tuple(replace(var, pin=pin) for var, pin in zip(made, pins, strict=True))
        if inits:
            made = tuple(
                replace(v, init=i, init_text=t) for v, (i, t) in zip(made, inits, strict=True)
            )
        scope.declare(text, span, One(made[0], type_) if count is None else Many(made, type_))


def _homed(decl: Registers) -> str:
    """The line as it would be typed to give its registers a home; a home that is not used costs nothing."""
    names = (f"{n.word.text}[{n.count.text}]" if n.count else n.word.text for n in decl.names)
    pin = f" @ {decl.pin.first.text}" if decl.pin else ""
    pin += f"..{decl.pin.last.text}" if decl.pin and decl.pin.last else ""
    init = f" = {decl.init.text}" if decl.init else ""
    return f"reg {', '.join(names)} : {decl.type.text} slot{pin}{init}"


def _allowed(decl: Registers, scope: Scope) -> None:
    if decl.home and decl.home.text == "fp" and decl.kind == "reg":
        _in_fp_unit(decl, decl.home, scope)
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


def _in_fp_unit(decl: Registers, home: Word, scope: Scope) -> None:
    core = scope.file.world.core
    if not core.fp_registers:
        text = f"{core.key} has no FP registers to keep values in"
        raise fail("missing-feature", home.span, text, help="park")
    if decl.pin or decl.init:
        where = decl.pin.span if decl.pin else home.span
        text = "a register of the FP unit has neither pin nor initial value"
        raise fail("syntax", where, text, help="park")


def stack_object(decl: Stack, scope: Scope, known: Sequence[StackObject]) -> StackObject:
    """Enters a stack object as an address. Errors: `duplicate`, `undefined`, `bad-expression`."""
    word = decl.name.word
    if decl.type.text not in ELEMENTS:
        raise fail(
            "undefined",
            decl.type.span,
            f"no element type `{decl.type.text}`",
            details=("element types: " + " ".join(ELEMENTS),),
            help=nearest(decl.type.text, ELEMENTS),
        )
    count = 1
    if decl.name.count is not None:
        count = integer(decl.name.count, scope, scope.file.world.budget)
        if not 0 < count <= LARGEST_OBJECT:
            raise fail(
                "bad-expression", decl.name.count.span, f"{show(count)} elements in the frame"
            )
    size = -(-count * ELEMENTS[decl.type.text] // 4) * 4
    var = variable(word.text, "stack", scope, word.span)
    over = None if decl.over is None else _under(decl, decl.over, known, size)
    scope.declare(word.text, word.span, One(var, "ptr"))
    return StackObject(var, decl.type.text, count, size, over)


def _under(decl: Stack, word: Word, known: Sequence[StackObject], size: int) -> StackObject:
    """The object whose place another one takes: of the same type, at least as large."""
    found = next((one for one in known if one.var.name == word.text), None)
    if found is None:
        names = [one.var.name for one in known]
        text = f"no stack object `{word.text}` is declared above"
        raise fail("undefined", word.span, text, help=nearest(word.text, names))
    if found.type != decl.type.text or found.bytes < size:
        raise fail(
            "bad-expression",
            word.span,
            f"`{decl.name.word.text}` does not fit over {found.count} elements of {found.type}",
            help=f"stack {word.text}[{decl.name.count.text if decl.name.count else 1}] : {decl.type.text}",
        )
    return found


def variable(name: str, type_: str, scope: Scope, span: Span = NOWHERE, **more: Any) -> Var:
    """A register of the core's file for values of this type."""
    return Var(name, type_, span=span, bits=width(type_, scope.file.world.core.abi), **more)


def register_type(word: Word, scope: Scope) -> str:
    """The name of a register's type. Errors: `undefined`, `missing-feature` for one of other cores."""
    core = scope.file.world.core
    if word.text not in TYPES:
        raise fail(
            "undefined",
            word.span,
            f"no register type `{word.text}`",
            details=("register types: " + " ".join(core.abi.types),),
            help=nearest(word.text, core.abi.types),
        )
    if word.text not in core.abi.types:
        text = f"{core.key} has no registers of type {word.text}"
        here = ("register types here: " + " ".join(core.abi.types),)
        raise fail("missing-feature", word.span, text, details=here)
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
    names = pin_names(pin, scope)
    if pin.last is None and count not in (None, 1):
        raise fail(
            "syntax", pin.span, f"{count} registers need {count} pins", help=f"@ {names[0]}.."
        )
    if len(names) != (count or 1):
        raise fail("syntax", pin.span, f"{len(names)} pins for {count or 1} registers")
    return names


def pin_names(pin: Pin, scope: Scope) -> tuple[str, ...]:
    """The registers of `r4` or `r4..r7`. Errors: `syntax`, `undefined`."""
    first = _physical(pin.first, scope)
    if pin.last is None:
        return (first,)
    last = _physical(pin.last, scope)
    if not (first[0] == last[0] and first[1:].isdigit() and last[1:].isdigit()):
        raise fail("syntax", pin.span, "a range of pins is one of r0 to r12", help="@ r4..r7")
    return tuple(f"{first[0]}{n}" for n in range(int(first[1:]), int(last[1:]) + 1))


def _physical(word: Word, scope: Scope) -> str:
    core = scope.file.world.core
    if word.text not in (*core.registers, *core.abi.vectors):
        raise fail(
            "missing-feature" if word.text in _GENERAL else "undefined",
            word.span,
            f"no register `{word.text}` to pin to on {core.key}",
            details=("registers: " + " ".join((*core.registers, *core.abi.vectors)),),
        )
    return word.text


def _inits(expr: Expr, count: int | None, scope: Scope) -> tuple[tuple[int, str], ...]:
    magic(expr)
    value = evaluate(expr, scope, scope.file.world.budget)
    if count is None:
        return ((_word(expr, value, scope), formula(scope, expr)),)
    if isinstance(value, int) or len(value) != count:
        raise fail("bad-expression", expr.span, f"{count} registers need a list of {count} values")
    return tuple((_word(expr, one, scope), "") for one in value)


def _word(expr: Expr, value: Value, scope: Scope) -> int:
    bits = scope.file.world.core.abi.bits
    if isinstance(value, tuple):
        raise fail("bad-expression", expr.span, "a list; one number is needed")
    if not -(2 ** (bits - 1)) <= value < 2**bits:
        raise fail("bad-expression", expr.span, f"{show(value)} does not fit {bits} bits")
    return int(value % 2**bits)
