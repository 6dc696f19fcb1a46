# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A C prototype -> Signature, by pycparser (imported here only)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pycparser import CParser, c_ast

from gen.diag import Failed, fail
from gen.read.source import Span

MOST_PARAMS = 16
MOST_ELEMENTS = 1 << 20

# Base types as words in alphabetical order -> (bits, signed); `int` may be left out behind the
# others.
_TYPES: dict[str, tuple[int, bool]] = {
    "char signed": (8, True),
    "char unsigned": (8, False),
    "short": (16, True),
    "short unsigned": (16, False),
    "int": (32, True),
    "unsigned": (32, False),
    "int8_t": (8, True),
    "uint8_t": (8, False),
    "int16_t": (16, True),
    "uint16_t": (16, False),
    "int32_t": (32, True),
    "uint32_t": (32, False),
    "int64_t": (64, True),
    "uint64_t": (64, False),
    "size_t": (32, False),
}
TAKEN = ("args", "uintptr_t", "size_t", "memcpy")  # names of the files around a routine
_PRELUDE = "".join(f"typedef int {name};\n" for name in _TYPES if name.endswith("_t"))


@dataclass(frozen=True, slots=True)
class Type:
    """A result, or a parameter; `bits` and `signed` are the element's for a pointer. `count`:
    array length."""

    text: str
    bits: int
    signed: bool
    pointer: bool = False
    const: bool = False
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's name, result (None for void) and named parameters in order."""

    name: str
    result: Type | None
    params: tuple[tuple[str, Type], ...]


class _Bad(Exception):
    """What is wrong; the first word in backquotes is the one of the prototype it is about."""


def word_span(span: Span, word: str) -> Span:
    """Where a word stands in the prototype at `span`; the whole span if it does not."""
    found = re.search(rf"\b{re.escape(word)}\b", span.source.text[span.start : span.end])
    if not word or not found:
        return span
    return Span(span.source, span.start + found.start(), span.start + found.end())


def signature(text: str, span: Span) -> Signature:
    """The prototype `text`, which stands at `span`. Errors: `bad-prototype`."""
    try:
        found = _signature(text)
    except _Bad as bad:
        about = re.search(r"`(\w+)`", str(bad))
        raise fail(
            "bad-prototype",
            word_span(span, about[1] if about else ""),
            str(bad),
            help="fn void mlkem_add(int16_t r[256], const int16_t a[256]):",
        ) from None
    if isinstance(found, Signature):
        return found
    raise _located(text, span, found)


def _located(text: str, span: Span, at: int) -> Failed:
    """The error at the character with index `at` of `text`, whose spaces may have been joined."""
    original = span.source.text[span.start : span.end]
    wanted = len(text[:at].replace(" ", ""))
    offset = seen = 0
    for offset, char in enumerate(original):  # noqa: B007
        if char not in " \n":
            if seen == wanted:
                break
            seen += 1
    start = span.start + offset
    return fail(
        "bad-prototype", Span(span.source, start, start + 1), "the C prototype does not parse here"
    )


@lru_cache(maxsize=256)
def _signature(text: str) -> Signature | int:
    """The signature, or the column where the text does not parse."""
    try:
        tree = CParser().parse(_PRELUDE + text + ";", "p")
    except RecursionError:
        raise _Bad("the prototype is nested too deeply") from None
    except Exception as wrong:  # pycparser raises its own errors and, on odd input, plain ones
        place = re.match(r"p:(\d+):(\d+)", str(wrong))
        if place is None or int(place[1]) <= _PRELUDE.count("\n"):
            raise _Bad("the C prototype does not parse") from None
        return min(int(place[2]) - 1, max(0, len(text) - 1))
    decls = tree.ext[_PRELUDE.count("\n") :]
    if (
        len(decls) != 1
        or not isinstance(decls[0], c_ast.Decl)
        or not isinstance(decls[0].type, c_ast.FuncDecl)
    ):
        raise _Bad("this is not the prototype of one function")
    return _function(decls[0])


def _function(decl: Any) -> Signature:
    if decl.storage or decl.funcspec:
        raise _Bad("write neither `static`, `extern` nor `inline`")
    result = _base(decl.type.type, "the result")
    params = list(decl.type.args.params) if decl.type.args else []
    if len(params) == 1 and _is_void(params[0]):
        params = []
    if len(params) > MOST_PARAMS:
        raise _Bad(f"more than {MOST_PARAMS} parameters")
    pairs = tuple(_param(param) for param in params)
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise _Bad(f"two parameters are called `{name}`")
        if name in _TYPES or name in TAKEN:
            raise _Bad(
                f"a parameter cannot be called `{name}`: the C files use that name themselves"
            )
    return Signature(decl.name, result, pairs)


def _is_void(param: Any) -> bool:
    inner = getattr(param, "type", None)
    return (
        isinstance(param, c_ast.Typename)
        and isinstance(inner, c_ast.TypeDecl)
        and _spelling(inner) == "void"
    )


def _spelling(decl: Any) -> str:
    return " ".join(decl.type.names) if isinstance(decl.type, c_ast.IdentifierType) else ""


def _base(decl: Any, what: str) -> Type | None:
    """The type of something that is no array; None for void."""
    if isinstance(decl, c_ast.PtrDecl):
        raise _Bad(f"{what} is a pointer; only numbers are returned")
    if not isinstance(decl, c_ast.TypeDecl) or not isinstance(decl.type, c_ast.IdentifierType):
        raise _Bad(f"{what} has a type that routines do not take")
    names = decl.type.names
    if names == ["void"]:
        return None
    words = sorted(names)
    if len(words) > 1 and "int" in words:
        words.remove("int")
    if len(words) > 1 and "signed" in words and "char" not in words:
        words.remove("signed")
    known = _TYPES.get("int" if words == ["signed"] else " ".join(words))
    if known is None:
        raise _Bad(f"{what} has the type `{' '.join(names)}`; use a type of <stdint.h>")
    if "volatile" in decl.quals:
        raise _Bad(f"{what} is volatile")
    return Type(" ".join(names), *known, const="const" in decl.quals)


def _param(param: Any) -> tuple[str, Type]:
    if not isinstance(param, c_ast.Decl) or not param.name:
        raise _Bad("every parameter needs a name")
    what = f"`{param.name}`"
    decl = param.type
    if not isinstance(decl, c_ast.ArrayDecl | c_ast.PtrDecl):
        value = _base(decl, what)
        if value is None:
            raise _Bad(f"{what} is void")
        return param.name, value
    count = _count(decl, what) if isinstance(decl, c_ast.ArrayDecl) else None
    if isinstance(decl.type, c_ast.ArrayDecl | c_ast.PtrDecl):
        raise _Bad(f"{what} has more than one dimension")
    element = _base(decl.type, what)
    if element is None:
        raise _Bad(f"{what} points to void; name the type of its elements")
    return param.name, Type(element.text, element.bits, element.signed, True, element.const, count)


def _count(decl: Any, what: str) -> int | None:
    if decl.dim is None:
        return None
    if not isinstance(decl.dim, c_ast.Constant) or decl.dim.type != "int":
        raise _Bad(f"the length of {what} is not a plain number")
    text = decl.dim.value.rstrip("uUlL").lower()
    count = int(text, 8) if text[0] == "0" and text.isdigit() else int(text, 0)
    if not 0 < count <= MOST_ELEMENTS:
        raise _Bad(f"the length of {what} is out of range")
    return count
