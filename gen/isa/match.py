# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which operands a Form takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gen.cores.abi import VECTOR_TYPES
from gen.ir.ir import Base, Half, Imm, LabelRef, Mem, Operand, Reg, RegList, Shift, Var, physical
from gen.isa import encode
from gen.isa.form import Form, Role
from gen.isa.size import constants_hold

_KIND_OF: dict[type, str] = {
    Reg: "reg",
    Half: "half",
    Imm: "imm",
    Shift: "shift",
    Mem: "mem",
    RegList: "list",
    Base: "base",
    LabelRef: "label",
}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why operands do not fit. `legal`: all fits but a number, and this is what the encoding can hold."""

    reason: str
    legal: str = ""


def bank(var: Var) -> str:
    """The register file of a Var: core, s, d or v."""
    if var.type in VECTOR_TYPES:
        return "v"
    name = var.pin or ("s0" if var.home == "fp" else "")
    return name[0] if name[:1] in ("s", "d", "v") and name[1:].isdigit() else "core"


# Vector registers of which a form takes only one type, as they are moved to and from memory in other widths.
_TYPED = {"v1": "u64x1", "v2": "u64x2"}


def _in_bank(var: Var, enc: str) -> bool:
    if enc in _TYPED:
        return bank(var) == "v" and (var.type == _TYPED[enc] or var is physical(var.name))
    return bank(var) == enc


def _shape(role: Role, operand: Operand) -> str:
    """Why the shape of an operand does not fit, or ""."""
    kind = _KIND_OF[type(operand)]
    if kind == "reg" and role.kind == "base":
        return ""  # a base without write-back looks like a register
    if kind != role.kind:
        return f"{role.name} is {NAMES[role.kind]}, not {NAMES[kind]}"
    if isinstance(operand, Reg) and not _in_bank(operand.var, role.enc):
        return f"{role.name} is a register of bank {role.enc}"
    if isinstance(operand, RegList) and {bank(var) for var in operand.vars} != {role.enc}:
        return f"{role.name} is a list of registers of bank {role.enc}"
    if isinstance(operand, Shift):
        return encode.shift_shape(role.enc, operand)
    if isinstance(operand, Mem):
        return encode.memory_shape(role.enc, operand)
    if isinstance(operand, Base) and role.enc == "must" and not operand.writeback:
        return f"{role.name} is written back here: write `!` after it"
    return ""


NAMES: dict[str, str] = {
    "reg": "a register",
    "half": "a half-word (x.b or x.t)",
    "imm": "a constant",
    "shift": "a shift",
    "mem": "an address",
    "list": "a register list",
    "base": "a base register (p or p!)",
    "label": "a label",
}


def _constant(role: Role, operand: Operand) -> tuple[str, int] | None:
    """What would fit where a number in an operand does not, and that number."""
    if isinstance(operand, Imm) and not encode.immediate_fits(role.enc, operand.value):
        return f"{role.name} is {encode.immediate_text(role.enc)}", operand.value
    if isinstance(operand, Shift):
        return encode.shift_constant(role.enc, operand)
    return encode.memory_constant(role.enc, operand) if isinstance(operand, Mem) else None


def _short(role: Role, operand: Operand) -> bool:
    """A list of one core register, which LDM and STM cannot encode."""
    return isinstance(operand, RegList) and role.enc == "core" and len(operand.vars) < 2


def _canonical(role: Role, operand: Operand) -> Operand:
    """The operand as it is kept: a base is a Base, a modified immediate not negative."""
    if role.kind == "base" and isinstance(operand, Reg):
        return Base(operand.var, False)
    if isinstance(operand, Imm) and operand.value < 0:
        return Imm(operand.value & encode.word_of(role.enc), operand.text)
    return operand


def match(form: Form, ops: Sequence[Operand]) -> dict[str, Operand] | Mismatch:
    """Role name -> operand, or the first reason why not."""
    roles = form.roles
    if len(ops) != len(roles):
        return Mismatch(f"takes {len(roles)} operands, not {len(ops)}")
    for role, operand in zip(roles, ops, strict=True):
        reason = _shape(role, operand)
        if reason:
            return Mismatch(reason)
    found: dict[str, Operand] = {}
    for role, operand in zip(roles, ops, strict=True):
        wrong = _constant(role, operand)
        if wrong is not None:
            legal, number = wrong
            return Mismatch(f"{legal}; not {number}", legal)
        found[role.name] = _canonical(role, operand)
    if "base" in form.kinds.values() and _short(roles[-1], ops[-1]):
        return Mismatch(f"{roles[-1].name} is a list of two registers or more")
    if not constants_hold(form, found):
        return Mismatch(f"the encoding needs {form.holds}", form.holds)
    return found
