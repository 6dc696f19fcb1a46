# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The instruction tables and what is asked of them. Users import from here alone.

To add an instruction add one entry to a table (thumb2, memory, dsp, vfp; a64, a64_vector; a32 follows the first two):
name, syntax, text, meaning, kind; form.py says how they are written and meaning.py what a meaning may say.
Everything else is derived, its tests included.
"""

from __future__ import annotations

from typing import Any

from gen.ir.ir import Insn
from gen.isa import build
from gen.isa.access import (
    address_vars,
    callee,
    condition_flags,
    distinct,
    flags_set,
    flags_used,
    inverse,
    makes_address,
    reads,
    writes,
)
from gen.isa.builder import builder
from gen.isa.compile import Machine, condition_value
from gen.isa.describe import describe, written
from gen.isa.elsewhere import instead
from gen.isa.encode import label_fits
from gen.isa.form import Form, Role
from gen.isa.match import Mismatch, bank, match
from gen.isa.meaning import CONDITIONS
from gen.isa.render import it_text, render
from gen.isa.size import number, size
from gen.isa.tables import (
    A64,
    FOLLOWS,
    M_PROFILE,
    aliases,
    all_forms,
    canonical,
    forms_named,
    mnemonics,
)

__all__ = [
    "A64",
    "CONDITIONS",
    "FOLLOWS",
    "M_PROFILE",
    "Form",
    "Machine",
    "Mismatch",
    "Role",
    "address_vars",
    "aliases",
    "all_forms",
    "bank",
    "build",
    "builder",
    "callee",
    "canonical",
    "condition_flags",
    "condition_value",
    "describe",
    "distinct",
    "flags_set",
    "flags_used",
    "forms_named",
    "in_reach",
    "instead",
    "inverse",
    "it_text",
    "makes_address",
    "match",
    "meaningless",
    "mnemonics",
    "number",
    "reads",
    "render",
    "run",
    "size",
    "writes",
    "written",
]


def run(insn: Insn, machine: Any) -> None:
    """Executes the meaning of one instruction, whatever its condition says. Branches do nothing."""
    assert insn.form is not None, insn.mnemonic
    insn.form.run(machine, insn.roles)


def in_reach(form: Form, displacement: int, size: int = 4) -> bool:
    """Whether a branch of `size` bytes reaches `displacement`: target minus its own address."""
    return label_fits(form.roles[-1].enc, displacement, size)


def meaningless(form: Form) -> bool:
    """Whether a form that an author may write says nothing of what it does. Only NOP does nothing."""
    return not form.statements and (form.kind != "nop" or bool(form.roles))
