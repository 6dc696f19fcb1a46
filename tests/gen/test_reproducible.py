# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Output depends on the sources alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gen.manifest import NAME, read_tree

SETTINGS = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "4242", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8"},
)


def test_other_seed_zone_locale_and_folder(root: Path, tmp_path: Path) -> None:
    trees = []
    for number, setting in enumerate(SETTINGS):
        here = tmp_path / f"from {number}"
        here.mkdir()
        command = [
            sys.executable,
            "-m",
            "gen",
            "--root",
            str(root),
            "build",
            "-o",
            str(here / "out"),
        ]
        command += ["-j", str(number + 1)]
        env = {**os.environ, **setting, "PYTHONPATH": str(root)}
        done = subprocess.run(command, cwd=here, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        trees.append(read_tree(here / "out"))
    one, other = trees
    assert one.keys() == other.keys() and NAME in one
    assert [path for path in one if one[path] != other[path]] == []


def test_no_text_tells_where_it_was_made(root: Path) -> None:
    tree = read_tree(root / "generated")
    for path, text in tree.items():
        assert str(root).encode() not in text, path
