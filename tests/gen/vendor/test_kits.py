# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Each kit by what its world offers: its build system, its schema, its compiler."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gen.cores.core import load_core
from gen.vendor.kit import all_kits
from tests.gen.vendor.making import BOARDS, PROGRAM, ROOT, build, run, sources, vendor
from tests.lib.boards import linking

CORE = "cortex-m4"


def call(*words: object, cwd: Path | None = None) -> str:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def toolchain(folder: Path) -> Path:
    """A toolchain file as a user's project has one: it alone names the core."""
    path = folder / "toolchain.cmake"
    path.write_text(
        "set(CMAKE_SYSTEM_NAME Generic)\nset(CMAKE_C_COMPILER arm-none-eabi-gcc)\n"
        "set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)\nset(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n"
        f'set(CMAKE_C_FLAGS_INIT "{" ".join(load_core(CORE).cc)} -O2")\n'
        f'set(CMAKE_ASM_FLAGS_INIT "{" ".join(load_core(CORE).cc)}")\n'
    )
    return path


def project(folder: Path, use: str) -> Path:
    """A user's project."""
    folder.mkdir()
    (folder / "main.c").write_text(PROGRAM)
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.16)\nproject(mine C ASM)\n{use}\n"
        f"add_executable(mine main.c {BOARDS / 'board.c'})\n"
        "target_link_libraries(mine PRIVATE armscribe::armscribe)\n"
        f"target_link_options(mine PRIVATE {' '.join(linking(CORE))})\n"
    )
    return folder


@pytest.mark.parametrize("form", ["inline", pytest.param("gas", marks=pytest.mark.slow)])
def test_cmake(form: str, tmp_path: Path) -> None:
    """As a subdirectory; then installed and found."""
    kit, tools = tmp_path / "kit", toolchain(tmp_path)
    assert vendor(kit, "--form", form, kit="cmake") == 0
    mine = project(tmp_path / "one", f"add_subdirectory({kit} armscribe)")
    call("cmake", "-S", mine, "-B", mine / "b", f"-DCMAKE_TOOLCHAIN_FILE={tools}")
    call("cmake", "--build", mine / "b", "-j", "2")
    assert run(mine / "b" / "mine") == 0
    if form == "gas":
        return
    place = tmp_path / "installed"
    call("cmake", "-S", kit, "-B", tmp_path / "k", f"-DCMAKE_TOOLCHAIN_FILE={tools}")
    call("cmake", "--build", tmp_path / "k", "-j", "2")
    call("cmake", "--install", tmp_path / "k", "--prefix", place)
    other = project(tmp_path / "two", "find_package(armscribe 0.1 REQUIRED)")
    words = [f"-DCMAKE_TOOLCHAIN_FILE={tools}", f"-Darmscribe_DIR={place}/lib/cmake/armscribe"]
    call("cmake", "-S", other, "-B", other / "b", *words)
    call("cmake", "--build", other / "b")
    assert run(other / "b" / "mine") == 0


def test_meson(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    assert vendor(mine / "subprojects" / "armscribe", kit="meson") == 0
    (mine / "main.c").write_text(PROGRAM)
    link = ", ".join(f"'{word}'" for word in linking(CORE))
    (mine / "meson.build").write_text(
        "project('mine', 'c')\n"
        "armscribe = dependency('armscribe', fallback: 'armscribe')\n"
        f"executable('mine', 'main.c', '{BOARDS / 'board.c'}', dependencies: armscribe, link_args: [{link}])\n"
    )
    flags = ", ".join(f"'{word}'" for word in load_core(CORE).cc)
    (mine / "cross.ini").write_text(
        "[binaries]\nc = 'arm-none-eabi-gcc'\nar = 'arm-none-eabi-ar'\n"
        f"[built-in options]\nc_args = [{flags}, '-O2']\nc_link_args = [{flags}]\n"
        "[properties]\nneeds_exe_wrapper = true\n"
        "[host_machine]\nsystem = 'none'\ncpu_family = 'arm'\ncpu = 'cortex-m4'\nendian = 'little'\n"
    )
    meson = (sys.executable, "-m", "mesonbuild.mesonmain")
    call(*meson, "setup", mine / "b", mine, "--cross-file", mine / "cross.ini")
    call("ninja", "-C", mine / "b")
    assert run(mine / "b" / "mine") == 0


def test_arduino(tmp_path: Path) -> None:
    """The builder compiles all of src/, with src/ as include folder and no options."""
    kit = tmp_path / "kit"
    assert vendor(kit, kit="arduino") == 0
    build(sources(kit / "src"), [kit / "src"], tmp_path / "program.elf")
    assert run(tmp_path / "program.elf") == 0
    properties = dict(
        row.split("=", 1) for row in (kit / "library.properties").read_text().splitlines() if row
    )
    wanted = "name version author maintainer sentence paragraph category url architectures"
    assert {*wanted.split()} <= {*properties}
    assert json.loads((kit / "library.json").read_text())["version"] == properties["version"]
    call("cc", "-fsyntax-only", f"-I{kit / 'src'}", "-x", "c", kit / "src" / "armscribe.h")
    for path in sources(kit / "src"):  # and for another board, where it is C alone
        call("cc", f"-I{kit / 'src'}", "-c", path, "-o", tmp_path / "o")


# Keys of a module file: Zephyr's documentation, "Modules", "Module yaml file description".
MODULE, BUILD = {"name", "build", "tests", "samples", "boards", "security"}, {"cmake", "kconfig"}


def test_zephyr(tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    assert vendor(kit, kit="zephyr") == 0
    module = yaml.safe_load((kit / "zephyr/module.yml").read_text())
    assert {*module} <= MODULE
    assert {*module["build"]} == BUILD
    assert (kit / module["build"]["cmake"] / "CMakeLists.txt").exists()
    assert (kit / module["build"]["kconfig"]).exists()
    listed = re.findall(r"^    \.\./(\S+)$", (kit / "zephyr/CMakeLists.txt").read_text(), re.M)
    assert [kit / path for path in listed] == sources(kit)
    script = tmp_path / "check.cmake"  # the file as CMake reads it, with Zephyr's functions stubbed
    script.write_text(
        "function(zephyr_library_named)\nendfunction()\nfunction(zephyr_include_directories)\nendfunction()\n"
        "function(zephyr_library_sources)\nforeach(path ${ARGV})\n"
        f'if(NOT EXISTS "{kit}/zephyr/${{path}}")\nmessage(FATAL_ERROR ${{path}})\nendif()\nendforeach()\n'
        f'endfunction()\nset(CONFIG_ARMSCRIBE 1)\ninclude("{kit}/zephyr/CMakeLists.txt")\n'
    )
    call("cmake", "-P", script)


def test_cubeide(tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    assert vendor(kit, kit="cubeide", algorithms="x25519") == 0
    text = (kit / "README.md").read_text()
    assert "armscribe/include" in text
    assert '#include "armscribe/x25519.h"' in text


def test_every_kit_says_how_it_is_proved() -> None:
    text = (ROOT / "gen/vendor/README.md").read_text()
    for name in all_kits():
        assert f"| `{name}` |" in text
