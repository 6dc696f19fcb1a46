# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Instructions that the passes make themselves on AArch64: as `build`, with pairs in the place of lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gen.ir.ir import Imm, Insn, LabelRef, Mem, Part, Reg, Var, physical
from gen.isa import build
from gen.isa.encode import immediate_fits

_SP = physical("sp")
TABLES = ("aarch64",)


def _insn(name: str, *ops: Reg | Imm | Mem | LabelRef, part: Part, comment: str = "") -> Insn:
    return build.insn(name, *ops, part=part, comment=comment, tables_of=TABLES)


def branch(label: str, cond: str | None = None, width: str = "") -> Insn:
    """B, or B with a condition."""
    name = "b" if cond is None else "bc"
    return build.insn(name, LabelRef(label), cond=cond, tables_of=TABLES)


def call(label: str) -> Insn:
    """BL."""
    return _insn("bl", LabelRef(label), part="body")


def conditional(conds: Sequence[str]) -> Iterator[Insn]:
    """No instruction of the tables takes a condition."""
    raise AssertionError(conds)


def nop(width: str = "") -> Insn:
    return _insn("nop", part="body")


def move(dest: Var, source: Var, part: Part = "body", comment: str = "") -> Insn:
    """dest = source, both general or both vector registers."""
    return _insn("mov", Reg(dest), Reg(source), part=part, comment=comment)


def load_word(var: Var, base: Var, offset: int, part: Part = "body", comment: str = "") -> Insn:
    """var = [base, #offset]."""
    return _insn("ldr", Reg(var), Mem(base, Imm(offset)), part=part, comment=comment)


def store_word(var: Var, base: Var, offset: int, part: Part = "body", comment: str = "") -> Insn:
    """[base, #offset] = var."""
    return _insn("str", Reg(var), Mem(base, Imm(offset)), part=part, comment=comment)


def load_words(listed: Sequence[Var], base: Var, part: Part = "body") -> Iterator[Insn]:
    """The words at `base`, which is read last where it is among them."""
    rows = [(row, 16 * number) for number, row in enumerate(_pairs(listed))]
    for row, offset in sorted(rows, key=lambda one: base in one[0]):
        yield _insn(_LOADS[len(row)], *map(Reg, row), Mem(base, Imm(offset)), part=part)


def constant(dest: Var, value: int, text: str = "", part: Part = "entry") -> tuple[Insn, ...]:
    """One to four instructions that put `value` (modulo 2**64) into a general register."""
    word = value % (1 << 64)
    if immediate_fits("0..65535|bm64", word):
        return (_insn("mov", Reg(dest), Imm(word, text), part=part),)
    parts = [(at, word >> at & 0xFFFF) for at in range(0, 64, 16)]
    parts = [(at, part_) for at, part_ in parts if part_]
    names = ("movz", *("movk" for _ in parts[1:]))
    return tuple(
        _insn(f"{name}{at or ''}", Reg(dest), Imm(part_), part=part)
        for name, (at, part_) in zip(names, parts, strict=True)
    )


# --- the frame: SP once, then pairs of saved registers above the slots ---------------------------

_LOADS, _STORES = {1: "ldr", 2: "ldp"}, {1: "str", 2: "stp"}
_BYTES = 8


def _pairs(listed: Sequence[Var]) -> list[tuple[Var, ...]]:
    return [tuple(listed[at : at + 2]) for at in range(0, len(listed), 2)]


def _offsets(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[tuple[Var, int]]:
    """Where each saved register is, from SP."""
    start = -(-room // _BYTES) * _BYTES
    for number, var in enumerate((*saved, *saved_fp)):
        yield var, start + _BYTES * number


def stack_bytes(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> int:
    """Bytes of the frame: SP is a multiple of 16 wherever memory is accessed through it (AAPCS64, 6.2.2)."""
    total = -(-room // _BYTES) * _BYTES + _BYTES * (len(saved) + len(saved_fp))
    return -(-total // 16) * 16


def places(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[tuple[Var, int]]:
    """Each saved register and the bytes below the caller's SP where it is."""
    total = stack_bytes(saved, saved_fp, room)
    return ((var, total - at) for var, at in _offsets(saved, saved_fp, room))


def _moves(
    names: dict[int, str], saved: Sequence[Var], saved_fp: Sequence[Var], room: int, part: Part
) -> Iterator[Insn]:
    at = dict(_offsets(saved, saved_fp, room))
    for listed in (saved, saved_fp):
        for row in _pairs(listed):
            yield _insn(names[len(row)], *map(Reg, row), Mem(_SP, Imm(at[row[0]])), part=part)


def enter(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]:
    """Makes the frame."""
    total = stack_bytes(saved, saved_fp, room)
    if total:
        yield _insn("sub", Reg(_SP), Reg(_SP), Imm(total), part="entry")
    yield from _moves(_STORES, saved, saved_fp, room, "entry")


def leave(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]:
    """Gives the frame back and returns."""
    yield from _moves(_LOADS, saved, saved_fp, room, "exit")
    total = stack_bytes(saved, saved_fp, room)
    if total:
        yield _insn("add", Reg(_SP), Reg(_SP), Imm(total), part="exit")
    yield _insn("ret", part="exit")
