# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verbs fmt and lint as somebody types them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from gen.__main__ import main
from gen.manifest import read_tree
from tests.gen.test_driver import small  # noqa: F401  (a fixture)

LOOSE = "const A  = 1\n\n\nconst B=2   //two\n"
TIGHT = "const A  = 1\n\nconst B=2   // two\n"


def run(root: Path, *words: str) -> int:
    return main(["--root", str(root), *words])


@pytest.fixture
def loose(small: Path) -> Path:  # noqa: F811
    (small / "asm-src" / "demo" / "loose.rasm").write_text(LOOSE, newline="\n")
    return small


def test_all_sources_are_formatted(loose: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(loose, "fmt", "--check") == 1
    said = capsys.readouterr()
    assert said.out == "asm-src/demo/loose.rasm\n"
    assert "1 file not formatted: python3 -m gen fmt" in said.err
    assert run(loose, "fmt", "--diff") == 1
    assert "+const B=2   // two\n" in capsys.readouterr().out
    path = loose / "asm-src" / "demo" / "loose.rasm"
    assert path.read_text() == LOOSE
    assert run(loose, "fmt") == 0
    assert path.read_text() == TIGHT
    assert run(loose, "fmt", "--check") == 0
    assert not list(loose.rglob("*.tmp"))


def test_editors_use_pipes(
    small: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    def given(data: bytes, *words: str) -> tuple[int, bytes]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = run(small, "fmt", "-", *words)
        return code, capsysbinary.readouterr().out

    assert given(LOOSE.encode()) == (0, TIGHT.encode())
    assert given(TIGHT.encode(), "--check") == (0, b"")
    assert given(LOOSE.encode(), "--check") == (1, b"")
    assert given(b"const A = (\n") == (1, b"")
    assert given(b"\xff") == (1, b"")


def test_a_bad_file_is_in_nobodys_way(loose: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = loose / "asm-src" / "demo" / "bad.rasm"
    bad.write_text("const A = (\n")
    assert run(loose, "fmt") == 1
    assert "demo/bad.rasm:1:11: error[syntax]" in capsys.readouterr().err
    assert bad.read_text() == "const A = (\n"
    assert (loose / "asm-src" / "demo" / "loose.rasm").read_text() == TIGHT
    assert run(loose, "fmt", "asm-src/demo/lose.rasm") == 1
    assert "help: asm-src/demo/loose.rasm" in capsys.readouterr().err


def test_lint_writes_nothing(small: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    before = read_tree(small)
    assert run(small, "lint", "-j", "1", "--proofs") == 0
    assert capsys.readouterr().out == "3 files: nothing is wrong\n"
    assert read_tree(small) == before


def test_lint_tells_all(small: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    demo = small / "asm-src" / "demo"
    (demo / "bad.rasm").write_text("const A = (\n")
    text = (demo / "sum.rasm").read_text()
    (demo / "sum.rasm").write_text(text.replace("add     c, a, b", "addd    c, a, b"))
    assert run(small, "lint", "-j", "1", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [(one["code"], one["path"], one["line"]) for one in found] == [
        ("syntax", "asm-src/demo/bad.rasm", 1),
        ("unknown-mnemonic", "asm-src/demo/sum.rasm", 7),
    ]
    assert "cortex-m4" in found[1]["cores"]
    assert "portable" in found[1]["cores"]
    assert run(small, "lint", "-j", "1") == 1
    said = capsys.readouterr()
    assert said.err.count("error[unknown-mnemonic]") == 1
    assert ", cortex-m3, " in said.err


def test_lint_runs_the_proofs(small: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    path = small / "asm-src" / "demo" / "sum.rasm"
    path.write_text(path.read_text() + "    assert c < 5\n")
    assert run(small, "lint", "-j", "1", "--json") == 0
    capsys.readouterr()
    assert run(small, "lint", "-j", "1", "--json", "--proofs") == 1
    assert {one["code"] for one in json.loads(capsys.readouterr().out)} == {"assert-failed"}
