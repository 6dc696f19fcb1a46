# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Drivers for the tests of the library, built once a session (in each worker of pytest-xdist)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lib.driver import SANITIZE, Driver, Target

HOST = Target("host", "portable", ("-O1", *SANITIZE))
FAST_HOST = Target("host", "portable")
BOARDS = (Target("cortex-m4", "gas"), Target("cortex-m4", "inline"))


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Target], Driver]:
    """A function that builds the driver for a target, once."""
    built: dict[Target, Driver] = {}

    def get(target: Target) -> Driver:
        if target not in built:
            folder: Path = tmp_path_factory.mktemp(target.name)
            built[target] = Driver(target, folder)
        return built[target]

    return get


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
