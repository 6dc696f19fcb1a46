# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The meaning of an instruction as C99 statements: the one translation, for `portable` and for exhaustive proofs.

Registers are uint32_t variables (uintptr_t where a register is declared `ptr`), flags the uint32_t variables N Z C V Q
GE. The statements call the functions of templates/portable.h.j2. As in the interpreter, every operand has its old value
until the last statement of the meaning.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gen.emit.cexpr import Expressions
from gen.emit.cvalue import Inexact, Value, Words, bare, filled, literal
from gen.emit.render import render
from gen.ir.ir import Base, Half, Imm, Insn, Mem, Operand, Reg, RegList, Var
from gen.isa import CONDITIONS, condition_flags
from gen.isa.encode import carry_of
from gen.isa.meaning import FLAGS, target_of, value_of


def helpers() -> str:
    """Text of the header that the statements need."""
    return render("portable.h.j2")


def _word(var: Var) -> int:
    return 4


@dataclass(frozen=True)
class Naming:
    """What the variables are called, and the size in bytes of the elements a pointer walks over."""

    register: Callable[[Var], str]
    element: Callable[[Var], int] = _word


def condition(cond: str) -> str:
    """A condition code as a C expression over the flags: 0 or 1, as uint32_t."""
    node = ast.parse(CONDITIONS[cond], mode="eval").body
    return Expressions({}, lambda var: var.name, _no_load).exact(node).text


def test(cond: str) -> str:
    """A condition code as C tests it."""
    text = bare(condition(cond)).removeprefix("(uint32_t)")
    if text.startswith("1u - "):
        return f"{text.removeprefix('1u - ')} == 0"
    return f"{text} != 0" if text.isidentifier() else bare(text)


def _no_load(address: ast.expr, size: int) -> str:
    raise AssertionError("a condition loads nothing")


def flags_read(insn: Insn) -> frozenset[str]:
    """Flags whose value this instruction needs, sticky ones included."""
    assert insn.form is not None
    sticky = {
        str(target_of(node)) for node in insn.form.statements if isinstance(node, ast.AugAssign)
    }
    return insn.form.uses | sticky | (condition_flags(insn.cond) if insn.cond else frozenset())


def statements(insn: Insn, naming: Naming, live: frozenset[str]) -> list[str]:
    """C statements of one instruction; of the flags it sets only those in `live` are computed.

    Unrolled code says the same thing many times: what depends on the text of the operands alone is remembered.
    """
    key = (insn.form, insn.cond, live, *(_spelling(op, naming) for op in insn.roles.values()))
    if key not in _KNOWN:
        _KNOWN[key] = tuple(_Translator(insn, naming, live).lines())
    return list(_KNOWN[key])


_KNOWN: dict[tuple[object, ...], tuple[str, ...]] = {}


def _spelling(operand: Operand, naming: Naming) -> tuple[object, ...]:
    """All that a translation sees of an operand. Registers of one instruction never share a name."""
    match operand:
        case Reg(var):
            return ("reg", naming.register(var), var.points, var.bits)
        case Half(var, which):
            return (which, naming.register(var))
        case Mem(base, offset, index, shift, mode):
            other = naming.register(index) if index is not None else ""
            here = naming.register(base), naming.element(base), base.points
            return ("mem", *here, offset.value, other, shift, mode)
        case RegList(listed):
            return ("list", *((naming.register(var), var.points) for var in listed))
        case Base(var, writeback):
            return ("base", naming.register(var), naming.element(var), var.points, writeback)
        case Imm(value):
            return ("imm", value)
    return (operand,)


@dataclass(frozen=True, slots=True)
class Write:
    """An assignment to a C variable."""

    name: str
    text: str
    type: str = "uint32_t"

    def mentions(self, name: str) -> bool:
        return re.search(rf"\b{name}\b", self.text) is not None

    def where(self, cond: str) -> Write:
        """The same where `cond` is 1; without a branch, and with all bits that a pointer has on hosts."""
        choice = "choose" if self.type == "uint32_t" else f"({self.type})choose64"
        return replace(self, text=f"{choice}({cond}, {self.text}, {self.name})")


def c_type(var: Var) -> str:
    """The C type of a register."""
    if var.points:
        return "uintptr_t"
    return {32: "uint32_t", 64: "uint64_t", 128: "uint64x2_t"}[var.bits]


def _count(node: ast.AST, name: str) -> int:
    return sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


def _element(node: ast.stmt, number: int) -> ast.stmt:
    """The statement for one register of a list: a number for `i`, and the role "r.2" for `r[i]`."""
    node = filled(node, {"i": ast.Constant(number)})
    return _without_subscripts(copy.deepcopy(node), number)


class _Roles(ast.NodeTransformer):
    def __init__(self, number: int) -> None:
        self.number = number

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return ast.Name(f"{ast.unparse(node.value)}.{self.number}", node.ctx)


def _without_subscripts(node: ast.stmt, number: int) -> ast.stmt:
    made: ast.stmt = _Roles(number).visit(node)
    return made


class _Translator:
    def __init__(self, insn: Insn, naming: Naming, live: frozenset[str]) -> None:
        assert insn.form is not None
        self.insn, self.form, self.naming, self.live = insn, insn.form, naming, live
        self.operands: dict[str, Operand] = dict(insn.roles)
        self.expr = Expressions(self.operands, naming.register, self.load)
        self.current: dict[str, ast.expr] = {}  # temporary or written role -> its key in expr.names
        self.locals: list[str] = []
        self.writes: list[Write] = []
        self.stores: list[str] = []

    # --- the whole instruction

    def lines(self) -> list[str]:
        """Locals, stores, then the writes; in a block of their own where there are locals or a condition."""
        steps = [step for node in self.form.statements for step in self.unrolled(node)]
        for number, node in enumerate(steps):
            self.step(node, steps[number + 1 :])
        touches = self.form.loads or self.form.stores
        cond = self.insn.cond
        if cond and not touches:
            self.writes = [w.where(condition(cond)) for w in self.writes]
        writes = self.ordered()
        made = [*self.locals, *self.stores, *writes]
        if cond and touches:
            return [f"if ({test(cond)}) {{", *(f"    {line}" for line in made), "}"]
        block = any(line.startswith("const ") for line in self.locals)
        return ["{", *(f"    {line}" for line in made), "}"] if block else made

    def unrolled(self, node: ast.stmt) -> Iterator[ast.stmt]:
        """A statement over the registers of a list, once for each: r[2] is the role "r.2"."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if "i" not in names:
            yield node
            return
        role = next(ast.unparse(n.value) for n in ast.walk(node) if isinstance(n, ast.Subscript))
        listed = self.operands[role]
        assert isinstance(listed, RegList)
        for number, var in enumerate(listed.vars):
            self.operands[f"{role}.{number}"] = Reg(var)
            yield _element(node, number)

    def step(self, node: ast.stmt, later: list[ast.stmt]) -> None:
        target = target_of(node)
        if target is not None and target not in FLAGS and target not in self.operands:
            self.temporary(target, value_of(node), later)
            return
        value = filled(value_of(node), self.current)
        if target is None:
            self.store(value)
        elif target in FLAGS:
            self.flag(target, node, value)
        else:
            self.write(target, value, later)

    # --- statements

    def temporary(self, name: str, value: ast.expr, later: list[ast.stmt]) -> None:
        """A C constant; another name for its expression where that is read once, nothing where it is not."""
        uses = self.uses(name, later)
        fixed = filled(value, self.current)
        key = f"{name}.{len(self.expr.names)}"
        self.current[name] = ast.Name(key)
        if uses <= 1:
            self.expr.names[key] = fixed
            return
        try:
            made: Value | None = self.expr.exact(fixed)
        except Inexact:
            made = None
        if made is not None and made.low == made.high:
            self.expr.names[key] = made
        elif made is not None:
            variable = self.local(name, made.type, made.text)
            self.expr.names[key] = Value(variable, made.low, made.high)
        else:
            self.expr.names[key] = Words(self.local(name, "uint64_t", self.expr.low(fixed, 64)))

    def local(self, name: str, kind: str, text: str) -> str:
        """Declares a constant; a name used before gets a number. No register's name ends in `_`."""
        count = sum(re.search(rf" {name}\d*_ =", line) is not None for line in self.locals)
        variable = f"{name}{count or ''}_"
        self.locals.append(f"const {kind} {variable} = {bare(text)};")
        return variable

    def uses(self, name: str, later: list[ast.stmt]) -> int:
        """How often statements that are translated read `name`, before it is set again."""
        count = 0
        for number, node in enumerate(later):
            target, rest = target_of(node), later[number + 1 :]
            here = _count(value_of(node), name)
            if here and (
                target is None
                or (target in self.live if target in FLAGS else target in self.operands)
                or self.uses(target, rest)
            ):
                count += here
            if target == name:
                break
        return count

    def flag(self, name: str, node: ast.stmt, value: ast.expr) -> None:
        if name not in self.live:
            return
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "imm_c":
            constant = self.operands[ast.unparse(value.args[0])]
            assert isinstance(constant, Imm)
            carry = carry_of(constant.value)
            if carry is not None:
                self.writes.append(Write(name, literal(carry, "uint32_t")))
            return
        text = self.expr.exact(value).cast("uint32_t")
        text = f"{name} | {text}" if isinstance(node, ast.AugAssign) else bare(text)
        self.writes.append(Write(name, text))

    def write(self, role: str, value: ast.expr, later: list[ast.stmt]) -> None:
        operand = self.operands[role]
        if isinstance(operand, Base) and not operand.writeback:
            return
        assert isinstance(operand, Reg | Base)
        var = operand.var
        name, kind = self.naming.register(var), c_type(var)
        text = self.pointer(value) if var.type == "ptr" else self.expr.low(value, var.bits)
        if not self.uses(role, later):
            self.writes.append(Write(name, bare(text), kind))
            return
        key = f"{role}.{len(self.expr.names)}"
        self.current[role] = ast.Name(key)
        if self.written_early(role, var, later):
            self.locals.append(f"{name} = {bare(text)};")
            held = name
        else:
            held = self.local(role, kind, text)
            self.writes.append(Write(name, held, kind))
        self.expr.names[key] = Value(held, 0, (1 << var.bits) - 1)

    def written_early(self, role: str, var: Var, later: list[ast.stmt]) -> bool:
        """Whether nothing behind needs the value that the register had before."""
        if self.insn.cond or self.writes or self.form.loads or self.form.stores:
            return False
        if any(isinstance(known, ast.expr) for known in self.expr.names.values()):
            return False  # what a name stands for may still read it
        others = [
            name
            for name, op in self.operands.items()
            if name != role and isinstance(op, Reg | Half | Base) and op.var is var
        ]
        return not any(self.uses(name, later) for name in others)

    def store(self, call: ast.expr) -> None:
        assert isinstance(call, ast.Call)
        address, size = call.args[0], self.expr.exact(call.args[1]).low
        value = self.expr.low(call.args[2], max(32, 8 * size))
        self.stores.append(
            f"store{self._access(size)}({bare(self.pointer(address))}, {bare(value)});"
        )

    # --- order of the writes

    def ordered(self) -> list[str]:
        """All writes happen at once: one that another still needs to read around waits, or goes through a local."""
        left, made = [*self._back(), *self.writes], []
        held: list[Write] = []
        while left:
            free = [w for w in left if not any(o is not w and o.mentions(w.name) for o in left)]
            if free:
                left.remove(free[0])
                if free[0].name != free[0].text:
                    made.append(f"{free[0].name} = {free[0].text};")
            else:
                number = next(n for n, w in enumerate(left) if w not in held)
                write = left[number]
                left[number] = replace(write, text=self.local("new", write.type, write.text))
                held.append(left[number])
        return made

    def _back(self) -> Iterator[Write]:
        """Write-back of an address register."""
        for operand in self.insn.roles.values():
            if isinstance(operand, Mem) and operand.mode != "offset":
                text = self._sum(operand.base, operand.offset.value)
                yield Write(self.naming.register(operand.base), text, c_type(operand.base))

    # --- addresses

    def load(self, address: ast.expr, size: int) -> str:
        return f"load{self._access(size)}({bare(self.pointer(address))})"

    def _access(self, size: int) -> str:
        """Bits moved and bits of an element: "32_16"; 64 bits of whatever elements."""
        if size > 4:
            return str(8 * size)
        base = next(op for op in self.insn.roles.values() if isinstance(op, Mem | Base))
        element = self.naming.element(base.base if isinstance(base, Mem) else base.var)
        return f"{8 * size}_{8 * element}"

    def pointer(self, node: ast.expr) -> str:
        """An address as a uintptr_t: pointers, offsets, sums and differences."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if names <= {
            "len",
            *(k for k, op in self.operands.items() if isinstance(op, Imm | RegList)),
        }:
            return str(self.expr.exact(node).low)
        match node:
            case ast.Name("ea"):
                return self._effective()
            case ast.Name(name):
                return self._pointer_role(name)
            case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
                return self._plus(
                    self.pointer(left), "+" if isinstance(sign, ast.Add) else "-", right
                )
            case ast.Call(ast.Name("wrap"), [inner]):
                return self.pointer(inner)
        return f"(uintptr_t){self.expr.low(node, 32)}"

    def _plus(self, left: str, sign: str, right: ast.expr) -> str:
        other = self.pointer(right)
        if other == "0":
            return left
        if other.startswith("-"):
            other, sign = other[1:], "-" if sign == "+" else "+"
        return f"({left} {sign} {other})"

    def _pointer_role(self, name: str) -> str:
        operand = self.operands[name]
        if isinstance(operand, Imm):
            return str(operand.value)
        assert isinstance(operand, Reg | Base)
        text = self.naming.register(operand.var)
        return text if operand.var.points else f"(uintptr_t){text}"

    def _effective(self) -> str:
        mem = next(op for op in self.insn.roles.values() if isinstance(op, Mem))
        if mem.index is None:
            return self._sum(mem.base, 0 if mem.mode == "post" else mem.offset.value)
        index = f"(uintptr_t){self.naming.register(mem.index)}"
        return f"{self.naming.register(mem.base)} + " + (
            f"({index} << {mem.shift})" if mem.shift else index
        )

    def _sum(self, base: Var, offset: int) -> str:
        name = self.naming.register(base)
        return f"{name} {'-' if offset < 0 else '+'} {abs(offset)}" if offset else name
