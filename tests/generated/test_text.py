# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Generated files as compilers take them: without a warning, in every mode, chosen or not; one machine code."""

from __future__ import annotations

import itertools
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from gen.cores.core import load_core
from gen.ir.ir import Insn, Routine
from gen.isa import callee, size
from gen.passes.timing import code_bytes
from tests.generated import kit

WARNINGS = (
    "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow -Wundef "
    "-Wstrict-prototypes -Wmissing-prototypes -Werror"
).split()
COMPILERS = {
    "gcc": ["arm-none-eabi-gcc"],
    "clang": ["clang", "--target=thumbv7em-none-eabi", "-ffreestanding"],
}
LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os")
FRAMES = ("-fno-omit-frame-pointer", "-fomit-frame-pointer")
STANDARDS = ("c90", "c17")


def compile_file(compiler: str, core: str, path: Path, out: Path, *flags: str) -> None:
    """Compiles or assembles one file; a warning is an error."""
    command = [*COMPILERS[compiler], *load_core(core).cc, kit.INCLUDE, *flags]
    done = subprocess.run(
        [*command, "-c", str(path), "-o", str(out)], capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stderr, f"{' '.join(command)}\n{done.stderr}"


def function(path: Path, symbol: str) -> bytes:
    """The machine code of a function in an object file, as long as its symbol says."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        found = elf.get_section_by_name(".symtab").get_symbol_by_name(symbol)[0]
        data: bytes = elf.get_section(found["st_shndx"]).data()
        return data[found["st_value"] & ~1 :][: found["st_size"]]


def files_of(core: str, form: str) -> list[Path]:
    return sorted(kit.assembly(core, form).values())


# --- one body ------------------------------------------------------------------------------------


def body_range(routine: Routine) -> tuple[int, int]:
    """Where the author's code is in the function, by the sizes that `reach` settled."""
    parts = {"entry": 0, "body": 0, "exit": 0}
    for item in routine.final:
        if isinstance(item, Insn):
            parts[item.part] += size(item)
    return parts["entry"], parts["entry"] + parts["body"]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("core", kit.generated_cores())
def test_one_body(core: str, compiler: str, tmp_path: Path) -> None:
    """The bytes between entry and exit are the same in both forms, and stand alike within a word."""
    for symbol, routine in kit.routines(core).items():
        objects = {form: tmp_path / f"{symbol}_{form}.o" for form in kit.REAL_FORMS}
        for form, out in objects.items():
            compile_file(
                compiler,
                core,
                kit.text_of(core, symbol, form),
                out,
                "-O2",
                "-ffunction-sections",
                kit.backend(core, form),
            )
        code = {form: function(out, symbol) for form, out in objects.items()}
        first, last = body_range(routine)
        size_ = code_bytes(routine)
        assert size_ == len(code["gas"]), f"{symbol}: sizes differ from the assembler's"
        at = found_at(routine, code["gas"][first:last], code["inline"])
        assert at >= 0, f"{symbol}: the bodies differ"
        assert at % 4 == first % 4, f"{symbol}: the bodies stand differently within a word"
        if routine.subs:  # one piece, at the end of both
            start = code_bytes(replace(routine, subs=()))
            start += -start % 4
            assert code["gas"][start:] in code["inline"], f"{symbol}: the subs differ"


def found_at(routine: Routine, body: bytes, whole: bytes) -> int:
    """Where a body is found; how far its subs are from it is another matter."""
    pattern, at = b"", 0
    for item in routine.final:
        if isinstance(item, Insn) and item.part == "body":
            code = body[at : at + size(item)]
            pattern += b"...." if callee(item) else re.escape(code)
            at += size(item)
    match = re.search(pattern, whole, re.DOTALL)
    return match.start() if match else -1


def test_another_body_is_noticed(tmp_path: Path) -> None:
    """One register changed in the inline text: the bytes are not found."""
    core, symbol = "cortex-m4", "mlkem_add"
    text = kit.text_of(core, symbol, "inline").read_text()
    at = text.index("sadd16")
    line = text[at : text.index("\n", at)]
    swapped = line.replace(line.split(",")[1], line.split(",")[2].split("\\")[0], 1)
    changed = tmp_path / "changed.c"
    changed.write_text(text.replace(line, swapped, 1))
    out = tmp_path / "changed.o"
    compile_file(
        "gcc", core, changed, out, "-O2", "-ffunction-sections", kit.backend(core, "inline")
    )
    good = tmp_path / "good.o"
    compile_file("gcc", core, kit.text_of(core, symbol, "gas"), good, kit.backend(core, "gas"))
    first, last = body_range(kit.routines(core)[symbol])
    body = function(good, symbol)[first:last]
    assert body not in function(out, symbol)


# --- every way to compile ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All inline files as one translation unit, so that labels and names meet."""
    folder = tmp_path_factory.mktemp("unity")
    for core in kit.generated_cores():
        lines = [f'#include "{path.as_posix()}"\n' for path in files_of(core, "inline")]
        (folder / f"{core}.c").write_text("".join(lines))
    return folder


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", LEVELS)
def test_inline_in_every_mode(unity: Path, compiler: str, level: str, tmp_path: Path) -> None:
    for core, frame, standard in itertools.product(kit.generated_cores(), FRAMES, STANDARDS):
        flags = [*WARNINGS, level, frame, f"-std={standard}", kit.backend(core, "inline")]
        compile_file(compiler, core, unity / f"{core}.c", tmp_path / "unity.o", *flags)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("core", kit.generated_cores())
def test_gas_one_by_one_and_joined(core: str, compiler: str, tmp_path: Path) -> None:
    """Each file assembles, and so do all of them in one: local labels differ."""
    flags = [kit.backend(core, "gas"), "-Wa,--fatal-warnings"]
    joined = tmp_path / "all.S"
    joined.write_text("".join(f'#include "{p.as_posix()}"\n' for p in files_of(core, "gas")))
    compile_file(compiler, core, joined, tmp_path / "all.o", *flags)
    for path in files_of(core, "gas"):
        compile_file(compiler, core, path, tmp_path / "one.o", *flags)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ("-O0", "-O2"))
def test_portable_without_a_warning(compiler: str, level: str, tmp_path: Path) -> None:
    for path in sorted((kit.GENERATED / "portable").glob("*.c")):
        done = subprocess.run(
            [
                compiler,
                "-std=c99",
                *WARNINGS,
                level,
                kit.INCLUDE,
                kit.backend("", "portable"),
                "-c",
                str(path),
                "-o",
                str(tmp_path / "x.o"),
            ],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0 and not done.stderr, done.stderr


@pytest.mark.parametrize(
    ("core", "form", "compiler"),
    [
        ("cortex-m4", "gas", "gcc"),
        ("cortex-m4f", "gas", "clang"),
        ("cortex-m3", "inline", "gcc"),
    ],
)
def test_files_not_chosen_are_empty_units(
    core: str, form: str, compiler: str, tmp_path: Path
) -> None:
    """Whoever compiles everything gets each symbol once, whichever backend is chosen; the lists say from where."""
    chosen = set(kit.taken(core, form).values())
    for path in sorted(kit.GENERATED.rglob("*.[cS]")):
        flags = [*WARNINGS, "-std=c99"] if path.suffix == ".c" and path not in chosen else []
        out = tmp_path / "x.o"
        compile_file(compiler, core, path, out, kit.backend(core, form), *flags)
        with out.open("rb") as file:
            elf = ELFFile(file)
            table = elf.get_section_by_name(".symtab")
            symbols = [] if table is None else list(table.iter_symbols())
            own = [one for one in symbols if one["st_shndx"] != "SHN_UNDEF"]
            assert any(one["st_info"]["bind"] == "STB_GLOBAL" for one in own) == (path in chosen), (
                path
            )
            assert path.suffix == ".c" or elf.get_section_by_name(".note.GNU-stack") is not None


@pytest.mark.parametrize(
    ("language", "standard"), [("c", "c90"), ("c", "c17"), ("c++", "c++14"), ("c++", "c++20")]
)
@pytest.mark.parametrize("compiler", ["arm-none-eabi-g++", "clang++", "g++"])
def test_header_in_c_and_cpp(compiler: str, language: str, standard: str, tmp_path: Path) -> None:
    source = tmp_path / "user.c"
    source.write_text(
        '#include "armscribe_routines.h"\n#include "armscribe_routines.h"\nextern int nothing;\n'
    )
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wundef"]
    subprocess.run(
        [
            compiler,
            "-x",
            language,
            f"-std={standard}",
            *flags,
            kit.INCLUDE,
            "-c",
            str(source),
            "-o",
            str(tmp_path / "x.o"),
        ],
        check=True,
    )


def test_backend_is_chosen_loudly(tmp_path: Path) -> None:
    """Two choices, or one that the options do not fit, stop the build."""
    source = tmp_path / "user.c"
    source.write_text('#include "armscribe_backend.h"\nextern int nothing;\n')
    m4 = [*COMPILERS["gcc"], "-mcpu=cortex-m4", "-mthumb"]
    m3 = [*COMPILERS["gcc"], "-mcpu=cortex-m3", "-mthumb"]
    gas, portable = kit.backend("cortex-m4", "gas"), kit.backend("", "portable")
    for command, fails in (
        ([*m4], False),
        ([*m4, gas], False),
        ([*m3], False),
        ([*m3, gas], True),
        ([*m4, gas, portable], True),
        ([*m4, "-mbig-endian"], False),
        ([*m4, "-mbig-endian", gas], True),
        (["gcc"], False),
        (["gcc", gas], True),
        ([*m4, kit.backend("cortex-m4f", "gas")], True),
    ):
        done = subprocess.run(
            [*command, kit.INCLUDE, "-Wundef", "-Werror", "-E", str(source), "-o", "-"],
            capture_output=True,
            text=True,
        )
        assert (done.returncode != 0) == fails, (command, done.stderr)
        assert not fails or "#error" in done.stderr


def test_arm_compiler_5_is_known_when_it_pretends_to_be_gcc(tmp_path: Path) -> None:
    """With --gnu it defines __GNUC__; it takes portable C, and nothing else."""
    source = tmp_path / "user.c"
    source.write_text(
        '#include "armscribe_backend.h"\n#if defined(ARMSCRIBE_BACKEND_PORTABLE)\nportable\n#endif\n'
    )
    arm = [
        *COMPILERS["gcc"],
        "-mcpu=cortex-m4",
        "-mthumb",
        kit.INCLUDE,
        "-E",
        str(source),
        "-o",
        "-",
    ]
    old = [*arm, "-D__CC_ARM", "-D__ARMCC_VERSION=5060750"]
    done = subprocess.run(old, check=True, capture_output=True, text=True)
    assert "\nportable\n" in done.stdout
    done = subprocess.run(arm, check=True, capture_output=True, text=True)
    assert "\nportable\n" not in done.stdout
    wrong = [*old, kit.backend("cortex-m4", "inline")]
    done = subprocess.run(wrong, capture_output=True, text=True)
    assert done.returncode and "Arm Compiler 5 can build" in done.stderr
