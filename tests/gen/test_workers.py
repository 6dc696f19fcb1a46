# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Where the system has no semaphores, work goes on in one process, and that is said once."""

from __future__ import annotations

import errno
from multiprocessing import synchronize
from pathlib import Path

import pytest

from gen import driver, workers
from gen.prove.engine import prove
from tests.gen.test_driver import small  # noqa: F401  (a fixture)


@pytest.fixture
def no_semaphores(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container without /dev/shm."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(synchronize.SemLock, "__init__", refused)
    workers._remark.cache_clear()


@pytest.mark.usefixtures("no_semaphores")
def test_one_process_does_it_all(
    small: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "FEW", 1)
    result = driver.everything(small, workers=2)
    assert len(result.outputs) > 5
    assert prove(small, workers=2).failed == ()
    said = capsys.readouterr().err
    assert said.count("one process only") == 1 and "Function not implemented" in said


def test_with_semaphores_there_is_a_pool() -> None:
    assert workers.process_pool(1) is None
    pool = workers.process_pool(2)
    assert pool is not None
    with pool:
        assert list(pool.map(abs, (-1, -2))) == [1, 2]
