# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which registers and flags one instruction reads and writes, and which of them must differ."""

from __future__ import annotations

from functools import cache

from gen.ir.ir import Base, Half, Imm, Insn, LabelRef, Mem, Operand, Reg, RegList, Var, physical
from gen.isa.encode import carry_of
from gen.isa.form import Form
from gen.isa.meaning import CONDITIONS

_PAIRS = ("eq ne", "cs cc", "hs lo", "mi pl", "vs vc", "hi ls", "ge lt", "gt le")
_INVERSE = dict(pair.split() for pair in _PAIRS) | dict(pair.split()[::-1] for pair in _PAIRS)


def inverse(cond: str) -> str:
    """The condition that holds when `cond` does not."""
    return _INVERSE[cond]


@cache
def condition_flags(cond: str) -> frozenset[str]:
    """Flags that a condition reads."""
    return frozenset(CONDITIONS[cond]) & frozenset("NZCV")


def _vars(operand: Operand) -> tuple[Var, ...]:
    if isinstance(operand, Reg | Half | Base):
        return (operand.var,)
    return operand.vars if isinstance(operand, RegList) else ()


def _form(insn: Insn) -> Form:
    assert insn.form is not None, insn.mnemonic
    return insn.form


@cache
def _plan(form: Form) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]:
    """Names of the roles read, of those written, of the addresses; whether sp is involved."""
    holders = [role for role in form.roles if role.kind in ("reg", "half", "list", "base")]
    return (
        tuple(role.name for role in holders if "r" in role.access),
        tuple(role.name for role in holders if "w" in role.access),
        tuple(role.name for role in form.roles if role.kind in ("mem", "base")),
        "sp" in form.effects.writes,
    )


def writes(insn: Insn) -> tuple[Var, ...]:
    """Registers written, written-back bases included."""
    _, written, addresses, stack = _plan(_form(insn))
    found: list[Var] = []
    for name in written:
        operand = insn.roles[name]
        if not isinstance(operand, Base) or operand.writeback:
            found += _vars(operand)
    for name in addresses:
        operand = insn.roles[name]
        if isinstance(operand, Mem) and operand.mode != "offset":
            found.append(operand.base)
    if stack:
        found.append(physical("sp"))
    return tuple(found)


def reads(insn: Insn) -> tuple[Var, ...]:
    """Registers read; under a condition the destinations too, since they may keep their value."""
    read, _, _, stack = _plan(_form(insn))
    found: list[Var] = list(address_vars(insn))
    for name in read:
        operand = insn.roles[name]
        found += [var for var in _vars(operand) if var not in found]
    if stack and physical("sp") not in found:
        found.append(physical("sp"))
    if insn.cond is not None:
        found += [var for var in writes(insn) if var not in found]
    return tuple(found)


def address_vars(insn: Insn) -> tuple[Var, ...]:
    """Registers that an address is made of."""
    found: list[Var] = []
    for name in _plan(_form(insn))[2]:
        operand = insn.roles[name]
        if isinstance(operand, Mem):
            found.append(operand.base)
            if operand.index is not None and operand.index is not operand.base:
                found.append(operand.index)
        elif isinstance(operand, Base):
            found.append(operand.var)
    if "sp" in _form(insn).effects.writes:
        found.append(physical("sp"))
    return tuple(found)


def callee(insn: Insn) -> str | None:
    """The label that a call goes to."""
    if insn.form is None or insn.form.kind != "call":
        return None
    return next(op.name for op in insn.ops if isinstance(op, LabelRef))


def makes_address(insn: Insn) -> bool:
    """Whether it adds a constant `k` to a register `n`: the one way to the address of a stack object."""
    form = _form(insn)
    return form.name == "add" and tuple(role.name for role in form.roles) == ("d", "n", "k")


def distinct(insn: Insn) -> tuple[tuple[Var, Var], ...]:
    """Pairs of registers of one instruction that the encoding wants different."""
    form = _form(insn)
    pairs: list[tuple[Var, Var]] = []
    for a, b in form.distinct:
        left, right = insn.roles[a], insn.roles[b]
        pairs += [(x, y) for x in _vars(left) for y in _vars(right)]
    for name in _plan(form)[2]:
        operand = insn.roles[name]
        if isinstance(operand, Mem) and operand.mode != "offset":
            moved = [
                v for role in form.roles if role.kind == "reg" for v in _vars(insn.roles[role.name])
            ]
            pairs += [(operand.base, var) for var in moved]
        elif isinstance(operand, Base) and operand.writeback:
            moved = [
                v
                for role in form.roles
                if role.kind == "list"
                for v in _vars(insn.roles[role.name])
            ]
            pairs += [(operand.var, var) for var in moved]
    for role in form.roles:
        if role.kind == "list":
            listed = _vars(insn.roles[role.name])
            pairs += [(x, y) for i, x in enumerate(listed) for y in listed[i + 1 :]]
    return tuple(pairs)


def flags_set(insn: Insn) -> frozenset[str]:
    """Flags this very instruction writes: a modified immediate may leave C alone."""
    form = _form(insn)
    found = form.sets
    if "C" in found and "imm_c" in form.means:
        constant = insn.roles["k"]
        if isinstance(constant, Imm) and carry_of(constant.value) is None:
            found = found - {"C"}
    return found


def flags_used(insn: Insn) -> frozenset[str]:
    """Flags this very instruction reads, for its condition too. Sticky Q is written only."""
    found = _form(insn).uses
    return found if insn.cond is None else found | condition_flags(insn.cond)
