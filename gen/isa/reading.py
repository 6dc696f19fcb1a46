# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Back from the text of an instruction, as `render` prints it, to the instruction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from gen.ir.ir import Base, Imm, Insn, LabelRef, Mem, Operand, Reg, RegList, Shift, physical
from gen.isa.form import Form
from gen.isa.match import Mismatch, match
from gen.isa.meaning import CONDITIONS
from gen.isa.tables import all_forms, canonical

_WIDTHS = (".w", ".n")
_REGISTER = re.compile(r"[a-z]+[0-9]*|%\[\w+\]")
_NUMBER = re.compile(r"#(-?(?:0x[0-9a-f]+|[0-9]+))")
_SHIFTED = re.compile(r"([a-z]+) #([0-9]+)")
_MEMORY = re.compile(
    r"\[(?P<base>[\w%\[]+\]?)(?:, (?:(?P<offset>#[-\w]+)|(?P<index>\w+)(?:, lsl #(?P<shift>\d+))?))?\]"
    r"(?:(?P<pre>!)|, (?P<post>#[-\w]+))?"
)
_TARGET = re.compile(r"[.A-Za-z_][\w.$]*")


@cache
def _spelled() -> dict[str, tuple[Form, ...]]:
    """Mnemonic as printed, without condition and width -> forms. Half-words are spelled out."""
    found: dict[str, list[Form]] = {}
    for form in all_forms():
        mnemonic = form.text.split(" ")[0]
        count = mnemonic.count(".half}")
        for halves in product("bt", repeat=count):
            text = mnemonic
            for half in halves:
                text = re.sub(r"\{\w+\.half\}", half, text, count=1)
            found.setdefault(text, []).append(form)
    return {name: tuple(forms) for name, forms in found.items()}


@cache
def _mnemonics(text: str) -> tuple[tuple[str, str | None], ...]:
    """Readings of a mnemonic: what the tables call it, and the condition."""
    for width in _WIDTHS:
        text = text.removesuffix(width)
    head, dot, data = text.partition(".")
    found: list[tuple[str, str | None]] = [(text, None)]
    for cond in CONDITIONS:
        if head.endswith(cond) and len(head) > len(cond):
            found.append((head.removesuffix(cond) + dot + data, cond))
    return tuple(one for one in found if one[0] in _spelled())


def _parts(text: str) -> Iterator[str]:
    """Operands: what commas divide that stand in no bracket."""
    depth, start = 0, 0
    for at, char in enumerate(text):
        depth += (char in "[{") - (char in "]}")
        if char == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def _number(text: str) -> Imm:
    return Imm(int(text.removeprefix("#"), 0))


def _memory(found: re.Match[str]) -> Mem:
    mode = "pre" if found["pre"] else "post" if found["post"] else "offset"
    offset = _number(found["post"] or found["offset"] or "#0")
    index = physical(found["index"]) if found["index"] else None
    return Mem(physical(found["base"]), offset, index, int(found["shift"] or 0), mode)  # type: ignore[arg-type]


def _operand(text: str) -> Operand | None:
    if found := _MEMORY.fullmatch(text):
        return _memory(found)
    if found := _NUMBER.fullmatch(text):
        return Imm(int(found[1], 0))
    if found := _SHIFTED.fullmatch(text):
        return Shift(found[1], int(found[2]))
    if text[:1] == "{" and text[-1:] == "}":
        return RegList(tuple(physical(name.strip()) for name in text[1:-1].split(",")))
    if _REGISTER.fullmatch(text):
        return Reg(physical(text))
    if _REGISTER.fullmatch(text[:-1]) and text[-1:] == "!":
        return Base(physical(text[:-1]), True)
    return LabelRef(text) if _TARGET.fullmatch(text) else None


def _operands(text: str) -> list[Operand] | None:
    """All operands; a post-indexed address keeps its step."""
    parts = list(_parts(text))
    if len(parts) > 1 and parts[-1][:1] == "#" and parts[-2][:1] == "[" and parts[-2][-1:] == "]":
        parts[-2:] = [f"{parts[-2]}, {parts[-1]}"]
    found = [_operand(part) for part in parts]
    whole = [one for one in found if one is not None]
    return whole if len(whole) == len(found) else None


def _labelled(form: Form, ops: list[Operand]) -> list[Operand]:
    """A label may look like a register; the form knows what it takes."""
    if len(ops) != len(form.roles):
        return ops
    return [
        LabelRef(op.var.name) if role.kind == "label" and isinstance(op, Reg) else op
        for role, op in zip(form.roles, ops, strict=True)
    ]


@cache
def parsed(text: str) -> Insn | None:
    """The instruction of a line without its comment; None where no table has it."""
    mnemonic, _, rest = text.strip().replace("\t", " ").partition(" ")
    ops = _operands(rest)
    if ops is None:
        return None
    for name, cond in _mnemonics(mnemonic):
        exact = canonical(name, ops)[1] if _spelled()[name] else ops
        for form in _spelled()[name]:
            given = _labelled(form, list(exact))
            roles = match(form, given)
            if not isinstance(roles, Mismatch):
                return Insn(form.name, tuple(given), cond=cond, form=form, roles=roles)
    return None
