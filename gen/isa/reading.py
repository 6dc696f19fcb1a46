# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Back from the text of an instruction, as `render` prints it, to the instruction.

A form whose text says more of its operands than their places (A64: other names of a register, arrangements) is read by
that text; of all others the operands speak for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from gen.ir.ir import Base, Imm, Insn, LabelRef, Mem, Operand, Reg, RegList, Shift, physical
from gen.isa.form import Form
from gen.isa.match import Mismatch, match
from gen.isa.meaning import CONDITIONS
from gen.isa.tables import M_PROFILE, all_forms, canonical

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
def _spelled(isa: Sequence[str]) -> dict[str, tuple[Form, ...]]:
    """Mnemonic as printed, without condition and width -> forms. Half-words are spelled out."""
    found: dict[str, list[Form]] = {}
    for form in all_forms(isa):
        mnemonic = form.text.split(" ")[0]
        count = mnemonic.count(".half}")
        for halves in product("bt", repeat=count):
            text = mnemonic
            for half in halves:
                text = re.sub(r"\{\w+\.half\}", half, text, count=1)
            found.setdefault(text, []).append(form)
    return {name: tuple(forms) for name, forms in found.items()}


@cache
def _mnemonics(text: str, isa: Sequence[str]) -> tuple[tuple[str, str | None], ...]:
    """Readings of a mnemonic: what the tables call it, and the condition."""
    for width in _WIDTHS:
        text = text.removesuffix(width)
    head, dot, data = text.partition(".")
    found: list[tuple[str, str | None]] = [(text, None)]
    if data in CONDITIONS:
        found.append((head + dot, data))
    for cond in CONDITIONS:
        if head.endswith(cond) and len(head) > len(cond):
            found.append((head.removesuffix(cond) + dot + data, cond))
    return tuple(one for one in found if one[0] in _spelled(isa))


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


def _split(text: str) -> list[str]:
    """Texts of the operands; a post-indexed address keeps its step."""
    parts = list(_parts(text))
    if len(parts) > 1 and parts[-1][:1] == "#" and parts[-2][:1] == "[" and parts[-2][-1:] == "]":
        parts[-2:] = [f"{parts[-2]}, {parts[-1]}"]
    return parts


def _labelled(form: Form, ops: list[Operand]) -> list[Operand]:
    """A label may look like a register; the form knows what it takes."""
    if len(ops) != len(form.roles):
        return ops
    return [
        LabelRef(op.var.name) if role.kind == "label" and isinstance(op, Reg) else op
        for role, op in zip(form.roles, ops, strict=True)
    ]


# Of a register's other names, as they are printed, the one that it goes by here.
_VIEWS = {
    "w": (r"w(\d+)", "x"),
    "d": (r"d(\d+)", "v"),
    "q": (r"q(\d+)", "v"),
    "one": (r"\{v(\d+)\.2d\}", "v"),
}


def _by_text(form: Form, parts: Sequence[str]) -> list[Operand] | None:
    """The operands in the order of the roles, as the text of the form has them."""
    templates = list(_parts(form.text.partition(" ")[2]))
    if len(templates) != len(parts):
        return None
    found: dict[str, Operand] = {}
    for template, part in zip(templates, parts, strict=True):
        role = re.fullmatch(r"\{(\w+)(?:\.(\w+))?\}(\.\w+)?", template)
        if role is None:
            if template != part:
                return None
            continue
        operand = _viewed(role[2], role[3] or "", part)
        if operand is None:
            return None
        found[role[1]] = operand
    return [found[role.name] for role in form.roles]


def _viewed(view: str | None, arrangement: str, part: str) -> Operand | None:
    if view:
        pattern, bank = _VIEWS[view]
        other = re.fullmatch(pattern, part)
        return Reg(physical(bank + other[1])) if other else None
    if not part.endswith(arrangement):
        return None
    return _operand(part.removesuffix(arrangement))


def _told(form: Form) -> bool:
    """Whether the text says more of the operands than their order."""
    return not form.roles or not {form.isa} <= {*M_PROFILE}


@cache
def parsed(text: str, isa: Sequence[str] = M_PROFILE) -> Insn | None:
    """The instruction of a line without its comment; None where no table of these has it."""
    mnemonic, _, rest = text.strip().replace("\t", " ").partition(" ")
    parts = _split(rest)
    ops = [_operand(part) for part in parts]
    plain = [one for one in ops if one is not None]
    for name, cond in _mnemonics(mnemonic, isa):
        exact = canonical(name, plain)[1] if len(plain) == len(ops) else None
        for form in _spelled(isa)[name]:
            given = (
                _by_text(form, parts) if _told(form) else list(exact) if exact is not None else None
            )
            if given is None:
                continue
            given = _labelled(form, given)
            roles = match(form, given)
            if not isinstance(roles, Mismatch):
                return Insn(form.name, tuple(given), cond=cond, form=form, roles=roles)
    return None
