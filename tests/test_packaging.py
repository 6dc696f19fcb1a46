# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The installed command `armscribe`, from a package built of this tree; without network."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

IGNORED = shutil.ignore_patterns(".git", ".venv", "build", "vectors", "__pycache__", ".*_cache")


@pytest.fixture(scope="module")
def armscribe(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts the installed program, with nothing of this tree on its path."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(root, folder / "source", ignore=IGNORED)
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    target = folder / "target"
    command = [sys.executable, "-m", "pip", "install", "-q", *options, "--target", str(target)]
    subprocess.run([*command, str(folder / "source")], check=True, capture_output=True)
    shutil.rmtree(folder / "source")
    script = next(target.rglob("bin/armscribe"))
    return [sys.executable, str(script)]


def start(command: list[str], home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    installed = Path(command[1]).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(
        [*command, *arguments], cwd=home, env=environment, capture_output=True, text=True
    )


def test_installed_command_answers(armscribe: list[str], tmp_path: Path) -> None:
    done = start(armscribe, tmp_path, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: armscribe ")
    for command in ("build", "check", "explain", "list", "diff", "fmt", "lint"):
        assert command in done.stdout


def test_installed_command_generates(armscribe: list[str], root: Path, tmp_path: Path) -> None:
    """With the descriptions of a project at hand, it writes what the tree itself would."""
    shutil.copytree(root / "asm-src", tmp_path / "asm-src")
    core = "cortex-m4"
    done = start(armscribe, tmp_path, "build", "mlkem/add", "--core", core, "-o", "out")
    assert done.returncode == 0, done.stderr
    for name in ("mlkem_add.S", "mlkem_add_inline.c"):
        made = tmp_path / "out" / core / name
        assert made.read_bytes() == (root / "generated" / core / name).read_bytes()
    done = start(armscribe, tmp_path, "diff", "out", "out")
    assert (done.returncode, done.stdout) == (0, "out -> out: nothing changed; 1 as they were\n"), (
        done
    )
    assert start(armscribe, tmp_path, "fmt", "--check").returncode == 0
