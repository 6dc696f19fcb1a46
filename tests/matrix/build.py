# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Builds everything as a row of the plan says, in a folder of its own, and checks the objects."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gen.cores.core import load_core
from tests.conftest import ROOT
from tests.generated import kit
from tests.matrix import objects
from tests.matrix.plan import Row

WARNINGS = (
    "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow -Wundef "
    "-Wstrict-prototypes -Wmissing-prototypes -Wunused-parameter -Wdeprecated -Woverlength-strings -Werror"
).split()
LIMIT = 120  # seconds for one file
INCLUDES = [f"-I{ROOT / part}" for part in ("lib/include", "lib", "generated/include")]


def _generated(row: Row) -> list[Path]:
    """The generated files of a row: those that the core takes, or every one."""
    form = row.values["form"]
    if form == "all":
        return sorted(kit.GENERATED.rglob("*.[cS]"))
    bare = not (kit.GENERATED / row.target.core / f"{form}.files").is_file()
    return sorted(kit.taken(row.target.core, "portable" if bare else form).values())


def backend(row: Row) -> list[str]:
    """The macro that chooses the row's form."""
    form = row.values["form"]
    if form == "all":
        return []
    bare = not (kit.GENERATED / row.target.core / f"{form}.files").is_file()
    return [kit.backend(row.target.core, "portable" if bare else form)]


def sources(row: Row) -> list[Path]:
    """C90 goes for files of inline assembly alone; all others, the library with them, are C99."""
    generated = _generated(row)
    if row.values["standard"] == "c90":
        return [path for path in generated if path.parent.name != "portable"]
    return [*generated, *sorted((ROOT / "lib").glob("*/*.c"))]


def _said(command: list[str], out: Path) -> list[str]:
    """Runs a compiler; what it complains of."""
    try:
        done = subprocess.run(
            [*command, "-o", str(out)], capture_output=True, text=True, check=False, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return [f"no end within {LIMIT} s", f"  from: {' '.join(command)}"]
    if done.returncode == 0 and not done.stderr:
        return []
    said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    lines = [line for line in said if "error" in line or "warning" in line] or said
    return [*lines[:5], f"  from: {' '.join(command)}"]


def _compile(row: Row, paths: list[Path], folder: Path) -> list[str]:
    """Each file by itself, since two of one name stand in different folders."""
    wrong: list[str] = []
    for number, path in enumerate(paths):
        out = folder / f"{number:03}-{path.stem}.o"
        language = WARNINGS if path.suffix == ".c" else ["-Wa,--fatal-warnings"]
        command = [*row.command, *backend(row), *language, *INCLUDES, "-c", str(path)]
        if path.suffix == ".S":  # options for the compiler alone would be unused, which clang tells
            command.insert(1, "-Wno-unused-command-line-argument")
        wrong += _said(command, out)
        if len(wrong) > 30:
            break
    return wrong


def _join(row: Row, folder: Path) -> list[str]:
    """Link-time optimisation happens when objects are joined. (Compilers for bare metal write no stack note.)"""
    together = ["-r", "-nostdlib", *map(str, sorted(folder.glob("*.o")))]
    flags = (
        ["-flinker-output=nolto-rel", "-Wl,--no-warn-execstack", *WARNINGS]
        if row.compiler.kind == "gcc"
        else ["-fuse-ld=lld"]
    )
    return _said([*row.command, *flags, *together], folder / "joined.elf")


def build(row: Row, folder: Path) -> list[str]:
    """What is wrong with a row, a line each; nothing when it is right."""
    paths = sources(row)
    wrong = _compile(row, paths, folder)
    joined = row.values["link"] != "plain"
    if joined and not wrong:
        wrong += _join(row, folder)
    if wrong:
        return wrong
    made = [folder / "joined.elf"] if joined else sorted(folder.glob("*.o"))
    return objects.faults(
        made,
        thumb=bool(load_core(row.target.core).cc) and row.target.family == "bare",
        movable=row.values["model"] in ("pic", "pie", "ropi", "base-in-r9"),
        joined=joined,
        execute_only=row.values["model"] == "pure-code",
    )
