# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Chains of calls: the real one's form, and what a broken link says."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.diag import Failed
from gen.ir.ir import Routine
from gen.prove.chain import Chain, check, read
from tests.gen.passes.trees import CODE, ROOT, real

HEAD = "[values]\nnoise = [-3, 3]\nwide = [-5000, 5000]\n"
NTT = '[[step]]\nto = "{to}"\ncall = "mlkem_ntt"\nr = "{r}"\nresult = "r"\n'
SUM = '[[step]]\nto = "{to}"\nsum = {terms}\n'


def routine_of(symbol: str) -> Routine:
    return real(symbol.removeprefix("mlkem_"), CODE)


def chain(tmp_path: Path, text: str) -> Chain:
    path = tmp_path / "chain.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return read(path, "chain.toml")


def refusal(tmp_path: Path, text: str, expected: tuple[str, ...] = ()) -> tuple[str, str]:
    with pytest.raises(Failed) as failed:
        check(chain(tmp_path, text), routine_of, expected)
    item = failed.value.bag.items[0]
    return item.code, item.message


def test_a_step_has_the_range_that_its_inputs_give(tmp_path: Path) -> None:
    text = NTT.format(to="s", r="noise") + SUM.format(to="two", terms='["s", "noise"]')
    known = check(chain(tmp_path, text), routine_of)
    assert known["s"] == (-3 - 7 * 1665, 3 + 7 * 1665)
    assert known["two"] == (known["s"][0] - 3, known["s"][1] + 3)


def test_an_argument_outside_its_precondition_is_refused(tmp_path: Path) -> None:
    code, message = refusal(tmp_path, NTT.format(to="s", r="wide"))
    assert code == "assert-failed"
    assert "mlkem_ntt wants r in [-4095, 4095], wide is in [-5000, 5000]" in message
    twice = NTT.format(to="s", r="noise") + NTT.format(to="again", r="s")
    assert refusal(tmp_path, twice)[0] == "assert-failed"


def test_a_sum_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    text = SUM.format(to="much", terms=str(["wide"] * 7).replace("'", '"'))
    assert refusal(tmp_path, text)[0] == "overflow"


def test_names_are_looked_up(tmp_path: Path) -> None:
    assert refusal(tmp_path, NTT.format(to="s", r="nobody"))[0] == "undefined"
    assert refusal(tmp_path, NTT.format(to="s", r="noise").replace("r =", "x ="))[0] == "undefined"
    assert refusal(tmp_path, SUM.format(to="s", terms='["nobody"]'))[0] == "undefined"


def test_a_routine_that_no_step_calls_is_named(tmp_path: Path) -> None:
    text = NTT.format(to="s", r="noise")
    code, message = refusal(tmp_path, text, ("mlkem_ntt", "mlkem_add"))
    assert (code, "mlkem_add" in message) == ("unused", True)


@pytest.mark.parametrize(
    "text", ["nothing", "[[step]]\nto = 1\n", '[[step]]\nto = "s"\nsum = []\nx = 1\n']
)
def test_what_is_no_chain(tmp_path: Path, text: str) -> None:
    with pytest.raises(Failed) as failed:
        chain(tmp_path, text)
    assert failed.value.bag.items[0].code == "syntax"


def test_the_real_chain_calls_every_routine() -> None:
    steps = read(ROOT / "asm-src/mlkem/chain.toml", "asm-src/mlkem/chain.toml").steps
    files = {p.stem for p in (ROOT / "asm-src/mlkem").glob("*.rasm") if "\nfn " in p.read_text()}
    plain = {name for name in files if not name.endswith(("_fpregs", "_nodsp"))}
    assert {step.routine for step in steps if step.routine} == {f"mlkem_{name}" for name in plain}
