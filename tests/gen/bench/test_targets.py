# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Routines and whole operations against their targets, their peers and what was reached before."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from gen import costs
from gen.bench.api import Api
from gen.bench.figures import QUANTITIES, REACHED, Figure, Target, best, peers, reached, targets
from gen.bench.library import Library
from gen.bench.operations import ALGORITHMS, Session
from gen.bench.signing import SETS, Signer, mldsa
from gen.cores.core import Core, load_core

M4 = load_core("cortex-m4")
M4F = load_core("cortex-m4f")  # what has a target there is measured there too
GOALS, KEPT = targets(), targets(REACHED)
OPERATION = "armscribe_"  # what the names of the library begin with; the rest are routines
QUICK = (
    "mldsa44"  # whose keys and verification are measured each time; what takes longer, by test-all
)
QUICK_SEED = 3  # of the seeds of signing: one that takes few attempts
# Figures of another compiler are others; what the generator wrote is held exactly by COSTS.csv.
ROOM = {"cycles": 1.03, "code": 1.05, "memory": 1.05}
# Keccak and SHA-256 are faster than their peers with a larger frame; limits of their own are in their families.
LARGER_FRAME = ("keccak_", "sha256_")
PARKING = sorted(
    {
        name.removeprefix(OPERATION).split("_")[0]
        for name, core in GOALS
        if core == M4F.key and name.startswith(OPERATION)
    }
)
ROUTINES = [goal for goal in GOALS if not goal[0].startswith(OPERATION)]


def _session(root: Path, folder: Path, core: Core) -> Session:
    """The library as it ships."""
    return Session(Library.make(root, core, "gas", folder=folder), Api.read(root, core))


@pytest.fixture(scope="module")
def session(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Session:
    return _session(root, tmp_path_factory.mktemp("library"), M4)


@pytest.fixture(scope="module")
def parking(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Session:
    return _session(root, tmp_path_factory.mktemp("parking"), M4F)


@pytest.fixture(scope="module")
def generated(root: Path) -> dict[tuple[str, str], Figure]:
    """Routines by name and core, from COSTS.csv, which is held to the emulated core elsewhere; the most they take."""
    found = {}
    with (root / "generated" / costs.NAME).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["code"]:
                time = int(row["instructions_most"]), int(row["cycles_most"])
                size = int(row["code"]), int(row["rodata"]), int(row["stack"])
                key = row["routine"], row["core"]
                found[key] = Figure(*key, "gas", *time, *size, 0, 0)
    return found


def excess(figure: Figure, goal: Target | None, kept: Target | None) -> dict[str, tuple[int, int]]:
    """Quantity -> (figure, limit) where the limit is passed. A target that was reached is one; beside it what was
    reached before, with room for compilers."""
    found = {}
    for name, (had, before) in kept.of(figure).items() if kept else ():
        wanted = getattr(goal, name, None)
        limit = round(before * ROOM[name])
        if wanted is not None and before <= wanted:
            limit = min(limit, wanted)
        if had > limit:
            found[name] = had, limit
    for name, (had, wanted) in goal.of(figure).items() if goal and not kept else ():
        if had > wanted:
            found[name] = had, wanted
    return found


def held(figures: Iterable[Figure]) -> None:
    """Asserts that each has a row in reached.csv and is not over a limit."""
    found = {figure.routine: figure for figure in figures}
    unknown = [name for name, figure in found.items() if (name, figure.core) not in KEPT]
    assert not unknown, f"python3 -m gen.bench --accept keeps {unknown}"
    over = {
        name: excess(figure, GOALS.get((name, figure.core)), KEPT[name, figure.core])
        for name, figure in found.items()
    }
    assert not any(over.values()), over


@pytest.mark.parametrize("goal", ROUTINES, ids="-".join)
def test_routines_meet_their_targets(
    generated: dict[tuple[str, str], Figure], goal: tuple[str, str]
) -> None:
    assert not excess(generated[goal], GOALS[goal], KEPT.get(goal))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_operation_is_worse_than_its_target_or_than_it_was(session: Session, name: str) -> None:
    held(ALGORITHMS[name](session))


@pytest.mark.parametrize("name", PARKING)
def test_nor_where_fp_registers_park_values(parking: Session, name: str) -> None:
    held(ALGORITHMS[name](parking))


def test_mlkem_meets_each_target_on_one_of_its_cores() -> None:
    """Its peers' figures need FP registers, so those of either core count."""
    met = set()
    for (name, core), kept in KEPT.items():
        size = kept.code or 0, 0, kept.memory or 0
        figure = Figure(name, core, "gas", 1, kept.cycles or 0, *size, 0, 0)
        if not excess(figure, GOALS.get((name, core)), None):
            met.add(name)
    names = {name for name, _ in GOALS if name.removeprefix(OPERATION).split("_")[0] in PARKING}
    assert names and names <= met


def test_keys_and_verification_of_signatures_are_not_worse(session: Session) -> None:
    sample = Signer(QUICK, session).sample(QUICK_SEED)
    held([sample.keygen, sample.verify])


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_signatures_are_not_worse(session: Session, name: str) -> None:
    signer = Signer(name, session)
    figures, line = mldsa(name, [signer.sample(number) for number in range(6)])
    assert line.a > 0 and line.b > 0
    held(figures)


def test_every_target_is_held_by_a_test() -> None:
    names = {name for name, core in GOALS if name.startswith(OPERATION)}
    parts = (*ALGORITHMS, *SETS)
    assert all(name.removeprefix(OPERATION).split("_")[0] in parts for name in names)
    assert {core for _, core in KEPT} == {M4.key, M4F.key}
    assert names <= {name for name, _ in KEPT}


def test_a_figure_over_its_limit_shows() -> None:
    figure = Figure("armscribe_demo", "cortex-m4", "gas", 1, 1000, 400, 0, 40, 0, 0, 60)
    kept = Target("armscribe_demo", "cortex-m4", 1000, 400, 100)
    assert not excess(figure, None, kept)
    assert not excess(replace(figure, cycles=1030, code=420, work=65), None, kept)
    for worse in (
        replace(figure, cycles=1031),
        replace(figure, code=421),
        replace(figure, work=66),
        replace(figure, stack=46),
    ):
        assert len(excess(worse, None, kept)) == 1
    reached_goal, missed_goal = replace(kept, cycles=1010), replace(kept, cycles=900)
    assert excess(replace(figure, cycles=1011), reached_goal, kept) == {"cycles": (1011, 1010)}
    assert not excess(replace(figure, cycles=1011), missed_goal, kept)
    assert excess(figure, missed_goal, None) == {"cycles": (1000, 900)}


def test_figures_take_the_place_of_their_old_ones(tmp_path: Path) -> None:
    figure = Figure("b", "cortex-m4", "gas", 1, 10, 4, 0, 8, 0, 0, 2)
    file = tmp_path / "reached.csv"
    file.write_text(reached([figure, replace(figure, routine="a")], file), newline="\n")
    file.write_text(reached([replace(figure, cycles=9)], file), newline="\n")
    assert (
        file.read_text()
        == "routine,core,cycles,code,memory\na,cortex-m4,10,4,10\nb,cortex-m4,9,4,10\n"
    )
    assert set(targets(file)) == {("a", "cortex-m4"), ("b", "cortex-m4")} and len(QUANTITIES) == 3


@pytest.mark.parametrize(
    "goal", [goal for goal in ROUTINES if not goal[0].startswith(LARGER_FRAME)], ids="-".join
)
def test_code_and_stack_are_no_burden(
    generated: dict[tuple[str, str], Figure], goal: tuple[str, str]
) -> None:
    """Code a fifth larger than the peer's at most, or within the target's own limit."""
    figure = generated[goal]
    peer = best(figure, peers())
    assert peer is not None and peer.code is not None and peer.stack is not None
    assert figure.code <= (GOALS[goal].code or peer.code * 6 / 5)
    assert figure.stack <= peer.stack
