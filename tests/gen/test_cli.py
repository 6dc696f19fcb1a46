# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The command line: what it prints, what it returns, what it leaves behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gen import commands, costs
from gen.__main__ import main
from gen.isa import all_forms
from gen.manifest import NAME, read_tree
from tests.gen.test_driver import PLAIN, small  # noqa: F401  (a fixture)


def run(root: Path, *words: str) -> int:
    return main(["--root", str(root), *words])


@pytest.fixture
def built(small: Path, capsys: pytest.CaptureFixture[str]) -> Path:  # noqa: F811
    assert run(small, "build", "-j", "1") == 0
    capsys.readouterr()
    return small


def test_build_then_check(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(built, "check", "-j", "1") == 0
    assert "is what the sources give" in capsys.readouterr().out
    assert run(built, "build", "-j", "1") == 0
    assert "already as they should be" in capsys.readouterr().out


def test_check_names_what_is_wrong_and_the_remedy(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = built / "generated"
    edited = folder / "cortex-m4/demo_sum.S"
    edited.write_text(edited.read_text().replace("add", "sub"))
    (folder / "portable/demo_half.c").unlink()
    (folder / "cortex-m4/left_over.S").write_text("")
    (built / "asm-src/demo/numbers.rasm").write_text("table numbers : i32[4] = [1, 2, 3, 4]\n")
    assert run(built, "check", "-j", "1") == 1
    said = capsys.readouterr().err
    assert "edited: generated/cortex-m4/demo_sum.S" in said
    assert "missing: generated/portable/demo_half.c" in said
    assert "orphaned: generated/cortex-m4/left_over.S" in said
    assert "stale: generated/cortex-m4/demo_numbers.S" in said
    assert "help: python3 -m gen build" in said
    assert run(built, "build", "-j", "1") == 0 and run(built, "check", "-j", "1") == 0


def test_check_in_json(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (built / "generated" / "extra").write_text("")
    assert run(built, "check", "-j", "1", "--json") == 1
    found = json.loads(capsys.readouterr().out)["differences"]
    assert [(one["kind"], one["path"]) for one in found] == [("orphaned", "generated/extra")]


def test_one_routine_leaves_the_others(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = read_tree(built / "generated")
    source = built / "asm-src/demo/sum.rasm"
    source.write_text(PLAIN.replace("add ", "sub "))
    assert run(built, "build", "demo/sum", "--core", "cortex-m4", "--form", "gas") == 0
    after = read_tree(built / "generated")
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {"cortex-m4/demo_sum.S", costs.NAME, NAME}  # SUB is four bytes
    assert set(before) == set(after)


def test_output_folder(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine").write_text("mine")
    assert run(built, "build", "-j", "1", "-o", str(out)) == 0
    tree = read_tree(out)
    assert tree.pop("mine") == b"mine"
    assert tree == read_tree(built / "generated")


def test_user_errors_are_messages_and_code_1(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_tree(built / "generated")
    (built / "asm-src/demo/sum.rasm").write_text(PLAIN.replace("add     c", "ad      c"))
    assert run(built, "build", "-j", "1") == 1
    said = capsys.readouterr().err
    assert "asm-src/demo/sum.rasm:7:5: error[unknown-mnemonic]" in said and "Traceback" not in said
    assert read_tree(built / "generated") == before
    assert run(built, "build", "demo/none") == 1
    assert run(built, "explain", "I=smlax") == 1
    assert "help: smlaxy" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        run(built, "bild")
    assert caught.value.code == 1


def test_tool_faults_say_so_and_are_code_2(
    built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(commands.driver, "everything", broken)
    assert run(built, "check") == 2
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said and "fault of the tool" in said


def test_a_core_that_lacks_a_feature_is_an_error_when_asked_for(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(built, "build", "demo/half", "--core", "cortex-m3") == 1
    assert "error[missing-feature]" in capsys.readouterr().err


def test_explain_a_routine(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(built, "explain", "demo/half") == 0
    text = capsys.readouterr().out
    for word in ("cycles", "stack", "registers", "bounds at return", "  r0 "):
        assert word in text
    assert run(built, "explain", "demo/half", "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["stack"] == 0 and facts["code"] == 8
    assert {row["value"] for row in facts["registers"]} >= {"a", "f", "t"}


def test_explain_every_instruction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "I=smlaxy"]) == 0
    text = capsys.readouterr().out
    for word in (
        "smla{n.half}{m.half}",
        "exact(t, 32)",
        "d = (uint32_t)(sb(n) * sb(m)) + a;",
        "needs dsp",
    ):
        assert word in text
    for form in all_forms():
        assert commands.explaining.form_text(commands.explaining.form_facts(form)).startswith(
            form.name
        )


def test_explain_nothing_says_what_can_be_explained(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    assert main(["explain"]) == 1
    assert "help: explain mlkem/ntt" in capsys.readouterr().err
    done = subprocess.run(["make", "explain"], cwd=root, capture_output=True, text=True)
    assert done.returncode != 0 and "usage" not in done.stderr
    assert done.stderr.startswith("explain what? a routine: make explain R=mlkem/ntt")


def test_list(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(built, "list", "-j", "1") == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].split() == "routine core cycles instructions code rodata stack".split()
    named = [row.split()[:2] for row in rows[1:]]
    assert named.index(["demo_half", "cortex-m4"]) < named.index(["demo_sum", "cortex-m4"])
    assert ["demo_sum", "cortex-m3"] in named
    for core in ("cortex-m3", "cortex-m33-nodsp"):  # what has no code stands last
        assert named.index(["demo_half", core]) > named.index(["demo_sum", "cortex-m7"])
    assert [row for row in rows if "demo_half  cortex-m3  portable C: " in row]
    assert run(built, "list", "--json", "-j", "1", "--core", "cortex-m4") == 0
    assert {row["core"] for row in json.loads(capsys.readouterr().out)} == {"cortex-m4"}


def test_nothing_but_text_where_no_terminal_is(built: Path, root: Path) -> None:
    """Neither progress nor colour goes into a pipe."""
    (built / "generated" / "extra").write_text("")
    command = [sys.executable, "-m", "gen", "--root", str(built), "check"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 1 and "\x1b" not in done.stdout + done.stderr
    assert done.stderr.startswith("orphaned: ")


@pytest.mark.parametrize("words", [["--help"], ["build", "--help"], ["explain", "--help"]])
def test_help_helps(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 0
    assert "usage: python3 -m gen" in capsys.readouterr().out


def test_a_reader_who_has_enough_is_no_fault(root: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "gen", "explain", "I=smlaxy"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as started:
        assert started.stdout is not None and started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
    assert started.returncode == 1
