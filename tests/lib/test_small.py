# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The small-memory build, ARMSCRIBE_SMALL: the same answers in a fraction of the memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lib import (
    test_mldsa_secrets,
    test_mldsa_vectors,
    test_mlkem_vectors,
    test_secrets,
)
from tests.lib import test_x25519 as test_x25519_vectors
from tests.lib.driver import SANITIZE, Driver, Target
from tests.lib.emulated import program as mlkem_program
from tests.lib.memory import Meter, program, workspaces
from tests.vectors.acvp import ML_DSA, ML_KEM

SMALL = "-DARMSCRIBE_SMALL"
HOST = Target("host", "portable", ("-O1", *SANITIZE, SMALL))
GAS, INLINE = (Target("cortex-m4", form, ("-O3", SMALL)) for form in ("gas", "inline"))
# Bytes of stack and work space together, at most.
MOST = {
    **{f"mlkem{number}": 2900 for number in (512, 768, 1024)},
    "mldsa65_sign": 7168,
    "mldsa65_keygen_derand": 4608,
    "mldsa65_verify": 5632,
}


def _ways(*now: Target) -> list[object]:
    """The three builds; those that are not for `now` slow."""
    marks = {target: () if target in now else pytest.mark.slow for target in (HOST, GAS, INLINE)}
    return [pytest.param(target, id=target.name, marks=mark) for target, mark in marks.items()]


@pytest.fixture(scope="module", params=_ways(HOST, GAS))
def small(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Driver:
    return build(request.param)


@pytest.mark.parametrize("name", ML_KEM)
def test_mlkem(small: Driver, name: str) -> None:
    test_mlkem_vectors.test_acvp(small, name)


@pytest.mark.parametrize("name", ML_DSA)
def test_mldsa(small: Driver, name: str) -> None:
    test_mldsa_vectors.test_acvp_covering(small, name)


def test_x25519(small: Driver) -> None:
    test_x25519_vectors.test_rfc7748(small)
    test_x25519_vectors.test_carries_and_alignment(small)


@pytest.fixture(scope="module", params=_ways(GAS)[1:])
def archive(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Path:
    return build(request.param).library


def test_memory(archive: Path, tmp_path: Path) -> None:
    """Little, beyond the work space little stack, and that is used to the last word."""
    for name, one in Meter(program(archive, tmp_path), workspaces(SMALL)).all():
        most = MOST.get(name.split("_")[0], MOST.get(name, one.stack + one.work))
        assert one.stack + one.work <= most, name
        assert one.stack <= 2048, name
        assert one.work - 4 < one.used <= one.work, name


@pytest.mark.parametrize("number", (512, 768, 1024))
def test_nothing_of_mlkem_stays(archive: Path, number: int) -> None:
    assert test_secrets.leaks(mlkem_program(archive, number), number) == (0, 0)


def test_nothing_of_mldsa_stays(archive: Path) -> None:
    image = test_mldsa_secrets.program(archive, 44)
    assert test_mldsa_secrets.differing(image, 44) == 0
    assert not any(test_mldsa_secrets.left(image, 44, bytes(32)).work)
