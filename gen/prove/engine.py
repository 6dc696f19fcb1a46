# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Makes all proofs, two or more at a time, and tells what came of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gen.cores.core import distinct_cores
from gen.diag import Bag, Failed
from gen.prove.chain import FILE
from gen.prove.job import FOLDER, Job, Proof, closure, routine_jobs
from gen.prove.jobs import chain_jobs, ensured_jobs, macro_jobs, prove_job
from gen.read.load import load, survey, symbol_of
from gen.workers import process_pool

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Progress = Callable[[Proof, int, int], None]


@dataclass(frozen=True)
class Report:
    """Every proof, in the order of its jobs. A routine that a core takes as portable C has none on it."""

    proofs: tuple[Proof, ...]
    fallen: Mapping[str, int] = field(default_factory=dict)  # core -> how many such routines
    unread: Bag = field(default_factory=Bag)  # what is wrong with files that could not be taken in

    @property
    def failed(self) -> tuple[Proof, ...]:
        return tuple(proof for proof in self.proofs if not proof.holds)

    @property
    def open_claims(self) -> tuple[tuple[str, str], ...]:
        """(routine, claim) of every claim that nothing discharges."""
        return tuple(
            (proof.job.name, claim)
            for proof in self.proofs
            for claim in proof.facts.get("open_claims", ())
        )


def jobs_of(
    root: Path, symbols: Sequence[str], cores: Sequence[str], routines: Sequence[Job]
) -> list[Job]:
    """Everything to prove beside and with these routines, the longest first; with `symbols` only what they expand."""
    paths: set[str] | None = None
    if symbols:
        paths = {path for job in routines for path in _reached(root, job.path)}
    macros = macro_jobs(root, cores, paths)
    chains = [] if symbols else chain_jobs(root, cores)
    long = sorted(routines, key=lambda job: _length(root, job.path), reverse=True)
    return [*macros, *ensured_jobs(root, routines), *chains, *long]


def _length(root: Path, path: str) -> int:
    """Characters of a file and what it imports: more to read is longer to prove, more or less."""
    return sum(map(len, _reached(root, path).values()))


def _reached(root: Path, path: str) -> dict[str, str]:
    try:
        return closure(load(root, path))
    except Failed:
        return {}  # the routine's own job says why


def prove(
    root: Path,
    symbols: Sequence[str] = (),
    cores: Sequence[str] = (),
    progress: Progress | None = None,
    workers: int | None = None,
) -> Report:
    """Proves routines, macros and chains of the tree at `root`; results are kept in build/prove.

    Empty `symbols` or `cores` mean all; of cores that differ in name only, one. A file that does
    not parse is in the report, and stops nothing else. Raises `NoTool` when the host has no C compiler for the
    programs of the `ensures` proofs.
    """
    folder = root / FOLDER
    keys = tuple(cores) or distinct_cores()
    jobs = jobs_of(root, symbols, keys, routine_jobs(root, keys, symbols))
    done: dict[Job, Proof] = {}

    def note(proof: Proof) -> None:
        done[proof.job] = proof
        if progress is not None and (not proof.lacks or cores):
            progress(proof, len(done), len(jobs))

    waiting = [job for job in jobs if not (folder / f"{job.key}.json").exists()]
    for job in jobs:
        if job not in waiting:
            note(prove_job(root, folder, job))
    for proof in _made(root, folder, waiting, workers or max(2, os.cpu_count() or 2)):
        note(proof)
    proofs = tuple(done[job] for job in jobs)
    fallen = Counter(proof.job.core for proof in proofs if proof.lacks)
    return Report(tuple(p for p in proofs if not p.lacks), dict(fallen), _unread(root, symbols))


def _unread(root: Path, symbols: Sequence[str]) -> Bag:
    """What is wrong with the files themselves; with `symbols` only with theirs."""
    found = survey(root)
    return found.about([p for p in found.wrong if not symbols or symbol_of(p) in symbols])


def _made(root: Path, folder: Path, jobs: Sequence[Job], workers: int) -> Iterable[Proof]:
    pool = process_pool(min(workers, len(jobs)))
    if pool is None:
        return (prove_job(root, folder, job) for job in jobs)
    return _parallel(pool, root, folder, jobs)


def _parallel(
    pool: ProcessPoolExecutor, root: Path, folder: Path, jobs: Sequence[Job]
) -> Iterable[Proof]:
    """Proofs as they are finished. An interrupt stops the rest."""
    from concurrent.futures import as_completed

    with pool:
        futures: list[Future[Proof]] = [pool.submit(prove_job, root, folder, job) for job in jobs]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


__all__ = ["FILE", "Report", "prove"]
