# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""C expressions with the range of values they can have; their type is the first of TYPES that holds the range."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

TYPES = {
    "uint32_t": (0, 2**32 - 1),
    "int32_t": (-(2**31), 2**31 - 1),
    "int64_t": (-(2**63), 2**63 - 1),
    "uint64_t": (0, 2**64 - 1),
}


class Inexact(Exception):
    """The value may not fit 64 bits."""


@dataclass(frozen=True, slots=True)
class Words:
    """A temporary that holds a value modulo 2**64 in a uint64_t."""

    text: str


def type_of(low: int, high: int) -> str:
    """The first type that holds the range. Raises Inexact when none does."""
    for name, (least, most) in TYPES.items():
        if least <= low and high <= most:
            return name
    raise Inexact


@dataclass(frozen=True, slots=True)
class Value:
    """A C expression that equals a mathematical value known to be in [low, high]; of type `type_of(low, high)`."""

    text: str
    low: int
    high: int

    @property
    def type(self) -> str:
        return type_of(self.low, self.high)

    def cast(self, wanted: str) -> str:
        """The text, cast unless the type is already right. A constant is spelled in the type."""
        if self.low == self.high:
            return literal(self.low, wanted)
        return self.text if self.type == wanted else f"({wanted}){self.text}"


def literal(value: int, wanted: str) -> str:
    """A constant of a type; unsigned types take it modulo their size."""
    if wanted[0] == "u":
        value %= TYPES[wanted][1] + 1
        spelled = str(value) if value < 4096 else hex(value)
        return spelled + ("u" if wanted == "uint32_t" else "ull")
    if value == TYPES[wanted][0]:
        return f"({literal(value + 1, wanted)} - 1)"
    suffix = "" if wanted == "int32_t" else "ll"
    return f"{value}{suffix}" if value >= 0 else f"(-{-value}{suffix})"


def narrowed(text: str, has: str, low: int, high: int) -> Value:
    """`text` of type `has` as the value of [low, high], cast to the type of that range."""
    wanted = type_of(low, high)
    return Value(text if has == wanted else f"({wanted}){text}", low, high)


def is_bit(value: Value) -> bool:
    return (value.low, value.high) == (0, 1)


def bit_times(bit: Value, factor: int) -> Value:
    """By a mask: of a factor compilers make a branch, and the bit may be secret."""
    if factor == 1:
        return bit
    return Value(f"choose({bare(bit.text)}, {literal(factor, 'uint32_t')}, 0u)", 0, factor)


def range_of(operator: ast.operator, left: Value, right: Value) -> tuple[int, int]:
    """Range of a result. Bit operations are exact on non-negative operands only."""
    if isinstance(operator, ast.Add):
        return left.low + right.low, left.high + right.high
    if isinstance(operator, ast.Sub):
        return left.low - right.high, left.high - right.low
    if isinstance(operator, ast.Mult):
        corners = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
        return min(corners), max(corners)
    if left.low < 0 or right.low < 0:
        raise Inexact
    if isinstance(operator, ast.BitAnd):
        return 0, min(left.high, right.high)
    return 0, (1 << max(left.high, right.high).bit_length()) - 1


def decided(sign: str, left: Value, right: Value) -> int | None:
    """The outcome of a comparison that the ranges settle (compilers warn of those)."""
    if sign in (">", ">="):
        return decided({">": "<", ">=": "<="}[sign], right, left)
    if left.text == right.text:
        return int("=" in sign and sign != "!=")
    apart = left.high < right.low or right.high < left.low
    if sign in ("==", "!="):
        return int(sign == "!=") if apart else None
    below = left.high < right.low + (sign == "<=")
    above = left.low >= right.high + (sign == "<=")
    return 1 if below else 0 if above else None


def bare(text: str) -> str:
    """An expression without parentheses around the whole."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and at < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


Tree = TypeVar("Tree", bound=ast.AST)


def filled(node: Tree, parts: Mapping[str, ast.expr]) -> Tree:
    """The tree with expressions put for names; what does not change is shared."""
    if isinstance(node, ast.Name) and node.id in parts:
        return parts[node.id]  # type: ignore[return-value]
    changed: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            new: object = filled(value, parts)
        elif isinstance(value, list):
            new = [filled(one, parts) if isinstance(one, ast.AST) else one for one in value]
            new = value if all(x is y for x, y in zip(new, value, strict=True)) else new
        else:
            continue
        if new is not value:
            changed[name] = new
    return type(node)(**{**dict(ast.iter_fields(node)), **changed}) if changed else node


def parsed(text: str, **parts: ast.expr) -> ast.expr:
    """An expression with others in the place of its names."""
    return filled(ast.parse(text, mode="eval").body, parts)


def long_product(operator: ast.operator, left: Value, right: Value, wanted: str) -> str:
    """The product of two words as int64_t or uint64_t; "" for all else.

    It is a function's, as not every core has a multiplication for it whose time the data does not decide.
    """
    if not isinstance(operator, ast.Mult) or "64" not in wanted:
        return ""
    ends = (left.low, left.high, right.low, right.high)
    for kind, name, has in (("uint32_t", "umul64", "uint64_t"), ("int32_t", "smul64", "int64_t")):
        low, high = TYPES[kind]
        if low <= min(ends) and max(ends) <= high:
            text = f"{name}({bare(left.cast(kind))}, {bare(right.cast(kind))})"
            return text if has == wanted else f"({wanted}){text}"
    return ""
