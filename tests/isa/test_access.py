# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What an instruction is said to read and write is what its meaning touches, and no more."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gen import isa
from gen.ir.ir import Imm, Insn, Reg, physical
from gen.isa.meaning import Effects
from tests.isa.checks import alone
from tests.isa.model import FLAG_BITS, State, before, meant
from tests.isa.sample import samples

FORMS = [form for form in isa.all_forms() if alone(form)]


def names(found: tuple[object, ...]) -> set[str]:
    """Registers by name, a d register as its two s registers."""
    plain: set[str] = set()
    for var in found:
        name = var.name  # type: ignore[attr-defined]
        first = 2 * int(name[1:]) if name[0] == "d" else 0
        plain |= {f"s{first}", f"s{first + 1}"} if name[0] == "d" else {name}
    return plain - {"pc"}


def tries(form: isa.Form) -> list[tuple[Insn, State]]:
    """Instructions with a state, pops of pc left out."""
    found = []
    for number, insn in enumerate(samples(form, 8, seed=3)):
        if not any(getattr(var, "name", "") == "pc" for var in isa.writes(insn)):
            found.append((insn, before(insn, random.Random(number))))
    return found


def written_faults(insn: Insn, start: State) -> list[str]:
    """Registers and flags that change although nobody says so."""
    end = meant(insn, start)
    changed = {name for name, value in start.registers.items() if end.registers[name] != value}
    changed |= {name for name, value in start.flags.items() if end.flags[name] != value}
    return sorted(changed - names(isa.writes(insn)) - isa.flags_set(insn))


def read_faults(insn: Insn, start: State) -> list[str]:
    """Registers and flags that matter although nobody says so."""
    end, faults = meant(insn, start), []
    silent = set(start.registers) - names(isa.reads(insn))
    for name in sorted(silent):
        other = start.copy()
        other.registers[name] ^= 0x5A5A5A5A
        again = meant(insn, other)
        if name not in names(isa.writes(insn)):
            again.registers[name] = start.registers[name]
        if again != end:
            faults.append(name)
    for name in sorted(set(FLAG_BITS) - isa.flags_used(insn) - {"Q"}):
        other = start.copy()
        other.flags[name] ^= FLAG_BITS[name][1]
        again = meant(insn, other)
        if name not in isa.flags_set(insn):
            again.flags[name] = start.flags[name]
        if again != end and insn.cond is None:
            faults.append(name)
    return faults


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.name} {form.syntax}")
def test_reads_and_writes(form: isa.Form) -> None:
    for insn, start in tries(form):
        assert written_faults(insn, start) == [], isa.render(insn)
        assert read_faults(insn, start) == [], isa.render(insn)


def misdeclared(form: isa.Form, effects: Effects) -> isa.Form:
    """A copy of a form that does the same and says something else."""
    wrong = replace(form)
    wrong.__dict__.update(run=form.run, effects=effects)
    return wrong


def test_planted_faults_are_found() -> None:
    add, adcs = isa.forms_named("add", isa.M_PROFILE)[0], isa.forms_named("adcs", isa.M_PROFILE)[0]
    unread = misdeclared(add, Effects(reads={"n"}, writes={"d", "m"}))
    unwritten = misdeclared(add, Effects(reads={"n", "m"}))
    flagless = misdeclared(adcs, Effects(reads={"n", "m"}, writes={"d"}))
    assert any(read_faults(replace(i, form=unread), start) for i, start in tries(add))
    assert any(written_faults(replace(i, form=unwritten), start) for i, start in tries(add))
    assert any(written_faults(replace(i, form=flagless), start) for i, start in tries(adcs))
    assert any("C" in read_faults(replace(i, form=flagless), start) for i, start in tries(adcs))


def test_conditional_destination_is_read() -> None:
    insn = isa.build.insn("mov", Reg(physical("r1")), Reg(physical("r2")), cond="eq")
    assert [var.name for var in isa.reads(insn)] == ["r2", "r1"]
    assert isa.flags_used(insn) == {"Z"}


@pytest.mark.parametrize(("value", "carry"), [(0xFF, False), (0xAB00AB, False), (0xFF00, True)])
def test_a_modified_immediate_may_leave_c_alone(value: int, carry: bool) -> None:
    insn = isa.build.insn("ands", Reg(physical("r1")), Reg(physical("r1")), Imm(value))
    assert ("C" in isa.flags_set(insn)) is carry
