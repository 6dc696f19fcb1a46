# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The only place that prints instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from gen.ir.ir import Base, Half, Imm, Insn, LabelRef, Mem, Operand, Reg, RegList, Shift, Var
from gen.isa.size import suffix

Name = Callable[[Var], str]
Number = Callable[[Imm], str]


def _physical(var: Var) -> str:
    return var.pin or var.name


def _number(imm: Imm) -> str:
    return f"#{imm.value}"


@cache
def _pieces(text: str) -> tuple[tuple[str, str, str], ...]:
    """(literal, role, attribute) of a text template; a literal has no role."""
    found = []
    for literal, role, attribute in re.findall(r"([^{]+)|\{(\w+)(?:\.(\w+))?\}", text):
        found.append((literal, role, attribute))
    return tuple(found)


@cache
def _template(
    text: str,
) -> tuple[tuple[tuple[str, str, str], ...], tuple[tuple[str, str, str], ...]]:
    """Pieces of the mnemonic, pieces of the operands."""
    mnemonic, _, operands = text.partition(" ")
    return _pieces(mnemonic), _pieces(operands)


def _mem(mem: Mem, name: Name, number: Number) -> str:
    base = name(mem.base)
    if mem.index is not None:
        shift = f", lsl #{mem.shift}" if mem.shift else ""
        return f"[{base}, {name(mem.index)}{shift}]"
    if mem.mode == "post":
        return f"[{base}], {number(mem.offset)}"
    if mem.mode == "pre":
        return f"[{base}, {number(mem.offset)}]!"
    return f"[{base}, {number(mem.offset)}]" if mem.offset.value else f"[{base}]"


def _operand(operand: Operand, name: Name, number: Number) -> str:
    match operand:
        case Reg(var) | Half(var, _):
            return name(var)
        case Imm():
            return number(operand)
        case Mem():
            return _mem(operand, name, number)
        case Shift(kind, amount):
            return f"{kind} #{amount}"
        case RegList(listed):
            return "{" + ", ".join([name(var) for var in listed]) + "}"
        case Base(var, writeback):
            return name(var) + "!" * writeback
        case LabelRef(label):
            return label
    raise AssertionError(operand)


# A register of A64 as one of its other names, or as the list of one that LD1R has.
_VIEWS = {"w": "w{}", "d": "d{}", "q": "q{}", "one": "{{v{}.2d}}"}


def _numbered(name: str) -> str:
    """The number of a register; what is no register stays as it is."""
    return name[1:] if name[1:].isdigit() else name


def _piece(insn: Insn, role: str, attribute: str, name: Name, number: Number) -> str:
    operand = insn.roles[role]
    if not attribute:
        return _operand(operand, name, number)
    if isinstance(operand, Reg):
        return _VIEWS[attribute].format(_numbered(name(operand.var)))
    assert isinstance(operand, Half)
    if attribute == "half":
        return operand.which
    return ", ror #16" if operand.which == "t" else ""


def render(insn: Insn, name: Name = _physical, number: Number = _number) -> str:
    """UAL text with a tab after the mnemonic. `name` prints registers, `number` constants."""
    form = insn.form
    assert form is not None, insn.mnemonic
    head, tail = _template(form.text)
    mnemonic = "".join([x or _piece(insn, role, attr, name, number) for x, role, attr in head])
    operands = "".join([x or _piece(insn, role, attr, name, number) for x, role, attr in tail])
    kind, dot, data = mnemonic.partition(".")  # a data type follows the condition: vmoveq.f32
    parts = (insn.cond or "") + suffix(insn)
    mnemonic = kind + (parts + dot + data if data or not dot else dot + parts)  # A64: b.ne
    return f"{mnemonic}\t{operands}" if operands else mnemonic


def it_name(conds: Sequence[str]) -> str:
    """The IT mnemonic for one to four conditions, each the first or its inverse."""
    assert 1 <= len(conds) <= 4
    return "it" + "".join("t" if cond == conds[0] else "e" for cond in conds[1:])


def it_text(conds: Sequence[str]) -> str:
    """The IT instruction over these conditions, as `render` prints it."""
    return f"{it_name(conds)}\t{conds[0]}"
