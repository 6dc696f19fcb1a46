# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Cores that get no files, since some routine needs what they lack: found before anything is proved on them.

To be sure takes as long as choosing the forms of all routines. So one routine that a core lacks something for is
remembered, and looked at first; where there is none yet, the first routine of each folder is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from gen.prove.job import Job
from gen.prove.jobs import lacks

NAME = "lacking.json"
MANY = 8  # routines to prove on a core that are worth a closer look at it


def without_files(root: Path, folder: Path, routines: Sequence[Job]) -> Iterator[str]:
    """Cores, of those with something to prove, that are known to lack what a routine needs."""
    known = remembered(folder)
    waiting: dict[str, list[Job]] = {}
    for job in routines:
        if not (folder / f"{job.key}.json").exists():
            waiting.setdefault(job.core, []).append(job)
    for core, jobs in waiting.items():
        symbols = [known[core]] if core in known else []
        if len(jobs) >= MANY:
            symbols += _first_of_folders(jobs)
        found = next((symbol for symbol in symbols if lacks(root, core, symbol)), None)
        if found is not None:
            remember(folder, {core: found})
            yield core


def _first_of_folders(jobs: Iterable[Job]) -> list[str]:
    first: dict[str, str] = {}
    for job in jobs:
        first.setdefault(job.path.rpartition("/")[0], job.name)
    return list(first.values())


def remembered(folder: Path) -> dict[str, str]:
    """Core -> a routine it lacked something for when it was last looked at."""
    try:
        found = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {core: symbol for core, symbol in found.items() if isinstance(symbol, str)}


def remember(folder: Path, lacking: Mapping[str, str]) -> None:
    """Keeps these for the next time."""
    known = remembered(folder)
    if not lacking or lacking.items() <= known.items():
        return
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**known, **lacking}, sort_keys=True)
    (folder / NAME).write_text(text, encoding="utf-8", newline="\n")
