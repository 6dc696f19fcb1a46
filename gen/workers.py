# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Several processes, where the system allows them."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

FEW = 4  # jobs that are not worth another process
AHEAD = 2  # groups begun early, for each process

Job = TypeVar("Job")
Done = TypeVar("Done")


def spread(
    one: Callable[[Sequence[Job]], Sequence[Done]],
    groups: Iterable[Sequence[Job]],
    jobs: int,
    workers: int,
) -> Iterator[Done]:
    """What `one` makes of each group, in order, in several processes where that pays.

    `groups`, of about `jobs` in all, is read a little ahead of what was given. `workers` 0: one for each processor.
    """
    workers = min(workers or os.cpu_count() or 1, jobs)
    pool = process_pool(workers) if jobs > FEW else None
    if pool is None:
        for group in groups:
            yield from one(group)
        return
    with pool:
        running: deque[Future[Sequence[Done]]] = deque()
        for group in groups:
            running.append(pool.submit(one, group))
            if len(running) > AHEAD * workers:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()


def process_pool(workers: int) -> ProcessPoolExecutor | None:
    """A pool of processes; None when one process is all there is, or is wanted."""
    if workers < 2:
        return None
    try:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(workers)
    except (
        OSError,
        ImportError,
        NotImplementedError,
    ) as problem:  # no semaphores: /dev/shm is missing
        _remark(str(problem))
        return None


@cache
def _remark(problem: str) -> None:
    """Said once."""
    print(f"one process only, since the system offers no semaphores ({problem})", file=sys.stderr)
