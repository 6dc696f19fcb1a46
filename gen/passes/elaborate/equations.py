# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""`ensures` of a routine: equations and `<` between numbers that its buffers hold, before and after the call."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gen.diag import Failed, fail
from gen.ir.ir import Equation
from gen.passes.elaborate.scope import Scope
from gen.read.consteval import evaluate_node
from gen.read.expression import place
from gen.read.proto import Type
from gen.read.syntax import Expr

_FORM = "value(r) % P == value(a) * value(b) % P"


def equations(expr: Expr, types: Mapping[str, Type], scope: Scope) -> tuple[Equation, ...]:
    """The equations of a condition. Errors: `bad-expression`, `undefined`."""
    node = expr.node
    parts = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
    return tuple(_Folder(expr, types, scope).equation(part) for part in parts)


class _Folder:
    def __init__(self, expr: Expr, types: Mapping[str, Type], scope: Scope) -> None:
        self.expr, self.types, self.scope = expr, types, scope

    def wrong(self, node: ast.AST, message: str) -> Failed:
        return fail("bad-expression", place(self.expr, node), message, help=_FORM)

    def equation(self, node: ast.expr) -> Equation:
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.Lt):
            raise self.wrong(node, "what a routine ensures is an equation or a bound by <")
        if len(node.ops) != 1:
            raise self.wrong(node, "an equation has two sides")
        sides = [self.number(node.left), self.number(node.comparators[0])]
        text = " ".join(ast.unparse(node).split())
        less = isinstance(node.ops[0], ast.Lt)
        if less and any(isinstance(part, ast.Mod) for side in sides for part in ast.walk(side)):
            raise self.wrong(node, "a residue has no order: `<` is between numbers")
        return Equation(sides[0], sides[1], text, place(self.expr, node), less)

    def number(self, node: ast.expr) -> ast.expr:
        """A side: constants folded, `value(p)` and `old(value(p))` as names."""
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        if not names & {*self.types, "value", "old"}:
            return self.constant(node)
        if isinstance(node, ast.BinOp) and isinstance(
            node.op, ast.Add | ast.Sub | ast.Mult | ast.Mod
        ):
            made = ast.BinOp(self.number(node.left), node.op, self.number(node.right))
            if isinstance(node.op, ast.Mod) and not isinstance(made.right, ast.Constant):
                raise self.wrong(node.right, "the modulus is a constant")
            return made
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return ast.BinOp(ast.Constant(0), ast.Sub(), self.number(node.operand))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            if node.func.id == "value":
                return ast.Name(f"value({self.buffer(node.args[0])})", ast.Load())
            if node.func.id == "old" and isinstance(node.args[0], ast.Call):
                inner = self.number(node.args[0])
                assert isinstance(inner, ast.Name)
                return ast.Name(f"old({inner.id})", ast.Load())
        if isinstance(node, ast.Name) and node.id in self.types:
            if self.types[node.id].pointer:
                raise self.wrong(
                    node,
                    f"`{node.id}` is a buffer",
                )
            return ast.Name(node.id, ast.Load())
        raise self.wrong(node, "this cannot be said about whole numbers")

    def constant(self, node: ast.expr) -> ast.expr:
        value = evaluate_node(self.expr, node, self.scope.file, self.scope.file.world.budget)
        if isinstance(value, tuple):
            raise self.wrong(node, "a list; a number is needed")
        return ast.Constant(value)

    def buffer(self, node: ast.expr) -> str:
        """The parameter whose elements are the digits of a number, least significant first."""
        type_ = self.types.get(node.id) if isinstance(node, ast.Name) else None
        if type_ is None or not type_.pointer or type_.count is None or type_.signed:
            raise self.wrong(
                node,
                "value(...) takes an array of unsigned elements whose length the prototype states",
            )
        assert isinstance(node, ast.Name)
        return node.id
