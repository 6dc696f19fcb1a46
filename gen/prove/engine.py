# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Makes all proofs, two or more at a time, and tells what came of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from gen.cores.core import all_cores
from gen.prove.chain import FILE
from gen.prove.jobs import Job, Proof, chain_jobs, closure, macro_jobs, prove_job, routine_jobs
from gen.read.load import load

FOLDER = "build/prove"
Progress = Callable[[Proof, int, int], None]


@dataclass(frozen=True)
class Report:
    """Every proof, in the order of its jobs. A core that lacks what a routine needs has none."""

    proofs: tuple[Proof, ...]
    left_out: tuple[str, ...] = ()  # cores

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


def jobs_of(root: Path, symbols: Sequence[str], cores: Sequence[str]) -> list[Job]:
    """Everything to prove, the longest first; with `symbols` only those routines and what they
    expand.
    """
    routines = routine_jobs(root, cores, symbols)
    paths = {path for job in routines for path in closure(load(root, job.path))}
    macros = macro_jobs(root, cores, paths if symbols else None)
    chains = [] if symbols else chain_jobs(root, cores)
    return [*macros, *chains, *routines]


def prove(
    root: Path,
    symbols: Sequence[str] = (),
    cores: Sequence[str] = (),
    progress: Progress | None = None,
    workers: int | None = None,
) -> Report:
    """Proves routines, macros and chains of the tree at `root`; results are kept in build/prove.

    Empty `symbols` or `cores` mean all. Raises `Failed` when the sources do not even parse,
    `NoCompiler` when the host has no C compiler for the programs of the `ensures` proofs.
    """
    folder = root / FOLDER
    jobs = jobs_of(root, symbols, cores or all_cores())
    done: dict[Job, Proof] = {}

    def note(proof: Proof) -> None:
        done[proof.job] = proof
        if progress is not None and (not proof.lacks or proof.job.core in cores):
            progress(proof, len(done), len(jobs))

    waiting = [job for job in jobs if not (folder / f"{job.key}.json").exists()]
    for job in jobs:
        if job not in waiting:
            note(prove_job(root, folder, job))
    if len(waiting) == 1:
        note(prove_job(root, folder, waiting[0]))
    elif waiting:
        for proof in _parallel(root, folder, waiting, workers or max(2, os.cpu_count() or 2)):
            note(proof)
    lacking = {proof.job.core for proof in done.values() if proof.lacks} - set(cores)
    proofs = tuple(done[job] for job in jobs if job.core not in lacking)
    return Report(proofs, tuple(sorted(lacking)))


def _parallel(root: Path, folder: Path, jobs: Sequence[Job], workers: int) -> Iterable[Proof]:
    """Proofs as they are finished. An interrupt stops the rest."""
    with ProcessPoolExecutor(min(workers, len(jobs))) as pool:
        futures: list[Future[Proof]] = [pool.submit(prove_job, root, folder, job) for job in jobs]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


__all__ = ["FILE", "Report", "prove"]
