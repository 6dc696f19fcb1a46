# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every permutation that the library can be built with, under SHA-3 and SHAKE."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.lib import test_keccak, test_sha3_vectors
from tests.lib.driver import ROOT, SANITIZE, Driver, Target
from tests.vectors.acvp import SHA3, SHAKE

CHOICES = ("fast", "inplace", "balanced", "small", "lanes", "c")
ROUTINE = re.compile(r" U keccak_f1600_(\w+)")


NOW = {f"gas-{one}" for one in ("inplace", "balanced", "small", "lanes")} | {"host-lanes"}


def _ways() -> Iterator[object]:
    """Each choice on the emulated core and on the host. What other tests take by default, or nearly, is slow here."""
    for choice in CHOICES:
        option = f"-DARMSCRIBE_KECCAK_{choice.upper()}"
        for name, target in (
            (f"gas-{choice}", Target("cortex-m4", "gas", ("-O2", option))),
            (f"inline-{choice}", Target("cortex-m4", "inline", ("-O2", option))),
            (f"host-{choice}", Target("host", "portable", ("-O1", *SANITIZE, option))),
        ):
            yield pytest.param(target, id=name, marks=() if name in NOW else pytest.mark.slow)


@pytest.fixture(scope="module", params=_ways())
def chosen(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Driver:
    return build(request.param)


def test_permutation_and_bytes(chosen: Driver) -> None:
    test_keccak.test_intermediate_values(chosen)
    test_keccak.test_any_part_of_the_state(chosen)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "SHAKE-128-1.0" else pytest.mark.slow)
        for name in SHA3 | SHAKE
    ],
)
def test_messages(chosen: Driver, name: str) -> None:
    test_sha3_vectors.test_messages(chosen, name)


def _compiled(folder: Path, form: str, *options: str) -> subprocess.CompletedProcess[str]:
    """The compiler's answer for the unit that calls the permutation, state.o in `folder`."""
    backend = "PORTABLE" if form == "portable" else f"CORTEX_M4_{form.upper()}"
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", f"-DARMSCRIBE_BACKEND_{backend}"]
    command += [f"-I{ROOT / 'lib/include'}", f"-I{ROOT / 'generated/include'}", *options, "-c"]
    command += [str(ROOT / "lib/keccak/state.c"), "-o", str(folder / "state.o")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("form", "option", "routine"),
    [
        ("gas", "", {"fast"}),
        ("inline", "", {"fast"}),
        ("portable", "", set()),
        ("gas", "-DARMSCRIBE_SMALL", {"small"}),
        ("portable", "-DARMSCRIBE_SMALL", {"small"}),
        ("gas", "-DARMSCRIBE_KECCAK_C", set()),
        *(("gas", f"-DARMSCRIBE_KECCAK_{one.upper()}", {one}) for one in CHOICES[:5]),
    ],
)
def test_what_is_taken(form: str, option: str, routine: set[str], tmp_path: Path) -> None:
    """The choice's routine is called, no other; C's permutation stands in a unit of its own."""
    done = _compiled(tmp_path, form, *option.split())
    assert done.returncode == 0, done.stderr
    command = ["nm", "-u", str(tmp_path / "state.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(ROUTINE.findall(done.stdout)) == routine


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    done = _compiled(tmp_path, "gas", "-DARMSCRIBE_KECCAK_FAST", "-DARMSCRIBE_KECCAK_SMALL")
    assert done.returncode != 0
    assert "define only one ARMSCRIBE_KECCAK_" in done.stderr


def test_chosen_by_make(tmp_path: Path) -> None:
    command = ["make", "-n", "-C", str(ROOT / "lib"), f"OUT={tmp_path}", "KECCAK=small"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert " -DARMSCRIBE_KECCAK_SMALL " in done.stdout
