# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Proves the `ensures` of a macro for all inputs at once, as polynomials over the integers.

For what has too many inputs to try: products modulo a prime on 32-bit values. Registers hold polynomials over the
inputs and over quotients and remainders by powers of two. Each division adds two names, n = 2**k * quotient +
remainder, and with them two readings of the same value: one that shows what is divisible (the remainder replaced), one
that shows how large it is (the quotient replaced). A condition holds when it follows from one of them; whatever is not
understood is a failure, never a proof.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from math import ceil, floor

from gen import isa
from gen.ir.interp.machine import Machine
from gen.ir.interp.preds import Subject, links
from gen.ir.ir import Half, Insn, Mark, Mem, Old, Pred, Reg, Routine, Var
from gen.prove.inputs import axes, preconditions
from gen.prove.polynomial import Interval, Poly
from gen.prove.program import flat

WORD = 1 << 32


class Beyond(Exception):
    """An operation or a condition that polynomials do not express."""


class Polynomials:
    """The domain. Only what the meanings of the arithmetic instructions need."""

    def __init__(self) -> None:
        self.ranges: dict[str, tuple[int, int]] = {}
        self.divisible: list[tuple[str, Poly]] = []  # name -> an equal, to see what divides
        self.small: list[tuple[str, Poly]] = []  # name -> an equal, to see how large it is
        self.known: dict[object, tuple[Poly, Poly]] = {}

    def fresh(self, kind: str, lo: int, hi: int) -> str:
        name = f"{kind}{len(self.ranges)}"
        self.ranges[name] = lo, hi
        return name

    def rewritten(self, x: Poly, rules: list[tuple[str, Poly]]) -> Poly:
        for name, value in reversed(rules):
            x = x.replaced(name, value)
        return x

    def reach(self, x: Poly) -> Interval:
        """The tighter of two readings."""
        lo, hi = x.range(self.ranges)
        least, most = self.rewritten(x, self.small).range(self.ranges)
        return max(lo, least), min(hi, most)

    def fits(self, x: Poly, lo: int, hi: int) -> bool:
        least, most = self.reach(x)
        return lo <= least and most <= hi

    def divide(self, x: Poly, modulus: int) -> tuple[Poly, Poly]:
        """Quotient and remainder, 0 <= remainder < modulus."""
        whole, rest = x.multiples(modulus)
        more = whole.times(Fraction(1, modulus))
        if not self.rewritten(rest, self.divisible).multiples(modulus)[1].terms:
            return more + rest.times(Fraction(1, modulus)), Poly.of(0)
        if self.fits(rest, 0, modulus - 1):
            return more, rest
        key = rest.key, modulus
        if key not in self.known:
            lo, hi = self.reach(rest)
            remainder = self.fresh("remainder", 0, modulus - 1)
            quotient = self.fresh("quotient", floor(lo / modulus), floor(hi / modulus))
            q, r = Poly.name(quotient), Poly.name(remainder)
            self.divisible.append((remainder, rest - q.times(modulus)))
            self.small.append((quotient, (rest - r).times(Fraction(1, modulus))))
            self.known[key] = q, r
        quotient_of, remainder_of = self.known[key]
        return more + quotient_of, remainder_of

    # --- the operations of meanings ---

    def const(self, value: int) -> Poly:
        return Poly.of(value)

    def add(self, x: Poly, y: Poly) -> Poly:
        return x + y

    def sub(self, x: Poly, y: Poly) -> Poly:
        return x - y

    def mul(self, x: Poly, y: Poly) -> Poly:
        return x * y

    def shl(self, x: Poly, n: Poly) -> Poly:
        return x.times(1 << self._amount(n))

    def shr(self, x: Poly, n: Poly) -> Poly:
        return self.divide(x, 1 << self._amount(n))[0]

    def _amount(self, n: Poly) -> int:
        if n.number is None:
            raise Beyond("a shift by a register")
        return n.number

    def u(self, x: Poly, bits: int) -> Poly:
        modulus = 1 << bits
        if self.fits(x, -modulus, modulus - 1) and not self.fits(x, 0, modulus - 1):
            borrow = self.known.setdefault(("u", x.key, bits), (self._flag(), Poly.of(0)))[0]
            return x + borrow.times(modulus)
        return self.divide(x, modulus)[1]

    def _flag(self) -> Poly:
        return Poly.name(self.fresh("borrow", 0, 1))

    def s(self, x: Poly, bits: int) -> Poly:
        modulus = 1 << bits
        half = modulus >> 1
        for reading in (x, self.rewritten(x, self.divisible)):
            rest = reading.multiples(modulus)[1]
            if self.fits(rest, -half, half - 1):
                return rest
        return self.divide(x + Poly.of(half), modulus)[1] - Poly.of(half)

    def word(self, x: Poly, bits: int = 32) -> Poly:
        return x if self.fits(x, -1 << (bits - 1), (1 << bits) - 1) else self.u(x, bits)

    def bounds(self, x: Poly) -> None:
        """None: nothing is claimed to fit while it is computed; conditions are judged at the end."""

    def __getattr__(self, name: str) -> object:
        raise Beyond(f"an operation `{name}`")


class Symbolic:
    """One run of a macro."""

    def __init__(self, macro: Routine) -> None:
        self.dom = Polynomials()
        self.machine: Machine[Poly] = Machine(self.dom, ())  # type: ignore[arg-type]
        self.regs = self.machine.state.regs
        self.olds: dict[int, dict[Var, Poly]] = {}
        self.items = flat(macro.body, macro)
        self.pre = preconditions(self.items)
        for param in macro.params:
            assert isinstance(param.var, Var)
            if param.role != "out":
                self.regs[param.var] = self._input(param.var)
        for pred in self.pre:
            self._relation(pred)

    def _input(self, var: Var) -> Poly:
        (axis,) = axes(var, ("",), self.pre)
        if axis.listed or axis.lo != axis.hi:
            lo, hi = (min(axis.listed), max(axis.listed)) if axis.listed else (axis.lo, axis.hi)
            return Poly.name(self.dom.fresh(f"{var.name} ", lo, hi))
        return Poly.of(axis.lo)

    def _relation(self, pred: Pred) -> None:
        """An assert about more than one register, `abs(EXPR) <= BOUND`: EXPR gets a name."""
        node = pred.node
        if not (isinstance(node, ast.Compare) and isinstance(node.left, ast.Call)):
            return
        inner, bound = self.expr(node.left.args[0], pred), self.expr(node.comparators[0], pred)
        whole = [m for m, _ in inner.terms.items() if len(m) == 1]
        if len(whole) < 2 or bound.number is None or not isinstance(node.ops[0], ast.LtE):
            return
        name = Poly.name(self.dom.fresh("relation", -bound.number, bound.number))
        (solved,), factor = whole[0], inner.terms[whole[0]]
        others = inner - Poly({whole[0]: factor})
        self.dom.small.append((solved, (name - others).times(1 / factor)))

    # --- running ---

    def prove(self) -> str:
        """Why a condition does not follow for every input; "" when all do."""
        try:
            for item in self.items:
                if isinstance(item, Mark):
                    if (refused := self._mark(item)) != "":
                        return refused
                else:
                    self._execute(item)
        except Beyond as beyond:
            return f"{beyond} is beyond polynomials"
        return ""

    def _execute(self, insn: Insn) -> None:
        if insn.form is not None and insn.form.stores and insn.cond is None:
            for op in insn.ops:  # memory is nothing that a condition could name
                if isinstance(op, Mem) and op.mode != "offset":
                    self.regs[op.base] = Poly.name(self.dom.fresh("address", 0, WORD - 1))
            return
        if insn.cond is not None or (insn.form is not None and insn.form.loads):
            raise Beyond(f"`{insn.mnemonic}` here")
        self.machine.insn = insn
        isa.run(insn, self.machine)

    def _mark(self, mark: Mark) -> str:
        if mark.kind == "ensures-begin":
            self.olds[mark.number] = dict(self.regs)
            return ""
        if mark.pred is None or mark.pred in self.pre or self._holds(mark.pred.node, mark.pred):
            return ""
        return f"`{mark.pred.text}` does not follow from polynomials either"

    # --- conditions ---

    def _holds(self, node: ast.expr, pred: Pred) -> bool:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return all(self._holds(value, pred) for value in node.values)
        if not isinstance(node, ast.Compare):
            raise Beyond("a condition")
        return all(self._compare(left, op, right, pred) for left, op, right in links(node))

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr, pred: Pred) -> bool:
        dom = self.dom
        if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod):
            value, modulus = self.expr(left.left, pred), self.expr(left.right, pred).number
            if not isinstance(op, ast.Eq) or self.expr(right, pred).number != 0 or not modulus:
                raise Beyond("a remainder that is not zero")
            readings = (value, dom.rewritten(value, dom.divisible))
            return any(not x.multiples(modulus)[1].terms for x in readings)
        if isinstance(left, ast.Call):
            value, bound = self.expr(left.args[0], pred), self.expr(right, pred)
            low, high = dom.reach(bound - value), dom.reach(bound + value)
            strict = isinstance(op, ast.Lt)
            return isinstance(op, ast.LtE | ast.Lt) and min(low[0], high[0]) >= strict
        gap = self.expr(right, pred) - self.expr(left, pred)
        lo, hi = dom.reach(gap)
        lo, hi = Fraction(ceil(lo)), Fraction(floor(hi))
        match op:
            case ast.LtE():
                return lo >= 0
            case ast.Lt():
                return lo >= 1
            case ast.GtE():
                return hi <= 0
            case ast.Gt():
                return hi <= -1
            case ast.Eq():
                return lo == hi == 0
        raise Beyond("a comparison")

    def expr(self, node: ast.expr, pred: Pred) -> Poly:
        match node:
            case ast.Constant():
                return Poly.of(int(node.value))  # type: ignore[arg-type]
            case ast.Name():
                return self._value(pred.env[node.id])
            case ast.UnaryOp(op=ast.USub()):
                return self.expr(node.operand, pred).times(-1)
            case ast.BinOp(op=ast.Add()):
                return self.expr(node.left, pred) + self.expr(node.right, pred)
            case ast.BinOp(op=ast.Sub()):
                return self.expr(node.left, pred) - self.expr(node.right, pred)
            case ast.BinOp(op=ast.Mult()):
                return self.expr(node.left, pred) * self.expr(node.right, pred)
            case ast.BinOp(op=ast.Pow()):
                base, power = self.expr(node.left, pred).number, self.expr(node.right, pred).number
                if base is not None and power is not None:
                    return Poly.of(base**power)
        raise Beyond("an expression in a condition")

    def _value(self, subject: Subject) -> Poly:
        regs = self.regs
        if isinstance(subject, Old):
            regs, subject = self.olds[subject.mark], subject.operand
        if isinstance(subject, Half) or not isinstance(subject, Reg):
            raise Beyond("a half-word")
        signed = subject.var.type in ("i32", "i16")
        return self.dom.s(regs[subject.var], 32) if signed else self.dom.u(regs[subject.var], 32)


def unproved(macro: Routine) -> str:
    """Why the `ensures` of a macro, its instructions with forms, does not follow; "" if it does."""
    return Symbolic(macro).prove()
