# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""C prototypes."""

from __future__ import annotations

import pytest

from gen.diag import Failed
from gen.read.proto import Signature, Type, signature
from gen.read.source import Source, Span


def read(text: str) -> Signature:
    return signature(text, Span(Source("x.rasm", text), 0, len(text)))


def test_parameters_and_result() -> None:
    found = read(
        "uint32_t f(int16_t *r, const uint8_t buf[restrict 504], unsigned int len, int64_t x)"
    )
    assert found.name == "f"
    assert found.result == Type("uint32_t", 32, False)
    assert found.params == (
        ("r", Type("int16_t", 16, True, pointer=True)),
        ("buf", Type("uint8_t", 8, False, pointer=True, const=True, count=504)),
        ("len", Type("unsigned int", 32, False)),
        ("x", Type("int64_t", 64, True)),
    )


def test_nothing_in_nothing_out() -> None:
    assert read("void f(void)") == Signature("f", None, ())


@pytest.mark.parametrize("text", ["signed char", "short int", "unsigned short", "int", "size_t"])
def test_spellings(text: str) -> None:
    assert read(f"void f({text} x)").params[0][1].text == text


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("int f", "this is not the prototype of one function", "int f"),
        ("void f(int 3)", "the C prototype does not parse here", "3"),
        ("void f(char c)", "`c` has the type `char`; use a type of <stdint.h>", "c"),
        ("void f(int16_t r[2][3])", "`r` has more than one dimension", "r"),
        ("void f(int16_t **r)", "`r` has more than one dimension", "r"),
        ("void f(int16_t r[N])", "the length of `r` is not a plain number", "r"),
        ("void f(int16_t r[0])", "the length of `r` is out of range", "r"),
        ("void f(void *p)", "`p` points to void; name the type of its elements", "p"),
        ("void f(struct s *p)", "`p` has a type that routines do not take", "p"),
        ("void f(int a, int a)", "two parameters are called `a`", "a"),
        ("int *f(int a)", "the result is a pointer; only numbers are returned", "int *f(int a)"),
        ("void f(int a, ...)", "every parameter needs a name", "void f(int a, ...)"),
        ("static void f(int a)", "write neither `static`, `extern` nor `inline`", "static"),
    ],
)
def test_refusals(text: str, message: str, at: str) -> None:
    with pytest.raises(Failed) as caught:
        read(text)
    (item,) = caught.value.bag.items
    assert (item.code, item.message) == ("bad-prototype", message)
    assert text[item.span.start : item.span.end] == at
