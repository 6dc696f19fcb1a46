# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What the system or a slip of the hand puts in the way: a clear line and exit code 1, and nothing half-written."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from gen.__main__ import main
from gen.cores.core import load_core
from gen.diag import Failed
from gen.manifest import read_tree
from gen.passes.elaborate import elaborate
from gen.read.load import index, load
from gen.tree import add_files, replace_tree
from tests.conftest import ROOT
from tests.gen.test_driver import small  # noqa: F401  (a fixture)

FN = "fn void {}(uint32_t r[1]):\n    param r : secret out\n    reg x : u32\n    mov x, #1\n    str x, [r]\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / "asm-src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "files",
    [
        {"a/b_c.rasm": "table t : u32[1] = [1]\n", "a_b/c.rasm": FN.format("a_b_c")},
        {"a/z.rasm": "table x : u32[1] = [1]\n", "a/w.rasm": "table x : u32[1] = [2]\n"},
        {"a/x.rasm": FN.format("a_x"), "a/w.rasm": "table x : u32[1] = [2]\n"},
        {"a/b.rasm": "table b_c : u32[1] = [1]\n", "a_b/d.rasm": "table c : u32[1] = [2]\n"},
    ],
)
def test_one_name_for_two_things_is_refused(files: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, files)
    with pytest.raises(Failed) as refused:
        index(tmp_path)
    assert [item.code for item in refused.value.bag.items] == ["duplicate"]


@pytest.mark.parametrize("name", ["args", "uint32_t", "uintptr_t"])
def test_names_that_the_c_files_use_are_no_parameters(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"d/f.rasm": FN.format("d_f").replace(" r[1]", f" {name}[1]")})
    with pytest.raises(Failed) as refused:
        elaborate(load(tmp_path, "asm-src/d/f.rasm"), "d_f", load_core("cortex-m4"))
    assert [item.code for item in refused.value.bag.items] == ["bad-prototype"]


@pytest.mark.parametrize("what", ["file", "link"])
def test_what_is_no_folder_stays(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "generated"
    if what == "file":
        folder.write_text("mine")
    else:
        folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotADirectoryError):
        replace_tree(folder, {"a": b"1"})
    assert [path.name for path in tmp_path.iterdir()] == ["generated"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "generated"
    replace_tree(folder, {"a": b"1"})

    def full(self: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    for act in (replace_tree, add_files):
        with pytest.raises(OSError, match="No space"):
            act(folder, {"a": b"2"})
    assert read_tree(tmp_path) == {"generated/a": b"1"}


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    text = (
        "import sys; from pathlib import Path; from gen.tree import replace_tree\n"
        "for n in range(20):\n"
        "    replace_tree(Path(sys.argv[1]), {f'{sys.argv[2]}/{n}/{i}': b'x' for i in range(20)})\n"
    )
    folder = str(tmp_path / "generated")
    running = [
        subprocess.Popen([sys.executable, "-c", text, folder, who], cwd=ROOT) for who in "ab"
    ]
    assert [process.wait() for process in running] == [0, 0]
    left = read_tree(tmp_path)
    assert len(left) == 20 and len({path.split("/")[1] for path in left}) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("build", ""),
        ("build", "/"),
        ("explain", ""),
        ("build", "demo/sum", "-o", "{file}"),
        ("build", "demo/sum", "-o", "{file}/below"),
        ("build", "--core", "portable", "--form", "gas"),
    ],
)
def test_one_line_and_exit_code_one(
    words: tuple[str, ...],
    small: Path,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert main(["--root", str(small), *(word.format(file=file) for word in words)]) == 1
    said = capsys.readouterr().err
    assert "error" in said and "Traceback" not in said


@pytest.mark.parametrize("words", [("build", "-j", "-5"), ("build", "-o", "")])
def test_arguments_that_are_none(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 1
