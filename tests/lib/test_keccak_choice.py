# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every permutation that the library can be built with, under SHA-3 and SHAKE."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.lib import test_keccak, test_sha3_vectors
from tests.lib.driver import ROOT, SANITIZE, Driver, Target, build_library
from tests.vectors.acvp import SHA3, SHAKE

CHOICES = ("fast", "inplace", "balanced", "small", "lanes", "c")
ROUTINE = re.compile(r" U keccak_f1600_(\w+)")


def _ways() -> Iterator[object]:
    """Each choice on the emulated core and on the host; the inline form holds the same instructions and is slow."""
    for choice in CHOICES:
        option = f"-DARMSCRIBE_KECCAK_{choice.upper()}"
        for form in ("gas", "inline"):
            target = Target("cortex-m4", form, ("-O2", option))
            slow = [pytest.mark.slow] if form == "inline" or choice == "c" else []
            yield pytest.param(target, id=f"{form}-{choice}", marks=slow)
        yield pytest.param(
            Target("host", "portable", ("-O1", *SANITIZE, option)), id=f"host-{choice}"
        )


@pytest.fixture(scope="module", params=_ways())
def chosen(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Driver:
    return build(request.param)


def test_permutation_and_bytes(chosen: Driver) -> None:
    test_keccak.test_intermediate_values(chosen)
    test_keccak.test_any_part_of_the_state(chosen)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ("SHA3-256", "SHAKE-128") else pytest.mark.slow)
        for name in SHA3 | SHAKE
    ],
)
def test_messages(chosen: Driver, name: str) -> None:
    test_sha3_vectors.test_messages(chosen, name)


def _used(library: Path) -> set[str]:
    """The permutation routines that the library's own C calls."""
    done = subprocess.run(["nm", "-u", library], capture_output=True, text=True, check=True)
    return set(ROUTINE.findall(done.stdout))


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
    flags = tuple(part for part in ("-O1", "-Werror", option) if part)
    assert _used(build_library(Target("cortex-m4", form, flags), tmp_path)) == routine


def test_chosen_by_make(tmp_path: Path) -> None:
    command = ["make", "-C", str(ROOT / "lib"), f"OUT={tmp_path}", "KECCAK=small"]
    subprocess.run(command, check=True, capture_output=True)
    assert _used(tmp_path / "libarmscribe.a") == {"small"}


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    command = ["make", "-C", str(ROOT / "lib"), f"OUT={tmp_path}", "KECCAK=small"]
    command.append("CFLAGS=-DARMSCRIBE_KECCAK_FAST")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "define only one ARMSCRIBE_KECCAK_" in done.stderr
