# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Conditions on values: whether one holds in a state, and the state that is left when it is
believed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

from gen.ir.domains.base import Lattice
from gen.ir.interp.state import State
from gen.ir.ir import Element, Half, Old, Operand, Pred, Reg

V = TypeVar("V")
Subject = Operand | Element | Old


class Unreadable(Exception):
    """A name in a condition has no value here: what it stands for was optimised away or
    overwritten."""


class Judge(Generic[V]):
    """Evaluates conditions over a domain."""

    def __init__(
        self, dom: Lattice[V], state: State[V], element: Callable[[Element], V] | None = None
    ) -> None:
        self.dom, self.state, self.element = dom, state, element

    # --- values ---

    def value(self, subject: Subject) -> V:
        """What a name stands for, read as its type says."""
        if isinstance(subject, Element):
            if self.element is None:
                raise Unreadable
            return self.element(subject)
        regs = self.state.regs
        if isinstance(subject, Old):
            if subject.mark not in self.state.olds:
                raise Unreadable
            regs, subject = self.state.olds[subject.mark], subject.operand
        assert isinstance(subject, Reg | Half)
        if subject.var not in regs:
            raise Unreadable
        word = regs[subject.var]
        if isinstance(subject, Half):
            return self.dom.half(word, subject.which == "t")
        return self.dom.u(word, 32) if unsigned(subject) else self.dom.s(word, 32)

    def expr(self, node: ast.expr, env: Mapping[str, Subject]) -> V:
        dom = self.dom
        match node:
            case ast.Constant():
                return dom.const(int(node.value))  # type: ignore[arg-type]
            case ast.Name():
                return self.value(env[node.id])
            case ast.UnaryOp(op=ast.USub()):
                return dom.sub(dom.const(0), self.expr(node.operand, env))
            case ast.UnaryOp(op=ast.Invert()):
                return dom.inv(self.expr(node.operand, env))
            case ast.BinOp():
                return self._binary(node, env)
            case ast.Call(func=ast.Name(id="abs")):
                return self._abs(self.expr(node.args[0], env))
        raise AssertionError(f"not part of a condition: {ast.dump(node)}")

    def _binary(self, node: ast.BinOp, env: Mapping[str, Subject]) -> V:
        dom, left, right = self.dom, self.expr(node.left, env), self.expr(node.right, env)
        match node.op:
            case ast.Add():
                return dom.add(left, right)
            case ast.Sub():
                return dom.sub(left, right)
            case ast.Mult():
                return dom.mul(left, right)
            case ast.LShift():
                return dom.shl(left, right)
            case ast.RShift():
                return dom.shr(left, right)
            case ast.BitAnd():
                return dom.and_(left, right)
            case ast.BitOr():
                return dom.or_(left, right)
            case ast.BitXor():
                return dom.xor(left, right)
            case ast.Pow():
                return self._exactly(left, right, lambda x, y: x**y)
            case ast.FloorDiv():
                return self._exactly(left, right, lambda x, y: x // y)
        assert isinstance(node.op, ast.Mod), node.op
        return self._modulo(left, right)

    def _exactly(self, x: V, y: V, operation: Callable[[int, int], int]) -> V:
        left, right = self.dom.exactly(x), self.dom.exactly(y)
        if left is None or right is None:
            raise Unreadable
        return self.dom.const(operation(left, right))

    def _modulo(self, x: V, y: V) -> V:
        """x % y as Python has it, for a known y > 0."""
        modulus, bounds = self.dom.exactly(y), self.dom.bounds(x)
        if modulus is None or bounds is None or modulus <= 0:
            raise Unreadable
        lo, hi, _ = bounds
        period = lo // modulus
        if hi // modulus == period:
            return self.dom.sub(x, self.dom.const(period * modulus))
        return self.dom.unknown(0, modulus - 1)

    def _abs(self, x: V) -> V:
        bounds = self.dom.bounds(x)
        if bounds is None:
            raise Unreadable
        lo, hi, _ = bounds
        if lo == hi:
            return self.dom.const(abs(lo))
        return self.dom.unknown(max(0, lo, -hi), max(abs(lo), abs(hi)))

    # --- truth ---

    def holds(self, pred: Pred) -> bool | None:
        """Whether `pred` holds for everything the state stands for; None when it cannot be told."""
        try:
            return self._truth(pred.node, pred.env)
        except Unreadable:
            return None

    def _truth(self, node: ast.expr, env: Mapping[str, Subject]) -> bool | None:
        if isinstance(node, ast.BoolOp):
            parts = [self._truth(value, env) for value in node.values]
            deciding = isinstance(node.op, ast.Or)
            if deciding in parts:
                return deciding
            return None if None in parts else not deciding
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._truth(node.operand, env)
            return None if inner is None else not inner
        assert isinstance(node, ast.Compare), ast.dump(node)
        parts = [
            self._compare(left, op, right, env)
            for half_env in readings(node, env)
            for left, op, right in links(node)
            for env in (half_env,)
        ]
        if False in parts:
            return False
        return None if None in parts else True

    def _compare(
        self, left: ast.expr, op: ast.cmpop, right: ast.expr, env: Mapping[str, Subject]
    ) -> bool | None:
        dom = self.dom
        if isinstance(op, ast.In):
            return self._within(self.expr(left, env), right)
        x, y = self.expr(left, env), self.expr(right, env)
        match op:
            case ast.Eq():
                return dom.truth(dom.eq(x, y))
            case ast.NotEq():
                equal = dom.truth(dom.eq(x, y))
                return None if equal is None else not equal
            case ast.Lt():
                return dom.truth(dom.lt(x, y))
            case ast.Gt():
                return dom.truth(dom.lt(y, x))
            case ast.LtE():
                return dom.truth(dom.lt(x, dom.add(y, dom.const(1))))
        assert isinstance(op, ast.GtE), op
        return dom.truth(dom.lt(y, dom.add(x, dom.const(1))))

    def _within(self, x: V, listed: ast.expr) -> bool | None:
        value = self.dom.exactly(x)
        return None if value is None else value in _members(listed)


@lru_cache(maxsize=64)
def _members(listed: ast.expr) -> frozenset[int]:
    """The numbers of a list that evaluation has folded."""
    assert isinstance(listed, ast.Tuple | ast.List | ast.Set)
    return frozenset(ast.literal_eval(item) for item in listed.elts)


@lru_cache(maxsize=4096)
def _names(node: ast.Compare) -> frozenset[str]:
    """Names in a comparison; lists of constants are long and have none."""
    sides = [side for side in (node.left, *node.comparators) if not isinstance(side, ast.Tuple)]
    names = (name for side in sides for name in ast.walk(side))
    return frozenset(name.id for name in names if isinstance(name, ast.Name))


def unsigned(subject: Reg) -> bool:
    """Whether a register's value is read without sign."""
    return subject.var.type not in ("i32", "i16")


def links(node: ast.Compare) -> list[tuple[ast.expr, ast.cmpop, ast.expr]]:
    """The two-sided comparisons of a chain."""
    operands = [node.left, *node.comparators]
    return list(zip(operands, node.ops, operands[1:], strict=False))


def readings(node: ast.Compare, env: Mapping[str, Subject]) -> list[Mapping[str, Subject]]:
    """The environments a comparison is about: a packed register stands for both its halves."""
    packed = {
        name: subject
        for name in _names(node)
        if isinstance(subject := env.get(name), Reg) and subject.var.type == "i16x2"
    }
    if not packed:
        return [env]
    return [
        {**env, **{name: Half(reg.var, which) for name, reg in packed.items()}}
        for which in ("b", "t")
    ]


def believe(dom: Lattice[V], state: State[V], pred: Pred) -> None:
    """Narrows the registers of `state` by a condition: comparisons of a name, or its |name|, with
    bounds."""
    _believe(Judge(dom, state), pred.node, pred.env)


def _believe(judge: Judge[V], node: ast.expr, env: Mapping[str, Subject]) -> None:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for value in node.values:
            _believe(judge, value, env)
    if not isinstance(node, ast.Compare):
        return
    for half_env in readings(node, env):
        for left, op, right in links(node):
            try:
                _narrow(judge, left, op, right, half_env)
                if (mirrored := _MIRROR.get(type(op))) is not None:
                    _narrow(judge, right, mirrored(), left, half_env)
            except Unreadable:
                continue


_MIRROR: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
}


def _narrow(
    judge: Judge[V], left: ast.expr, op: ast.cmpop, right: ast.expr, env: Mapping[str, Subject]
) -> None:
    """Cuts what the name on the left stands for by the bounds of the right."""
    magnitude = isinstance(left, ast.Call)
    name = left.args[0] if isinstance(left, ast.Call) else left
    if not isinstance(name, ast.Name) or isinstance(op, ast.In):
        return
    subject = env[name.id]
    bounds = judge.dom.bounds(judge.expr(right, env))
    if not isinstance(subject, Reg | Half) or bounds is None:
        return
    lo, hi = -(1 << 32), 1 << 32
    if isinstance(op, ast.Lt | ast.LtE | ast.Eq):
        hi = bounds[1] - isinstance(op, ast.Lt)
        lo = -hi if magnitude else lo
    if isinstance(op, ast.Gt | ast.GtE | ast.Eq) and not magnitude:
        lo = bounds[0] + isinstance(op, ast.Gt)
    _clip(judge, subject, lo, hi)


def _clip(judge: Judge[V], subject: Reg | Half, lo: int, hi: int) -> None:
    dom, regs = judge.dom, judge.state.regs
    value = judge.value(subject)
    bounds = dom.bounds(value)
    if bounds is None or bounds[1] < lo or bounds[0] > hi or (bounds[0] >= lo and bounds[1] <= hi):
        return  # nothing left, or nothing to cut
    value = dom.clip(value, lo, hi)
    word = regs[subject.var]
    if isinstance(subject, Half):
        top = subject.which == "t"
        other = dom.half(word, not top)
        value = dom.pack(other, value) if top else dom.pack(value, other)
    regs[subject.var] = value
