# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""From sources to outputs: which files exist for which core, made in parallel, always in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from gen import costs
from gen.console import command
from gen.cores.abi import AAPCS32, AAPCS64
from gen.cores.core import Core, all_cores, load_core, ordered_cores
from gen.cores.fit import misfit
from gen.diag import Bag, Failed, fail, nearest
from gen.diag import render as rendered
from gen.emit import FORMS, forms_of
from gen.emit.backend import backend_header
from gen.emit.cmeaning import helpers
from gen.emit.header import Entry, header
from gen.emit.render import render
from gen.emit.view import Piece
from gen.explain import Facts, routine_facts
from gen.making import Made, make, pieces
from gen.manifest import Output
from gen.passes.elaborate import tables
from gen.pieces import Job
from gen.read.load import RoutineRef, Survey, choose, load, sources, survey, symbol_of
from gen.read.source import NOWHERE
from gen.sharing import lists
from gen.workers import spread

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "generated"
WIDE = frozenset(AAPCS64.types) - frozenset(AAPCS32.types)
MANY = 20  # names too many for a message

Done = TypeVar("Done", "Made", "Figures")
Progress = Callable[[int, int, str], None]


# --- what there is to do ---------------------------------------------------------------------------


def find_root(start: Path | None = None) -> Path:
    """The nearest folder from `start` (or the working directory) up that holds asm-src; else where this lies."""
    here = (start or Path.cwd()).resolve()
    return next((p for p in (here, *here.parents) if (p / "asm-src").is_dir()), ROOT)


def jobs(root: Path, refs: Sequence[RoutineRef], core: Core) -> list[Job]:
    """All pieces for a core, by stem."""
    found = routine_jobs(refs, core)
    held = {path for job in found for path in (job.path, *job.also)}
    for path in sources(root):
        if path not in held and _holds_tables(root, path, core):
            found.append(Job(symbol_of(path), path, "", core.key))
    return sorted(found, key=lambda job: job.stem)


def routine_jobs(refs: Sequence[RoutineRef], core: Core) -> list[Job]:
    """The routines for a core, by symbol: those without a plain variant where one of theirs fits."""
    found = []
    for symbol in sorted({ref.symbol for ref in refs}):
        chosen = choose(refs, symbol, core.features)
        named = [ref for ref in refs if ref.symbol == symbol]
        if chosen is None and all(ref.variant for ref in named):
            continue  # a routine of other cores
        first = chosen or named[0]
        also = tuple(r.path for r in refs if r.symbol == symbol and r.path != first.path)
        found.append(Job(symbol, first.path, symbol, core.key, also))
    return found


def _holds_tables(root: Path, path: str, core: Core) -> bool:
    """Whether a file declares tables for a core: elements of 64 bits are for registers of 64 bits. One that is wrong
    counts, so that its job says why."""
    try:
        held = tables(load(root, path))
    except Failed:
        return True
    return any(table.type in core.abi.types or table.type not in WIDE for table in held)


def surveyed(root: Path, names: Sequence[str]) -> tuple[Survey, set[str]]:
    """The symbols that are meant by "mlkem/ntt", "mlkem_ntt" or a path, and a survey with all files of theirs.

    Raises `Failed`: unknown-name, and what is wrong with the file of that name.
    """
    stems = [_stem(name) for name in names]
    found = survey(root, stems)
    if not {ref.symbol for ref in found.refs} >= set(stems):  # a variant's path, or no such routine
        found = survey(root)
    return found, {_named(found, name) for name in names}


def _stem(name: str) -> str:
    path = name.replace("\\", "/").strip("/")
    return symbol_of(path) if path.strip(".") else ""


def _named(found: Survey, name: str) -> str:
    symbol = _stem(name)
    found.about([path for path in found.wrong if symbol_of(path) == symbol]).close()
    refs = found.refs
    known = {symbol_of(ref.path): ref.symbol for ref in refs} | {r.symbol: r.symbol for r in refs}
    if symbol in known:
        return known[symbol]
    raise _unknown("routine", name, sorted({ref.symbol for ref in refs}))


def core_named(key: str) -> Core:
    """The core of this key. Raises `Failed` (unknown-name)."""
    if key in all_cores():
        return load_core(key)
    raise _unknown("core", key, all_cores())


def form_named(name: str) -> str:
    if name in FORMS:
        return name
    raise _unknown("form", name, tuple(FORMS))


def _unknown(what: str, name: str, known: Sequence[str]) -> Failed:
    close = nearest(name, list(known))
    return fail(
        "unknown-name",
        NOWHERE,
        f"no {what} is called {name}",
        help=close or (f"known: {' '.join(known)}" if len(known) < MANY else command("list")),
    )


# --- doing it ----------------------------------------------------------------------------------------


def make_all(
    root: Path,
    work: Sequence[Job],
    forms: Sequence[str],
    workers: int = 0,
    progress: Progress | None = None,
) -> Iterator[Made]:
    """Outcomes of the jobs, those of a source together. `workers` 0: one for each processor."""
    one = partial(make, root, tuple(forms))
    made: Iterator[Made] = spread(one, _by_source(work), len(work), workers)
    yield from _counted(made, len(work), progress)


@dataclass(frozen=True)
class Figures:
    """The facts of a routine on a core, or why it is left to portable C there, or what is wrong."""

    job: Job
    facts: Facts | None = None
    bag: Bag | None = None
    lacks: str = ""


def _figures(root: Path, jobs: Sequence[Job]) -> list[Figures]:
    done, wrong = pieces(root, jobs)
    return [_figure(job, done.get(job.core), wrong.get(job.core)) for job in jobs]


def _figure(job: Job, made: Piece | None, bag: Bag | None) -> Figures:
    if bag is not None and misfit(load_core(job.core), bag):
        return Figures(job, lacks=bag.items[0].message)
    routine = made.routine if made is not None else None
    return Figures(job, routine_facts(routine) if routine is not None else None, bag)


def figures(
    root: Path, work: Sequence[Job], workers: int = 0, progress: Progress | None = None
) -> Iterator[Figures]:
    """Facts of the routines of these jobs, those of a source together."""
    made: Iterator[Figures] = spread(partial(_figures, root), _by_source(work), len(work), workers)
    yield from _counted(made, len(work), progress)


def _by_source(work: Sequence[Job]) -> Iterator[list[Job]]:
    # From the end: x25519, which takes longest, must not be what one process does when the others are done.
    ordered = sorted(work, key=lambda job: job.stem, reverse=True)
    return (list(group) for _, group in groupby(ordered, key=lambda job: job.stem))


def _counted(made: Iterable[Done], total: int, progress: Progress | None) -> Iterator[Done]:
    for number, one in enumerate(made, 1):
        if progress is not None:
            progress(number, total, str(one.job))
        yield one


# --- whole trees ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """Outputs by path, and for each core the routines that it takes as portable C."""

    outputs: tuple[Output, ...]
    fallen: dict[str, tuple[str, ...]]


def everything(root: Path, workers: int = 0, progress: Progress | None = None) -> Result:
    """The whole of generated/. A core has what fits it, and portable C for the rest. Raises `Failed`."""
    found = survey(root)
    cores = written_cores()
    work = [job for core in cores for job in jobs(root, found.refs, core)]
    made = list(make_all(root, work, tuple(FORMS), workers, progress))
    made.sort(key=lambda one: one.job.stem)
    raise_all(made, found.bag)
    outputs = [output for one in made for output in one.outputs]
    outputs += [*lists(taken for one in made for taken in one.taken), *shared(made)]
    outputs.append(costs_output(costs.text(one.cost for one in made if one.cost is not None)))
    return Result(tuple(sorted(outputs, key=lambda o: o.path)), fallen(made))


def written_cores() -> list[Core]:
    """All cores that some form is written for; those that others are like come first."""
    return [core for core in ordered_cores() if forms_of(core)]


def fallen(made: Iterable[Made]) -> dict[str, tuple[str, ...]]:
    """Core -> routines that it takes as portable C."""
    found: dict[str, tuple[str, ...]] = {}
    for one in made:
        if one.unfit is not None:
            found[one.job.core] = (*found.get(one.job.core, ()), one.job.stem)
    return found


def raise_all(
    made: Sequence[Made | Figures], first: Bag | None = None, then: str = "; nothing is written"
) -> None:
    """Raises `first` and the errors of all jobs as one `Failed`, with a word on how many sources are right.

    The same error for two cores counts once.
    """
    bag = first or Bag()
    said = {rendered(item) for item in bag.items}
    for one in made:
        for item in one.bag.items if one.bag is not None else ():
            text = rendered(item).replace(one.job.core, "CORE")
            if text not in said:
                said.add(text)
                bag.add(item)
    names = {one.job.stem for one in made}
    right = names - {one.job.stem for one in made if one.bag is not None}
    if len(names) > 1:
        bag.remark = f"{len(right)} of {len(names)} sources are right{then}"
    bag.close()


def costs_output(text: str) -> Output:
    return Output(costs.NAME, text, "asm-src", "-", "costs")


def shared(made: Sequence[Made]) -> list[Output]:
    """The headers, which all cores share."""
    cores = written_cores()
    entries: dict[str, Entry] = {}
    for one in made:
        if one.entry is not None:
            entries.setdefault(one.entry.stem, one.entry)
    real = [core for core in cores if not core.pretend]
    texts = {
        "routines": (header(entries.values()), "asm-src"),
        "backend": (backend_header(real, forms_of), "gen/cores"),
        "asm": (render("asm.h.j2"), "templates/asm.h.j2"),
        "acle": (render("acle.h.j2"), "templates/acle.h.j2"),
        "portable": (helpers(), "templates/portable.h.j2"),
    }
    return [
        Output(f"include/armscribe_{name}.h", text, source, "-", "header")
        for name, (text, source) in texts.items()
    ]
