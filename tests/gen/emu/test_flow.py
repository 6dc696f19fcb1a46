# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What machine code is said to read and write is what the instruction tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen import isa
from gen.emu.flow import BIT, FLAGS, PC, Flow, Flows
from gen.ir.ir import Insn, Var
from tests.isa.sample import samples
from tests.isa.toolchain import GAS, SLOT, assemble, listing

TRIES = 12
FORMS = [form for form in isa.all_forms() if form.kind not in ("branch", "call", "return", "it")]
_FLAGS = sum(BIT[name] for name in FLAGS)


def bits(variables: tuple[Var, ...]) -> int:
    found = 0
    for var in variables:
        found |= BIT[var.name] if var.name != "pc" else PC
    return found


def flags(names: frozenset[str]) -> int:
    return sum(BIT[name] for name in names)


def read(flow: Flow) -> int:
    """Everything that an instruction reads, its condition and its memory left out."""
    found = flow.operands
    for sources, _ in flow.moves:
        found |= sources
    if flow.access is not None:
        found |= flow.access.bits
        if flow.access.store:
            for lane in flow.access.lanes:
                found |= lane.bits
    return found


def faults(insn: Insn, flow: Flow) -> list[str]:
    """How the two differ."""
    found = []
    reads = bits(isa.reads(Insn(insn.mnemonic, insn.ops, form=insn.form, roles=insn.roles)))
    if read(flow) & ~_FLAGS & ~PC != reads & ~PC and not _cancelled(insn):
        found.append(f"reads {reads:#x}, not {read(flow) & ~_FLAGS:#x}")
    written = bits(isa.writes(insn))
    if flow.written & ~_FLAGS != written:
        found.append(f"writes {written:#x}, not {flow.written & ~_FLAGS:#x}")
    sets, kept = flags(isa.flags_set(insn)), flow.written & _FLAGS
    constant_carry = {"C"} if "imm_c" in str(insn.form and insn.form.means) else set()
    if kept | flags(frozenset(constant_carry)) != sets | flags(frozenset(constant_carry)):
        found.append(f"sets flags {sets:#x}, not {kept:#x}")
    uses = flags(insn.form.uses) if insn.form else 0
    if read(flow) & _FLAGS & ~flow.written != uses & ~flow.written:
        found.append(f"uses flags {uses:#x}, not {read(flow) & _FLAGS:#x}")
    return found


def _cancelled(insn: Insn) -> bool:
    """x ^ x and x - x are the same for every x."""
    return len(insn.ops) == 3 and insn.ops[1] == insn.ops[2]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.name} {form.syntax}")
def test_form(form: isa.Form, tmp_path: Path) -> None:
    insns = list(samples(form, TRIES, seed=7))
    code = assemble(GAS, listing(insns), tmp_path)
    known = {flow.address: flow for flow in Flows().run(0, code)}
    for number, insn in enumerate(insns):
        at = number * SLOT + (2 if insn.cond is not None else 0)
        assert at in known, isa.render(insn)
        assert faults(insn, known[at]) == [], isa.render(insn)
        assert bool(known[at].cond) == (insn.cond is not None)
        _access(insn, known[at])


def _access(insn: Insn, flow: Flow) -> None:
    """Size and direction of memory accesses."""
    form = insn.form
    assert form is not None
    assert (flow.access is not None) == (form.loads or form.stores), isa.render(insn)
    if flow.access is not None:
        assert flow.access.store == form.stores, isa.render(insn)
        lanes = flow.access.lanes
        assert all(lane.offset == lanes[0].size * n for n, lane in enumerate(lanes))
        assert lanes[0].size in (form.size_bytes, 2 * form.size_bytes), isa.render(insn)
