# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The checks derived from every Form. Each returns what it finds wrong, so that a planted fault can
be looked for."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gen import isa
from gen.ir.ir import Insn, RegList
from tests.isa import toolchain
from tests.isa.emulator import Emulator
from tests.isa.model import State, before, difference, meant
from tests.isa.sample import PC, samples

TRIES = 24  # instructions a form
RUNS = 2  # states an instruction


def alone(form: isa.Form) -> bool:
    """Whether a form can be tried by itself: not a branch, not IT."""
    return not any(role.kind == "label" for role in form.roles) and form.kind != "return"


@dataclass(frozen=True)
class Bench:
    """Tries of forms as both assemblers encode them."""

    insns: tuple[Insn, ...]
    gas_code: bytes
    gas: tuple[bytes, ...]
    clang: tuple[bytes, ...]


def bench(
    forms: Iterable[isa.Form], folder: Path, tries: int = TRIES, width: Literal["", ".w"] = ""
) -> Bench:
    """Assembles `tries` instructions of each form with both assemblers, all in one go."""
    made = (insn for form in forms for insn in samples(form, tries))
    insns = tuple(replace(insn, width=width) for insn in made)
    text = toolchain.listing(insns)
    gas, clang = (
        toolchain.assemble(tool, text, folder) for tool in (toolchain.GAS, toolchain.CLANG)
    )
    return Bench(
        insns,
        gas,
        tuple(toolchain.encodings(gas, insns)),
        tuple(toolchain.encodings(clang, insns)),
    )


def part(made: Bench, form: isa.Form, instead: isa.Form) -> Bench:
    """The tries of `form` alone, as tries of `instead`."""
    slots = [slot for slot, insn in enumerate(made.insns) if insn.form is form]
    size = toolchain.SLOT
    return Bench(
        tuple(replace(made.insns[slot], form=instead) for slot in slots),
        b"".join(made.gas_code[size * slot : size * (slot + 1)] for slot in slots),
        tuple(made.gas[slot] for slot in slots),
        tuple(made.clang[slot] for slot in slots),
    )


def shown(insn: Insn) -> str:
    return isa.render(insn).replace("\t", " ")


def assembler_faults(made: Bench) -> list[str]:
    """Instructions that the assemblers encode as different instructions or in different sizes."""
    return [
        f"{shown(insn)}: gas {left.hex()}, clang {right.hex()}"
        for insn, left, right in zip(made.insns, made.gas, made.clang, strict=True)
        if left != right and not toolchain.same_but_for_encoding(left, right)
    ]


def size_faults(insns: Sequence[Insn], encodings: Sequence[bytes]) -> list[str]:
    """Instructions that `size` thinks shorter or longer than they are."""
    return [
        f"{shown(insn)}: {len(code)} bytes, size() says {isa.size(insn)}"
        for insn, code in zip(insns, encodings, strict=True)
        if len(code) != isa.size(insn)
    ]


def text_faults(insns: Sequence[Insn], code: bytes) -> list[str]:
    """Instructions that the disassembler reads otherwise than they were written."""
    decoder = toolchain.disassembler()
    faults = []
    for slot, insn in enumerate(insns):
        at = slot * toolchain.SLOT
        lines = list(decoder.disasm(code[at : at + toolchain.SLOT], at))
        line = lines[1 if insn.cond else 0]
        found = toolchain.normal(f"{line.mnemonic} {line.op_str}", insn.cond or "")
        if found != toolchain.normal(isa.render(insn), insn.cond or ""):
            faults.append(f"{shown(insn)}: read back as {found}")
    return faults


@dataclass(frozen=True)
class Trial:
    """What the emulator made of one instruction."""

    insn: Insn
    start: State
    end: State


def trials(insns: Sequence[Insn], code: bytes, wanted: isa.Form, runs: int = RUNS) -> list[Trial]:
    """Runs every instruction of form `wanted` on `runs` random and corner states."""
    emulator = Emulator(code)
    found = []
    for slot, insn in enumerate(insns):
        if insn.form is not wanted or any(
            isinstance(operand, RegList) and PC in operand.vars for operand in insn.ops
        ):
            continue
        for run in range(runs):
            start = before(insn, random.Random(f"{slot} {run}"))
            found.append(Trial(insn, start, emulator.step(slot, insn, start)))
    return found


def meaning_faults(form: isa.Form, done: Sequence[Trial]) -> list[str]:
    """Trials that end otherwise than the meaning of `form`, or of a changed copy, says."""
    faults = []
    for trial in done:
        insn = replace(trial.insn, form=form)
        try:
            wrong = difference(meant(insn, trial.start), trial.end)
        except (AssertionError, ValueError) as error:
            wrong = f"cannot be run: {error}"
        if wrong:
            faults.append(f"{shown(insn)}: {wrong}")
    return faults
