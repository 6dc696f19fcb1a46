# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The library builds with a C compiler alone, without a warning and without a division."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.lib.driver import ROOT, Target, build_library

LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os")
DIVISION = re.compile(r"\b(?:udiv|sdiv|__aeabi_u?l?i?divmod|__aeabi_u?i?div|__u?divmoddi4)\b")
CLANG = "clang --target=arm-none-eabi --sysroot=/usr/lib/arm-none-eabi"


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd)


def divisions(file: Path) -> list[str]:
    """Lines of the disassembly, relocations included, that divide."""
    done = run("arm-none-eabi-objdump", "-dr", file)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if DIVISION.search(line)]


def _sample(every: list[tuple[str, str]], now: set[tuple[str, str]]) -> list[object]:
    """All of them, those that are not for `now` marked slow."""
    return [
        pytest.param(*one, marks=() if one in now else pytest.mark.slow, id="-".join(one))
        for one in every
    ]


GCC = _sample(
    [(form, level) for form in ("gas", "inline", "portable") for level in LEVELS],
    {("gas", "-O2"), ("inline", "-O0"), ("inline", "-O3"), ("inline", "-Os"), ("portable", "-Os")},
)
CLANG_LEVELS = _sample(
    [(form, level) for form in ("inline", "portable") for level in ("-O0", "-O2", "-Oz")],
    {("inline", "-O2"), ("portable", "-Oz")},
)
HOST = _sample(
    [(cc, level) for cc in ("gcc", "clang") for level in ("-O0", "-O2", "-O3", "-Os")],
    {("gcc", "-O0"), ("clang", "-O0")},
)


@pytest.mark.parametrize(("form", "level"), GCC)
def test_no_warning_and_no_division(form: str, level: str, tmp_path: Path) -> None:
    library = build_library(Target("cortex-m4", form, (level, "-Werror")), tmp_path)
    assert divisions(library) == []


@pytest.mark.parametrize(("form", "level"), CLANG_LEVELS)
def test_clang(form: str, level: str, tmp_path: Path) -> None:
    target = Target("cortex-m4", form, (level, "-Werror"), CLANG)
    assert divisions(build_library(target, tmp_path)) == []


def test_the_scan_finds_a_division(tmp_path: Path) -> None:
    """GCC divides by a constant with UDIV when it is to save space."""
    source, compiled = tmp_path / "x.c", tmp_path / "x.o"
    source.write_text("unsigned f(unsigned x) { return x / 3329; }\n", encoding="utf-8")
    for options in (["-mcpu=cortex-m4", "-Os"], ["-mcpu=cortex-m0", "-Os"]):
        run("arm-none-eabi-gcc", "-mthumb", *options, "-c", source, "-o", compiled)
        assert divisions(compiled)


@pytest.mark.parametrize(("cc", "level"), HOST)
def test_host_without_a_warning(cc: str, level: str, tmp_path: Path) -> None:
    build_library(Target("host", "portable", (level, "-Werror"), cc), tmp_path)


def test_big_endian_and_small_cores_take_portable_c(tmp_path: Path) -> None:
    for number, options in enumerate(("-mbig-endian", "-mcpu=cortex-m0", "-mcpu=cortex-m3")):
        flags = ("-O0", "-Werror", options)
        build_library(Target("cortex-m4", "portable", flags), tmp_path / str(number))


def test_other_flags_build_anew(tmp_path: Path) -> None:
    def built(*cflags: str) -> dict[str, int]:
        build_library(Target("host", "portable", cflags), tmp_path)
        return {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.o")}

    first = built("-O0")
    assert built("-O0") == first, "nothing changed, nothing is built"
    second = built("-O0", "-DOTHER")
    assert all(second[name] > first[name] for name in first)


@pytest.mark.parametrize("choice", (("host", "gas"), ("cortex-m4", "nonsense"), ("z80", "gas")))
def test_a_choice_that_does_not_exist_is_named(choice: tuple[str, str], tmp_path: Path) -> None:
    done = run(
        "make", "-C", ROOT / "lib", f"CORE={choice[0]}", f"FORM={choice[1]}", f"OUT={tmp_path}"
    )
    assert done.returncode != 0
    assert choice[0 if choice[1] == "gas" else 1] in done.stderr


def test_another_permutation_by_header(tmp_path: Path) -> None:
    """With ARMSCRIBE_KECCAK_HEADER the library has no permutation of its own and uses that one."""
    header = ROOT / "tests/lib/other_keccak.h"
    flags = ("-O0", f'-DARMSCRIBE_KECCAK_HEADER=\\"{header}\\"')
    library = build_library(Target("host", "portable", flags), tmp_path)
    symbols = run("nm", library).stdout
    assert " T armscribe_keccak_permute" not in symbols
    assert " U other_permutation" in symbols


def test_readme_example(tmp_path: Path) -> None:
    """The main.c of lib/README.md, in about twenty lines, agrees on a secret."""
    blocks = re.findall(r"```c\n(.*?)```", (ROOT / "lib/README.md").read_text("utf-8"), re.S)
    (example,) = blocks
    assert len(example.splitlines()) <= 24
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text(example, encoding="utf-8")
    library = build_library(Target("host", "portable", ("-O0",)), tmp_path / "lib")
    compiler = shutil.which("cc")
    assert compiler
    done = run(
        compiler, "-Wall", "-Werror", f"-I{ROOT / 'lib/include'}", source, library, "-o", program
    )
    assert done.returncode == 0, done.stderr
    assert run(program).stdout == "agreed\n"
