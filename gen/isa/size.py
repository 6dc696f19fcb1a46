# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Size of an instruction over physical registers, as GNU as and clang choose it when no suffix is
written.

`narrow` of a Form is a condition over its roles: a register is its number (sp 13, lr 14), a
constant its value, `it` is true inside an IT block; FUNCTIONS may be called. A Form without one
is always 32 bits.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from gen.ir.ir import Base, Half, Imm, Insn, Mem, Operand, Reg, RegList, Var
from gen.isa.form import Form

_SPECIAL = {"sp": 13, "lr": 14, "pc": 15}


@cache
def number(var: Var) -> int:
    """Number of a physical register within its bank."""
    name = var.pin or var.name
    return _SPECIAL[name] if name in _SPECIAL else int(name[1:])


def low(*numbers: int) -> bool:
    """All among r0 to r7."""
    return max(numbers) < 8


def lows(listed: RegList, extra: int = 0) -> bool:
    """A list of low registers, `extra` (lr or pc) allowed."""
    return all(number(var) < 8 or number(var) == extra for var in listed.vars)


def bottom(half: Operand) -> bool:
    """The bottom half of a low register."""
    return isinstance(half, Half) and half.which == "b" and number(half.var) < 8


def writes(base: Base) -> bool:
    """A low base that is written back."""
    return base.writeback and number(base.var) < 8


def pops(base: Base, listed: RegList) -> bool:
    """LDM with low registers, written back unless the base is loaded."""
    inside = base.var in listed.vars
    return number(base.var) < 8 and lows(listed) and base.writeback != inside


def indexed(mem: Mem) -> bool:
    """`[low, low]`."""
    return mem.index is not None and mem.shift == 0 and low(number(mem.base), number(mem.index))


def _offset(mem: Mem, size: int) -> bool:
    """`[low, #offset]` with five bits of `size` units, or `[low, low]`."""
    if mem.index is not None:
        return indexed(mem)
    offset = mem.offset.value
    return (
        mem.mode == "offset"
        and number(mem.base) < 8
        and 0 <= offset < 32 * size
        and offset % size == 0
    )


def offset1(mem: Mem) -> bool:
    """Narrow address of a byte access."""
    return _offset(mem, 1)


def offset2(mem: Mem) -> bool:
    """Narrow address of a half-word access."""
    return _offset(mem, 2)


def offset4(mem: Mem) -> bool:
    """Narrow address of a word access; from sp eight bits of words."""
    if number(mem.base) == 13 and mem.index is None and mem.mode == "offset":
        return 0 <= mem.offset.value <= 1020 and mem.offset.value % 4 == 0
    return _offset(mem, 4)


FUNCTIONS: dict[str, Callable[..., bool]] = {
    function.__name__: function
    for function in (low, lows, bottom, writes, pops, indexed, offset1, offset2, offset4)
}

_NODES = (
    ast.Expression,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.Compare,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.BinOp,
    ast.Add,
    ast.Mod,
    ast.cmpop,
)


@cache
def _condition(text: str, names: tuple[str, ...]) -> Callable[[Mapping[str, Any]], bool]:
    """The condition as a function of role values."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        assert isinstance(node, _NODES), ast.dump(node)
        if isinstance(node, ast.Name) and node.id in names:
            node.id = f"v[{node.id!r}]"
    scope: dict[str, Any] = dict(FUNCTIONS)
    exec(f"def holds(v):\n    return {ast.unparse(tree)}\n", scope)  # noqa: S102
    return scope["holds"]  # type: ignore[no-any-return]


def _plain(operand: Operand) -> Any:
    """What a condition sees of an operand."""
    if isinstance(operand, Reg):
        return number(operand.var)
    return operand.value if isinstance(operand, Imm) else operand


def constants_hold(form: Form, roles: Mapping[str, Operand]) -> bool:
    """Whether the constants meet `form.holds` together."""
    if not form.holds:
        return True
    values = {name: operand.value for name, operand in roles.items() if isinstance(operand, Imm)}
    return _condition(form.holds, tuple(form.kinds))(values)


def is_narrow(form: Form, roles: Mapping[str, Operand], in_it: bool) -> bool:
    """Whether the 16-bit encoding exists for these operands."""
    if not form.narrow:
        return False
    values = {name: _plain(operand) for name, operand in roles.items()}
    values["it"] = in_it
    return _condition(form.narrow, (*form.kinds, "it"))(values)


def _short(insn: Insn) -> bool:
    """Whether the 16-bit encoding exists. Other than on a branch a condition means: in IT."""
    assert insn.form is not None, insn.mnemonic
    return is_narrow(insn.form, insn.roles, insn.cond is not None)


def _placed(operand: Operand) -> bool:
    """Whether the registers of an operand are physical ones."""
    match operand:
        case Reg(var) | Half(var, _) | Base(var, _):
            return var.pin is not None
        case RegList(listed):
            return all(var.pin is not None for var in listed)
        case Mem():
            return operand.base.pin is not None and (
                operand.index is None or operand.index.pin is not None
            )
    return True


def suffix(insn: Insn) -> str:
    """The width as printed: only where there is a choice, since clang knows no other."""
    if not insn.width or insn.form is None or not insn.form.narrow or not insn.form.wide:
        return ""
    if not all(_placed(operand) for operand in insn.roles.values()):
        return insn.width  # as the author wrote it
    return insn.width if _short(insn) else ""


def size(insn: Insn) -> int:
    """Bytes of the encoding, 2 or 4."""
    return 2 if _short(insn) and suffix(insn) != ".w" else 4
