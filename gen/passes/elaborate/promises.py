# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""`ensures` of a routine or a sub: conditions on numbers, before and after the call."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeGuard

from gen.diag import Failed, fail
from gen.ir.ensured import Method
from gen.ir.ir import Argument, Digits, Ensured, Number, Returned, less, residue
from gen.passes.elaborate.scope import Scope
from gen.read.consteval import Function, evaluate_node
from gen.read.consteval import Names as ConstNames
from gen.read.expression import place
from gen.read.proto import Type
from gen.read.syntax import Expr

_FORM = "value(r) % P == value(a) * value(b) % P"
DEEPEST = 8  # constant functions within each other
_RING = (ast.Add, ast.Sub, ast.Mult)
_SUMS = (*_RING, ast.Mod, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)
_LINKS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_BY_CONSTANT = (ast.Mod, ast.LShift, ast.RShift)


@dataclass(frozen=True)
class Names:
    """What the conditions of a routine can name: parameters, and its result ("": none)."""

    params: Mapping[str, Type]
    result: str = ""


def promises(expr: Expr, names: Names, scope: Scope) -> tuple[Ensured, ...]:
    """The conditions that are joined by `and`. Errors: `bad-expression`, `undefined`."""
    found: list[Ensured] = []
    for whole in _joined(expr.node):
        stated = " ".join(ast.unparse(whole).split())
        for part, bound in _parts(expr, whole, scope):
            found.append(_Folder(expr, names, scope).ensured(part, bound, stated))
    return tuple(map(_with_equations, found)) if any(map(_by_identity, found)) else tuple(found)


def _by_identity(one: Ensured) -> bool:
    return one.method == "identity"


def _with_equations(one: Ensured) -> Ensured:
    """Beside equations: what is less than what follows from the same identities."""
    polynomials = less(one.node) and _relation(one.node, ast.Lt)
    return replace(one, method="identity") if polynomials else one


Bound = Mapping[str, int]  # names of `for` within `all`


def _joined(node: ast.expr) -> list[ast.expr]:
    """What `and` joins."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [part for value in node.values for part in _joined(value)]
    return [node]


def _parts(expr: Expr, whole: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr, Bound]]:
    waiting: list[tuple[ast.expr, Bound]] = [(whole, {})]
    while waiting:
        node, bound = waiting.pop(0)
        if _is_all(node):
            rows = list(_all(expr, node, bound, scope))
            waiting[:0] = [(part, row) for one, row in rows for part in _joined(one)]
        else:
            yield node, bound


def _is_all(node: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "all"


def _all(
    expr: Expr, node: ast.Call, bound: Bound, scope: Scope
) -> Iterator[tuple[ast.expr, Bound]]:
    """`all([CONDITION for k in LIST])`, written out."""
    [rows] = node.args if len(node.args) == 1 else [node]
    wrong = fail(
        "bad-expression",
        place(expr, node),
        "`all` takes one list of conditions",
        help="all([p[k] < 5 for k in range(8)])",
    )
    if not isinstance(rows, ast.ListComp) or len(rows.generators) != 1:
        raise wrong
    [each] = rows.generators
    if not isinstance(each.target, ast.Name) or each.ifs:
        raise wrong
    budget = scope.file.world.budget
    values = evaluate_node(expr, _with(each.iter, bound), scope.file, budget)
    for value in values if isinstance(values, tuple) else ():
        if isinstance(value, tuple):
            raise wrong
        yield rows.elt, {**bound, each.target.id: int(value)}


class _Bind(ast.NodeTransformer):
    def __init__(self, bound: Bound) -> None:
        self.bound = bound

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:  # noqa: N802
        inner = {one.target.id for one in node.generators if isinstance(one.target, ast.Name)}
        for one in node.generators:
            one.iter = self.visit(one.iter)
        left = {name: value for name, value in self.bound.items() if name not in inner}
        node.elt = _Bind(left).visit(node.elt)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802
        if node.id not in self.bound:
            return node
        return ast.copy_location(ast.Constant(self.bound[node.id]), node)


def _with(node: ast.expr, bound: Bound) -> ast.expr:
    """The expression with numbers in the place of bound names."""
    if not bound:
        return node
    made = _Bind(bound).visit(ast.parse(ast.unparse(node), mode="eval").body)
    for part in ast.walk(made):
        if isinstance(part, ast.expr):
            ast.copy_location(part, node)
    assert isinstance(made, ast.expr)
    return made


class _Replace(ast.NodeTransformer):
    """Arguments in the place of the parameters of a constant function."""

    def __init__(self, args: Mapping[str, ast.expr]) -> None:
        self.args = args

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802
        return self.args.get(node.id, node)


class _Folder:
    def __init__(self, expr: Expr, names: Names, scope: Scope) -> None:
        self.expr, self.names, self.scope = expr, names, scope
        self.env: dict[str, Number] = {}
        self.consts: ConstNames = scope.file  # what constants mean in the text that is folded
        self.depth = 0

    def wrong(self, node: ast.AST, message: str) -> Failed:
        return fail("bad-expression", place(self.expr, node), message, help=_FORM)

    def ensured(self, node: ast.expr, bound: Bound, stated: str) -> Ensured:
        node = _with(node, bound)
        made = self.truth(node)
        text = " ".join(ast.unparse(node).split())
        method: Method = "identity" if _relation(made, ast.Eq) else "smt"
        return Ensured(made, self.env, text, stated, place(self.expr, node), method)

    # --- truth values ---

    def truth(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self.truth(part) for part in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self.truth(node.operand))
        if _is_all(node):
            rows = _all(self.expr, node, {}, self.scope)
            return ast.BoolOp(ast.And(), [self.truth(_with(one, bound)) for one, bound in rows])
        if not isinstance(node, ast.Compare):
            raise self.wrong(node, "this is a number, not a condition")
        if not all(isinstance(op, _LINKS) for op in node.ops):
            raise self.wrong(node, "a comparison uses == != < <= > >=")
        return ast.Compare(
            self.number(node.left), node.ops, [self.number(part) for part in node.comparators]
        )

    # --- numbers ---

    def number(self, node: ast.expr) -> ast.expr:
        """A side: constants folded, what stands in buffers as names."""
        if isinstance(node, ast.Name) and node.id in self.env:
            return node  # folded already, as an argument of a constant function
        if not self.speaks(node):
            return ast.Constant(self.constant(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = self.consts.function(node.func.id)
            if function is not None:
                return self.inline(node, function)
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return ast.BinOp(ast.Constant(0), ast.Sub(), self.number(node.operand))
        if isinstance(node, ast.IfExp):
            return ast.IfExp(
                self.truth(node.test), self.number(node.body), self.number(node.orelse)
            )
        return self.named(self.subject(node))

    def speaks(self, node: ast.expr) -> bool:
        """Whether it is about anything but constants."""
        known = {*self.names.params, "value", "old", self.names.result, *self.env}
        return any(isinstance(part, ast.Name) and part.id in known for part in ast.walk(node))

    def inline(self, node: ast.Call, function: Function) -> ast.expr:
        """The body of a constant function about buffers and numbers."""
        if len(function.params) != len(node.args):
            raise self.wrong(node, f"`{function.name}` takes {len(function.params)} arguments")
        if self.depth >= DEEPEST:
            raise self.wrong(node, "constant functions call each other too deeply for a condition")
        args = [arg if self.is_buffer(arg) else self.number(arg) for arg in node.args]
        body = _Replace(dict(zip(function.params, args, strict=True))).visit(
            copy.deepcopy(function.expr.node)
        )
        outer = self.expr, self.consts
        self.expr, self.consts, self.depth = function.expr, function.names, self.depth + 1
        made = self.number(body)
        (self.expr, self.consts), self.depth = outer, self.depth - 1
        return made

    def is_buffer(self, node: ast.expr) -> bool:
        type_ = self.names.params.get(node.id) if isinstance(node, ast.Name) else None
        return type_ is not None and type_.pointer

    def binary(self, node: ast.BinOp) -> ast.expr:
        left, right = self.number(node.left), self.number(node.right)
        if isinstance(node.op, ast.Pow):
            if not isinstance(right, ast.Constant) or int(right.value) < 1:  # type: ignore[arg-type]
                raise self.wrong(node.right, "the exponent is a constant from 1 on")
        elif not isinstance(node.op, _SUMS):
            raise self.wrong(node, "this cannot be said about whole numbers")
        elif isinstance(node.op, _BY_CONSTANT):
            least = 1 if isinstance(node.op, ast.Mod) else 0
            if not isinstance(right, ast.Constant):
                name = "modulus" if least else "amount of a shift"
                raise self.wrong(node.right, f"the {name} is a constant")
            if int(right.value) < least:  # type: ignore[arg-type]
                raise self.wrong(node.right, f"this is below {least}")
        return ast.BinOp(left, node.op, right)

    def named(self, subject: Number) -> ast.expr:
        key = str(subject)
        self.env[key] = subject
        return ast.Name(key, ast.Load())

    def subject(self, node: ast.expr) -> Number:
        """`value(p)`, `value(p[lo:hi])`, `p[k]`, `old(...)` of these, a number of the prototype."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            [inner] = node.args
            if node.func.id == "old":
                found = self.subject(inner)
                if isinstance(found, Digits):
                    return Digits(found.param, found.first, found.last, old=True)
                raise self.wrong(node, "`old` is about what stands in a buffer")
            if node.func.id == "value":
                return self.digits(inner)
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            name, type_ = self.buffer(node.value)
            first = self.constant(node.slice)
            return self.part(node, name, type_, first, first + 1)
        if isinstance(node, ast.Name) and node.id in self.names.params:
            if self.names.params[node.id].pointer:
                raise self.wrong(node, f"`{node.id}` is a buffer")
            return Argument(node.id)
        if isinstance(node, ast.Name) and node.id == self.names.result != "":
            return Returned()
        raise self.wrong(node, "this cannot be said about whole numbers")

    def digits(self, node: ast.expr) -> Digits:
        """The elements that are the digits of a number, least significant first."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice):
            name, type_ = self.buffer(node)
            if type_.count is None or type_.signed:
                raise self.no_digits(node)
            return Digits(name, 0, type_.count)
        name, type_ = self.buffer(node.value)
        ends = node.slice.lower, node.slice.upper
        if type_.signed or node.slice.step is not None or ends[1] is None:
            raise self.no_digits(node)
        first = 0 if ends[0] is None else self.constant(ends[0])
        return self.part(node, name, type_, first, self.constant(ends[1]))

    def part(self, node: ast.expr, name: str, type_: Type, first: int, last: int) -> Digits:
        if not 0 <= first < last or (type_.count is not None and last > type_.count):
            raise self.wrong(node, f"`{name}` has no such elements")
        return Digits(name, first, last)

    def buffer(self, node: ast.expr) -> tuple[str, Type]:
        type_ = self.names.params.get(node.id) if isinstance(node, ast.Name) else None
        if type_ is None or not type_.pointer:
            raise self.no_digits(node)
        assert isinstance(node, ast.Name)
        return node.id, type_

    def no_digits(self, node: ast.expr) -> Failed:
        return self.wrong(
            node, "value(...) takes an array of unsigned elements whose length the prototype states"
        )

    def constant(self, node: ast.expr) -> int:
        value = evaluate_node(self.expr, node, self.consts, self.scope.file.world.budget)
        if isinstance(value, tuple):
            raise self.wrong(node, "a list; a number is needed")
        return int(value)


def _relation(node: ast.expr, kind: type[ast.cmpop]) -> bool:
    """Whether both sides are polynomials or, in an equation, residues of polynomials by the same number."""
    if not isinstance(node, ast.Compare) or [type(op) for op in node.ops] != [kind]:
        return False
    left, right = residue(node.left), residue(node.comparators[0])
    same = left[1] == right[1] and (kind is ast.Eq or not left[1])
    return same and _polynomial(left[0]) and _polynomial(right[0])


def _polynomial(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        fits = isinstance(node.op, (*_RING, ast.Pow))
        return fits and _polynomial(node.left) and _polynomial(node.right)
    return isinstance(node, ast.Name | ast.Constant)
