# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Meanings compiled to Python functions that run on any Machine: one function a Form, made on first
use.

Only expressions of our own tables are compiled; every node is checked against the language of
`meaning.py`, and what is executed is text built here from those nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Protocol, TypeVar

from gen.ir.domains.base import Domain
from gen.ir.ir import Mem, Operand, Reg, Shift, physical
from gen.isa.encode import carry_of
from gen.isa.meaning import CONDITIONS, FLAGS, target_of, value_of

V = TypeVar("V")
SP = Reg(physical("sp"))


class Machine(Protocol[V]):
    """What a compiled meaning runs on. Registers are Vars, flags names of `meaning.FLAGS`."""

    dom: Domain[V]

    def get(self, operand: Operand) -> V: ...
    def set(self, operand: Operand, value: V) -> None: ...
    def flag(self, name: str) -> V: ...
    def set_flag(self, name: str, value: V) -> None: ...
    def address(self, mem: Mem) -> V: ...
    def load(self, address: V, size: int) -> V: ...
    def store(self, address: V, size: int, value: V) -> None: ...
    def exact(self, value: V, bits: int) -> V: ...
    def wrap(self, value: V, dest: Operand) -> V: ...


Meaning = Callable[[Any, Mapping[str, Any]], None]


# --- what the generated text calls ---------------------------------------------------------------


def _ror(dom: Domain[V], value: V, amount: V, bits: int = 32) -> V:
    word = dom.u(value, bits)
    left = dom.shl(word, dom.sub(dom.const(bits), amount))
    return dom.or_(dom.shr(word, amount), dom.u(left, bits))


def _shift(dom: Domain[V], value: V, shift: Shift, bits: int = 32) -> V:
    amount = dom.const(shift.amount)
    if shift.kind == "lsl":
        return dom.shl(value, amount)
    if shift.kind == "ror":
        return _ror(dom, value, amount, bits)
    return dom.shr(dom.u(value, bits) if shift.kind == "lsr" else dom.s(value, bits), amount)


def _shift_carry(dom: Domain[V], value: V, shift: Shift) -> V:
    last = 32 - shift.amount if shift.kind == "lsl" else shift.amount - 1
    return dom.and_(dom.shr(dom.u(value, 32), dom.const(last)), dom.const(1))


def _clamp(dom: Domain[V], value: V, low: int, high: int) -> V:
    least, most = dom.const(low), dom.const(high)
    top = dom.ite(dom.lt(most, value), most, value)
    return dom.ite(dom.lt(value, least), least, top)


def _sat(dom: Domain[V], value: V, bits: int) -> V:
    return _clamp(dom, value, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def _usat(dom: Domain[V], value: V, bits: int) -> V:
    return _clamp(dom, value, 0, (1 << bits) - 1)


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


_NAMESPACE: dict[str, object] = {
    "_ror": _ror,
    "_shift": _shift,
    "_shift_carry": _shift_carry,
    "_sat": _sat,
    "_usat": _usat,
    "_signed": _signed,
    "_carry_of": carry_of,
    "_Reg": Reg,
    "_SP": SP,
}


# --- expressions ---------------------------------------------------------------------------------

_BINARY: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("add", "+"),
    ast.Sub: ("sub", "-"),
    ast.Mult: ("mul", "*"),
    ast.BitAnd: ("and_", "&"),
    ast.BitOr: ("or_", "|"),
    ast.BitXor: ("xor", "^"),
    ast.LShift: ("shl", "<<"),
    ast.RShift: ("shr", ">>"),
    ast.Pow: ("", "**"),
}
_HALVES = {"sb": (False, 0), "st": (True, 0), "ub": (False, 16), "ut": (True, 16)}


def _lifted(text: str, plain: bool) -> str:
    """An expression as a value of the domain."""
    return f"D.const({text})" if plain else text


class Builder:
    """Turns statements of a meaning into lines of Python.

    An expression is its text and whether that is a plain int, known without the machine.
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.kinds = kinds  # role name -> kind
        self.ints: set[str] = {"i"}  # temporaries that are plain ints

    def value(self, node: ast.expr) -> str:
        """Text of `node` as a value of the domain."""
        return _lifted(*self.expr(node))

    def plain(self, node: ast.expr) -> str:
        """Text of `node`, which must be an int known without the machine."""
        text, plain = self.expr(node)
        assert plain, ast.unparse(node)
        return text

    def expr(self, node: ast.expr) -> tuple[str, bool]:
        if isinstance(node, ast.Constant):
            return str(int(node.value)), True  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            name = node.id
            return f"v_{name}", name in self.ints or self.kinds.get(name) == "imm"
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.Compare):
            return self.compare(node), False
        if isinstance(node, ast.IfExp):
            return self.choice(node)
        if isinstance(node, ast.Subscript):
            assert isinstance(node.value, ast.Name)
            return f"v_{node.value.id}[{self.plain(node.slice)}]", False
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name), ast.dump(node)
        return self.call(node.func.id, node.args)

    def binary(self, node: ast.BinOp) -> tuple[str, bool]:
        method, operator = _BINARY[type(node.op)]
        left, right = self.expr(node.left), self.expr(node.right)
        if left[1] and right[1]:
            return f"({left[0]} {operator} {right[0]})", True
        return f"D.{method}({_lifted(*left)}, {_lifted(*right)})", False

    def unary(self, node: ast.UnaryOp) -> tuple[str, bool]:
        text, plain = self.expr(node.operand)
        if isinstance(node.op, ast.USub):
            return (f"(-{text})", True) if plain else (f"D.sub(D.const(0), {text})", False)
        assert isinstance(node.op, ast.Invert)
        return (f"(~{text})", True) if plain else (f"D.inv({text})", False)

    def compare(self, node: ast.Compare) -> str:
        """On integers x <= y is x < y + 1."""
        left, right = self.value(node.left), self.value(node.comparators[0])
        match node.ops[0]:
            case ast.Eq():
                return f"D.eq({left}, {right})"
            case ast.NotEq():
                return f"D.eq(D.eq({left}, {right}), D.const(0))"
            case ast.Lt():
                return f"D.lt({left}, {right})"
            case ast.Gt():
                return f"D.lt({right}, {left})"
            case ast.LtE():
                return f"D.lt({left}, D.add({right}, D.const(1)))"
        assert isinstance(node.ops[0], ast.GtE)
        return f"D.lt({right}, D.add({left}, D.const(1)))"

    def choice(self, node: ast.IfExp) -> tuple[str, bool]:
        test, plain = self.expr(node.test)
        yes, no = self.value(node.body), self.value(node.orelse)
        return f"(({yes}) if {test} else ({no}))" if plain else f"D.ite({test}, {yes}, {no})", False

    def call(self, name: str, args: list[ast.expr]) -> tuple[str, bool]:
        if name[0] in "us" and (name[1:].isdigit() or name in "us"):
            return self.view(name[0], args[0], name[1:] or self.plain(args[1]))
        if name in _HALVES:
            top, bits = _HALVES[name]
            text = f"D.half({self.value(args[0])}, {top})"
            return f"D.u({text}, 16)" if bits else text, False
        first = self.value(args[0]) if name not in ("imm_c", "len") else ""
        match name:
            case "pack" | "div":
                return f"D.{name}({first}, {self.value(args[1])})", False
            case "ror" | "ror64":
                wide = ", 64" if name == "ror64" else ""
                return f"_ror(D, {first}, {self.value(args[1])}{wide})", False
            case "shift64":
                return f"_shift(D, {first}, v_{ast.unparse(args[1])}, 64)", False
            case "shift" | "shift_c":
                helper = "_shift" if name == "shift" else "_shift_carry"
                return f"{helper}(D, {first}, v_{ast.unparse(args[1])})", False
            case "sat" | "usat":
                return f"_{name}(D, {first}, {self.plain(args[1])})", False
            case "exact":
                return f"m.exact({first}, {self.plain(args[1])})", False
            case "load":
                return f"m.load({first}, {self.plain(args[1])})", False
            case "store":
                size, value = self.plain(args[1]), self.value(args[2])
                return f"m.store({first}, {size}, {value})", False
            case "len":
                return f"len(r[{ast.unparse(args[0])!r}].vars)", True
        raise AssertionError(f"unknown function {name}")

    def view(self, sign: str, node: ast.expr, bits: str) -> tuple[str, bool]:
        text, plain = self.expr(node)
        if not plain:
            return f"D.{sign}({text}, {bits})", False
        return (
            f"({text} & ((1 << {bits}) - 1))" if sign == "u" else f"_signed({text}, {bits})",
            True,
        )

    # --- statements ---

    def statement(self, node: ast.stmt) -> list[str]:
        target, value = target_of(node), value_of(node)
        looped = any(isinstance(n, ast.Name) and n.id == "i" for n in ast.walk(node))
        if looped:
            listed = next(n for n in ast.walk(node) if isinstance(n, ast.Subscript)).value
            head = [f"for v_i in range(len(r[{ast.unparse(listed)!r}].vars)):"]
            if target is None:
                return [*head, "    " + self.value(value)]
            return [*head, f"    v_{target}[v_i] = {self.value(value)}"]
        if target is None:
            return [self.value(value)]
        if isinstance(node, ast.AugAssign):
            return [f"v_{target} = D.or_(m.flag({target!r}), {self.value(value)})"]
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            if value.func.id == "imm_c":
                return [
                    f"c = _carry_of({self.plain(value.args[0])})",
                    f"v_{target} = None if c is None else D.const(c)",
                ]
            if value.func.id == "wrap":
                return [f"v_{target} = m.wrap({self.value(value.args[0])}, r[{target!r}])"]
        text, plain = self.expr(value)
        known = target not in FLAGS and target not in self.kinds and target != "sp"
        if known and plain:
            self.ints.add(target)
        return [f"v_{target} = {text if known or not plain else f'D.const({text})'}"]


# --- whole meanings ------------------------------------------------------------------------------


def _prologue(kinds: Mapping[str, str], reads: set[str], uses: set[str]) -> list[str]:
    lines = []
    for name, kind in kinds.items():
        if kind == "imm":
            lines.append(f"v_{name} = r[{name!r}].value")
        elif kind == "shift":
            lines.append(f"v_{name} = r[{name!r}]")
        elif kind == "list" and name in reads:
            lines.append(f"v_{name} = [m.get(_Reg(x)) for x in r[{name!r}].vars]")
        elif kind == "list":
            lines.append(f"v_{name} = [None] * len(r[{name!r}].vars)")
        elif kind == "base":
            lines.append(f"v_{name} = m.get(_Reg(r[{name!r}].var))")
        elif kind in ("reg", "half") and name in reads:
            lines.append(f"v_{name} = m.get(r[{name!r}])")
    if "sp" in reads:
        lines.append("v_sp = m.get(_SP)")
    lines += [f"v_{name} = m.flag({name!r})" for name in sorted(uses)]
    lines += [f"v_ea = m.address(r[{name!r}])" for name, kind in kinds.items() if kind == "mem"]
    return lines


def _epilogue(kinds: Mapping[str, str], targets: list[str], optional: set[str]) -> list[str]:
    lines = []
    for name in targets:
        if name == "sp":
            lines.append("m.set(_SP, v_sp)")
        elif name in FLAGS:
            test = f"if v_{name} is not None: " if name in optional else ""
            lines.append(f"{test}m.set_flag({name!r}, v_{name})")
        elif kinds.get(name) == "list":
            lines.append(f"for x, y in zip(r[{name!r}].vars, v_{name}): m.set(_Reg(x), y)")
        elif kinds.get(name) == "base":
            lines.append(f"if r[{name!r}].writeback: m.set(_Reg(r[{name!r}].var), v_{name})")
        elif name in kinds:
            lines.append(f"m.set(r[{name!r}], v_{name})")
    return lines


def source(
    statements: tuple[ast.stmt, ...], kinds: Mapping[str, str], reads: set[str], uses: set[str]
) -> str:
    """Text of the function `run(m, r)`: all reads, the statements in order, all writes."""
    builder = Builder(kinds)
    lines = ["D = m.dom", *_prologue(kinds, reads, uses)]
    targets: list[str] = []
    optional: set[str] = set()
    for statement in statements:
        lines += builder.statement(statement)
        target = target_of(statement)
        if target is not None and target not in targets:
            targets.append(target)
        if ast.unparse(value_of(statement)).startswith("imm_c("):
            optional.add(str(target))
    lines += _epilogue(kinds, targets, optional)
    return "def run(m, r):\n" + "".join(f"    {line}\n" for line in lines)


def compiled(name: str, text: str) -> Meaning:
    """The function that `text`, made by `source`, defines."""
    scope = dict(_NAMESPACE)
    exec(compile(text, f"<meaning of {name}>", "exec"), scope)  # noqa: S102
    return scope["run"]  # type: ignore[return-value]


@cache
def _condition(text: str) -> Callable[[Any], Any]:
    flags = sorted(set(text) & set("NZCV"))
    value = Builder({}).value(ast.parse(text, mode="eval").body)
    lines = ["D = m.dom", *(f"v_{flag} = m.flag({flag!r})" for flag in flags), f"return {value}"]
    scope = dict(_NAMESPACE)
    exec("def value(m):\n" + "".join(f"    {line}\n" for line in lines), scope)  # noqa: S102
    return scope["value"]  # type: ignore[return-value]


def condition_value(cond: str, machine: Any) -> Any:
    """Whether `cond` holds, 0 or 1 as a value of the machine's domain."""
    return _condition(CONDITIONS[cond])(machine)
