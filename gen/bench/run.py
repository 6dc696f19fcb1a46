# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs the benchmark as independent jobs, in several processes, and puts the figures together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gen.bench.api import Api
from gen.bench.boot import Row, boot_table, measured
from gen.bench.figures import Figure, peers, targets
from gen.bench.known import described
from gen.bench.library import WRITTEN, Library
from gen.bench.measure import routines
from gen.bench.operations import ALGORITHMS, Key, Session
from gen.bench.program import Done
from gen.bench.report import as_json, comma_separated, operations_table, routines_table
from gen.bench.signing import SETS, Line, Sample, Signer, mldsa
from gen.console import Progress
from gen.cores.core import load_core
from gen.workers import process_pool

PARTS = ("routines", "operations", "boot")
ALL = (*ALGORITHMS, *SETS)
CHUNK = 5  # signatures of one job


@dataclass(frozen=True)
class Wanted:
    """What is to be measured. `form`s of library.FORMS; `only` algorithms, () for all; `seeds` of signing in form gas
    and in the others; `clock` in MHz; `jobs` 0: a process for each processor."""

    core: str
    form: tuple[str, ...]
    part: tuple[str, ...]
    only: tuple[str, ...]
    seeds: int
    other_seeds: int
    clock: float
    jobs: int = 0


@dataclass(frozen=True)
class Report:
    """The texts, and the figures of form gas that have a target or are a whole operation."""

    markdown: str
    csv: str
    json: str
    gas: tuple[Figure, ...]


@dataclass(frozen=True)
class Job:
    """Something to measure: an algorithm in some forms, the signatures of some seeds, all routines, the boot table."""

    part: str
    name: str
    forms: tuple[str, ...]
    seeds: range = range(0)

    def __str__(self) -> str:
        seeds = f", seeds {self.seeds.start} to {self.seeds.stop - 1}" if self.seeds else ""
        return f"{self.name}, {' and '.join(self.forms)}{seeds}"


@dataclass(frozen=True)
class Found:
    """What a job found: one of the three."""

    figures: tuple[Figure, ...] = ()
    samples: tuple[Sample, ...] = ()
    boot: tuple[Row, ...] = ()


def jobs(wanted: Wanted) -> Iterator[Job]:
    """All there is to do. Forms in C are often one program: they go together."""
    written = tuple(form for form in wanted.form if form in WRITTEN)
    plain = tuple(form for form in wanted.form if form not in WRITTEN)
    names = wanted.only or ALL
    best = written[:1] or wanted.form[:1]
    if "operations" in wanted.part:
        for name in (name for name in SETS if name in names):
            for form in wanted.form:
                count = wanted.seeds if form in best else wanted.other_seeds
                for first in range(0, count, CHUNK):
                    seeds = range(first, min(first + CHUNK, count))
                    yield Job("signing", name, (form,), seeds)
        for name in (name for name in ALGORITHMS if name in names):
            for forms in filter(None, (plain, *((form,) for form in written))):
                yield Job("operations", name, forms)
    if "boot" in wanted.part and not wanted.only:
        yield Job("boot", "boot loaders", best)
    if "routines" in wanted.part and not wanted.only:
        yield Job("routines", "routines", best)


def do(root: Path, key: str, job: Job) -> Found:
    """Does a job; its libraries are built."""
    core = load_core(key)
    if job.part == "boot":
        return Found(boot=tuple(measured(root, core, job.forms[0])))
    libraries = [Library.make(root, core, form) for form in job.forms]
    if job.part == "routines":
        return Found(tuple(routines(libraries[0], described(root, core))))
    api, known = Api.read(root, core), dict[Key, Done]()
    sessions = [Session(library, api, known) for library in libraries]
    if job.part == "signing":
        signer = Signer(job.name, sessions[0])
        return Found(samples=tuple(map(signer.sample, job.seeds)))
    return Found(tuple(f for session in sessions for f in ALGORITHMS[job.name](session)))


def done(root: Path, wanted: Wanted, work: list[Job]) -> list[Found]:
    """What all jobs found, in their order; the first error of one ends the run."""
    core, progress = load_core(wanted.core), Progress()
    for number, form in enumerate(wanted.form, 1):
        progress(number, len(wanted.form), f"build the library, {form}")
        Library.make(root, core, form)
    one = partial(do, root, wanted.core)
    pool = process_pool(min(wanted.jobs or os.cpu_count() or 1, len(work)))
    found: dict[int, Found] = {}
    for count, (number, result) in enumerate(_each(one, work, pool), 1):
        found[number] = result
        progress(count, len(work), str(work[number]))
    return [found[number] for number in range(len(work))]


def _each(
    one: Callable[[Job], Found], work: list[Job], pool: ProcessPoolExecutor | None
) -> Iterator[tuple[int, Found]]:
    """Numbers of jobs and what they found, as they come."""
    if pool is None:
        yield from ((number, one(job)) for number, job in enumerate(work))
        return
    waiting = {pool.submit(one, job): number for number, job in enumerate(work)}
    try:
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def report(root: Path, wanted: Wanted) -> Report:
    """Measures and writes it up. Errors: whatever kept a figure from being measured."""
    work = list(jobs(wanted))
    found = list(zip(work, done(root, wanted, work), strict=True))
    of_routines = [f for job, one in found if job.part == "routines" for f in one.figures]
    operations = [f for job, one in found if job.part == "operations" for f in one.figures]
    lines: dict[str, Line] = {}
    for name, form in dict.fromkeys((j.name, j.forms[0]) for j, _ in found if j.seeds):
        of_line = (
            one for job, one in found if job.seeds and (job.name, job.forms[0]) == (name, form)
        )
        figures, line = mldsa(name, [sample for one in of_line for sample in one.samples])
        operations += figures
        lines[f"{name}, {form}"] = line
    boot = [row for _, one in found for row in one.boot]
    return written(wanted, of_routines, operations, lines, boot)


def written(
    wanted: Wanted,
    of_routines: list[Figure],
    operations: list[Figure],
    lines: dict[str, Line],
    boot: list[Row],
) -> Report:
    known, goals = peers(), targets()
    parts: list[str] = []
    if of_routines:
        text = routines_table(of_routines, known, goals)
        parts.append(f"### Routines, {wanted.core}, {of_routines[0].form}\n\n{text}")
    if operations:
        text = operations_table(operations, known, goals)
        parts.append(f"### Operations, {wanted.core}\n\n{text}")
    if lines:
        rows = "\n".join(_line(name, line) for name, line in lines.items())
        parts.append(
            f"Cycles of a signature, and the row above is at the expected attempts:\n\n{rows}\n"
        )
    if boot:
        parts.append(f"### For boot loaders, {wanted.core}\n\n{boot_table(boot, wanted.clock)}")
    figures = [*of_routines, *operations]
    said = {name: _line(name, line) for name, line in lines.items()}
    kept = (f for f in figures if f in operations or (f.routine, f.core) in goals)
    gas = tuple(figure for figure in kept if figure.form == WRITTEN[0])
    texts = comma_separated(figures, known), as_json(figures, known, said)
    return Report("\n".join(parts), *texts, gas)


def _line(name: str, line: Line) -> str:
    return f"- {name}: {line}, from {line.seeds} seeds"
