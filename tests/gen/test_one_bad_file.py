# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""One file that does not parse, or is in the way of another, stops nothing that does not need it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gen.__main__ import main
from gen.manifest import read_tree
from gen.read.load import survey
from tests.gen.test_driver import PLAIN, small  # noqa: F401  (a fixture)

BAD = "fn void demo_bad(:\n"


@pytest.fixture
def broken(small: Path, capsys: pytest.CaptureFixture[str]) -> Path:  # noqa: F811
    """A built tree to which a file that does not parse has come."""
    assert main(["--root", str(small), "build", "-j", "1"]) == 0
    (small / "asm-src/demo/bad.rasm").write_text(BAD)
    capsys.readouterr()
    return small


def run(root: Path, *words: str) -> int:
    return main(["--root", str(root), *words])


@pytest.mark.parametrize(
    "words",
    [
        ("build", "demo/sum", "-j", "1"),
        ("explain", "demo/sum"),
        ("prove", "demo/sum"),
        ("prove", "demo/half", "--core", "cortex-m4"),
    ],
)
def test_the_others_work(
    words: tuple[str, ...], broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(broken, *words) == 0
    assert "error" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [("build", "demo/bad"), ("explain", "demo/bad"), ("prove", "demo/bad")]
)
def test_itself_does_not(
    words: tuple[str, ...], broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(broken, *words) == 1
    said = capsys.readouterr().err
    assert said.count("asm-src/demo/bad.rasm:1:") == 1 and "no routine" not in said


def test_building_all_reports_it_and_what_is_right(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_tree(broken / "generated")
    (broken / "asm-src/demo/sum.rasm").write_text(PLAIN.replace("add     c", "ad      c"))
    for verb in ("build", "check"):
        assert run(broken, verb, "-j", "1") == 1
        said = capsys.readouterr().err
        assert said.count("asm-src/demo/bad.rasm:1:") == 1
        assert said.count("error[unknown-mnemonic]") == 1
        assert "2 of 4 sources are right; nothing is written" in said
    assert read_tree(broken / "generated") == before


def test_list_and_prove_go_on(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(broken, "list", "--json", "-j", "1", "--core", "cortex-m4") == 1
    told = capsys.readouterr()
    assert [row["symbol"] for row in json.loads(told.out)] == ["demo_half", "demo_sum"]
    assert told.err.count("bad.rasm:1:") == 1 and "written" not in told.err
    assert run(broken, "prove", "--core", "cortex-m4") == 1
    told = capsys.readouterr()
    assert "2 of 2 proofs hold" in told.out and told.err.count("bad.rasm:1:") == 1


def test_an_import_that_does_not_parse_stops_who_needs_it(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (broken / "asm-src/demo/bad.rasm").unlink()
    (broken / "asm-src/demo/numbers.rasm").write_text("table numbers i32\n")
    assert run(broken, "build", "demo/sum", "-j", "1") == 0
    capsys.readouterr()
    for words in (("build", "demo/half", "-j", "1"), ("prove", "demo/half"), ("prove",)):
        assert run(broken, *words) == 1
        assert capsys.readouterr().err.count("numbers.rasm:1:") == 1


def test_a_wrong_table_nobody_uses_is_still_an_error(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (broken / "asm-src/demo/bad.rasm").write_text("table lone : u8[1] = [256]\n")
    assert run(broken, "build", "-j", "1") == 1
    assert "error[table-mismatch]" in capsys.readouterr().err


def test_two_of_one_name_stop_neither_a_third(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (broken / "asm-src/demo/bad.rasm").write_text(PLAIN)
    assert [item.code for item in survey(broken).bag.items] == ["duplicate"]
    assert run(broken, "build", "demo/half", "-j", "1") == 0
    assert run(broken, "build", "-j", "1") == 1
    assert "error[duplicate]" in capsys.readouterr().err


def test_what_is_not_proved_is_remarked(small: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    assert run(small, "build", "-j", "1") == 0
    assert "2 routines not proved since they changed: make prove\n" in capsys.readouterr().err
    assert run(small, "prove", "--quiet") == 0
    assert run(small, "build", "-j", "1") == 0
    assert "not proved" not in capsys.readouterr().err
    (small / "asm-src/demo/sum.rasm").write_text(PLAIN.replace("add ", "sub "))
    assert run(small, "build", "demo/half", "-j", "1") == 0
    assert "not proved" not in capsys.readouterr().err
    assert run(small, "build", "demo/sum", "-j", "1") == 0
    assert "1 routine not proved since it changed: make prove\n" in capsys.readouterr().err
