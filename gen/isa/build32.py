# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Instructions that the passes make themselves in A32: those of `build`, in its encodings and without IT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gen.ir.ir import Imm, Insn, Part, Reg, Var, physical
from gen.isa import build
from gen.isa.build import places, stack_bytes
from gen.isa.encode import immediate_fits
from gen.isa.tables import A32

__all__ = ["places", "stack_bytes"]
_SP = physical("sp")


def _twin(insn: Insn) -> Insn:
    """The same in A32."""
    given = {"cond": insn.cond, "part": insn.part, "comment": insn.comment}
    return build.insn(insn.mnemonic, *insn.ops, tables_of=A32, **given)  # type: ignore[arg-type]


def branch(label: str, cond: str | None = None, width: str = "") -> Insn:
    """B, or B with a condition."""
    return _twin(build.branch(label, cond))


def call(label: str) -> Insn:
    """BL."""
    return _twin(build.call(label))


def conditional(conds: Sequence[str]) -> Iterator[Insn]:
    """What stands before instructions with these conditions: nothing."""
    yield from ()


def nop(width: str = "") -> Insn:
    return _twin(build.nop())


def move(dest: Var, source: Var, part: Part = "body", comment: str = "") -> Insn:
    """dest = source."""
    return _twin(build.move(dest, source, part, comment))


def load_word(var: Var, base: Var, offset: int, part: Part = "body", comment: str = "") -> Insn:
    """var = [base, #offset]."""
    return _twin(build.load_word(var, base, offset, part, comment))


def store_word(var: Var, base: Var, offset: int, part: Part = "body", comment: str = "") -> Insn:
    """[base, #offset] = var."""
    return _twin(build.store_word(var, base, offset, part, comment))


def load_words(listed: Sequence[Var], base: Var, part: Part = "body") -> Iterator[Insn]:
    """The words at `base` into ascending registers, which it may be among."""
    return map(_twin, build.load_words(listed, base, part))


def constant(dest: Var, value: int) -> tuple[Insn, ...]:
    """One or two instructions that put `value` (modulo 2**32) into a register."""
    word = value & 0xFFFFFFFF
    rows: tuple[tuple[str, int], ...] = (("movw", word & 0xFFFF), ("movt", word >> 16))
    if immediate_fits("a32|0..65535", word):
        rows = (("mov", word),)
    elif immediate_fits("a32", word ^ 0xFFFFFFFF):
        rows = (("mvn", word ^ 0xFFFFFFFF),)
    return tuple(
        build.insn(name, Reg(dest), Imm(k), part="entry", tables_of=A32) for name, k in rows
    )


def _moved(name: str, room: int, part: Part) -> Iterator[Insn]:
    """SP moved by `room` bytes, a multiple of four below 4096: at most two constants."""
    whole = immediate_fits("a32", room)
    for k in (room,) if whole else (room & 0xC00, room & 0x3FC):
        if k:
            yield build.insn(name, Reg(_SP), Reg(_SP), Imm(k), part=part, tables_of=A32)


def enter(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]:
    """Makes the frame."""
    yield from map(_twin, build.enter(saved, saved_fp, 0))
    yield from _moved("sub", room, "entry")


def leave(saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]:
    """Gives the frame back and returns."""
    yield from _moved("add", room, "exit")
    yield from map(_twin, build.leave(saved, saved_fp, 0))
