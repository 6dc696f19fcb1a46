# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Operators and functions of compile-time expressions, each with its limit on size and its share
of the budget."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Union

MOST_BITS = 8192  # of a number
MOST_ITEMS = 1 << 16  # of a list

Value = Union[int, "tuple[Value, ...]"]


@dataclass
class Budget:
    """What one elaboration may still spend on expressions: steps left, levels in use."""

    steps: int = 500_000
    depth: int = 0

    def spend(self, steps: int, what: str) -> None:
        """Takes steps for something larger than a node."""
        self.steps -= steps
        if self.steps < 0:
            raise Refused(f"{what} takes too many steps")

    def sized(self, items: int) -> None:
        """A list of this length is made."""
        if items > MOST_ITEMS:
            raise Refused(f"a list of more than {MOST_ITEMS} elements")


class Refused(Exception):
    """What is wrong with an operation; the evaluator knows where."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


def show(value: int) -> str:
    """A number for a message, shortened when it is long."""
    return str(value) if value.bit_length() <= 128 else f"a number of {value.bit_length()} bits"


# --- operators ---


def _bounded(bits: int) -> None:
    if bits > MOST_BITS:
        raise Refused(f"a number of more than {MOST_BITS} bits")


def _mul(x: int, y: int) -> int:
    _bounded(x.bit_length() + y.bit_length())
    return x * y


def _nonzero(y: int) -> None:
    if y == 0:
        raise Refused("division by zero")


def _exact(x: int, y: int) -> int:
    _nonzero(y)
    quotient, rest = divmod(x, y)
    if rest:
        raise Refused(
            f"{show(x)} / {show(y)} leaves a remainder; `/` is exact", "div(x, y) rounds down"
        )
    return quotient


def _mod(x: int, y: int) -> int:
    _nonzero(y)
    return x % y


def _pow(x: int, y: int) -> int:
    if y < 0:
        raise Refused("a negative exponent", "powmod(x, -1, m) is the inverse modulo m")
    if abs(x) > 1:
        _bounded(y if y > MOST_BITS else (x.bit_length() - 1) * y)
    elif y > 2:
        y = 2 + y % 2
    return int(x**y)


def _amount(y: int) -> None:
    if y < 0:
        raise Refused("a negative shift")


def _shl(x: int, y: int) -> int:
    _amount(y)
    _bounded(x.bit_length() + y if x else 0)
    return x << y if x else 0


def _shr(x: int, y: int) -> int:
    _amount(y)
    return x >> y


_ARITHMETIC: dict[type, Callable[[int, int], int]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: _mul,
    ast.Div: _exact,
    ast.Mod: _mod,
    ast.Pow: _pow,
    ast.LShift: _shl,
    ast.RShift: _shr,
    ast.BitAnd: lambda x, y: x & y,
    ast.BitOr: lambda x, y: x | y,
    ast.BitXor: lambda x, y: x ^ y,
}


def binary(op: type, x: Value, y: Value, budget: Budget) -> Value:
    """`x op y` of numbers; lists can be joined by `+` and repeated by `*`."""
    if isinstance(x, int) and isinstance(y, int):
        value = _ARITHMETIC[op](x, y)
        _bounded(value.bit_length())
        return value
    if op is ast.Add and isinstance(x, tuple) and isinstance(y, tuple):
        budget.sized(len(x) + len(y))
        budget.spend((len(x) + len(y)) // 8, "this list")
        return x + y
    if op is ast.Mult:
        items, times = (x, y) if isinstance(x, tuple) else (y, x)
        if isinstance(items, tuple) and isinstance(times, int):
            budget.sized(len(items) * max(0, times))
            budget.spend(len(items) * max(0, times) // 8, "this list")
            return items * times
    raise Refused("this operator takes numbers, not lists")


_COMPARE: dict[type, Callable[[int, int], bool]] = {
    ast.Eq: lambda x, y: x == y,
    ast.NotEq: lambda x, y: x != y,
    ast.Lt: lambda x, y: x < y,
    ast.LtE: lambda x, y: x <= y,
    ast.Gt: lambda x, y: x > y,
    ast.GtE: lambda x, y: x >= y,
}


def compare(op: type, x: Value, y: Value, budget: Budget) -> bool:
    """`x op y`; `in` and `not in` look for a number in a list of numbers."""
    if op in (ast.In, ast.NotIn):
        if isinstance(x, tuple) or not isinstance(y, tuple):
            raise Refused("`in` asks for a number in a list")
        return (x in _numbers(y, "in", budget)) == (op is ast.In)
    if isinstance(x, tuple) or isinstance(y, tuple):
        raise Refused("lists cannot be compared")
    return _COMPARE[op](x, y)


def subscript(value: Value, index: int | slice) -> Value:
    """`list[i]` or `list[i:j:k]`."""
    if isinstance(value, int):
        raise Refused("a number has no elements")
    if isinstance(index, slice):
        if index.step == 0:
            raise Refused("a step of zero")
        return value[index]
    if not -len(value) <= index < len(value):
        raise Refused(f"index {show(index)} of a list of {len(value)}")
    return value[index]


# --- functions ---


def _numbers(values: tuple[Value, ...], what: str, budget: Budget) -> tuple[int, ...]:
    budget.spend(len(values) // 8, f"`{what}`")
    for value in values:
        if isinstance(value, tuple):
            raise Refused(f"`{what}` takes numbers, not lists")
    return values  # type: ignore[return-value]


def _takes(
    name: str, least: int, most: int
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Checks the count of arguments, and that all are numbers."""

    def wrap(function: Callable[..., Value]) -> Callable[..., Value]:
        def call(budget: Budget, *args: Value) -> Value:
            if not least <= len(args) <= most:
                wanted = str(least) if least == most else f"{least} to {most}"
                raise Refused(f"`{name}` takes {wanted} arguments, not {len(args)}")
            return function(budget, *_numbers(args, name, budget))

        return call

    return wrap


@_takes("powmod", 3, 3)
def _powmod(budget: Budget, x: int, e: int, m: int) -> Value:
    _nonzero(m)
    limbs = 1 + m.bit_length() // 64
    budget.spend((1 + abs(e).bit_length()) * limbs * limbs // 100, "`powmod`")
    return _inverse(x, -e, m) if e < 0 else pow(x, e, m)


def _inverse(x: int, e: int, m: int) -> int:
    if math.gcd(x, m) != 1:
        raise Refused(f"{show(x)} has no inverse modulo {show(m)}")
    return pow(pow(x, -1, m), e, m)


@_takes("invmod", 2, 2)
def _invmod(budget: Budget, x: int, m: int) -> Value:
    _nonzero(m)
    budget.spend(m.bit_length() // 16, "`invmod`")
    return _inverse(x, 1, m)


@_takes("smod", 2, 2)
def _smod(budget: Budget, x: int, m: int) -> Value:
    """The residue nearest to zero: -m/2 <= smod(x, m) < m/2 for an even m."""
    if m <= 0:
        raise Refused("`smod` needs a positive modulus")
    return (x + m // 2) % m - m // 2


@_takes("div", 2, 2)
def _div(budget: Budget, x: int, y: int) -> Value:
    _nonzero(y)
    return x // y


@_takes("bitrev", 2, 2)
def _bitrev(budget: Budget, x: int, bits: int) -> Value:
    if not 0 <= bits <= 64 or not 0 <= x < 1 << bits:
        raise Refused(
            f"bitrev({show(x)}, {show(bits)}): the number does not fit the bits (at most 64)"
        )
    return int(f"{x:0{bits}b}"[::-1], 2) if bits else 0


@_takes("pack", 2, 2)
def _pack(budget: Budget, bottom: int, top: int) -> Value:
    return bottom % 65536 + top % 65536 * 65536


@_takes("range", 1, 3)
def _range(budget: Budget, *args: int) -> Value:
    if len(args) == 3 and args[2] == 0:
        raise Refused("a step of zero")
    if any(abs(arg) > 1 << 62 for arg in args):
        raise Refused(f"a list of more than {MOST_ITEMS} elements")
    values = range(*args)
    if len(values) > MOST_ITEMS:
        raise Refused(f"a list of more than {MOST_ITEMS} elements")
    budget.spend(len(values) // 8, "`range`")
    return tuple(values)


@_takes("abs", 1, 1)
def _abs(budget: Budget, x: int) -> Value:
    return abs(x)


def _len(budget: Budget, *args: Value) -> Value:
    if len(args) != 1 or not isinstance(args[0], tuple):
        raise Refused("`len` takes one list")
    return len(args[0])


def _over(name: str, function: Callable[[tuple[int, ...]], int]) -> Callable[..., Value]:
    """min, max, sum: of one list, or of the arguments."""

    def call(budget: Budget, *args: Value) -> Value:
        values = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
        numbers = _numbers(values, name, budget)
        if not numbers and name != "sum":
            raise Refused(f"`{name}` of nothing")
        result = function(numbers)
        _bounded(result.bit_length())
        return result

    return call


BUILTINS: dict[str, Callable[..., Value]] = {
    "powmod": _powmod,
    "invmod": _invmod,
    "smod": _smod,
    "div": _div,
    "bitrev": _bitrev,
    "pack": _pack,
    "range": _range,
    "abs": _abs,
    "len": _len,
    "min": _over("min", min),
    "max": _over("max", max),
    "sum": _over("sum", sum),
}
