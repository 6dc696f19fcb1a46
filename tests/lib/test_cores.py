# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The library on every core: built, run on the core's emulated board, made of instructions that the core may have."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gen.cores.core import all_cores, load_core
from gen.emit import forms_of
from gen.isa.kinds import KIND_OF
from tests import demo
from tests.lib import (
    test_ed25519,
    test_mldsa_vectors,
    test_sha2_vectors,
    test_sha3_vectors,
    test_x25519,
)
from tests.lib.boards import MACHINES, USER
from tests.lib.conftest import BOARDS
from tests.lib.driver import ROOT, Driver, Target, build_library
from tests.lib.test_mlkem_vectors import expected_for, request_for
from tests.vectors.acvp import ML_DSA, ML_KEM, cases

# The form that `make test` runs on each board; the other one is slow. (The Cortex-M4 has all other tests.)
NOW = {"cortex-m3": "gas", "cortex-m7": "inline", "cortex-m33": "gas", "cortex-m33-nodsp": "inline"}
NOW |= {"cortex-m55": "gas", "cortex-m85": "inline", "cortex-a53": "gas", "cortex-a710": "inline"}
NOW |= {"cortex-a7": "gas", "cortex-a7-thumb": "inline"}
EVERY = [
    pytest.param(
        Target(core, form, ("-O2",)),
        marks=() if NOW.get(core) == form else pytest.mark.slow,
        id=f"{core}-{form}",
    )
    for core in (*MACHINES, *USER)
    if core != "cortex-m4"
    for form in forms_of(load_core(core))
]
STEP = {"ML-KEM": 40, "ML-DSA": 60}  # every so many-th vector
LONG = ("umull", "smull", "umlal", "smlal")
DSP = {name for name, kind in KIND_OF.items() if kind in ("dsp", "dspmac", "simd")} | {"umaal"}
LINE = re.compile(r"^ *[0-9a-f]+:\t[0-9a-f ]+\t(\w+)", re.M)


@pytest.mark.parametrize("target", EVERY)
def test_on_its_board(target: Target, build: Callable[[Target], Driver]) -> None:
    """An agreement by ML-KEM, and some published vectors of everything."""
    driver = build(target)
    assert demo.run(driver, bytes(range(64)), bytes(32)).agree
    for name in ML_KEM:
        every = list(cases(name))[:: STEP["ML-KEM"]]
        answers = driver.run(request_for(case, at % 8) for at, case in enumerate(every))
        assert answers == [expected_for(case) for case in every]
    for name in ML_DSA:
        test_mldsa_vectors.CHECKS[name](driver, list(cases(name))[:: STEP["ML-DSA"]])
    test_x25519.test_rfc7748(driver)
    test_ed25519.test_rfc8032(driver)
    for name in test_sha2_vectors.FUNCTIONS:
        test_sha2_vectors.test_every_function_around_the_padding(driver, name)
    if target.core in USER:  # a permutation of its own, on 64-bit lanes
        for name in test_sha3_vectors.ALL:
            test_sha3_vectors.test_messages(driver, name)


def test_every_core_has_a_board_or_is_built_only() -> None:
    assert set(all_cores()) - {"portable"} == {*MACHINES, *USER, *SMALL}


# --- without a board ---------------------------------------------------------------------------------

SMALL = ("cortex-m0plus", "cortex-m23")


@pytest.mark.parametrize("core", SMALL)
def test_small_cores_take_portable_c_and_say_so(core: str, tmp_path: Path) -> None:
    command = ["make", "-C", str(ROOT / "lib"), f"CORE={core}", "FORM=gas", "CFLAGS=-O0 -Werror"]
    done = subprocess.run(
        [*command, f"OUT={tmp_path}", "ALGORITHMS=mlkem512 x25519"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{core} gas: portable C for everything" in done.stdout
    assert "-DARMSCRIBE_BACKEND_PORTABLE" in done.stdout and ".S" not in done.stdout
    assert (tmp_path / "libarmscribe.a").is_file()


# --- instructions ------------------------------------------------------------------------------------


def mnemonics(file: Path) -> Iterator[str]:
    """What the disassembly of a library or an object has, with conditions and widths as they are written there."""
    command = ["arm-none-eabi-objdump", "-d", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    yield from LINE.findall(done.stdout)


def of(names: set[str] | tuple[str, ...], file: Path) -> set[str]:
    return {found for found in set(mnemonics(file)) if any(map(found.startswith, names))}


def test_no_long_multiplication_where_its_time_depends_on_the_data(
    build: Callable[[Target], Driver],
) -> None:
    """Neither of the generator nor of the compiler, in any function: no list of exceptions is needed."""
    core = "cortex-m3"
    assert load_core(core).data_dependent("mul64") and load_core(core).data_dependent("mac64")
    assert of(LONG, build(Target(core, NOW[core], ("-O2",))).library) == set()


@pytest.mark.slow
@pytest.mark.parametrize("level", ("-O0", "-Og", "-O1", "-O3", "-Os"))
@pytest.mark.parametrize("form", ("gas", "inline", "portable"))
def test_no_long_multiplication_at_other_levels(form: str, level: str, tmp_path: Path) -> None:
    assert of(LONG, build_library(Target("cortex-m3", form, (level,)), tmp_path)) == set()


def test_no_dsp_instruction_on_a_core_without(build: Callable[[Target], Driver]) -> None:
    """The emulated board has them, so only the text can tell."""
    core = "cortex-m33-nodsp"
    assert "dsp" not in load_core(core).isa
    assert of(DSP, build(Target(core, NOW[core], ("-O2",))).library) == set()


def test_the_scans_find_what_they_look_for(build: Callable[[Target], Driver]) -> None:
    library = build(BOARDS[0]).library
    assert {"umull", "smlal"} <= of(LONG, library)
    assert {"umaal", "smulwb", "pkhtb"} <= of(DSP, library)
