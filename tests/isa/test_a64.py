# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every A64 form against two assemblers and a processor; what the encodings hold; planted faults are found."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from gen import isa
from gen.ir.ir import Imm, Insn, Mem, Reg, Shift, physical
from gen.isa.encode import bitmask
from tests.isa import a64
from tests.isa.checks import alone
from tests.isa.test_forms import label, mutants

TRIES, RUNS = 16, 3
FORMS = [form for form in isa.all_forms(isa.A64) if alone(form) and form.kind != "nop"]
X = [Reg(physical(f"x{n}")) for n in range(8)]


@dataclass(frozen=True)
class Bench:
    """Tries of all forms and their code."""

    insns: tuple[Insn, ...]
    gas: bytes
    clang: bytes
    processor: a64.Processor


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("a64")
    insns = tuple(insn for form in FORMS for insn in a64.samples(form, TRIES))
    gas, clang = (a64.assemble(tool, insns, folder) for tool in (a64.GAS, a64.CLANG))
    return Bench(insns, gas, clang, a64.Processor(gas))


def test_both_assemblers_agree_and_all_is_four_bytes(made: Bench) -> None:
    assert len(made.gas) == 4 * len(made.insns) and {isa.size(insn) for insn in made.insns} == {4}
    assert made.gas == made.clang


def trials(made: Bench, form: isa.Form) -> list[tuple[Insn, a64.State, a64.State]]:
    found = []
    for slot, insn in enumerate(made.insns):
        for run in range(RUNS if insn.form is form else 0):
            start = a64.before(random.Random(f"{slot} {run}"))
            found.append((insn, start, made.processor.step(slot, start)))
    return found


def faults(
    made: Bench, form: isa.Form, done: Sequence[tuple[Insn, a64.State, a64.State]]
) -> list[str]:
    """Trials that end otherwise than the meaning of `form` says."""
    wrong = []
    for insn, start, end in done:
        try:
            said = a64.meant(replace(insn, form=form), start, made.processor.filler)
            same = said == end
        except (AssertionError, ValueError, OverflowError, MemoryError):
            same = False
        if not same:
            wrong.append(isa.render(insn))
    return wrong


@pytest.mark.parametrize("form", FORMS, ids=label)
def test_meaning_is_what_the_processor_does(made: Bench, form: isa.Form) -> None:
    done = trials(made, form)
    assert len(done) == TRIES * RUNS
    assert faults(made, form, done) == []
    for mutant in mutants(form):
        assert faults(made, mutant, done) != [], mutant.means


def test_exchanged_operands_are_found(made: Bench) -> None:
    """The text of a form is checked by what the code of it does."""
    form = next(form for form in FORMS if form.name == "bcax")
    wrong = replace(form, means="d = n ^ a & ~m")
    assert faults(made, wrong, trials(made, form)) != []


# --- encodings -------------------------------------------------------------------------------------


def test_bitmask_immediates_are_those_the_assembler_takes(tmp_path: Path) -> None:
    rng = random.Random(3)
    values = [a64.constant(rng, "bm64") for _ in range(200)] + [0, 2**64 - 1, 5, 0x1234, 2**63 + 1]
    taken = [value for value in values if bitmask(value)]
    assert len({v for v in values if not bitmask(v)}) == 4 and 2**63 + 1 in taken
    insns = [isa.build.insn("and", X[0], X[1], Imm(v), tables_of=isa.A64) for v in taken]
    assert len(a64.assemble(a64.GAS, insns, tmp_path)) == 4 * len(taken)


REFUSED = [
    ("add", (X[0], X[1], Imm(4097)), "0 to 4095"),
    ("and", (X[0], X[1], Imm(5)), "a run of ones"),
    ("add", (X[0], X[1], X[2], Shift("ror", 3)), "shift is"),
    ("ldr", (X[0], Mem(X[1].var, Imm(257))), "offset is 0 to 32760"),
    ("ldp", (X[0], X[2], Mem(X[1].var, Imm(512))), "-512 to 504"),
    ("ldr", (X[0], Mem(X[1].var, index=X[2].var, shift=2)), "index shift is 0 or 3"),
    ("ld1r", (Reg(physical("v0")), Mem(X[1].var, Imm(8), mode="pre")), "after the access"),
    ("eor3", (X[0], X[1], X[2], X[3]), "bank v"),
]


@pytest.mark.parametrize(("name", "ops", "reason"), REFUSED)
def test_reasons(name: str, ops: tuple[Reg, ...], reason: str) -> None:
    found = [isa.match(form, ops) for form in isa.forms_named(name, isa.A64)]
    said = [m.reason for m in found if isinstance(m, isa.Mismatch)]
    assert len(said) == len(found) and any(reason in text for text in said), said
