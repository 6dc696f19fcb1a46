# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Expressions of meanings as C99 expressions without undefined behaviour.

An expression is wanted in one of two ways:

    exact   its value; the C type is the first of TYPES that holds the range the expression can have
    low     its value modulo 2**32 or 2**64, as uint32_t or uint64_t, whatever the value

Sums, products and bit operations need only the low bits of their operands; comparisons and right shifts need exact
ones. No operand is narrower than 32 bits, so C's promotions do nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from gen.emit.cvalue import (
    Inexact,
    Value,
    Words,
    bare,
    bit_times,
    decided,
    is_bit,
    literal,
    long_product,
    narrowed,
    parsed,
    range_of,
    type_of,
)
from gen.ir.ir import Half, Imm, Operand, Reg, RegList, Shift, Var

FLAG_MOST = {"N": 1, "Z": 1, "C": 1, "V": 1, "Q": 1, "GE": 15}


# What a temporary stands for: a value, words, or the expression it names
Name = Value | Words | ast.expr

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class Expressions:
    """Translates expressions over the operands of one instruction.

    `names` holds temporaries and flags; `load` gives the text of a load: (address node, bytes) -> text.
    """

    def __init__(
        self,
        operands: Mapping[str, Operand],
        register: Callable[[Var], str],
        load: Callable[[ast.expr, int], str],
    ) -> None:
        self.operands, self.register, self.load = operands, register, load
        self.names: dict[str, Name] = {
            flag: Value(flag, 0, most) for flag, most in FLAG_MOST.items()
        }

    def constant(self, node: ast.expr) -> int | None:
        """The value of an expression of numbers and constant operands."""
        known: dict[str, int] = {}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call | ast.Subscript | ast.IfExp):
                return None
            if isinstance(inner, ast.Name):
                operand = self.operands.get(inner.id)
                if not isinstance(operand, Imm):
                    return None
                known[inner.id] = operand.value
        return int(eval(ast.unparse(node), {"__builtins__": {}}, known))

    # --- low bits

    def low(self, node: ast.expr, bits: int) -> str:
        """Text of the value modulo 2**bits, bits 32 or 64."""
        wanted = f"uint{bits}_t"
        fixed = self.constant(node)
        if fixed is not None:
            return literal(fixed, wanted)
        if isinstance(node, ast.Name):
            known = self.names.get(node.id)
            if isinstance(known, Words):
                return known.text if bits == 64 else f"(uint32_t){known.text}"
            if isinstance(known, ast.expr):
                return self.low(known, bits)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return f"(~{self.low(node.operand, bits)})"
        if isinstance(node, ast.BinOp):
            return self._low_binary(node, bits)
        if isinstance(node, ast.IfExp):
            return self._low_choice(node, bits)
        if isinstance(node, ast.Call):
            inner = self._seen_through(node, bits)
            if inner is not None:
                return self.low(inner, bits)
        return self.exact(node).cast(wanted)

    def _seen_through(self, node: ast.Call, bits: int) -> ast.expr | None:
        """The argument when the function does not change the low bits; a shift by its operator."""
        name = ast.unparse(node.func)
        if name in ("shift", "shift64"):
            return self._shifted(name, node.args[0], node.args[1])
        if name in ("exact", "wrap"):
            return node.args[0]
        if name[0] in "us" and name[1:].isdigit() and int(name[1:]) >= bits:
            return node.args[0]
        return None

    def _low_binary(self, node: ast.BinOp, bits: int) -> str:
        wanted = f"uint{bits}_t"
        if isinstance(node.op, ast.LShift | ast.RShift):
            return self._low_shift(node, bits)
        if isinstance(node.op, ast.Mult):
            try:
                value = self.exact(node)
                if bits == 64 or value.type in ("int32_t", "uint32_t"):
                    return value.cast(wanted)
            except Inexact:
                pass
        left, right = self.low(node.left, bits), self.low(node.right, bits)
        return f"({left} {_OPERATORS[type(node.op)]} {right})"

    def _truth(self, node: ast.expr) -> Value:
        """A condition as 0 or 1."""
        test = self.exact(node)
        return (
            test
            if (test.low, test.high) <= (0, 1)
            else Value(f"(uint32_t)({test.text} != 0)", 0, 1)
        )

    def _low_choice(self, node: ast.IfExp, bits: int) -> str:
        """By a mask: what decides may be secret."""
        test = self._truth(node.test)
        if test.low == test.high:
            return self.low(node.body if test.low else node.orelse, bits)
        yes, no = self.low(node.body, bits), self.low(node.orelse, bits)
        return f"choose{'' if bits == 32 else bits}({bare(test.text)}, {bare(yes)}, {bare(no)})"

    def _low_shift(self, node: ast.BinOp, bits: int) -> str:
        amount = self._amount(node.right)
        if isinstance(node.op, ast.LShift):
            if isinstance(amount, int):
                if amount >= bits:
                    return literal(0, f"uint{bits}_t")
                return (
                    f"({self.low(node.left, bits)} << {amount})"
                    if amount
                    else self.low(node.left, bits)
                )
            return f"shl{bits}({self.low(node.left, bits)}, {amount})"
        if isinstance(amount, int) and bits + amount <= 64:
            try:
                small = self.exact(node.left).type in ("uint32_t", "int32_t")
            except Inexact:
                small = False
            if not small:
                return f"(uint{bits}_t)({self.low(node.left, 64)} >> {amount})"
        return self.exact(node).cast(f"uint{bits}_t")

    def _amount(self, node: ast.expr) -> int | str:
        """A shift amount: a number, or the text of a uint32_t."""
        value = self.exact(node)
        return value.low if value.low == value.high else value.cast("uint32_t")

    # --- exact values

    def exact(self, node: ast.expr) -> Value:
        """The value. Raises Inexact when it may exceed 64 bits."""
        fixed = self.constant(node)
        if fixed is not None:
            return Value(literal(fixed, type_of(fixed, fixed)), fixed, fixed)
        match node:
            case ast.Name():
                return self._name(node.id)
            case ast.BinOp():
                return self._folded(self._binary(node))
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp():
                return self._choice(node)
            case ast.Call():
                return self._call(ast.unparse(node.func), node.args)
        raise AssertionError(ast.dump(node))

    @staticmethod
    def _folded(value: Value) -> Value:
        if value.low == value.high:
            return Value(literal(value.low, value.type), value.low, value.low)
        return value

    def _name(self, name: str) -> Value:
        if name in self.names:
            known = self.names[name]
            if isinstance(known, Words):
                raise Inexact
            return self.exact(known) if isinstance(known, ast.expr) else known
        operand = self.operands[name]
        match operand:
            case Reg(var):
                if var.points:
                    return Value(f"(uint64_t){self.register(var)}", 0, 2**64 - 1)
                return Value(self.register(var), 0, (1 << var.bits) - 1)
            case Half(var, which):
                return Value(f"s{which}({self.register(var)})", -(2**15), 2**15 - 1)
            case Imm(value):
                return Value(literal(value, type_of(value, value)), value, value)
        raise AssertionError(f"{name} is no value")

    def _binary(self, node: ast.BinOp) -> Value:
        if isinstance(node.op, ast.LShift):
            return self._left(node)
        if isinstance(node.op, ast.RShift):
            return self._right(node)
        mask = self.constant(node.right)
        if isinstance(node.op, ast.BitAnd) and mask is not None and 0 <= mask < 2**32:
            return Value(f"({self.low(node.left, 32)} & {literal(mask, 'uint32_t')})", 0, mask)
        left, right = self.exact(node.left), self.exact(node.right)
        if isinstance(node.op, ast.Mult) and is_bit(left) and right.low == right.high:
            return bit_times(left, right.low)
        low, high = range_of(node.op, left, right)
        wanted = type_of(min(low, left.low, right.low), max(high, left.high, right.high))
        plain = f"({left.cast(wanted)} {_OPERATORS[type(node.op)]} {right.cast(wanted)})"
        return narrowed(long_product(node.op, left, right, wanted) or plain, wanted, low, high)

    def _left(self, node: ast.BinOp) -> Value:
        amount = self._amount(node.right)
        value = self.exact(node.left)
        if not isinstance(amount, int):
            raise Inexact
        low, high = value.low << amount, value.high << amount
        wanted = type_of(min(low, value.low), max(high, value.high))
        return Value(f"({value.cast(wanted)} * {literal(1 << amount, wanted)})", low, high)

    def _right(self, node: ast.BinOp) -> Value:
        amount = self._amount(node.right)
        value = self.exact(node.left)
        bits = 64 if "64" in value.type else 32
        if not isinstance(amount, int):
            helper = "shr" if value.type[0] == "u" else "sar"
            low, high = min(value.low, 0), max(value.high, 0)
            return Value(f"{helper}{bits}({value.text}, {amount})", low, high)
        if amount == 0:
            return value
        low, high = value.low >> amount, value.high >> amount
        if low == high:
            return Value(literal(low, type_of(low, low)), low, low)
        if value.type[0] == "u":
            return narrowed(f"({value.text} >> {amount})", value.type, low, high)
        return narrowed(f"sar{bits}({value.text}, {amount})", value.type, low, high)

    def _unary(self, node: ast.UnaryOp) -> Value:
        zero = ast.Constant(0 if isinstance(node.op, ast.USub) else -1)
        return self.exact(ast.BinOp(zero, ast.Sub(), node.operand))

    def _compare(self, node: ast.Compare) -> Value:
        left, right = self.exact(node.left), self.exact(node.comparators[0])
        wanted = type_of(min(left.low, right.low), max(left.high, right.high))
        sign = _COMPARE[type(node.ops[0])]
        known = decided(sign, left, right)
        if known is not None:
            return Value(literal(known, "uint32_t"), known, known)
        return Value(f"(uint32_t)({left.cast(wanted)} {sign} {right.cast(wanted)})", 0, 1)

    def _choice(self, node: ast.IfExp) -> Value:
        test = self._truth(node.test)
        if test.low == test.high:
            return self.exact(node.body if test.low else node.orelse)
        yes, no = self.exact(node.body), self.exact(node.orelse)
        low, high = min(yes.low, no.low), max(yes.high, no.high)
        wanted = type_of(low, high)
        bits = 64 if "64" in wanted else 32
        parts = (bare(test.text), bare(yes.cast(f"uint{bits}_t")), bare(no.cast(f"uint{bits}_t")))
        text = f"choose{'' if bits == 32 else bits}({', '.join(parts)})"
        if wanted[0] == "i":
            text = f"s32({text})" if bits == 32 else f"sign64({text}, 64)"
        return Value(text, low, high)

    # --- functions

    def _call(self, name: str, args: list[ast.expr]) -> Value:
        if name[0] in "us" and (name[1:].isdigit() or not name[1:]):
            bits = int(name[1:]) if name[1:] else self.exact(args[1]).low
            return self._view(name[0], args[0], bits)
        match name:
            case "sb" | "st":
                return Value(f"{name}({self.low(args[0], 32)})", -(2**15), 2**15 - 1)
            case "ub":
                return self._view("u", args[0], 16)
            case "ut":
                return Value(f"({self.low(args[0], 32)} >> 16)", 0, 2**16 - 1)
            case "exact" | "wrap":
                return self.exact(args[0])
            case "pack":
                return Value(
                    f"pack({self.low(args[0], 32)}, {self.low(args[1], 32)})", 0, 2**32 - 1
                )
            case "ror" | "ror64":
                bits = 64 if name == "ror64" else 32
                amount = self.exact(args[1]).cast("uint32_t")
                return Value(f"ror{bits}({self.low(args[0], bits)}, {amount})", 0, 2**bits - 1)
            case "shift" | "shift_c" | "shift64":
                return self.exact(self._shifted(name, args[0], args[1]))
            case "load":
                size = self.exact(args[1]).low
                return Value(self.load(args[0], size), 0, 2 ** (8 * size) - 1)
            case "len":
                return self._length(args[0])
        return self._arithmetic(name, args)

    def _arithmetic(self, name: str, args: list[ast.expr]) -> Value:
        if name == "div":
            left, right = self.exact(args[0]), self.exact(args[1])
            sign = left.type[0]
            low, high = (0, 2**32 - 1) if sign == "u" else (-(2**31), 2**31)
            return Value(
                f"{sign if sign == 'u' else 's'}div32({left.text}, {right.text})", low, high
            )
        assert name.endswith("sat"), name
        bits = self.exact(args[1]).low
        low, high = (
            (-(1 << bits - 1), (1 << bits - 1) - 1) if name == "sat" else (0, (1 << bits) - 1)
        )
        ends = f"{literal(low, 'int64_t')}, {literal(high, 'int64_t')}"
        text = f"clamp64({self.exact(args[0]).cast('int64_t')}, {ends})"
        return narrowed(text, "int64_t", low, high)

    def _view(self, sign: str, node: ast.expr, bits: int) -> Value:
        low, high = (0, (1 << bits) - 1) if sign == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)
        try:
            value = self.exact(node)
            if low <= value.low and value.high <= high or sign == "u" and self._points(node):
                return value
        except Inexact:
            pass
        if bits > 32:
            text = self.low(node, 64)
            if sign == "u":
                return Value(
                    text if bits == 64 else f"({text} & {literal(high, 'uint64_t')})", low, high
                )
            return Value(f"sign64({text}, {bits})", low, high)
        text = self.low(node, 32)
        if sign == "s":
            return Value(
                f"s{bits}({text})" if bits in (8, 16, 32) else f"sign32({text}, {bits})", low, high
            )
        return Value(text if bits == 32 else f"({text} & {literal(high, 'uint32_t')})", low, high)

    def _points(self, node: ast.expr) -> bool:
        """Whether this is an address: compared in full, as hosts have more than 32 bits of it."""
        operand = self.operands.get(node.id) if isinstance(node, ast.Name) else None
        return isinstance(operand, Reg) and operand.var.points

    def _shifted(self, name: str, node: ast.expr, by: ast.expr) -> ast.expr:
        """`shift` and `shift_c` in terms of the operators."""
        shift = self.operands[ast.unparse(by)]
        assert isinstance(shift, Shift)
        kind, amount = shift.kind, shift.amount
        if name == "shift_c":
            last = 32 - amount if kind == "lsl" else amount - 1
            return parsed("u32(x) >> k & 1", x=node, k=ast.Constant(last))
        w, r = (64, "ror64") if name == "shift64" else (32, "ror")
        form = {
            "lsl": "x << k",
            "lsr": f"u{w}(x) >> k",
            "asr": f"s{w}(x) >> k",
            "ror": f"{r}(x, k)",
        }
        return parsed(form[kind], x=node, k=ast.Constant(amount))

    def _length(self, node: ast.expr) -> Value:
        listed = self.operands[ast.unparse(node)]
        assert isinstance(listed, RegList)
        return Value(str(len(listed.vars)), len(listed.vars), len(listed.vars))
