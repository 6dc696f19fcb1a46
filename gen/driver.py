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
from gen.cores.core import Core, all_cores, load_core
from gen.diag import Bag, Failed, fail, nearest
from gen.diag import render as rendered
from gen.emit import FORMS, forms_of
from gen.emit.backend import backend_header
from gen.emit.cmeaning import helpers
from gen.emit.header import Entry, entry, header
from gen.emit.render import render
from gen.explain import Facts, routine_facts
from gen.manifest import Output
from gen.passes import BUILD
from gen.passes.elaborate import tables
from gen.pieces import Job, Pieces, routine
from gen.read.load import RoutineRef, Survey, choose, load, sources, survey, symbol_of
from gen.read.source import NOWHERE
from gen.workers import spread

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "generated"
MANY = 20  # names too many for a message

Done = TypeVar("Done", "Made", "Figures")
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Made:
    """What became of a job: outputs, or what is wrong."""

    job: Job
    outputs: tuple[Output, ...] = ()
    entry: Entry | None = None
    cost: costs.Row | None = None  # where there is machine code
    bag: Bag | None = None

    @property
    def lacks(self) -> bool:
        """Whether the core just does not have what the source needs."""
        return self.bag is not None and all(i.code == "missing-feature" for i in self.bag.items)


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
        if path not in held and _holds_tables(root, path):
            found.append(Job(symbol_of(path), path, "", core.key))
    return sorted(found, key=lambda job: job.stem)


def routine_jobs(refs: Sequence[RoutineRef], core: Core) -> list[Job]:
    """The routines for a core, by symbol."""
    found = []
    for symbol in sorted({ref.symbol for ref in refs}):
        chosen = choose(refs, symbol, core.features)
        first = chosen or next(ref for ref in refs if ref.symbol == symbol)
        also = tuple(r.path for r in refs if r.symbol == symbol and r.path != first.path)
        found.append(Job(symbol, first.path, symbol, core.key, also))
    return found


def _holds_tables(root: Path, path: str) -> bool:
    """Whether a file declares tables. One that is wrong counts, so that its job says why."""
    try:
        return bool(tables(load(root, path)))
    except Failed:
        return True


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
        help=close or (f"known: {' '.join(known)}" if len(known) < MANY else "python3 -m gen list"),
    )


# --- doing it ----------------------------------------------------------------------------------------


def make(root: Path, forms: Sequence[str], jobs: Sequence[Job]) -> list[Made]:
    """All outputs of the jobs of one source in these forms."""
    pieces = Pieces(root)
    return [_make(pieces, forms, job) for job in jobs]


def _make(pieces: Pieces, forms: Sequence[str], job: Job) -> Made:
    wanted = [name for name in forms_of(load_core(job.core)) if name in forms]
    linear = any(FORMS[name].linear for name in wanted)
    try:
        one = pieces.built(job) if linear else pieces.begun(job)
        made = tuple(
            Output(path, text, job.path, job.core, name)
            for name in wanted
            for path, text in FORMS[name].emit(one).items()
        )
        cost = costs.row(one) if linear else None
    except Failed as failed:
        return Made(job, bag=failed.bag)
    return Made(job, made, entry(one), cost)


def make_all(
    root: Path,
    work: Sequence[Job],
    forms: Sequence[str],
    workers: int = 0,
    progress: Progress | None = None,
    less: Callable[[Job], bool] = lambda job: False,
) -> Iterator[Made]:
    """Outcomes of the jobs, those of a source together. `workers` 0: one for each processor.

    Jobs for which `less` holds when their turn comes are left out.
    """
    one = partial(make, root, tuple(forms))
    made: Iterator[Made] = spread(one, _by_source(work, less), len(work), workers)
    yield from _counted(made, len(work), progress)


@dataclass(frozen=True)
class Figures:
    """The facts of a routine on a core, or what is wrong."""

    job: Job
    facts: Facts | None = None
    bag: Bag | None = None

    @property
    def lacks(self) -> bool:
        return self.bag is not None and all(i.code == "missing-feature" for i in self.bag.items)


def _figures(root: Path, jobs: Sequence[Job]) -> list[Figures]:
    return [_figure(root, job) for job in jobs]


def _figure(root: Path, job: Job) -> Figures:
    try:
        return Figures(job, routine_facts(routine(root, job, (*BUILD, "timing"))))
    except Failed as failed:
        return Figures(job, bag=failed.bag)


def figures(
    root: Path, work: Sequence[Job], workers: int = 0, progress: Progress | None = None
) -> Iterator[Figures]:
    """Facts of the routines of these jobs, those of a source together."""
    made: Iterator[Figures] = spread(partial(_figures, root), _by_source(work), len(work), workers)
    yield from _counted(made, len(work), progress)


def _by_source(
    work: Sequence[Job], less: Callable[[Job], bool] = lambda job: False
) -> Iterator[list[Job]]:
    # From the end: x25519, which takes longest, must not be what one process does when the others are done.
    ordered = sorted(work, key=lambda job: job.stem, reverse=True)
    by_stem = groupby(ordered, key=lambda job: job.stem)
    return ([job for job in group if not less(job)] for _, group in by_stem)


def _counted(made: Iterable[Done], total: int, progress: Progress | None) -> Iterator[Done]:
    for number, one in enumerate(made, 1):
        if progress is not None:
            progress(number, total, str(one.job))
        yield one


# --- whole trees ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """Outputs by path, and cores that are left out because they lack what some routine needs."""

    outputs: tuple[Output, ...]
    left_out: dict[str, str]


def everything(root: Path, workers: int = 0, progress: Progress | None = None) -> Result:
    """The whole of generated/. A core has either files for every routine or none. Raises `Failed`."""
    found = survey(root)
    refs = found.refs
    cores = [load_core(key) for key in all_cores()]
    left_out = {core.key: text for core in cores if (text := _lacking(refs, core))}
    work = [job for core in cores if core.key not in left_out for job in jobs(root, refs, core)]
    made: list[Made] = []
    for one in make_all(
        root, work, tuple(FORMS), workers, progress, lambda job: job.core in left_out
    ):
        made.append(one)
        if one.lacks and one.bag is not None:
            left_out.setdefault(one.job.core, f"{one.job.stem}: {one.bag.items[0].message}")
    made.sort(key=lambda one: one.job.stem)
    kept = [one for one in made if one.job.core not in left_out]
    raise_all(kept, found.bag)
    outputs = [output for one in kept for output in one.outputs]
    outputs += shared(kept, [core for core in cores if core.key not in left_out])
    outputs.append(costs_output(costs.text(one.cost for one in kept if one.cost is not None)))
    return Result(tuple(sorted(outputs, key=lambda o: o.path)), left_out)


def _lacking(refs: Sequence[RoutineRef], core: Core) -> str:
    """Why a routine cannot be had on a core, as far as the index tells, or ""."""
    for symbol in sorted({ref.symbol for ref in refs}):
        if choose(refs, symbol, core.features) is None:
            return f"{symbol} needs more than its features"
    return ""


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


def shared(made: Sequence[Made], cores: Sequence[Core]) -> list[Output]:
    """The headers, which all cores share."""
    entries: dict[str, Entry] = {}
    for one in made:
        if one.entry is not None:
            entries.setdefault(one.entry.stem, one.entry)
    real = [core for core in cores if core.cc]
    forms = [name for name, form in FORMS.items() if form.real]
    texts = {
        "routines": (header(entries.values()), "asm-src"),
        "backend": (backend_header(real, forms), "gen/cores"),
        "asm": (render("asm.h.j2"), "templates/asm.h.j2"),
        "portable": (helpers(), "templates/portable.h.j2"),
    }
    return [
        Output(f"include/armscribe_{name}.h", text, source, "-", "header")
        for name, (text, source) in texts.items()
    ]
