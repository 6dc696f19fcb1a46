# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The line that signing is stated as, and the count of attempts behind it."""

from dataclasses import replace
from pathlib import Path

import pytest

from gen.bench.api import Api
from gen.bench.figures import Figure
from gen.bench.library import Library, MeasureError
from gen.bench.operations import Session
from gen.bench.signing import NTT, SETS, Sample, Signer, mldsa, through
from gen.cores.core import load_core
from gen.emu.trace import Trace

M4 = load_core("cortex-m4")
FIGURE = Figure("armscribe_mldsa65_sign", "cortex-m4", "gas", 90, 100, 4, 0, 8, 0, 0, 64)


def test_the_line_goes_through_its_points() -> None:
    line = through([(1, 130), (4, 190), (9, 290)])
    assert line.a == pytest.approx(110) and line.b == pytest.approx(20) and line.seeds == 3
    assert line.at(5.1) == 212
    assert str(line) == "110 + 20 x attempts"


def test_equal_attempts_make_no_line() -> None:
    with pytest.raises(MeasureError, match="no line"):
        through([(3, 100), (3, 101)])


def test_the_figure_is_at_the_expected_attempts_with_the_deepest_stack() -> None:
    samples = [
        Sample(
            n, FIGURE, replace(FIGURE, cycles=100 + 10 * n, instructions=50 + n, stack=s), FIGURE
        )
        for n, s in ((1, 8), (2, 24), (5, 16))
    ]
    (keygen, sign, verify), line = mldsa("mldsa65", samples)
    assert (sign.cycles, sign.instructions, sign.stack, sign.memory) == (151, 55, 24, 88)
    assert keygen == verify == FIGURE and line.seeds == 3


def trace(transforms: float) -> Trace:
    return Trace(0, 1, 1, 0, 0, 0, {NTT: round(transforms * 1000)})


def test_attempts_are_counted_by_transforms(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    signer = Signer.__new__(Signer)
    signer.set = SETS["mldsa65"]  # k = 6, l = 5
    made = trace(5)
    assert signer.attempts(made, trace(17 + 6)) == 1
    assert signer.attempts(made, trace(17 + 6 * 7)) == 7
    for wrong in (17.0, 17 + 3, 17 + 6 * 7.1):
        with pytest.raises(MeasureError, match="by the number of transforms"):
            signer.attempts(made, trace(wrong))


@pytest.mark.slow
def test_seeds_give_what_they_gave(root: Path, tmp_path: Path) -> None:
    """A seed has a key and a signature of its own, and always the same."""
    library = Library.make(root, M4, "gas", folder=tmp_path)
    signer = Signer("mldsa44", Session(library, Api.read(root, M4)))
    samples = [signer.sample(number) for number in range(3)]
    assert len({sample.keygen.cycles for sample in samples}) == 3  # each has a key of its own
    again = Signer("mldsa44", Session(library, Api.read(root, M4))).sample(2)
    assert again == samples[2]
