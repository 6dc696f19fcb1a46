# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""README.md does not lie: its commands run, its quotations and paths are in the tree."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
# These run this very test; that the rule exists and its commands parse is what is left to see.
RECURSIVE = {"make test", "make test-all"}
TWO_MINUTES = 120
ELLIPSIS = "..."


@dataclass(frozen=True)
class Block:
    """A fenced block: what its first line says, and its text."""

    language: str
    file: str
    text: str


BLOCKS = [
    Block(*match)
    for match in re.findall(r"^```(\w*) ?(\S*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
]
COMMANDS = [
    line.split("  #")[0].rstrip()
    for block in BLOCKS
    if block.language == "sh"
    for line in block.text.splitlines()
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what git has or would take, with this tree's Python packages."""
    copy = tmp_path_factory.mktemp("readme") / "armscribe"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    (copy / ".venv").symlink_to(ROOT / ".venv")
    return copy


def run(command: str, tree: Path) -> subprocess.CompletedProcess[str]:
    # Neither the make that may have started this test nor its variables.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    environment.pop("MFLAGS", None)
    return subprocess.run(
        command,
        shell=True,
        cwd=tree,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=5 * TWO_MINUTES,
    )


@pytest.mark.parametrize("command", dict.fromkeys(COMMANDS))
def test_command_runs(command: str, tree: Path) -> None:
    if command in RECURSIVE:
        command = command.replace("make", "make -n")
    done = run(command, tree)
    assert done.returncode == 0, done.stdout + done.stderr
    if command == "make":
        rows = [line.split() for line in done.stdout.splitlines() if " yes " in line]
        forms = [("cortex-m4", "gas"), ("cortex-m4", "inline"), ("host", "portable")]
        assert [tuple(row[:2]) for row in rows] == forms


def test_main_job_comes_first() -> None:
    assert COMMANDS[:2] == ["make", "make test"]


def in_order(quotation: str, text: str) -> bool:
    """Each part between two lines `...` is in the text, after the one before."""
    at = 0
    for part in re.split(rf"^ *{re.escape(ELLIPSIS)}\n", quotation, flags=re.MULTILINE):
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.file], ids=lambda block: str(block.file))
def test_quotation_is_in_its_file(block: Block) -> None:
    assert in_order(block.text, (ROOT / block.file).read_text(encoding="utf-8"))


def test_wrong_quotation_is_seen() -> None:
    assert in_order("a\n...\nc\n", "a\nb\nc\n")
    assert not in_order("a\nc\n", "a\nb\nc\n")
    assert not in_order("c\n...\na\n", "a\nb\nc\n")


def test_verbs_are_those_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    table = README.split("## The verbs")[1].split("\n## ")[0]
    named = re.findall(r"^\| `make ?([a-z-]*)", table, re.MULTILINE)
    assert sorted(verb or "demo" for verb in named) == sorted(phony.split())
    described = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert described == set(phony.split())


def test_paths_exist() -> None:
    paths = re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", README)
    paths += re.findall(r"\]\(([^):#]+)\)", README)
    assert paths
    missing = [path for path in paths if not (ROOT / path).exists() and "build/" not in path]
    assert missing == []
