# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Work spaces are as large as the headers say, stack beyond them is small, and the manual's table is right."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lib.conftest import BOARDS
from tests.lib.driver import ROOT, Driver, Target
from tests.lib.memory import Meter, Taken, program, workspaces

STACK = 2048  # bytes at most beyond the work space
ROW = re.compile(r"^\| `(\w+)` \| (\d*) \| (\d+) \|$", re.M)
GCC = "12."  # the compiler of the manual's table


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(one, marks=pytest.mark.slow if one.form == "inline" else (), id=one.name)
        for one in BOARDS
    ],
)
def taken(
    request: pytest.FixtureRequest,
    build: Callable[[Target], Driver],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Taken]:
    image = program(build(request.param).library, tmp_path_factory.mktemp("memory"))
    return dict(Meter(image, workspaces()).all())


def test_work_spaces_are_used_to_the_last_word(taken: dict[str, Taken]) -> None:
    """And not beyond: what stands behind them stays."""
    largest = {name: one for name, one in taken.items() if one.work}
    assert largest
    for name, one in largest.items():
        assert one.work - 4 < one.used <= one.work, name


def test_stack_is_small(taken: dict[str, Taken]) -> None:
    assert {name: one.stack for name, one in taken.items() if one.stack > STACK} == {}


def test_the_table_of_the_manual(taken: dict[str, Taken], request: pytest.FixtureRequest) -> None:
    """It is of the form gas and one version of GCC; others come within an eighth."""
    rows = {
        name: (int(work or 0), int(stack))
        for name, work, stack in ROW.findall((ROOT / "lib/README.md").read_text("utf-8"))
    }
    found = {name: (one.work, one.stack) for name, one in taken.items()}
    assert rows.keys() == found.keys()
    version = subprocess.run(
        ["arm-none-eabi-gcc", "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout
    if version.startswith(GCC) and "gas" in request.node.name:
        assert rows == found
    for name, (work, stack) in found.items():
        assert work == rows[name][0] and stack <= rows[name][1] * 9 // 8, name


def test_a_work_space_too_small_is_noticed(
    build: Callable[[Target], Driver], tmp_path: Path
) -> None:
    """One word less in the header, and the word behind it is seen to change."""
    image = program(build(BOARDS[0]).library, tmp_path)
    sizes = {name: size - 4 for name, size in workspaces().items()}
    for name, one in Meter(image, sizes).mlkem(512):
        assert one.used > one.work or "check" in name
