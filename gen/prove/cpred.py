# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Conditions as C expressions on mathematical integers: 64 bits wide where the ranges allow it,
else 128.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gen.ir.interp.preds import Subject, links, readings
from gen.ir.ir import Half, Old, Pred, Reg

LIMIT = 1 << 62
PRELUDE = """\
typedef __int128 wide;
static inline int64_t floor_mod(int64_t x, int64_t m) { x %= m; return x < 0 ? x + m : x; }
static inline wide floor_mod_wide(wide x, wide m) { x %= m; return x < 0 ? x + m : x; }
static inline int64_t floor_div(int64_t x, int64_t m) { return (x - floor_mod(x, m)) / m; }
static inline wide floor_div_wide(wide x, wide m) { return (x - floor_mod_wide(x, m)) / m; }
"""


@dataclass(frozen=True, slots=True)
class Term:
    """A C expression whose value lies in [lo, hi]; of type wide when that leaves 63 bits."""

    text: str
    lo: int
    hi: int

    @property
    def wide(self) -> bool:
        return self.lo < -LIMIT or self.hi > LIMIT

    def of(self, wide: bool) -> str:
        return f"(wide){self.text}" if wide and not self.wide else self.text


class Writer:
    """`name(subject)` is the text of the uint32_t that holds the register of a subject."""

    def __init__(self, name: Callable[[Reg | Half | Old], str]) -> None:
        self.name = name

    # --- truth ---

    def condition(self, pred: Pred) -> str:
        return self._truth(pred.node, pred.env)

    def _truth(self, node: ast.expr, env: Mapping[str, Subject]) -> str:
        if isinstance(node, ast.BoolOp):
            joint = " && " if isinstance(node.op, ast.And) else " || "
            return "(" + joint.join(self._truth(value, env) for value in node.values) + ")"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"(!{self._truth(node.operand, env)})"
        assert isinstance(node, ast.Compare), ast.dump(node)
        parts = [
            self._compare(left, op, right, half_env)
            for half_env in readings(node, env)
            for left, op, right in links(node)
        ]
        return "(" + " && ".join(parts) + ")"

    def _compare(
        self, left: ast.expr, op: ast.cmpop, right: ast.expr, env: Mapping[str, Subject]
    ) -> str:
        if isinstance(op, ast.In):
            return "1 /* listed: its values are the ones tried */"
        if (divisible := self._divisible(left, op, right, env)) is not None:
            return divisible
        x, y = self.term(left, env), self.term(right, env)
        wide = x.wide or y.wide
        return f"({x.of(wide)} {_COMPARE[type(op)]} {y.of(wide)})"

    def _divisible(
        self, left: ast.expr, op: ast.cmpop, right: ast.expr, env: Mapping[str, Subject]
    ) -> str | None:
        """`x % m == 0`, for which C's remainder serves and is fast."""
        zero = isinstance(right, ast.Constant) and right.value == 0 and isinstance(op, ast.Eq)
        if not (zero and isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod)):
            return None
        x, y = self.term(left.left, env), self.term(left.right, env)
        wide = x.wide or y.wide
        return f"({x.of(wide)} % {y.of(wide)} == 0)"

    # --- numbers ---

    def term(self, node: ast.expr, env: Mapping[str, Subject]) -> Term:
        match node:
            case ast.Constant():
                return constant(int(node.value))  # type: ignore[arg-type]
            case ast.Name():
                return self._subject(env[node.id])
            case ast.UnaryOp(op=ast.USub()):
                inner = self.term(node.operand, env)
                return self._made("(0 - {0})", -inner.hi, -inner.lo, inner)
            case ast.Call(func=ast.Name(id="abs")):
                inner = self.term(node.args[0], env)
                text = "({0} < 0 ? 0 - {0} : {0})"
                return self._made(text, 0, max(abs(inner.lo), abs(inner.hi)), inner)
            case ast.BinOp():
                return self._binary(node, env)
        raise AssertionError(f"not part of a condition: {ast.dump(node)}")

    def _subject(self, subject: Subject) -> Term:
        assert isinstance(subject, Reg | Half | Old)
        word = self.name(subject)
        inner = subject.operand if isinstance(subject, Old) else subject
        if isinstance(inner, Half):
            function = "st" if inner.which == "t" else "sb"
            return Term(f"(int64_t){function}({word})", -0x8000, 0x7FFF)
        assert isinstance(inner, Reg)
        if inner.var.type in ("i32", "i16"):
            return Term(f"(int64_t)s32({word})", -(1 << 31), (1 << 31) - 1)
        return Term(f"(int64_t){word}", 0, (1 << 32) - 1)

    def _made(self, text: str, lo: int, hi: int, *parts: Term) -> Term:
        """A term out of others, all as wide as the widest of them or the result."""
        wide = lo < -LIMIT or hi > LIMIT or any(part.wide for part in parts)
        made = text.format(*(part.of(wide) for part in parts))
        if wide and not (lo < -LIMIT or hi > LIMIT):
            made = f"(int64_t){made}"
        return Term(made, lo, hi)

    def _binary(self, node: ast.BinOp, env: Mapping[str, Subject]) -> Term:
        x, y = self.term(node.left, env), self.term(node.right, env)
        if x.lo == x.hi and y.lo == y.hi:
            return constant(_FOLD[type(node.op)](x.lo, y.lo))
        match node.op:
            case ast.Add():
                return self._made("({0} + {1})", x.lo + y.lo, x.hi + y.hi, x, y)
            case ast.Sub():
                return self._made("({0} - {1})", x.lo - y.hi, x.hi - y.lo, x, y)
            case ast.Mult():
                corners = [a * b for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
                return self._made("({0} * {1})", min(corners), max(corners), x, y)
            case ast.Mod() | ast.FloorDiv():
                return self._divided(node.op, x, y)
        raise AssertionError(f"not part of a condition: {ast.dump(node.op)}")

    def _divided(self, op: ast.operator, x: Term, y: Term) -> Term:
        assert y.lo > 0, "a modulus is positive"
        wide = "_wide" if x.wide or y.wide else ""
        if isinstance(op, ast.Mod):
            return self._made(f"floor_mod{wide}({{0}}, {{1}})", 0, y.hi - 1, x, y)
        corners = [a // b for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
        return self._made(f"floor_div{wide}({{0}}, {{1}})", min(corners), max(corners), x, y)


def constant(value: int) -> Term:
    """A number; beyond 63 bits it is put together from two."""
    if abs(value) <= LIMIT:
        return Term(f"INT64_C({value})", value, value)
    high, low = divmod(value, 1 << 60)
    return Term(f"((wide)INT64_C({high}) * ((wide)1 << 60) + INT64_C({low}))", value, value)


_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_FOLD: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Mod: lambda x, y: x % y,
    ast.FloorDiv: lambda x, y: x // y,
    ast.Pow: lambda x, y: x**y,
    ast.LShift: lambda x, y: x << y,
    ast.RShift: lambda x, y: x >> y,
    ast.BitAnd: lambda x, y: x & y,
    ast.BitOr: lambda x, y: x | y,
    ast.BitXor: lambda x, y: x ^ y,
}
