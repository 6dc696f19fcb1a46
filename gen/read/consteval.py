# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs compile-time expressions: integers and lists (tuples) of them, with limits on size, steps
and depth."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from gen.diag import Failed, Frame, fail, nearest
from gen.read.builtins import BUILTINS, Budget, Refused, Value, binary, compare, subscript
from gen.read.expression import place
from gen.read.source import Span
from gen.read.syntax import Expr

MOST_KNOWN = 4096  # values kept of a constant function
DEEPEST = 100  # levels of expressions, over all functions being evaluated


Known = dict[tuple[Value, ...], Value]  # arguments -> value


@dataclass(frozen=True)
class Function:
    """`const name(params) = expr`, to be evaluated with the names of its own file."""

    name: str
    params: tuple[str, ...]
    expr: Expr
    names: Names
    known: Known = field(default_factory=dict)  # what it gave so far


class Names(Protocol):
    """What an expression can refer to."""

    def value(self, name: str) -> Value | None:
        """The value of a constant; None when there is none."""
        ...

    def missing(self, name: str, span: Span) -> Failed:
        """The error for a name without a value."""
        ...

    def function(self, name: str) -> Function | None: ...

    def functions(self) -> Iterable[str]: ...

    def has(self, feature: str) -> bool: ...


@dataclass
class Inner:
    """Parameters of a const function over the names of its file."""

    values: dict[str, Value]
    outer: Names = field(repr=False)

    def value(self, name: str) -> Value | None:
        found = self.values.get(name)
        return self.outer.value(name) if found is None else found

    def missing(self, name: str, span: Span) -> Failed:
        return self.outer.missing(name, span)

    def function(self, name: str) -> Function | None:
        return self.outer.function(name)

    def functions(self) -> Iterable[str]:
        return self.outer.functions()

    def has(self, feature: str) -> bool:
        return self.outer.has(feature)


def evaluate(expr: Expr, names: Names, budget: Budget) -> Value:
    """The value of `expr`. Errors: `bad-expression`, `undefined`, `unending`."""
    node = expr.node
    if type(node) is ast.Constant:
        return int(node.value)  # type: ignore[arg-type]
    return _Run(expr, names, budget).whole()


def evaluate_node(expr: Expr, node: ast.expr, names: Names, budget: Budget) -> Value:
    """The value of a part of `expr`."""
    return _Run(expr, names, budget).whole(node)


def integer(expr: Expr, names: Names, budget: Budget) -> int:
    """The value of an expression that must be a number."""
    value = evaluate(expr, names, budget)
    if isinstance(value, tuple):
        raise fail("bad-expression", expr.span, f"a list of {len(value)}; a number is needed")
    return int(value)


class _Run:
    """One expression being evaluated. Comprehension variables are kept in `local`."""

    __slots__ = ("budget", "expr", "local", "names")

    def __init__(self, expr: Expr, names: Names, budget: Budget) -> None:
        self.expr = expr
        self.names = names
        self.budget = budget
        self.local: dict[str, Value] = {}

    def whole(self, node: ast.expr | None = None) -> Value:
        budget, cost = self.budget, self.expr.depth + 2
        budget.depth += cost
        try:
            if budget.depth > DEEPEST:
                raise fail(
                    "unending",
                    self.expr.span,
                    "constant functions call each other without end",
                    help="give the recursion an end: `a if n == 0 else f(n - 1)`",
                )
            return self.walk(node or self.expr.node)
        finally:
            budget.depth -= cost

    def walk(self, node: ast.expr) -> Value:
        budget = self.budget
        budget.steps -= 1
        if budget.steps < 0:
            raise fail("unending", self.expr.span, "the expression takes too many steps")
        try:
            return _WALK[type(node)](self, node)
        except Refused as refused:
            code = "unending" if budget.steps < 0 else "bad-expression"
            raise fail(code, place(self.expr, node), str(refused), help=refused.help) from None

    # --- one method for each node ---

    def constant(self, node: ast.Constant) -> Value:
        return int(node.value)  # type: ignore[arg-type]

    def name(self, node: ast.Name) -> Value:
        found = self.local.get(node.id)
        if found is None:
            found = self.names.value(node.id)
            if found is None:
                raise self.names.missing(node.id, place(self.expr, node))
        return found

    def binary(self, node: ast.BinOp) -> Value:
        return binary(type(node.op), self.walk(node.left), self.walk(node.right), self.budget)

    def number(self, node: ast.expr) -> int:
        value = self.walk(node)
        if isinstance(value, tuple):
            raise fail(
                "bad-expression",
                place(self.expr, node),
                f"a list of {len(value)}; a number is needed",
            )
        return value

    def unary(self, node: ast.UnaryOp) -> Value:
        value = self.number(node.operand)
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.Invert):
            return ~value
        return int(not value) if isinstance(node.op, ast.Not) else value

    def boolean(self, node: ast.BoolOp) -> Value:
        last = isinstance(node.op, ast.Or)
        for part in node.values:
            if bool(self.number(part)) == last:
                return int(last)
        return int(not last)

    def comparison(self, node: ast.Compare) -> Value:
        left = self.walk(node.left)
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = self.walk(part)
            if not compare(type(op), left, right, self.budget):
                return 0
            left = right
        return 1

    def choice(self, node: ast.IfExp) -> Value:
        return self.walk(node.body if self.number(node.test) else node.orelse)

    def items(self, node: ast.List | ast.Tuple) -> Value:
        return tuple(self.walk(part) for part in node.elts)

    def subscript(self, node: ast.Subscript) -> Value:
        value = self.walk(node.value)
        if isinstance(node.slice, ast.Slice):
            cut = node.slice
            ends = [
                None if part is None else self.number(part)
                for part in (cut.lower, cut.upper, cut.step)
            ]
            return subscript(value, slice(*ends))
        return subscript(value, self.number(node.slice))

    def call(self, node: ast.Call) -> Value:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        function = self.names.function(name)
        if function is None and name == "has":
            return self.has(node)
        args = [self.walk(arg) for arg in node.args]
        if function is not None:
            return self.user(node, function, args)
        builtin = BUILTINS.get(name)
        if builtin is None:
            raise self.unknown(node, name)
        return builtin(self.budget, *args)

    def unknown(self, node: ast.Call, name: str) -> Failed:
        near = nearest(name, [*self.names.functions(), *BUILTINS])
        return fail("undefined", place(self.expr, node.func), f"no function `{name}`", help=near)

    def has(self, node: ast.Call) -> Value:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
            raise Refused("`has` takes the name of one feature", "has(dsp)")
        return int(self.names.has(node.args[0].id))

    def user(self, node: ast.Call, function: Function, args: list[Value]) -> Value:
        if len(args) != len(function.params):
            wanted = f"{function.name}({', '.join(function.params)})"
            span = place(self.expr, node)
            raise fail("bad-expression", span, f"`{wanted}` is given {len(args)} arguments")
        key = tuple(args)
        value = function.known.get(key)
        if value is not None:
            return value
        inner = Inner(dict(zip(function.params, args, strict=True)), function.names)
        try:
            value = evaluate(function.expr, inner, self.budget)
        except Failed as failed:
            raise _trailed(failed, Frame(function.name, place(self.expr, node))) from None
        if len(function.known) < MOST_KNOWN:
            function.known[key] = value
        return value

    def comprehension(self, node: ast.ListComp) -> Value:
        out: list[Value] = []
        saved = dict(self.local)
        self.generate(node, 0, out)
        self.local = saved
        return tuple(out)

    def generate(self, node: ast.ListComp, level: int, out: list[Value]) -> None:
        if level == len(node.generators):
            out.append(self.walk(node.elt))
            self.budget.sized(len(out))
            return
        part = node.generators[level]
        values = self.walk(part.iter)
        if not isinstance(values, tuple):
            raise Refused("`for` needs a list", "for i in range(8)")
        for value in values:
            self.bind(part.target, value)
            if all(self.number(test) for test in part.ifs):
                self.generate(node, level + 1, out)

    def bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.local[target.id] = value
            return
        if not isinstance(target, ast.Tuple | ast.List) or not isinstance(value, tuple):
            raise Refused("a loop variable is a name, or names for the parts of a list")
        if len(target.elts) != len(value):
            raise Refused(f"{len(target.elts)} names for {len(value)} values")
        for part, one in zip(target.elts, value, strict=True):
            self.bind(part, one)


def _trailed(failed: Failed, frame: Frame) -> Failed:
    """The errors of `failed`, reached through `frame`; a long chain of functions keeps its two
    ends."""
    for at, item in enumerate(failed.bag.items):
        trail = (frame, *item.trail)
        failed.bag.items[at] = replace(
            item, trail=trail if len(trail) <= 6 else trail[:1] + trail[2:]
        )
    return failed


_WALK: dict[type, Callable[[_Run, Any], Value]] = {
    ast.Constant: _Run.constant,
    ast.Name: _Run.name,
    ast.BinOp: _Run.binary,
    ast.UnaryOp: _Run.unary,
    ast.BoolOp: _Run.boolean,
    ast.Compare: _Run.comparison,
    ast.IfExp: _Run.choice,
    ast.List: _Run.items,
    ast.Tuple: _Run.items,
    ast.Subscript: _Run.subscript,
    ast.Call: _Run.call,
    ast.ListComp: _Run.comprehension,
}
