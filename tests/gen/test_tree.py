# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Whoever is killed while a tree is replaced leaves it whole: all old or all new."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gen import tree
from gen.manifest import read_tree
from gen.tree import add_files, recover, replace_tree

FILES = 12
OLD = {f"d{n % 7}/f{n}": b"old" for n in range(FILES)}
NEW = {f"d{n % 7}/f{n}": b"new" for n in range(FILES + 5)}


class Killed(BaseException):
    """Stands for a process that ends here."""


def test_replaces_and_says_whether(tmp_path: Path) -> None:
    folder = tmp_path / "generated"
    assert replace_tree(folder, OLD) and read_tree(folder) == OLD
    assert not replace_tree(folder, OLD)
    assert replace_tree(folder, NEW) and read_tree(folder) == NEW
    assert [path.name for path in tmp_path.iterdir()] == ["generated"]


def test_unchanged_files_keep_their_times(tmp_path: Path) -> None:
    folder = tmp_path / "generated"
    replace_tree(folder, {"a": b"1", "b": b"1"})
    before = (folder / "a").stat().st_mtime_ns
    time.sleep(0.02)
    replace_tree(folder, {"a": b"1", "b": b"2"})
    assert (folder / "a").stat().st_mtime_ns == before
    assert (folder / "b").stat().st_mtime_ns > before


def test_add_files_leaves_others_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    add_files(tmp_path, {"a/b": b"x"})
    assert read_tree(tmp_path) == {"mine": b"mine", "a/b": b"x"}


def _steps(monkeypatch: pytest.MonkeyPatch, die_at: int) -> list[int]:
    """Makes the `die_at`-th change to the file system from now on the last: it does not happen."""
    count = [0]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **kwargs: Any) -> Any:
            count[0] += 1
            if count[0] == die_at:
                raise Killed
            return real(*args, **kwargs)

        return step

    for owner, name in (
        (Path, "write_bytes"),
        (Path, "rename"),
        (Path, "mkdir"),
        (Path, "replace"),
        (tree.shutil, "copy2"),
        (tree.shutil, "rmtree"),
        (tree, "_exchange"),
    ):
        monkeypatch.setattr(owner, name, counted(getattr(owner, name)))
    return count


@pytest.mark.parametrize("exchange", [True, False])
def test_killed_at_any_step(tmp_path: Path, exchange: bool) -> None:
    """With the exchange of folders the tree is whole at once; with renames after the next command's `recover`."""
    number, finished = 0, False
    while not finished:
        number += 1
        folder = tmp_path / str(number) / "generated"
        replace_tree(folder, OLD)
        with pytest.MonkeyPatch.context() as patch:
            if not exchange:
                patch.setattr(tree, "_exchange", lambda one, other: False)
            _steps(patch, number)
            try:
                replace_tree(folder, NEW)
                finished = True
            except Killed:
                pass
        if not exchange:
            recover(folder)
        assert read_tree(folder) in (OLD, NEW), f"step {number}"
        replace_tree(folder, NEW)
        assert read_tree(folder) == NEW
        assert [path.name for path in folder.parent.iterdir()] == ["generated"]
    assert number > FILES


LOOP = """
import sys
from pathlib import Path
from gen.tree import replace_tree
folder, files = Path(sys.argv[1]), int(sys.argv[2])
print("ready", flush=True)
while True:
    for text in (b"new", b"old"):
        replace_tree(folder, {f"d{n % 7}/f{n}": text for n in range(files)})
"""


def test_killed_at_any_moment(tmp_path: Path, root: Path) -> None:
    if not tree._exchange(*_two(tmp_path)):
        pytest.fail("this file system cannot exchange folders; test on one that can")
    folder = tmp_path / "generated"
    replace_tree(folder, OLD)
    for number in range(25):
        command = [sys.executable, "-c", LOOP, str(folder), str(FILES)]
        with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline()
            time.sleep(0.004 * number)
            process.kill()
        found = read_tree(folder)
        assert set(found) == set(OLD) and len(set(found.values())) == 1, f"kill {number}"


def _two(tmp_path: Path) -> tuple[Path, Path]:
    pair = tmp_path / "one", tmp_path / "two"
    for path in pair:
        path.mkdir()
    return pair
