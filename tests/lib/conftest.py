# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Drivers for the tests of the library, built once a session (in each worker of pytest-xdist)."""

from collections.abc import Callable
from functools import cache

import pytest

from tests.lib.driver import SANITIZE, Driver, Target

HOST = Target("host", "portable", ("-O1", *SANITIZE))
FAST_HOST = Target("host", "portable", ("-O1",))
BOARDS = (Target("cortex-m4", "gas"), Target("cortex-m4", "inline"))
DEBUG = tuple(Target(board.core, board.form, ("-Og",)) for board in BOARDS)


@pytest.fixture(scope="session")
def build() -> Callable[[Target], Driver]:
    """A function that builds the driver for a target, once."""
    return cache(Driver)


@pytest.fixture(scope="session", params=(HOST, *BOARDS), ids=lambda target: str(target.name))
def driver(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Driver:
    """The library on the board, and on the host under sanitizers (address, undefined behaviour)."""
    return build(request.param)


@pytest.fixture(scope="session", params=BOARDS, ids=lambda target: str(target.name))
def board(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Driver:
    return build(request.param)


@pytest.fixture(scope="session")
def host(build: Callable[[Target], Driver]) -> Driver:
    """The library on the host, optimised and without sanitizers, for work that takes long."""
    return build(FAST_HOST)
