# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every entry of the instruction tables against assemblers, disassembler and emulator; planted
faults are found."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gen import isa
from tests.isa import checks, toolchain
from tests.isa.checks import Bench

MORE = 40  # states an instruction for a planted fault that the usual few did not show
FORMS = [form for form in isa.all_forms() if checks.alone(form)]


def label(form: isa.Form) -> str:
    return f"{form.name} {form.syntax}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return checks.bench(FORMS, tmp_path_factory.mktemp("isa"))


def test_both_assemblers_agree(made: Bench) -> None:
    assert checks.assembler_faults(made) == []


def test_size_is_what_the_assemblers_choose(made: Bench) -> None:
    assert checks.size_faults(made.insns, made.gas) == []


def test_disassembly_reads_as_written(made: Bench) -> None:
    assert checks.text_faults(made.insns, made.gas_code) == []


@pytest.fixture(scope="module")
def widened(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return checks.bench(FORMS, tmp_path_factory.mktemp("wide"), tries=8, width=".w")


def test_widened_instructions_are_four_bytes(widened: Bench) -> None:
    """Every form takes the suffix, prints it only where there is a choice, and means the same."""
    assert checks.assembler_faults(widened) == []
    taken = [
        len(c) for i, c in zip(widened.insns, widened.gas, strict=True) if i.form and i.form.wide
    ]
    assert set(taken) == {4}
    assert checks.size_faults(widened.insns, widened.gas) == []
    assert checks.text_faults(widened.insns, widened.gas_code) == []


def test_short_instructions_take_the_suffix(tmp_path: Path, made: Bench) -> None:
    short = [replace(insn, width=".n") for insn in made.insns if isa.size(insn) == 2]
    for tool in (toolchain.GAS, toolchain.CLANG):
        code = toolchain.assemble(tool, toolchain.listing(short), tmp_path)
        assert {len(found) for found in toolchain.encodings(code, short)} == {2}


@pytest.mark.parametrize("form", FORMS, ids=label)
def test_meaning_is_what_the_processor_does(made: Bench, form: isa.Form) -> None:
    done = checks.trials(made.insns, made.gas_code, form)
    assert len(done) >= checks.TRIES
    assert checks.meaning_faults(form, done) == []
    survivors = [m for m in mutants(form) if not checks.meaning_faults(m, done)]
    if survivors:
        done = checks.trials(made.insns, made.gas_code, form, MORE)
        survivors = [m for m in survivors if not checks.meaning_faults(m, done)]
    assert [mutant.means for mutant in survivors] == []


# --- planted faults ------------------------------------------------------------------------------

_OTHER: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Add(),
    ast.BitAnd: ast.BitOr(),
    ast.BitOr: ast.BitAnd(),
    ast.BitXor: ast.BitOr(),
}


def mutants(form: isa.Form) -> Iterator[isa.Form]:
    """Copies of a form with one operator of its meaning exchanged, four at most."""
    tree = ast.parse("\n".join(part.strip() for part in form.means.split(";")))
    places = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and type(n.op) in _OTHER]
    for node in random.Random(label(form)).sample(places, min(4, len(places))):
        kept, node.op = node.op, _OTHER[type(node.op)]
        yield replace(form, means="; ".join(ast.unparse(tree).split("\n")))
        node.op = kept


def planted(made: Bench, form: isa.Form, **changes: str) -> Bench:
    """The tries of `form` alone, with a changed copy of the entry in its place."""
    return checks.part(made, form, replace(form, **changes))


@pytest.mark.parametrize("form", [form for form in FORMS if form.narrow], ids=label)
def test_a_lost_short_encoding_is_found(made: Bench, form: isa.Form) -> None:
    wrong = planted(made, form, narrow="")
    assert checks.size_faults(wrong.insns, wrong.gas) != []


@pytest.mark.parametrize("form", [form for form in FORMS if not form.narrow], ids=label)
def test_an_invented_short_encoding_is_found(made: Bench, form: isa.Form) -> None:
    wrong = planted(made, form, narrow="True")
    assert checks.size_faults(wrong.insns, wrong.gas) != []


@pytest.mark.parametrize("form", [form for form in FORMS if len(form.roles) > 1], ids=label)
def test_a_changed_text_is_found(made: Bench, form: isa.Form) -> None:
    """Two operands exchanged: what the disassembler reads is no longer what was written."""
    first, second = re.findall(r"\{\w+\}", form.text)[:2]
    text = form.text.replace(first, "{}").replace(second, first).replace("{}", second)
    wrong = planted(made, form, text=text)
    assert checks.text_faults(wrong.insns, wrong.gas_code) != []
