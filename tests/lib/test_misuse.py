# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Misuse of every public function is answered as the headers say, on the emulated core and on the host."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gen.bench.api import Api
from gen.cores.core import load_core
from gen.emu.build import link
from tests.lib.driver import ROOT, Driver, Target, build_library
from tests.lib.misuse import Case, Emulated, Table, cases, failures
from tests.lib.operations import FAMILIES, operations

GAS = Target("cortex-m4", "gas")
RANDOM = ROOT / "tests/lib/random.c"
HEADERS = f"-I{ROOT / 'lib/include'}"


@pytest.fixture(scope="module")
def library(build: Callable[[Target], Driver]) -> Path:
    return build(GAS).library


@pytest.fixture(scope="module")
def table(library: Path) -> Table:
    """A right call of every public function, with its prototype."""
    api = Api.read(ROOT, load_core("cortex-m4"))
    return tuple(
        (one, tuple(api[call.function] for call in one.calls))
        for family in FAMILIES
        for one in operations(library, family)
    )


def emulated(library: Path, stub: Path | None = None, *flags: str) -> Emulated:
    sources = [RANDOM] if stub is None else [RANDOM, stub]
    whole = ["-Wl,--whole-archive", str(library), "-Wl,--no-whole-archive"]
    machine = Emulated(link(sources, load_core("cortex-m4"), [HEADERS, *whole, *flags]))
    machine.alloc(8192)  # outputs may begin in front of what they overlap
    return machine


def test_every_public_function_is_there(table: Table) -> None:
    declared = {
        name
        for name in Api.read(ROOT, load_core("cortex-m4")).prototypes
        if not name.startswith("armscribe_keccak_")
    }
    assert {prototype.symbol for _, found in table for prototype in found} == declared


def test_on_the_core(library: Path, table: Table) -> None:
    assert failures(emulated(library), table) == []


def test_on_the_host(table: Table, tmp_path: Path) -> None:
    archive = build_library(Target("host", "portable", ("-O1", "-fPIC")), tmp_path)
    shared, file = tmp_path / "armscribe.so", tmp_path / "table"
    whole = ["-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive"]
    command = ["cc", "-shared", "-fPIC", HEADERS, str(RANDOM), *whole, "-o", str(shared)]
    subprocess.run(command, check=True)
    file.write_bytes(pickle.dumps(table))
    run = [sys.executable, "-m", "tests.lib.misuse", str(shared), str(file)]
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_null_is_nothing_to_erase(library: Path) -> None:
    emulated(library).call("armscribe_wipe", 0, 32)


BLIND = """
int __wrap_armscribe_judge(const void *b, unsigned written, unsigned count);
int __wrap_armscribe_judge(const void *b, unsigned written, unsigned count)
{
    (void)b, (void)written, (void)count;
    return 0;
}
"""


def test_a_missing_check_is_noticed(library: Path, table: Table, tmp_path: Path) -> None:
    """Of each function that judges buffers."""
    stub = tmp_path / "blind.c"
    stub.write_text(BLIND, encoding="utf-8")
    some = tuple(row for row in table if row[0].family in ("mlkem512", "ed25519", "sha3"))
    found = failures(emulated(library, stub, "-Wl,--wrap=armscribe_judge"), some)
    assert not any(": right:" in line for line in found)
    blind = {line.split(":")[0] for line in found}
    judging = {p.symbol for _, found in some for p in found if p.answers}
    assert {
        name for name in judging - blind if not name.endswith(("_init", "_check_ek", "_check_dk"))
    } == {
        "armscribe_ed25519_keygen",
        "armscribe_ed25519_keygen_derand",
    }


def test_a_buffer_that_comes_new_is_judged() -> None:
    """Cases follow from the prototype alone."""
    api = Api.read(ROOT, load_core("cortex-m4"))
    made: list[Case] = list(cases(api["armscribe_mlkem512_check_ek"], ("ek", 800), [800, 0]))
    assert [case.what for case in made] == ["ek is NULL", "ek_n -1", "ek_n +1"]
