# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A32 of Armv7-A (Arm DDI 0406, A8.8): what it has of Thumb-2's table, said once there, with encodings of its own.

An instruction is four bytes and may have a condition by itself. Left out: ORN, CBZ, IT, which A32 does not have; LDRD
and STRD, whose registers must be neighbours there; division, whose time tells the operands. The DSP extension's table
holds as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gen.isa import memory, thumb2
from gen.isa.form import Form

_LACKING = ("orn", "orns", "ldrd", "strd", "cbz", "cbnz")
_WORDS = ("ldr", "ldrb", "str", "strb")  # the others have eight bits of offset
_WIDE = "0..65535"


def _has(form: Form) -> bool:
    wide = form.text.split()[0] in ("addw", "subw")
    return form.name not in _LACKING and form.kind not in ("it", "div") and not wide


def _syntax(form: Form) -> str:
    """The operands, by the rules of A32's encodings."""
    offset = "a32word" if form.name in _WORDS else "a32half"
    found = form.syntax.replace(":t2", ":a32").replace(":mem:single", f":mem:{offset}")
    for rule in ("always", "when", "call"):
        found = found.replace(f":label:{rule}", ":label:a32")
    return found


def _twin(form: Form) -> Form:
    return replace(form, isa="a32", syntax=_syntax(form), narrow="", wide=False)


def forms() -> Iterator[Form]:
    """The table."""
    for form in (*thumb2.forms(), *memory.forms()):
        if not _has(form):
            continue
        made = _twin(form)
        if (
            _WIDE in made.syntax and made.name == "mov"
        ):  # told by the mnemonic: GNU as makes no MOVW of it
            yield replace(made, syntax="d, k:imm:a32")
            yield replace(made, syntax=f"d, k:imm:{_WIDE}", text="movw {d}, {k}")
        else:
            yield made
