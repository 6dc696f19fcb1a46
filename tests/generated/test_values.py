# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every routine in every form against the slow reference: 10,000 random inputs and the extreme ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.generated import kit

SANITIZE = ("-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")


@pytest.mark.parametrize("form", kit.REAL_FORMS)
@pytest.mark.parametrize(("core", "symbol"), kit.distinct())
def test_on_the_core(core: str, symbol: str, form: str, tmp_path: Path) -> None:
    machine = kit.emulated(core, symbol, form, tmp_path)
    given = kit.inputs(machine.routine, np.random.default_rng(1), kit.RANDOM)
    assert kit.wrong(machine.routine, given, machine.run(given)) == ""


@pytest.mark.parametrize("symbol", kit.symbols())
def test_portable(symbol: str, tmp_path: Path) -> None:
    host = kit.hosted(symbol, tmp_path, ["-O2"])
    given = kit.inputs(host.routine, np.random.default_rng(2), kit.RANDOM)
    assert kit.wrong(host.routine, given, host.run(given)) == ""


@pytest.mark.parametrize("symbol", kit.symbols())
def test_portable_does_nothing_undefined(symbol: str, tmp_path: Path) -> None:
    host = kit.hosted(symbol, tmp_path, SANITIZE)
    given = kit.inputs(host.routine, np.random.default_rng(3), 200)
    assert kit.wrong(host.routine, given, host.run(given)) == ""
