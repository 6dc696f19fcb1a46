# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Conditions on values (assert, claim, ensures, lengths) -> Pred: constants folded, registers as
names.

The folded tree depends only on the constants in view and on what kind of register each name is, so
that all expansions
of a macro share it; only the environment (which register a name is) differs.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from gen.diag import Failed, fail
from gen.ir.ir import Element, Half, Old, Operand, Pred, Reg, Var
from gen.passes.elaborate.operands import find
from gen.passes.elaborate.scope import Binding, Const, Many, One, Scope
from gen.read.builtins import Value
from gen.read.consteval import Function, Names, evaluate_node
from gen.read.expression import place
from gen.read.source import Span
from gen.read.syntax import Expr, Word

_SIGNED = ("i32", "i16")
_MOST_NODES = 4000
_MOST_LEVELS = 100
_DEEPEST = 8  # const functions within each other


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a name of the folded tree stands for: a register or half by its name in the source, or
    an element."""

    name: str
    index: int | None
    half: str
    old: bool
    element: bool


_Folded = tuple[ast.expr, dict[str, _Subject]]


def condition(scope: Scope, expr: Expr, buffers: frozenset[str], mark: int | None = None) -> Pred:
    """The Pred of a condition. `buffers`: pointer parameters whose elements can be named; `mark`:
    that of the
    ensures-begin that `old` refers to. Errors: `undefined`, `bad-expression`, `bad-operands`."""
    cache = scope.file.world.folded
    key = (expr, mark is None, tuple((name, _shape(scope.names.get(name))) for name in expr.names))
    found = cache.get(key)
    if found is None:
        fold = _Fold(scope, expr, buffers, mark is not None)
        found = cache[key] = (fold.truth(expr.node), fold.subjects)
    return _pred(scope, expr, found, mark)  # type: ignore[arg-type]


def quantity(scope: Scope, expr: Expr) -> Pred:
    """A number made of registers and constants: the length of a buffer."""
    fold = _Fold(scope, expr, frozenset(), False)
    return _pred(scope, expr, (fold.number(expr.node), fold.subjects), None)


def _shape(binding: Binding | None) -> object:
    """All that the folded tree can depend on."""
    if isinstance(binding, Const):
        return binding.value
    if isinstance(binding, One):
        return binding.type, isinstance(binding.item, Half) or binding.item.type
    if isinstance(binding, Many):
        return binding.type, tuple(isinstance(item, Half) or item.type for item in binding.items)
    return None


def _pred(scope: Scope, expr: Expr, folded: _Folded, mark: int | None) -> Pred:
    node, subjects = folded
    env: dict[str, Operand | Element | Old] = {}
    for key, subject in subjects.items():
        if subject.element:
            assert subject.index is not None
            env[key] = Element(subject.name, subject.index)
            continue
        binding = scope.names[subject.name]
        assert isinstance(binding, One | Many)
        item = binding.item if isinstance(binding, One) else binding.items[subject.index or 0]
        if subject.half and isinstance(item, Var):
            item = Half(item, "b" if subject.half == "b" else "t")
        operand: Operand = item if isinstance(item, Half) else Reg(item)
        env[key] = Old(operand, mark) if subject.old and mark is not None else operand
    return Pred(node, env, " ".join(expr.text.split()))


class _Fold:
    def __init__(self, scope: Scope, expr: Expr, buffers: frozenset[str], old: bool) -> None:
        self.scope, self.expr, self.buffers, self.old_allowed = scope, expr, buffers, old
        self.subjects: dict[str, _Subject] = {}
        self.registers = frozenset(
            n for n in expr.names if isinstance(scope.names.get(n), One | Many)
        )
        self.inlined: list[
            tuple[Function, dict[str, ast.expr]]
        ] = []  # const functions being written out
        self.nodes = 0
        # Size and depth of trees by identity, each kept alive.
        self.measures: dict[int, tuple[ast.AST, tuple[int, int]]] = {}

    def wrong(self, node: ast.AST, message: str, help: str = "") -> Failed:
        return fail("bad-expression", self.at(node), message, help=help)

    def at(self, node: ast.AST) -> Span:
        return self.expr.span if self.inlined else place(self.expr, node)

    def known(self, node: ast.expr) -> bool:
        """Whether no register occurs in it."""
        if type(node) is ast.Constant:
            return True
        names = self.inlined[-1][1] if self.inlined else self.registers
        return not any(
            isinstance(part, ast.Attribute) or (isinstance(part, ast.Name) and part.id in names)
            for part in ast.walk(node)
        )

    def value(self, node: ast.expr) -> Value:
        budget = self.scope.file.world.budget
        if self.inlined:
            function = self.inlined[-1][0]
            return evaluate_node(function.expr, node, function.names, budget)
        return evaluate_node(self.expr, node, self.scope, budget)

    # --- truth values ---

    def truth(self, node: ast.expr) -> ast.expr:
        """A condition folded."""
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
            sides.append(
                self.members(part) if isinstance(op, ast.In | ast.NotIn) else self.number(part)
            )
        if not any(isinstance(op, ast.NotIn) for op in node.ops):
            return ast.Compare(sides[0], node.ops, sides[1:])
        if len(node.ops) > 1:
            raise self.wrong(node, "`not in` stands alone")
        return ast.UnaryOp(ast.Not(), ast.Compare(sides[0], [ast.In()], sides[1:]))

    def members(self, node: ast.expr) -> ast.expr:
        """The numbers of the list behind `in`."""
        values = self.value(node) if self.known(node) else 0
        if isinstance(values, int):
            raise self.wrong(node, "`in` needs a constant list or a table")
        if any(isinstance(one, tuple) for one in values):
            raise self.wrong(node, "`in` needs a list of numbers")
        return _listed(values)

    # --- numbers ---

    def number(self, node: ast.expr) -> ast.expr:
        """A number folded."""
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise self.wrong(node, "the condition is too large")
        if isinstance(node, ast.Name) and self.inlined and node.id in self.inlined[-1][1]:
            return self.inlined[-1][1][node.id]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "old":
            return self.old(node)
        if self.known(node):
            value = self.value(node)
            if isinstance(value, tuple):
                raise self.wrong(node, "a list; a number is needed")
            return ast.Constant(int(value))
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return self.subject(node, False)
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

    def subject(self, node: ast.expr, old: bool) -> ast.expr:
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
        name = part.id
        if index is not None and name in self.buffers:
            return self.named(f"{name}[{index}]", _Subject(name, index, "", False, True))
        half = node.attr if isinstance(node, ast.Attribute) else ""
        item, type_ = self.register(node, Word(name, self.at(part)), index)
        if type_ == "flag":
            raise self.wrong(node, f"`{name}` is a carry, not a number")
        if half and isinstance(item, Half):
            raise self.wrong(node, "this is a half-word already")
        text = name + ("" if index is None else f"[{index}]") + (f".{half}" if half else "")
        key = f"old({text})" if old else text
        return self.signed(
            self.named(key, _Subject(name, index, half, old, False)), item, type_, half
        )

    def signed(self, name: ast.expr, item: Var | Half, type_: str, half: str) -> ast.expr:
        """A name, wrapped where its register is seen with another sign than its own."""
        if isinstance(item, Half) or half or "i16x2" in (item.type, type_):
            return name
        if type_ in _SIGNED and item.type not in _SIGNED:
            return _smod(name, ast.Constant(2**32), 2**31)
        if type_ not in _SIGNED and item.type in _SIGNED:
            return ast.BinOp(name, ast.Mod(), ast.Constant(2**32))
        return name

    def index(self, node: ast.Subscript) -> int:
        """The constant in `a[i]`."""
        value = (
            ()
            if isinstance(node.slice, ast.Slice) or not self.known(node.slice)
            else self.value(node.slice)
        )
        if isinstance(value, tuple):
            raise self.wrong(node, "the index of a register is one constant")
        return value

    def register(self, node: ast.expr, word: Word, index: int | None) -> tuple[Var | Half, str]:
        """The register that a name or `name[index]` stands for, and its type here."""
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

    def named(self, key: str, subject: _Subject) -> ast.expr:
        self.subjects[key] = subject
        return ast.Name(key, ast.Load())

    # --- functions of registers ---

    def old(self, node: ast.Call) -> ast.expr:
        """`old(x)`: the value at the entry of the macro."""
        if not self.old_allowed:
            raise self.wrong(node, "`old` belongs into `ensures`")
        if len(node.args) != 1 or not isinstance(
            node.args[0], ast.Name | ast.Attribute | ast.Subscript
        ):
            raise self.wrong(node, "`old` takes one register", "old(x)")
        return self.subject(node.args[0], True)

    def call(self, node: ast.Call) -> ast.expr:
        """abs, smod, div and constant functions of registers."""
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
        """The body of a constant function with folded arguments."""
        names: Names = self.inlined[-1][0].names if self.inlined else self.scope
        function = names.function(name)
        if function is None or len(function.params) != len(args):
            raise self.wrong(
                node,
                f"`{name}` cannot be used on registers like this",
                "abs(x), smod(x, m), div(x, y) and constant functions can",
            )
        if len(self.inlined) >= _DEEPEST:
            raise self.wrong(node, "constant functions call each other too deeply for a condition")
        self.inlined.append((function, dict(zip(function.params, args, strict=True))))
        made = self.number(function.expr.node)
        self.inlined.pop()
        size, depth = self.measure(made)
        if size > _MOST_NODES or depth > _MOST_LEVELS:
            raise self.wrong(node, "the condition is too large with its functions written out")
        return made

    def measure(self, node: ast.AST) -> tuple[int, int]:
        """Nodes and levels of a folded tree, in which parts are shared but count each time."""
        known = self.measures.get(id(node))
        if known is None:
            parts = [self.measure(part) for part in ast.iter_child_nodes(node)]
            size = 1 + sum(size for size, _ in parts)
            known = node, (size, 1 + max((depth for _, depth in parts), default=0))
            self.measures[id(node)] = known
        return known[1]


@lru_cache(maxsize=64)
def _listed(values: tuple[int, ...]) -> ast.expr:
    """A list as a tree; the same list gives the same tree."""
    return ast.Tuple([ast.Constant(one) for one in values], ast.Load())


def _smod(value: ast.expr, modulus: ast.expr, half: int) -> ast.expr:
    moved = ast.BinOp(value, ast.Add(), ast.Constant(half))
    return ast.BinOp(ast.BinOp(moved, ast.Mod(), modulus), ast.Sub(), ast.Constant(half))
