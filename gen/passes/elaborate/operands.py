# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""References and operands as written -> operands over Vars and numbers."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Literal

from gen.diag import Failed, fail, nearest
from gen.ir.ir import Base, Half, Imm, Mem, Operand, Reg, RegList, Shift, Var
from gen.passes.elaborate.scope import Broken, Const, Many, One, Scope, silent
from gen.read.consteval import integer
from gen.read.expression import place
from gen.read.syntax import Expr, ImmOp, ListOp, MemOp, Op, Ref, RegOp, ShiftOp, Word

LONGEST_FORMULA = 60
_MANY_DIGITS = 4


# --- references ---


def find(scope: Scope, word: Word) -> One | Many:
    """The register or array of this name. Errors: `undefined`, `bad-operands` for a constant."""
    binding = scope.names.get(word.text)
    if isinstance(binding, One | Many):
        return binding
    if isinstance(binding, Broken):
        raise silent()
    if isinstance(binding, Const) or word.text in scope.file.entries:
        raise fail("bad-operands", word.span, f"`{word.text}` is no register", help=f"#{word.text}")
    raise unknown(scope, word)


def unknown(scope: Scope, word: Word) -> Failed:
    """The error for a register name that nobody declared."""
    if re.fullmatch(r"r\d+|sp|lr|pc|ip|fp", word.text):
        return fail(
            "undefined",
            word.span,
            f"no register `{word.text}`; registers have names, and places only where those demand them",
            help="local NAME : u32" if scope.macro else "reg NAME : u32 @ r0",
        )
    near = nearest(word.text, scope.registers())
    declaration = "local" if scope.macro else "reg"
    return fail(
        "undefined",
        word.span,
        f"no register `{word.text}`",
        help=near or f"{declaration} {word.text} : u32",
    )


def resolve(scope: Scope, ref: Ref) -> One | Many:
    """What a reference stands for; a whole array or a part of it is a Many."""
    found = find(scope, ref.name)
    if ref.index is not None:
        if isinstance(found, One):
            raise fail(
                "bad-operands",
                ref.span,
                f"`{ref.name.text}` is one register, not an array",
                help=ref.name.text,
            )
        found = _indexed(scope, ref, ref.index, found)
    if ref.half is None:
        return found
    if isinstance(found, Many):
        raise fail(
            "bad-operands",
            ref.span,
            f"`{ref.name.text}` is an array of registers",
            help=f"{ref.name.text}[0].{ref.half.text}",
        )
    if isinstance(found.item, Half):
        raise fail(
            "bad-operands",
            ref.half.span,
            f"`{ref.name.text}` is a half-word already",
            help=ref.name.text,
        )
    which: Literal["b", "t"] = "b" if ref.half.text == "b" else "t"
    return One(Half(found.item, which), "i16", found.readonly)


def _indexed(scope: Scope, ref: Ref, index: Expr, found: Many) -> One | Many:
    first = _index(scope, ref, index, found)
    if ref.last is None:
        return One(found.items[first], found.type, found.readonly)
    last = _index(scope, ref, ref.last, found)
    if last < first:
        raise fail("bad-operands", ref.span, f"the range {first}..{last} runs downwards")
    return Many(found.items[first : last + 1], found.type, found.readonly)


def _index(scope: Scope, ref: Ref, expr: Expr, found: Many) -> int:
    value = integer(expr, scope, scope.file.world.budget)
    if not 0 <= value < len(found.items):
        name = ref.name.text
        raise fail(
            "undefined",
            expr.span,
            f"no register `{name}[{value}]`",
            details=(f"{name}[0] to {name}[{len(found.items) - 1}] exist",),
        )
    return value


def single(scope: Scope, ref: Ref) -> One:
    """A reference that must be one register or half."""
    found = resolve(scope, ref)
    if isinstance(found, Many):
        name = ref.name.text
        raise fail(
            "bad-operands",
            ref.span,
            f"`{name}` is an array of {len(found.items)} registers",
            help=f"{name}[0]",
        )
    return found


def whole(scope: Scope, ref: Ref, what: str) -> Var:
    """A reference that must be a whole register."""
    found = single(scope, ref)
    if isinstance(found.item, Half) or found.type == "flag":
        kind = "a half-word" if isinstance(found.item, Half) else "a carry"
        raise fail("bad-operands", ref.span, f"{what} is a register, not {kind}")
    return found.item


def operand(scope: Scope, ref: Ref) -> Reg | Half:
    """A register or half-word as an operand."""
    found = single(scope, ref)
    if found.type == "flag":
        raise fail("bad-operands", ref.span, f"`{ref.name.text}` is a carry, not a register")
    return found.item if isinstance(found.item, Half) else Reg(found.item)


# --- numbers ---


def magic(expr: Expr) -> None:
    """Refuses a bare number of four or more digits."""
    node = expr.node
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if not isinstance(node, ast.Constant):
        return
    digits = expr.text.lstrip("+-~( ").rstrip(") ").replace("_", "").lower()
    digits = digits[2:] if digits[:2] in ("0x", "0b") else digits
    if len(digits) >= _MANY_DIGITS:
        raise fail(
            "magic-number",
            place(expr, node),
            f"{expr.text} needs a name or a formula",
            help=f"const NAME = {expr.text}",
        )


def immediate(scope: Scope, op: ImmOp) -> Imm:
    """`#expr` as a number with its formula."""
    expr = op.expr
    if type(expr.node) is ast.Constant and len(expr.text) < _MANY_DIGITS:
        return Imm(expr.node.value)  # type: ignore[arg-type]
    magic(expr)
    return Imm(integer(expr, scope, scope.file.world.budget), formula(scope, expr))


def formula(scope: Scope, expr: Expr) -> str:
    """The text of an expression with loop variables replaced by their values; "" if nothing named
    is left."""
    if not expr.names:
        return "" if type(expr.node) is ast.Constant else _short(expr.text)
    names = scope.names
    local: dict[str, str] = {}
    symbolic = False
    for name in expr.names:
        binding = names.get(name)
        if isinstance(binding, Const):
            symbolic = symbolic or bool(binding.text)
            local[name] = binding.text or (
                str(binding.value) if isinstance(binding.value, int) else name
            )
        elif name in scope.file.entries:
            symbolic = True
    if not symbolic:
        return ""
    return _short(_substituted(expr, local) if local else expr.text)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_FORMULA else ""


def _substituted(expr: Expr, local: dict[str, str]) -> str:
    text = expr.text
    if type(expr.node) is ast.Name:
        return local.get(text, text)
    for column, name in _uses(expr.node):
        new = local.get(name, name)
        if not (name is new or new.isalnum()):
            new = f"({new})"
        text = text[:column] + new + text[column + len(name) :]
    return text


@lru_cache(maxsize=8192)
def _uses(node: ast.expr) -> tuple[tuple[int, str], ...]:
    """Column and name of each name in an expression, last one first."""
    names = [(n.col_offset, n.id) for n in ast.walk(node) if isinstance(n, ast.Name)]
    return tuple(sorted(names, reverse=True))


# --- operands ---


def operands(scope: Scope, ops: tuple[Op, ...]) -> tuple[tuple[Operand, ...], Var | None]:
    """The operands of an instruction, and the named carry it reads (written last)."""
    made: list[Operand] = []
    for at, op in enumerate(ops):
        if type(op) is RegOp:
            found = single(scope, op.ref)
            if found.type == "flag":
                assert isinstance(found.item, Var)
                if at != len(ops) - 1:
                    raise fail("bad-operands", op.ref.span, "a carry is read as the last operand")
                return tuple(made), found.item
            made.append(_register(op, found, ops[at + 1] if at + 1 < len(ops) else None))
        else:
            other = _other(scope, op)
            if other is not None:
                made.append(other)
    return tuple(made), None


def _register(op: RegOp, found: One, after: Op | None) -> Operand:
    item = found.item
    if isinstance(item, Half):
        if op.bang:
            raise fail(
                "bad-operands",
                op.ref.span,
                "`!` stands behind an address register, not a half-word",
            )
        return item
    if op.bang or isinstance(after, ListOp):
        return Base(item, op.bang)
    return Reg(item)


def _other(scope: Scope, op: Op) -> Operand | None:
    if isinstance(op, ImmOp):
        return immediate(scope, op)
    if isinstance(op, MemOp):
        return _memory(scope, op)
    if isinstance(op, ShiftOp):
        amount = immediate(scope, op.amount).value
        return Shift(op.kind.text, amount) if amount else None
    assert isinstance(op, ListOp)
    return RegList(tuple(var for ref in op.items for var in _listed(scope, ref)))


def _listed(scope: Scope, ref: Ref) -> tuple[Var, ...]:
    found = resolve(scope, ref)
    items = found.items if isinstance(found, Many) else (found.item,)
    if any(isinstance(item, Half) for item in items):
        raise fail("bad-operands", ref.span, "a list holds registers, not half-words")
    return items  # type: ignore[return-value]


def _memory(scope: Scope, op: MemOp) -> Mem:
    base = whole(scope, op.base, "an address")
    index = None if op.index is None else whole(scope, op.index, "an index")
    offset = Imm(0) if op.offset is None else immediate(scope, op.offset)
    shift = 0
    if op.shift is not None:
        if op.shift.kind.text != "lsl":
            raise fail(
                "bad-operands", op.shift.kind.span, "an index is shifted by lsl only", help="lsl #2"
            )
        shift = immediate(scope, op.shift.amount).value
    return Mem(base, offset, index, shift, op.mode)
