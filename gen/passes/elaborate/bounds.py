# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""`|p[i]| < E`, `lo <= p[i] <= hi`, `lo <= n <= hi`, `value(r) < E` -> Bounds."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from gen.diag import Failed, fail
from gen.ir.ir import Bound
from gen.passes.elaborate.scope import Scope
from gen.read.builtins import show
from gen.read.consteval import evaluate_node
from gen.read.expression import place
from gen.read.proto import Type
from gen.read.syntax import Expr, ParamDecl


@dataclass
class _Ends:
    low: int | None = None
    high: int | None = None


def bounds(
    line: ParamDecl, type_: Type, scope: Scope
) -> tuple[tuple[Bound, ...], tuple[Bound, ...]]:
    """What holds before and after the call. Errors: `bad-expression`, `params-mismatch`."""
    pre = tuple(_bound(p.pre, line, type_, scope) for p in line.promises if p.pre is not None)
    post = tuple(_bound(p.post, line, type_, scope) for p in line.promises if p.post is not None)
    written = line.role in ("out", "inout")
    if post and not written:
        where = next(p.post for p in line.promises if p.post is not None)
        raise fail(
            "params-mismatch",
            where.span,
            f"`{line.name.text}` is not written; `->` says nothing about it",
        )
    if pre and line.role == "out":
        where = next(p.pre for p in line.promises if p.pre is not None)
        raise fail(
            "params-mismatch",
            where.span,
            f"`{line.name.text}` is not read; a bound on what is written follows `->`",
            help=f"-> {where.text}",
        )
    return pre, post


def _bound(expr: Expr, line: ParamDecl, type_: Type, scope: Scope) -> Bound:
    return _Reader(expr, line, type_, scope).bound()


class _Reader:
    def __init__(self, expr: Expr, line: ParamDecl, type_: Type, scope: Scope) -> None:
        self.expr, self.line, self.type, self.scope = expr, line, type_, scope
        self.name = line.name.text
        self.kind: Literal["each", "value"] = "each"

    def wrong(self, node: ast.AST, message: str) -> Failed:
        n = self.name
        form = f"|{n}[i]| < B" if self.type.pointer else f"0 <= {n} <= B"
        return fail("bad-expression", place(self.expr, node), message, help=form)

    def bound(self) -> Bound:
        node = self.expr.node
        if not isinstance(node, ast.Compare):
            raise self.wrong(node, "a bound is a comparison")
        ends = _Ends()
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            self.link(node, left, op, right, ends)
        low, high = self.limits()
        bound = Bound(
            self.kind,
            low if ends.low is None else ends.low,
            high if ends.high is None else ends.high,
            " ".join(self.expr.text.split()),
        )
        if bound.lo > bound.hi:
            raise self.wrong(node, f"no value is between {show(bound.lo)} and {show(bound.hi)}")
        if bound.lo < low or bound.hi > high:
            raise self.wrong(node, f"{self.type.text} holds {show(low)} to {show(high)} only")
        return bound

    def limits(self) -> tuple[int, int]:
        """What the type can hold."""
        if self.kind == "value":
            assert self.type.count is not None
            return 0, 2 ** (self.type.bits * self.type.count) - 1
        bits = self.type.bits
        return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if self.type.signed else (0, 2**bits - 1)

    def link(
        self, whole: ast.AST, left: ast.expr, op: ast.cmpop, right: ast.expr, ends: _Ends
    ) -> None:
        """One comparison of a chain."""
        mirrored: dict[type, type] = {
            ast.Gt: ast.Lt,
            ast.GtE: ast.LtE,
            ast.Lt: ast.Gt,
            ast.LtE: ast.GtE,
        }
        kind = type(op)
        subject, limit = left, right
        if not self.about(left):
            subject, limit, kind = right, left, mirrored.get(kind, kind)
        if not self.about(subject) or self.about(limit):
            raise self.wrong(
                whole, f"one side of the comparison is about `{self.name}`, the other a constant"
            )
        absolute = self.subject(subject)
        value = evaluate_node(self.expr, limit, self.scope.file, self.scope.file.world.budget)
        if isinstance(value, tuple):
            raise self.wrong(limit, "a list; a number is needed")
        if kind in (ast.Lt, ast.LtE):
            high = value - (kind is ast.Lt)
            ends.high = high if ends.high is None else min(high, ends.high)
            if absolute:
                ends.low = -high if ends.low is None else max(-high, ends.low)
        elif kind in (ast.Gt, ast.GtE) and not absolute:
            low = value + (kind is ast.Gt)
            ends.low = low if ends.low is None else max(low, ends.low)
        elif kind is ast.Eq and not absolute:
            ends.low = ends.high = value
        else:
            raise self.wrong(whole, "a bound uses < <= > >= or ==, and |x| only from above")

    def about(self, node: ast.expr) -> bool:
        return any(isinstance(part, ast.Name) and part.id == self.name for part in ast.walk(node))

    def subject(self, node: ast.expr) -> bool:
        """Checks the side that is about the parameter; whether it is an absolute value."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            if node.func.id == "abs":
                self.subject(node.args[0])
                return True
            if node.func.id == "value" and isinstance(node.args[0], ast.Name):
                if self.type.count is None:
                    raise self.wrong(
                        node, "value(...) needs an array whose length the prototype states"
                    )
                self.kind = "value"
                return False
        if self.type.pointer:
            plain = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
            if not (isinstance(node, ast.Subscript) and plain and isinstance(node.slice, ast.Name)):
                raise self.wrong(node, f"a bound is about every element: `{self.name}[i]`")
        elif not isinstance(node, ast.Name):
            raise self.wrong(node, f"a bound is about `{self.name}` itself")
        return False
