# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The inputs that the asserts of a macro allow: for each register, or half of one, the values to
try.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gen.ir.interp.preds import links
from gen.ir.ir import Half, Insn, Mark, Old, Operand, Pred, Reg, Var

Part = str  # "" the whole word, "b" or "t" a half


@dataclass(frozen=True, slots=True)
class Axis:
    """The values of one register or half: from lo to hi, or those listed."""

    var: Var
    part: Part
    lo: int
    hi: int
    listed: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        return len(self.listed) or self.hi - self.lo + 1


def _subjects(pred: Pred) -> Iterable[Reg | Half]:
    for subject in pred.env.values():
        inner = subject.operand if isinstance(subject, Old) else subject
        if isinstance(inner, Reg | Half):
            yield inner


def used_parts(var: Var, insns: Sequence[Insn], preds: Sequence[Pred]) -> tuple[Part, ...]:
    """Which parts of a register matter: the whole, or only halves."""
    parts: dict[Part, None] = {}
    operands: list[Operand] = [op for insn in insns for op in insn.ops]
    for op in (*operands, *(subject for pred in preds for subject in _subjects(pred))):
        if isinstance(op, Half) and op.var is var:
            parts[op.which] = None
        elif getattr(op, "var", None) is var:
            packed = var.type == "i16x2" and isinstance(op, Reg) and op not in operands
            parts.update(dict.fromkeys(("b", "t") if packed else ("",)))
    return ("",) if "" in parts else tuple(sorted(parts))


def _whole_range(var: Var) -> tuple[int, int]:
    return (-(1 << 31), (1 << 31) - 1) if var.type in ("i32", "i16") else (0, (1 << 32) - 1)


class _Limits:
    """Bounds of one register and its halves, gathered from asserts."""

    def __init__(self) -> None:
        self.range: dict[Part, tuple[int, int]] = {}
        self.listed: dict[Part, tuple[int, ...]] = {}

    def cut(self, part: Part, lo: int, hi: int) -> None:
        old = self.range.get(part, (-(1 << 63), 1 << 63))
        self.range[part] = max(old[0], lo), min(old[1], hi)


def _value(node: ast.expr) -> int | None:
    """The number that a folded expression is."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def _gather(limits: _Limits, var: Var, pred: Pred) -> None:
    """Takes in what one assert says about `var` alone."""
    nodes = [pred.node]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            nodes += node.values
        elif isinstance(node, ast.Compare):
            for left, op, right in links(node):
                _side(limits, var, pred, left, type(op), right)
                if (swapped := _SWAPPED.get(type(op))) is not None:
                    _side(limits, var, pred, right, swapped, left)


_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
}


def _side(
    limits: _Limits, var: Var, pred: Pred, left: ast.expr, op: type[ast.cmpop], right: ast.expr
) -> None:
    magnitude = isinstance(left, ast.Call)
    name = left.args[0] if isinstance(left, ast.Call) else left
    if not isinstance(name, ast.Name) or name.id not in pred.env:
        return
    subject = pred.env[name.id]
    if not isinstance(subject, Reg | Half) or subject.var is not var:
        return
    parts: tuple[Part, ...] = (subject.which,) if isinstance(subject, Half) else ("",)
    if isinstance(subject, Reg) and var.type == "i16x2":
        parts = ("b", "t")
    for part in parts:
        if op is ast.In:
            assert isinstance(right, ast.Tuple)
            limits.listed[part] = tuple(sorted({ast.literal_eval(item) for item in right.elts}))
        elif (bound := _value(right)) is not None:
            _bound(limits, part, op, bound, magnitude)


def _bound(limits: _Limits, part: Part, op: type[ast.cmpop], bound: int, magnitude: bool) -> None:
    lo, hi = -(1 << 63), 1 << 63
    if op in (ast.Lt, ast.LtE, ast.Eq):
        hi = bound - (op is ast.Lt)
        lo = -hi if magnitude else lo
    if op in (ast.Gt, ast.GtE, ast.Eq) and not magnitude:
        lo = bound + (op is ast.Gt)
    limits.cut(part, lo, hi)


def axes(var: Var, parts: Sequence[Part], asserts: Sequence[Pred]) -> tuple[Axis, ...]:
    """The axes of a register: one for the whole, or one for each half that matters.

    Bounds of halves do not narrow a whole and the other way round: the program tests every assert
    again.
    """
    limits = _Limits()
    for pred in asserts:
        _gather(limits, var, pred)
    out = []
    for part in parts:
        least, most = (-0x8000, 0x7FFF) if part else _whole_range(var)
        lo, hi = limits.range.get(part, (least, most))
        listed = limits.listed.get(part, ())
        out.append(Axis(var, part, max(lo, least), min(hi, most), listed))
    return tuple(out)


def preconditions(items: Sequence[object]) -> tuple[Pred, ...]:
    """The asserts before the first instruction."""
    found: list[Pred] = []
    for item in items:
        if isinstance(item, Insn):
            break
        if (
            isinstance(item, Mark)
            and item.kind == "assert"
            and item.pred is not None
            and not item.trail
        ):
            found.append(item.pred)
    return tuple(found)
