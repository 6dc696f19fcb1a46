# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verb `diff`: sides, exit codes, promises, views, what goes wrong."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from gen.__main__ import main, parser
from gen.diff.markdown import LIMIT
from tests.gen.diff.samples import ROOT, code_rows, text

SUM = "cortex-m4/demo_one.S"
LINES = ("ldr r2, [r0]", "ldr r3, [r1] /* b, [q] */", "add r0, r2, r3", "bx lr")
COSTS = (
    "routine,core,variant,instructions_least,instructions_most,cycles_least,cycles_most,code,rodata,"
    "stack,open_claims\ndemo_one,cortex-m4,,4,4,{},{},10,0,0,{}\n"
)


def tree(folder: Path, *lines: str, cycles: int = 9, claims: int = 0) -> Path:
    (folder / "cortex-m4").mkdir(parents=True, exist_ok=True)
    (folder / SUM).write_text(text(*lines), newline="\n")
    (folder / "COSTS.csv").write_text(COSTS.format(cycles, cycles, claims), newline="\n")
    (folder / "cortex-m7").mkdir(exist_ok=True)
    (folder / "cortex-m7" / "gas.files").write_text(f"demo_one {SUM}\n", newline="\n")
    return folder


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A tree, and one where two loads changed places."""
    order = (LINES[1], LINES[0], *LINES[2:])
    return tree(tmp_path / "a", *LINES), tree(tmp_path / "b", *order, cycles=8)


def run(*words: object) -> int:
    return main(["--root", str(ROOT), "diff", *map(str, words)])


def test_nothing_changed(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(two[0], two[0]) == 0
    assert "nothing changed; 2 as they were" in capsys.readouterr().out


def test_one_line_says_what_a_reordering_is(
    two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*two) == 1
    out = capsys.readouterr().out
    assert "demo_one  reordered  (cortex-m4)" in out
    assert (
        "demo_one  reordered  (cortex-m7)" in out
    )  # another row, since its costs are not in the list
    assert "2 of 4 instructions moved, by up to 1 places" in out
    assert "cycles: 9 -> 8 (-1)" in out
    assert "ldr" not in out
    assert run(*two, "--exit-zero") == 0


def test_promises(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*two, "--expect", "reordered") == 0
    assert run(*two, "--expect", "renamed") == 1
    assert "not renamed: demo_one for cortex-m4 is reordered" in capsys.readouterr().err
    assert run(two[0], two[0], "--expect", "identical") == 0


def test_an_illegal_order_breaks_the_promise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = (LINES[0], LINES[2], LINES[1], LINES[3])
    old, new = tree(tmp_path / "a", *LINES), tree(tmp_path / "b", *late)
    assert run(old, new, "--expect", "reordered") == 1
    assert "is changed" in capsys.readouterr().err


def test_a_new_claim_breaks_a_promise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tree(tmp_path / "a", *LINES), tree(tmp_path / "b", *LINES, claims=1)
    assert run(old, new, "--expect", "identical") == 1
    assert "other open claims" in capsys.readouterr().err


def test_json_and_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = (LINES[0], LINES[1], "sub r0, r2, r3", LINES[3])
    old, new = tree(tmp_path / "a", *LINES), tree(tmp_path / "b", *other)
    assert run(old, new, "--json") == 1
    (row,) = json.loads(capsys.readouterr().out)["routines"]
    assert (row["routine"], row["verdict"]) == ("demo_one", "changed")
    ((left, right),) = row["left"][0]["streams"][""]["rows"]
    assert (left["text"], right["text"]) == ("add r0, r2, r3", "sub r0, r2, r3")
    assert run(old, new, "--markdown") == 1
    out = capsys.readouterr().out
    assert out.index("| `demo_one` |") < out.index("<details>")
    assert re.search(r"^! +\d+ add r0, r2, r3 +\| +\d+ sub r0, r2, r3$", out, re.M)


def test_contract_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tree(tmp_path / "a", *LINES), tree(tmp_path / "b", *LINES)
    content = (new / SUM).read_text().replace("|p[i]| <= 9", "|p[i]| <= 10")
    (new / SUM).write_text(content.replace("saves: nothing", "saves: r4"), newline="\n")
    assert run(old, new) == 1
    out = capsys.readouterr().out
    assert "demo_one  identical" in out
    assert "  bounds:\n  - p  secret inout, aligned to 4; |p[i]| <= 9\n" in out
    assert "  clobbers:\n  - saves: nothing; stack: 0 bytes\n" in out
    assert run(old, new, "--expect", "identical") == 1


def test_new_and_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tree(tmp_path / "a", *LINES), tree(tmp_path / "b", *LINES)
    (new / SUM).rename(new / SUM.replace("one", "two"))
    (new / "cortex-m7" / "gas.files").write_text("")
    assert run(old, new) == 1
    out = capsys.readouterr().out
    assert "demo_two  new  (cortex-m4)" in out
    assert "demo_one  gone  (cortex-m4, cortex-m7)" in out


@pytest.mark.parametrize("bad", [b"\xff\xfe", b"hello\n", b""])
def test_a_file_that_is_none_of_ours(
    two: tuple[Path, Path], bad: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (two[1] / SUM).write_bytes(bad)
    assert run(*two) == 2
    assert f"cannot tell: {SUM}: " in capsys.readouterr().err


def test_a_side_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("HAED") == 2
    assert "HAED is neither a folder nor a revision\n   help: HEAD" in capsys.readouterr().err
    assert run(tmp_path) == 2
    assert "holds no generated files" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        run("--expect", "nothing")
    assert run("--", "--upload-pack=x") == 2  # no option of git's
    assert run(ROOT / "README.md") == 2
    assert "is a file" in capsys.readouterr().err


def test_revisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree(tmp_path / "generated", *LINES)
    git = ("git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
    (tmp_path / "asm-src").mkdir()
    assert main(["--root", str(tmp_path), "diff"]) == 0
    tree(tmp_path / "generated", LINES[1], LINES[0], *LINES[2:])
    assert main(["--root", str(tmp_path), "diff"]) == 1
    assert "HEAD -> the working tree: 2 reordered" in capsys.readouterr().out
    assert main(["--root", str(tmp_path), "diff", "HEAD", "HEAD"]) == 0


def test_source_lines_and_colour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of the sources stand beside the instructions, and a terminal gets colour."""
    new = tmp_path / "generated"
    shutil.copytree(ROOT / "generated", new)
    path = new / "cortex-m4" / "mlkem_reduce.S"
    path.write_text(path.read_text().replace("\tsmlabb ", "\tsmlabt ", 1), newline="\n")
    assert run(ROOT / "generated", new) == 1
    assert re.search(r"plantard\.rasm:\d+ +smlabb r8, r8, r12, r10", capsys.readouterr().out)
    from gen.diff import terminal

    terminal.show([("-", "gone"), ("+", "new")], coloured=True)
    assert capsys.readouterr().out == "gone\nnew\n"  # no terminal here: rich leaves colours out


def test_thousands_of_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """5,000 changed lines in less than five seconds, and in a comment that a site takes."""
    new = tmp_path / "generated"
    shutil.copytree(ROOT / "generated", new)
    changed = 0
    for path in sorted((new / "cortex-m4").glob("*.S")):
        if changed < 5000:
            rows = path.read_text().split("\n")
            for at in code_rows(path.name, "\n".join(rows))[::2]:
                other = re.sub(r"#(\d+)", lambda m: f"#{int(m[1]) ^ 4}", rows[at].split("/*")[0])
                mnemonic = "add" if "\tsub " in rows[at] else "eor"
                rows[at] = other if "#" in other else f"\t{mnemonic}     r2, r3, r12"
                changed += 1
            path.write_text("\n".join(rows), newline="\n")
    assert changed >= 5000
    start = time.process_time()
    assert run(ROOT / "generated", new, "--no-lines", "--markdown") == 1
    assert time.process_time() - start < 5
    out = capsys.readouterr().out
    assert len(out) < LIMIT
    assert re.search(r"\d+ routines with details more not shown here", out)


@pytest.mark.parametrize("name", [".pre-commit-hooks.yaml", ".github/workflows/review.yml"])
def test_commands_of_hooks_and_actions_exist(name: str) -> None:
    found = re.findall(
        r"(?:entry:|run:|^ +)\s*armscribe (.*?)(?: >.*)?$", (ROOT / name).read_text(), re.M
    )
    assert found
    for words in found:
        parser().parse_args(shlex.split(words))
