# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every routine in every form against the slow reference: 10,000 random inputs and the extreme ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.generated import kit

SANITIZE = ("-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")


# Cores with all inputs; what others have of their own sees a twentieth of them, all of them where time is no matter.
WHOLE, PART = ("cortex-m4", "cortex-m4f"), 20
OTHERS = [one for one in kit.distinct() if one[0] not in WHOLE]


def agree(core: str, symbol: str, form: str, tmp_path: Path, part: int) -> None:
    machine = kit.emulated(core, symbol, form, tmp_path)
    count = -(-kit.CONTRACTS[symbol].rows // part)
    given = kit.inputs(machine.routine, np.random.default_rng(1), count)
    assert kit.wrong(machine.routine, given, machine.run(given)) == ""


@pytest.mark.parametrize("form", kit.REAL_FORMS)
@pytest.mark.parametrize(("core", "symbol"), kit.distinct())
def test_on_the_core(core: str, symbol: str, form: str, tmp_path: Path) -> None:
    agree(core, symbol, form, tmp_path, 1 if core in WHOLE else PART)


@pytest.mark.slow
@pytest.mark.parametrize("form", kit.REAL_FORMS)
@pytest.mark.parametrize(("core", "symbol"), OTHERS)
def test_on_another_core(core: str, symbol: str, form: str, tmp_path: Path) -> None:
    agree(core, symbol, form, tmp_path, 1)


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


def test_every_routine_has_a_reference() -> None:
    assert set(kit.symbols()) <= set(kit.CONTRACTS)


def test_a_wrong_value_is_noticed() -> None:
    """The comparison itself: one coefficient off by one, or in range modulo Q but out of its bound."""
    routine = kit.routines("cortex-m4")["mlkem_ntt"]
    given = kit.inputs(routine, np.random.default_rng(4), 3)
    right = kit.CONTRACTS["mlkem_ntt"].wanted(given)["r"]
    assert kit.wrong(routine, given, {"r": right}) == ""
    for change in (1, 16 * kit.CONTRACTS["mlkem_ntt"].modulus):
        off = right.copy()
        off[-1, 200] += change
        assert kit.wrong(routine, given, {"r": off}) != ""
