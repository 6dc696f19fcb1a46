# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A condition that a routine ensures, in the solver's terms."""

from __future__ import annotations

import ast
from functools import reduce

import z3

from gen.ir.domains.bitvector import Bits, BitVectors
from gen.ir.interp.preds import links
from gen.ir.ir import Ensured
from gen.passes.finished import Finished


class Formula:
    """Conditions over the numbers of one finished run. Numbers are integers: nothing wraps."""

    def __init__(self, dom: BitVectors, end: Finished[Bits]) -> None:
        self.dom, self.end = dom, end

    def of(self, one: Ensured) -> z3.BoolRef:
        """The whole condition."""
        return self._truth(one.node, one)

    def _truth(self, node: ast.expr, one: Ensured) -> z3.BoolRef:
        if isinstance(node, ast.BoolOp):
            joint = z3.And if isinstance(node.op, ast.And) else z3.Or
            return joint([self._truth(value, one) for value in node.values])
        if isinstance(node, ast.UnaryOp):
            return z3.Not(self._truth(node.operand, one))
        assert isinstance(node, ast.Compare), ast.dump(node)
        return z3.And(
            [
                self._compare(self._number(left, one), op, self._number(right, one))
                for left, op, right in links(node)
            ]
        )

    def _compare(self, x: Bits, op: ast.cmpop, y: Bits) -> z3.BoolRef:
        dom = self.dom
        match op:
            case ast.Eq():
                return dom.equal(x, y)
            case ast.NotEq():
                return z3.Not(dom.equal(x, y))
            case ast.Lt():
                return dom.less(x, y)
            case ast.GtE():
                return z3.Not(dom.less(x, y))
            case ast.Gt():
                return dom.less(y, x)
        assert isinstance(op, ast.LtE), op
        return z3.Not(dom.less(y, x))

    def _number(self, node: ast.expr, one: Ensured) -> Bits:
        match node:
            case ast.Constant(value=int(value)):
                return self.dom.const(value)
            case ast.Name():
                return self.end.number(one.env[node.id])
            case ast.IfExp():
                x, y = self._number(node.body, one), self._number(node.orelse, one)
                return self.dom.ite(self.dom.truth_of(self._truth(node.test, one)), x, y)
            case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=int(modulus))):
                return self.dom.mod(self._number(node.left, one), modulus)
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int(exponent))):
                return reduce(self.dom.mul, [self._number(node.left, one)] * exponent)
            case ast.BinOp():
                x, y = self._number(node.left, one), self._number(node.right, one)
                return self._binary(node.op, x, y)
        raise AssertionError(ast.dump(node))

    def _binary(self, op: ast.operator, x: Bits, y: Bits) -> Bits:
        match op:
            case ast.Add():
                return self.dom.add(x, y)
            case ast.Sub():
                return self.dom.sub(x, y)
            case ast.Mult():
                return self.dom.mul(x, y)
            case ast.LShift():
                return self.dom.shl(x, y)
            case ast.RShift():
                return self.dom.shr(x, y)
            case ast.BitAnd():
                return self.dom.and_(x, y)
            case ast.BitOr():
                return self.dom.or_(x, y)
        assert isinstance(op, ast.BitXor), op
        return self.dom.xor(x, y)
