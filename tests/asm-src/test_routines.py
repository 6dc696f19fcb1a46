# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every routine as the interpreter runs it, before and after allocation, against the slow reference."""

from __future__ import annotations

import numpy as np
import pytest

from gen.ir.interp import execute
from gen.ir.interp.entry import Stage
from gen.ir.ir import Routine
from tests.generated import kit

CORE = "cortex-m4"
RANDOM = 1  # behind the extreme inputs


def arguments(routine: Routine, given: kit.Batch, row: int) -> dict[str, int | list[int]]:
    """One row of a batch as a caller would pass it: buffers as long as the arguments say."""
    args: dict[str, int | list[int]] = {}
    for param in kit.rows_of(routine):
        values = given[param.name][row].tolist()
        if not param.ctype.pointer:
            args[param.name] = values[0]
        elif param.length is not None:
            args[param.name] = values[: kit.elements(param, given, row)]
        else:
            args[param.name] = values
    return args


@pytest.mark.parametrize("stage", ["code", "final"])
@pytest.mark.parametrize("symbol", kit.symbols())
def test_interpreted(symbol: str, stage: Stage) -> None:
    routine = kit.routines(CORE)[symbol]
    given = kit.inputs(routine, np.random.default_rng(5), RANDOM)
    for row in range(len(next(iter(given.values())))):
        outcome = execute(routine, arguments(routine, given, row), stage)
        got = {name: np.array([values]) for name, values in outcome.buffers.items()}
        if outcome.result is not None:
            got["return"] = np.array([[outcome.result]])
        for name, values in got.items():
            if (
                name in given and values.shape[1] < given[name].shape[1]
            ):  # a buffer cut to its length
                rest = given[name][row : row + 1, values.shape[1] :]
                got[name] = np.concatenate([values, rest], axis=1)
        assert kit.wrong(routine, {n: rows[row : row + 1] for n, rows in given.items()}, got) == ""
