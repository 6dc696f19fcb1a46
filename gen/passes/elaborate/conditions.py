# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Conditions on values (assert, claim, ensures, lengths) -> Pred: constants folded, registers as names."""

from __future__ import annotations

import ast

from gen.diag import Failed, fail
from gen.ir.ir import Element, Half, Old, Operand, Pred, Reg, Var
from gen.passes.elaborate.operands import find
from gen.passes.elaborate.scope import Many, One, Scope
from gen.read.builtins import Value
from gen.read.consteval import Function, Names, evaluate_node
from gen.read.expression import place
from gen.read.source import Span
from gen.read.syntax import Expr, Word

_SIGNED = ("i32", "i16")
_MOST_NODES = 4000


def condition(scope: Scope, expr: Expr, buffers: frozenset[str], mark: int | None = None) -> Pred:
    """The Pred of a condition. `buffers`: pointer parameters whose elements can be named; `mark`: that of the
    ensures-begin that `old` refers to. Errors: `undefined`, `bad-expression`."""
    fold = _Fold(scope, expr, buffers, mark)
    node = fold.truth(expr.node)
    return Pred(node, fold.env, expr.text)


def quantity(scope: Scope, expr: Expr) -> Pred:
    """A number made of registers and constants: the length of a buffer."""
    fold = _Fold(scope, expr, frozenset(), None)
    node = fold.number(expr.node)
    return Pred(node, fold.env, expr.text)


class _Fold:
    def __init__(self, scope: Scope, expr: Expr, buffers: frozenset[str], mark: int | None) -> None:
        self.scope, self.expr, self.buffers, self.mark = scope, expr, buffers, mark
        self.env: dict[str, Operand | Element | Old] = {}
        self.registers = {n for n in expr.names if isinstance(scope.names.get(n), One | Many)}
        self.inlined: list[tuple[Function, dict[str, ast.expr]]] = []  # const functions being written out
        self.nodes = 0

    def wrong(self, node: ast.AST, message: str, help: str = "") -> Failed:
        return fail("bad-expression", self.at(node), message, help=help)

    def at(self, node: ast.AST) -> Span:
        return self.expr.span if self.inlined else place(self.expr, node)

    def known(self, node: ast.expr) -> bool:
        """Whether no register occurs in it."""
        if not self.registers and not self.inlined:
            return True
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute):
                return False
            names = self.inlined[-1][1] if self.inlined else self.registers
            if isinstance(part, ast.Name) and part.id in names:
                return False
        return True

    def value(self, node: ast.expr) -> Value:
        budget = self.scope.file.world.budget
        if self.inlined:
            function = self.inlined[-1][0]
            return evaluate_node(function.expr, node, function.names, budget)
        return evaluate_node(self.expr, node, self.scope, budget)

    # --- truth values ---

    def truth(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self.truth(part) for part in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self.truth(node.operand))
        if not isinstance(node, ast.Compare):
            raise self.wrong(node, "this is a number, not a condition", "assert |x| < 2**15")
        if self.known(node):
            holds = self.value(node)
            return ast.Compare(ast.Constant(int(bool(holds))), [ast.Eq()], [ast.Constant(1)])
        sides = [self.number(node.left)]
        for op, part in zip(node.ops, node.comparators, strict=True):
            sides.append(self.members(part) if isinstance(op, ast.In | ast.NotIn) else self.number(part))
        if any(isinstance(op, ast.NotIn) for op in node.ops):
            plain = [ast.In() if isinstance(op, ast.NotIn) else op for op in node.ops]
            if len(plain) > 1:
                raise self.wrong(node, "`not in` stands alone")
            return ast.UnaryOp(ast.Not(), ast.Compare(sides[0], plain, sides[1:]))
        return ast.Compare(sides[0], node.ops, sides[1:])

    def members(self, node: ast.expr) -> ast.expr:
        """The numbers of the list behind `in`."""
        if not self.known(node):
            raise self.wrong(node, "`in` needs a constant list or a table")
        values = self.value(node)
        if isinstance(values, int):
            raise self.wrong(node, "`in` needs a constant list or a table")
        cache = self.scope.file.world.members
        if id(values) not in cache:
            if any(isinstance(one, tuple) for one in values):
                raise self.wrong(node, "`in` needs a list of numbers")
            cache[id(values)] = (values, ast.Tuple([ast.Constant(one) for one in values], ast.Load()))
        return cache[id(values)][1]

    # --- numbers ---

    def number(self, node: ast.expr) -> ast.expr:
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise self.wrong(node, "the condition is too large")
        if isinstance(node, ast.Name) and self.inlined and node.id in self.inlined[-1][1]:
            return self.inlined[-1][1][node.id]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "old":
            return self.old(node)
        if self.known(node):
            return self.constant(node)
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return self.subject(node)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Div):
                raise self.wrong(node, "`/` is exact division of constants", "div(x, y)")
            return ast.BinOp(self.number(node.left), node.op, self.number(node.right))
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            inner = self.number(node.operand)
            return inner if isinstance(node.op, ast.UAdd) else ast.UnaryOp(node.op, inner)
        if isinstance(node, ast.Call):
            return self.call(node)
        raise self.wrong(node, "this cannot be said about registers")

    def constant(self, node: ast.expr) -> ast.expr:
        value = self.value(node)
        if isinstance(value, tuple):
            raise self.wrong(node, "a list; a number is needed")
        return ast.Constant(int(value))

    def subject(self, node: ast.expr, old: bool = False) -> ast.expr:
        """A register, a half, an element of a buffer."""
        part = node.value if isinstance(node, ast.Attribute) else node
        index: int | None = None
        if isinstance(part, ast.Subscript):
            index = self.index(part)
            part = part.value
        if not isinstance(part, ast.Name):
            raise self.wrong(node, "a register is meant here")
        if self.inlined:
            raise self.wrong(node, "constant functions take numbers here")
        word = Word(part.id, self.at(part))
        if index is not None and part.id in self.buffers:
            return self.named(f"{part.id}[{index}]", Element(part.id, index))
        half = node.attr if isinstance(node, ast.Attribute) else ""
        item, type_ = self.register(node, word, index)
        return self.read(node, item, type_, half, old)

    def index(self, node: ast.Subscript) -> int:
        if isinstance(node.slice, ast.Slice) or not self.known(node.slice):
            raise self.wrong(node, "the index of a register is one constant")
        value = self.value(node.slice)
        if isinstance(value, tuple):
            raise self.wrong(node, "the index of a register is one constant")
        return value

    def register(self, node: ast.expr, word: Word, index: int | None) -> tuple[Var | Half, str]:
        found = find(self.scope, word)
        if isinstance(found, One):
            if index is not None:
                raise self.wrong(node, f"`{word.text}` is one register, not an array", word.text)
            return found.item, found.type
        if index is None:
            raise self.wrong(node, f"`{word.text}` is an array of registers", f"{word.text}[0]")
        if not 0 <= index < len(found.items):
            raise fail("undefined", self.at(node), f"no register `{word.text}[{index}]`")
        return found.items[index], found.type

    def read(self, node: ast.expr, item: Var | Half, type_: str, half: str, old: bool) -> ast.expr:
        """The name that stands for a register in `env`, wrapped where it is seen with another sign than its own."""
        text = ast.unparse(node) if not isinstance(node, ast.Name) else node.id
        if type_ == "flag":
            raise self.wrong(node, f"`{text}` is a carry, not a number")
        if half:
            if isinstance(item, Half):
                raise self.wrong(node, "this is a half-word already")
            item = Half(item, "b" if half == "b" else "t")
        subject: Operand | Old = item if isinstance(item, Half) else Reg(item)
        if old:
            assert self.mark is not None
            text, subject = f"old({text})", Old(subject, self.mark)
        name = self.named(text, subject)
        if isinstance(item, Var) and item.type != "i16x2" and type_ != "i16x2":
            if type_ in _SIGNED and item.type not in _SIGNED:
                return _smod(name, ast.Constant(2**32), 2**31)
            if type_ not in _SIGNED and item.type in _SIGNED:
                return ast.BinOp(name, ast.Mod(), ast.Constant(2**32))
        return name

    def named(self, key: str, subject: Operand | Element | Old) -> ast.expr:
        self.env[key] = subject
        return ast.Name(key, ast.Load())

    # --- functions of registers ---

    def old(self, node: ast.Call) -> ast.expr:
        if self.mark is None:
            raise self.wrong(node, "`old` belongs into `ensures`")
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Name | ast.Attribute | ast.Subscript):
            raise self.wrong(node, "`old` takes one register", "old(x)")
        return self.subject(node.args[0], old=True)

    def call(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        args = [self.number(arg) for arg in node.args]
        if name == "abs" and len(args) == 1:
            return ast.Call(ast.Name("abs", ast.Load()), args, [])
        if name == "div" and len(args) == 2:
            return ast.BinOp(args[0], ast.FloorDiv(), args[1])
        if name == "smod" and len(args) == 2 and isinstance(args[1], ast.Constant):
            modulus = int(args[1].value)  # type: ignore[arg-type]
            if modulus <= 0:
                raise self.wrong(node, "`smod` needs a positive modulus")
            return _smod(args[0], args[1], modulus // 2)
        return self.inline(node, name, args)

    def inline(self, node: ast.Call, name: str, args: list[ast.expr]) -> ast.expr:
        names: Names = self.inlined[-1][0].names if self.inlined else self.scope
        function = names.function(name)
        if function is None or len(function.params) != len(args):
            raise self.wrong(node, f"`{name}` cannot be used on registers like this",
                             "abs(x), smod(x, m), div(x, y) and constant functions can")  # fmt: skip
        if len(self.inlined) > 8:
            raise self.wrong(node, "constant functions call each other too deeply for a condition")
        self.inlined.append((function, dict(zip(function.params, args, strict=True))))
        made = self.number(function.expr.node)
        self.inlined.pop()
        return made


def _smod(value: ast.expr, modulus: ast.expr, half: int) -> ast.expr:
    moved = ast.BinOp(value, ast.Add(), ast.Constant(half))
    return ast.BinOp(ast.BinOp(moved, ast.Mod(), modulus), ast.Sub(), ast.Constant(half))

