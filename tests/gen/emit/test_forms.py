# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The routines of odd.py compute what they should in every form.

Each is built from its text in all forms and called with the same arguments; `gas` and `inline` on the emulated core
under the full check of the convention, `portable` on this host.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.emu.abi import Buffer, check_call
from gen.emu.build import link
from gen.emu.machine import Machine, Wide
from tests.gen.emit.odd import CASES, CORES, Case, file


def _flags(tree: Path, core: str, form: str) -> list[str]:
    name = f"{core}_{form}".upper().replace("-", "_")
    return ["-O2", f"-I{tree / 'generated' / 'include'}", f"-DARMSCRIBE_BACKEND_{name}"]


@pytest.mark.parametrize("form", ["gas", "inline"])
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("symbol", CASES)
def test_on_the_core(tree: Path, core: str, form: str, symbol: str) -> None:
    image = link([file(tree, core, form, symbol)], load_core(core), _flags(tree, core, form))
    machine, rng = Machine(image), random.Random(9)
    for _ in range(40):
        case = CASES[symbol](rng)
        given = [machine.alloc(x, 8, 4) if isinstance(x, bytes) else x for x in case.arguments]
        buffers = [
            Buffer(at, len(raw))
            for at, raw in zip(given, case.arguments, strict=True)
            if isinstance(raw, bytes) and isinstance(at, int)
        ]
        verdict = check_call(machine, symbol, given, buffers, rng)
        assert verdict.broken == ()
        assert verdict.result == case.result
        assert machine.read(buffers[0].address, buffers[0].size) == case.after


MAIN = """
#include <inttypes.h>
#include <stdio.h>
#include "armscribe_routines.h"
int main(void)
{{
{calls}
    return 0;
}}
"""


def _host_call(case: Case, number: int, types: list[str]) -> str:
    lines, passed = [], []
    for given, ctype in zip(case.arguments, types, strict=True):
        if isinstance(given, bytes):
            if ctype.startswith("uint32_t"):
                numbers = [
                    int.from_bytes(given[i : i + 4], "little") for i in range(0, len(given), 4)
                ]
            else:
                numbers = list(given) or [0]
            name = f"b{number}"
            lines.append(f"    {ctype} {name}[] = {{ {', '.join(f'{x}u' for x in numbers)} }};")
            passed.append(name)
        else:
            value = given.value if isinstance(given, Wide) else given
            passed.append(f"({ctype}){value}{'ull' if isinstance(given, Wide) else 'u'}")
    lines.append(f'    printf("%" PRIu32 "\\n", {case.symbol}({", ".join(passed)}));')
    size = len(case.after)
    shown = f'for (unsigned i = 0; i < {size}; i++) printf("%02x", ((const unsigned char *)b{number})[i]);'
    return "\n".join([*lines, f'    {shown if size else ""} printf("\\n");'])


TYPES = {
    "odd_wide": ["uint32_t", "uint64_t", "uint32_t", "uint64_t", "int16_t", "uint8_t"],
    "odd_park": ["uint32_t"],
    "odd_names": ["uint32_t", "uint32_t"],
    "odd_loops": ["uint8_t", "uint32_t"],
}


@pytest.mark.parametrize("symbol", CASES)
def test_portable(tree: Path, symbol: str, tmp_path: Path) -> None:
    rng = random.Random(10)
    cases = [CASES[symbol](rng) for _ in range(40)]
    calls = "\n".join(_host_call(case, number, TYPES[symbol]) for number, case in enumerate(cases))
    (tmp_path / "main.c").write_text(MAIN.format(calls=calls))
    include = f"-I{tree / 'generated' / 'include'}"
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Werror"]
    portable = tree / "generated" / "portable" / f"{symbol}.c"
    for source, flags in ((portable, warnings), (tmp_path / "main.c", [])):
        command = [
            "gcc",
            "-std=c99",
            "-fsanitize=undefined,address",
            include,
            "-DARMSCRIBE_BACKEND_PORTABLE",
        ]
        subprocess.run(
            [*command, *flags, "-c", str(source), "-o", str(tmp_path / f"{source.stem}.o")],
            check=True,
        )
    objects = [str(tmp_path / f"{symbol}.o"), str(tmp_path / "main.o")]
    subprocess.run(
        ["gcc", "-fsanitize=undefined,address", *objects, "-o", "all"], cwd=tmp_path, check=True
    )
    done = subprocess.run(["./all"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = done.stdout.split("\n")
    for number, case in enumerate(cases):
        assert int(rows[2 * number]) == case.result
        assert bytes.fromhex(rows[2 * number + 1]) == case.after
