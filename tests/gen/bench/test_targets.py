# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The generated routines against targets and peers."""

import subprocess
from pathlib import Path

import pytest

from gen.bench.curves import operations
from gen.bench.figures import Figure, best, peers, targets
from gen.bench.known import described
from gen.bench.measure import Library, routines
from gen.cores.core import load_core

CORES = ("cortex-m4", "cortex-m4f")
GOALS = targets()
OPERATION = "armscribe_"  # what the names of the library begin with; the rest are routines
# Keccak and SHA-256 are faster than their peers with a larger frame; limits of their own are in their families.
LARGER_FRAME = ("keccak_", "sha256_")
ROUTINES = [goal for goal in GOALS if not goal[0].startswith(OPERATION)]


def figures(root: Path, key: str, folder: Path) -> dict[str, Figure]:
    core = load_core(key)
    command = ["make", "-s", "-C", "lib", f"CORE={key}", "FORM=gas", f"OUT={folder}"]
    subprocess.run(command, cwd=root, check=True)
    library = Library(folder / "libarmscribe.a", core, "gas")
    found = (*routines(library, described(root, core)), *operations(library))
    return {figure.routine: figure for figure in found}


@pytest.fixture(scope="module")
def measured(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Figure]:
    """Figures of every routine by routine and core."""
    return {
        (name, key): figure
        for key in CORES
        for name, figure in figures(root, key, tmp_path_factory.mktemp(key)).items()
    }


Measured = dict[tuple[str, str], Figure]


@pytest.mark.parametrize("goal", GOALS, ids="-".join)
def test_cycles_meet_their_target(measured: Measured, goal: tuple[str, str]) -> None:
    assert measured[goal].cycles <= GOALS[goal]


@pytest.mark.parametrize(
    "goal", [goal for goal in ROUTINES if not goal[0].startswith(LARGER_FRAME)], ids="-".join
)
def test_code_and_stack_are_no_burden(measured: Measured, goal: tuple[str, str]) -> None:
    peer = best(measured[goal], peers())
    assert peer is not None and peer.code is not None and peer.stack is not None
    assert measured[goal].code <= peer.code * 6 / 5
    assert measured[goal].stack <= peer.stack


@pytest.mark.parametrize("key", CORES)
def test_few_instructions_in_loops_straddle_a_word(measured: Measured, key: str) -> None:
    found = [
        figure
        for (name, core), figure in measured.items()
        if core == key and not name.startswith(OPERATION)
    ]
    wide, straddling = sum(f.wide for f in found), sum(f.straddling for f in found)
    assert wide > 100
    assert straddling <= wide * 0.02
