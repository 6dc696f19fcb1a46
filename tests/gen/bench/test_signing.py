# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The operations of ML-DSA-65 against their targets, and the line that signing is stated as."""

import subprocess
from pathlib import Path

import pytest

from gen.bench.measure import Library, MeasureError
from gen.bench.signing import EXPECTED, signatures, through
from gen.cores.core import load_core

# Model cycles, and bytes of stack and work space, at most.
KEYGEN, SIGN, VERIFY = (2_400_000, 60_000), (5_900_000, 69_000), (2_300_000, 10_000)


def test_the_line_goes_through_its_points() -> None:
    line = through([(1, 130), (4, 190), (9, 290)])
    assert (line.a, line.b) == (pytest.approx(110), pytest.approx(20))
    assert line.at(EXPECTED) == 212
    assert str(line) == "110 + 20 x attempts"


def test_equal_attempts_make_no_line() -> None:
    with pytest.raises(MeasureError, match="no line"):
        through([(3, 100), (3, 101)])


@pytest.mark.slow
def test_operations_meet_their_targets(root: Path, tmp_path: Path) -> None:
    command = ["make", "-s", "-C", "lib", "CORE=cortex-m4", "FORM=gas", f"OUT={tmp_path}"]
    subprocess.run(command, cwd=root, check=True)
    library = Library(tmp_path / "libarmscribe.a", load_core("cortex-m4"), "gas")
    figures, line = signatures(library, seeds=6)
    assert line.a > 0 and line.b > 0
    for figure, (cycles, memory) in zip(figures, (KEYGEN, SIGN, VERIFY), strict=True):
        assert figure.cycles <= cycles, figure.routine
        assert figure.stack <= memory, figure.routine
