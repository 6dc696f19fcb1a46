# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""AArch64 files in every way to compile them, and what their frame information says while they run."""

from __future__ import annotations

import itertools
import random
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
import unicorn
from elftools.elf.elffile import ELFFile

from gen.cores.core import load_core
from gen.emu.a64 import Machine64
from gen.emu.abi import Buffer
from gen.emu.build import link
from gen.emu.machine import STACK_TOP
from tests.generated import kit
from tests.generated.test_text import FRAMES, LEVELS, STANDARDS, WARNINGS

CORES = ("cortex-a53", "cortex-a710")
CLANG = ["clang", "--target=aarch64-linux-gnu", "-ffreestanding"]
COMPILERS = {"gcc": ["aarch64-linux-gnu-gcc"], "clang": CLANG}
DIT = bytes.fromhex("5f4103d5")  # MSR DIT, #1 (Arm DDI 0487, C5.2)


def selected(core: str, compiler: str) -> list[str]:
    """Options of a core; clang has the same by the architecture."""
    return list(load_core(core).cc) if compiler == "gcc" else [_ARCH[core]]


_ARCH = {"cortex-a53": "-march=armv8-a", "cortex-a710": "-march=armv8.2-a+sha3"}


def every_file(ending: str) -> list[Path]:
    """Those of all AArch64 cores: a project may take them by wildcard."""
    return sorted(p for key in CORES for p in (kit.GENERATED / key).glob(f"*{ending}"))


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("core", CORES)
def test_every_way_to_compile(core: str, compiler: str, tmp_path: Path) -> None:
    """Files of other cores are empty units; labels of all in one unit differ."""
    for ending, form in (("_inline.c", "inline"), ("_acle.c", "acle"), (".S", "gas")):
        whole = tmp_path / f"all{ending}"
        whole.write_text("".join(f'#include "{p.as_posix()}"\n' for p in every_file(ending)))
        base = [*COMPILERS[compiler], *selected(core, compiler), kit.INCLUDE]
        base += [kit.backend(core, form), "-c", str(whole), "-o", str(tmp_path / "all.o")]
        ways = itertools.product(LEVELS if form != "gas" else LEVELS[:1], FRAMES, STANDARDS)
        for level, frame, standard in ways:
            if form == "acle" and standard == "c90":
                continue  # intrinsics are C99
            more = [*WARNINGS, level, frame, f"-std={standard}"] if form != "gas" else []
            done = subprocess.run([*base, *more], capture_output=True, text=True)
            assert done.returncode == 0 and not done.stderr, done.stderr[:2000]


# --- options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["gas", "inline", "acle"])
def test_data_independent_timing_is_set_where_it_is_asked_for(form: str) -> None:
    core, symbol = "cortex-a710", "keccak_f1600_u64"
    for options, wanted in (((), 0), (("-DARMSCRIBE_DIT",), 1)):
        flags = ["-O2", kit.INCLUDE, kit.backend(core, form), f"-Wl,-u,{symbol}", *options]
        image = link([kit.taken(core, form)[symbol]], load_core(core), flags)
        at = image[symbol]
        code = next(c[at.address - a :][: at.size] for a, c in image.segments if a <= at.address)
        assert code.count(DIT) == wanted


def test_branch_protection_is_taken_up(tmp_path: Path) -> None:
    """With BTI the function begins with a landing pad, and the object says that it has them."""
    source = kit.taken("cortex-a53", "gas")["keccak_f1600_u64"]
    flags = ["-mbranch-protection=bti", kit.INCLUDE, kit.backend("cortex-a53", "gas")]
    out = tmp_path / "one.o"
    command = ["aarch64-linux-gnu-gcc", *flags, "-c", str(source), "-o", str(out)]
    subprocess.run(command, check=True)
    notes = ["aarch64-linux-gnu-readelf", "-n", str(out)]
    said = subprocess.run(notes, capture_output=True, text=True, check=True).stdout
    assert "AArch64 feature: BTI" in said
    with out.open("rb") as file:
        code = ELFFile(file).get_section_by_name(".text.keccak_f1600_u64").data()
    assert code[:4] == bytes.fromhex("5f2403d5")


# --- frame information -------------------------------------------------------------------------------


class Unwinder:
    """At every instruction: is the frame address SP at entry, and is every saved register where it is said to be?"""

    def __init__(self, machine: Machine64, symbol: str) -> None:
        self.machine, self.start = machine, machine.image[symbol].address
        with machine.image.path.open("rb") as file:
            entries = list(ELFFile(file).get_dwarf_info().EH_CFI_entries())
        self.rows: list[dict[Any, Any]] = next(
            entry.get_decoded().table
            for entry in entries
            if type(entry).__name__ == "FDE" and entry["initial_location"] == self.start
        )
        self.wrong: list[str] = []
        self.before: dict[int, int] = {}  # DWARF number -> value at entry
        self.seen = 0

    def name(self, number: int) -> str:
        return f"x{number}" if number < 64 else f"v{number - 64}"

    def step(self, _uc: Any, address: int, _size: int, _data: object) -> None:
        if not self.before:
            numbers = (*range(19, 31), *range(72, 80))
            self.before = {n: self.machine.get(self.name(n)) % 2**64 for n in numbers}
        row = next(row for row in reversed(self.rows) if row["pc"] <= address)
        frame = self.machine.get("sp") + row["cfa"].offset
        if frame != STACK_TOP:
            self.wrong.append(f"{address:#x}: the frame is at {frame:#x}")
        for number, value in self.before.items():
            rule = row.get(number)
            kept = rule is not None and rule.type == "OFFSET"
            held = (
                int.from_bytes(self.machine.read(frame + rule.arg, 8), "little")
                if kept and rule is not None
                else self.machine.get(self.name(number)) % 2**64
            )
            if held != value:
                self.wrong.append(f"{address:#x}: {self.name(number)} is lost")
        self.seen += 1


@pytest.mark.parametrize(
    ("core", "symbol", "count"),
    [("cortex-a53", "keccak_f1600_u64", 25), ("cortex-a710", "keccak_f1600_x2", 50)],
)
@pytest.mark.parametrize("fault", [False, True])
def test_frames_can_be_unwound(
    core: str, symbol: str, count: int, fault: bool, tmp_path: Path
) -> None:
    text = kit.taken(core, "gas")[symbol].read_text(encoding="utf-8")
    if fault:
        text = text.replace(".cfi_def_cfa_offset 112", ".cfi_def_cfa_offset 96")
        text = text.replace(".cfi_offset 72, -", ".cfi_offset 72, -8 -")
    source = tmp_path / "one.S"
    source.write_text(text)
    flags = [kit.INCLUDE, kit.backend(core, "gas"), f"-Wl,-u,{symbol}"]
    table = kit.taken(core, "gas")["keccak_lanes64"]
    machine = Machine64(link([source, table], load_core(core), flags, tmp_path / "one.elf"))
    watch = Unwinder(machine, symbol)
    hook = machine.uc.hook_add(unicorn.UC_HOOK_CODE, watch.step)
    at = machine.alloc(struct.pack(f"<{count}Q", *range(count)))
    args = [at, machine.image["keccak_round_constants64"].address]
    machine.call(symbol, args, [Buffer(at, 8 * count)], random.Random(1))
    machine.uc.hook_del(hook)
    assert watch.seen > 1000 and bool(watch.wrong) == fault, watch.wrong[:5]


