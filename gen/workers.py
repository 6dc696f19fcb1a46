# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Several processes, where the system allows them."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


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
