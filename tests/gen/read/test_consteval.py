# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Compile-time expressions against Python, and their refusals."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gen.diag import Bag, Failed, fail
from gen.read.builtins import Budget, Value
from gen.read.consteval import Function, evaluate
from gen.read.expression import expression
from gen.read.lex import lex
from gen.read.source import Source, Span
from gen.read.syntax import Expr


class Known:
    """Names for tests: N = 8, T = (3, 1, 2), f(x) = x + N, g(x) = g(x)."""

    constants: dict[str, Value] = {"N": 8, "T": (3, 1, 2)}

    def value(self, name: str) -> Value | None:
        return self.constants.get(name)

    def missing(self, name: str, span: Span) -> Failed:
        return fail("undefined", span, f"no constant `{name}`")

    def function(self, name: str) -> Function | None:
        bodies = {"f": "x + N", "g": "g(x)"}
        return Function(name, ("x",), parsed(bodies[name]), self) if name in bodies else None

    def functions(self) -> Iterable[str]:
        return ["f", "g"]

    def has(self, feature: str) -> bool:
        return feature == "dsp"


def parsed(text: str) -> Expr:
    source = Source("x.rasm", text)
    bag = Bag()
    (line,) = lex(source, bag)
    bag.close()
    return expression(source, line.tokens)


def run(text: str) -> Value:
    return evaluate(parsed(text), Known(), Budget())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2**16 - 1", 65535),
        ("-7 % 4", 1),
        ("div(-7, 2)", -4),
        ("12 / 4", 3),
        ("1 << 4 | 3 & ~1 ^ 8", 26),
        ("N > 7 > 6 and not 0", 1),
        ("1 if N == 9 else 2", 2),
        ("3 in T or 9 in T", 1),
        ("9 not in T", 1),
        ("T[0] + T[-1]", 5),
        ("T[1:]", (1, 2)),
        ("[1, 2] + [3] * 2", (1, 2, 3, 3)),
        ("[x * y for x in range(3) if x for y in T]", (3, 1, 2, 6, 2, 4)),
        ("[a - b for a, b in [(5, 1), (7, 2)]]", (4, 5)),
        ("f(1) + f(N)", 25),
        ("powmod(3, -1, 7)", 5),
        ("invmod(3, 7)", 5),
        ("powmod(17, 5, 3329)", pow(17, 5, 3329)),
        ("smod(3328, 3329)", -1),
        ("smod(2**15, 2**16)", -(2**15)),
        ("bitrev(6, 4)", 6),
        ("bitrev(1, 7)", 64),
        ("pack(-1, 2)", 0x2FFFF),
        ("min(T) + max(4, 9) + sum(T) + len(T) + abs(-2)", 21),
        ("range(6, 0, -2)", (6, 4, 2)),
        ("has(dsp) + 2 * has(mve)", 1),
    ],
)
def test_values(text: str, value: Value) -> None:
    assert run(text) == value


LONG = "[x for x in range(65536) for y in range(65536) if 0]"
TOO_NARROW = "bitrev(8, 3): the number does not fit the bits (at most 64)"
numbers = st.integers(-(2**40), 2**40)


@given(numbers, numbers, st.sampled_from(["+", "-", "*", "&", "|", "^", "%"]))
def test_operators_are_pythons(x: int, y: int, op: str) -> None:
    if op == "%" and y == 0:
        return
    assert run(f"({x}) {op} ({y})") == eval(f"({x}) {op} ({y})")


@pytest.mark.parametrize(
    ("text", "code", "message", "at"),
    [
        ("1 + 2**10**9", "bad-expression", "a number of more than 8192 bits", "2**10**9"),
        ("1 << 10**9", "bad-expression", "a number of more than 8192 bits", "1 << 10**9"),
        ("2**-1", "bad-expression", "a negative exponent", "2**-1"),
        ("7 / 2", "bad-expression", "7 / 2 leaves a remainder; `/` is exact", "7 / 2"),
        ("1 % (N - 8)", "bad-expression", "division by zero", "1 % (N - 8)"),
        ("powmod(2, -1, 4)", "bad-expression", "2 has no inverse modulo 4", "powmod(2, -1, 4)"),
        ("range(10**9)", "bad-expression", "a list of more than 65536 elements", "range(10**9)"),
        ("T * 10**9", "bad-expression", "a list of more than 65536 elements", "T * 10**9"),
        ("T[3]", "bad-expression", "index 3 of a list of 3", "T[3]"),
        ("N[0]", "bad-expression", "a number has no elements", "N[0]"),
        ("T + 1", "bad-expression", "this operator takes numbers, not lists", "T + 1"),
        ("T == T", "bad-expression", "lists cannot be compared", "T == T"),
        ("len(3)", "bad-expression", "`len` takes one list", "len(3)"),
        ("bitrev(8, 3)", "bad-expression", TOO_NARROW, "bitrev(8, 3)"),
        ("smod(1)", "bad-expression", "`smod` takes 2 arguments, not 1", "smod(1)"),
        ("f(1, 2)", "bad-expression", "`f(x)` is given 2 arguments", "f(1, 2)"),
        ("M + 1", "undefined", "no constant `M`", "M"),
        ("powmd(1, 2, 3)", "undefined", "no function `powmd`", "powmd"),
        ("g(1)", "unending", "constant functions call each other without end", "g(x)"),
        (LONG, "unending", "the expression takes too many steps", LONG),
    ],
)  # fmt: skip
def test_refusals(text: str, code: str, message: str, at: str) -> None:
    with pytest.raises(Failed) as caught:
        run(text)
    (item,) = caught.value.bag.items
    assert (item.code, item.message) == (code, message)
    assert item.span.source.text[item.span.start : item.span.end] == at


def test_a_mistyped_function_is_named() -> None:
    with pytest.raises(Failed) as caught:
        run("powmd(1, 2, 3)")
    assert caught.value.bag.items[0].help == "powmod"
