# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What there is to prove, each job on its own: a routine on a core, the `ensures` of a macro, a
chain of calls.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gen.cores.core import load_core
from gen.cores.fit import misfit
from gen.diag import Bag, Failed, fail, render_all
from gen.ir.ir import Routine
from gen.orders.file import order_for, with_order
from gen.passes import PIPELINE, run
from gen.passes.elaborate import elaborate, ensured_macros, macro_routine
from gen.passes.select import select
from gen.prove import subs
from gen.prove.cache import Cache, digest, generator_hash
from gen.prove.chain import FILE, check, read
from gen.prove.content import content
from gen.prove.ensures import NoTool, refute, report
from gen.prove.job import Job, Proof, texts_of
from gen.prove.program import MOST_CASES, build
from gen.prove.symbolic import unproved
from gen.read.load import FOLDER, Unit, choose, load, sources, survey
from gen.read.syntax import FnDecl, SubDecl

BEFORE_RANGES = ("select", "flow", "liveness")


def ensured_jobs(root: Path, jobs: Iterable[Job]) -> list[Job]:
    """A job for each of these routine jobs that ensures what only the solver can prove, and one for each sub that
    ensures something; equal code is one job."""
    found: dict[str, Job] = {}
    for job in jobs:
        try:
            if not ensuring(load(root, job.path)):
                continue
            routine = _code(root, job)
        except Failed:
            continue  # the routine's own job says why
        if any(one.method == "smt" for one in routine.ensures):
            key = digest([generator_hash(), "smt", content(routine)])
            found.setdefault(key, Job("smt", job.name, job.core, job.path, key))
        for sub in routine.subs:
            if sub.ensures:
                key = digest([generator_hash(), "sub", content(sub)])
                found.setdefault(key, Job("sub", sub.name, job.core, job.path, key, job.name))
    return list(found.values())


def ensuring(unit: Unit) -> bool:
    """Whether the function of a file, or a sub that it may call, has `ensures`."""
    declared = (isinstance(d, FnDecl | SubDecl) and d.ensures for d in unit.file.decls)
    return any(declared) or any(map(ensuring, unit.imports))


def _code(root: Path, job: Job) -> Routine:
    """The routine of a job with its `code`."""
    unit = load(root, job.path)
    return run(elaborate(unit, job.name, load_core(job.core)), BEFORE_RANGES)


def _sub(root: Path, _: Path, job: Job) -> dict[str, Any]:
    """As identities, for all ways in which its pointers can be equal."""
    caller = _code(root, replace(job, name=job.within))
    [sub] = [sub for sub in caller.subs if sub.name == job.name]
    return {"runs": subs.prove(sub)}


def _smt(root: Path, _: Path, job: Job) -> dict[str, Any]:
    """By the solver."""
    if find_spec("z3") is None:
        raise NoTool("no solver for conditions: pip install z3-solver")
    from gen.prove import smt

    routine = _code(root, job)
    conditions = sum(one.method == "smt" for one in routine.ensures)
    return {"conditions": conditions, "questions": smt.prove(routine)}


def macro_jobs(root: Path, cores: Iterable[str], paths: Iterable[str] | None = None) -> list[Job]:
    """A job for each macro with `ensures`, in the file that declares it; equal programs are one
    job.
    """
    jobs: dict[str, Job] = {}
    for path in sources(root):
        if paths is not None and path not in paths:
            continue
        try:
            unit = load(root, path)
        except Failed:
            continue  # told as what is wrong with the file
        for core in cores:
            for name, macro in _ensured(unit, path, core):
                program = build(macro)
                rests = ["macro", program.text]
                if program.cases > MOST_CASES:
                    rests.append(generator_hash())  # on this generator's own reasoning
                key = digest(rests)
                jobs.setdefault(key, Job("macro", name, core, path, key))
    return list(jobs.values())


def _ensured(unit: Unit, path: str, key: str) -> Iterator[tuple[str, Routine]]:
    """The macros declared in this file that ensure something, by name, those that fit the core."""
    core = load_core(key)
    for name in ensured_macros(unit, core):
        try:
            macro = macro_routine(unit, name, core)
            if macro.source == path:
                yield name, select(macro)
        except Failed as failed:
            if not misfit(core, failed.bag):
                raise


def prove_job(root: Path, folder: Path, job: Job) -> Proof:
    """Makes one proof, or finds it in the cache."""
    cache = Cache(folder)
    if (known := cache.get(job.key)) is not None:
        return Proof(job, known, cached=True)
    begun = time.monotonic()
    facts: dict[str, Any] = {}
    texts: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    try:
        facts = _WORK[job.kind](root, folder, job)
        cache.put(job.key, facts)
    except Failed as failed:
        if job.kind == "routine" and misfit(load_core(job.core), failed.bag):
            facts = {"lacks": failed.bag.items[0].message}
            cache.put(job.key, facts)
            return Proof(job, facts)
        texts = tuple(render_all(failed.bag).split("\n\n"))
        codes = tuple(item.code for item in failed.bag.items)
    return Proof(job, facts, texts, codes, time.monotonic() - begun)


def _routine(root: Path, _: Path, job: Job) -> dict[str, Any]:
    """All passes, build and proof."""
    core = load_core(job.core)
    made = elaborate(load(root, job.path), job.name, core)
    routine = run(with_order(made, order_for(root, job.path, core)), PIPELINE[1:])
    assert routine.cost is not None
    return {
        "bounds": {name: list(pair) for name, pair in routine.bounds.items()},
        "cycles": list(routine.cost.cycles),
        "instructions": list(routine.cost.instructions),
        "code": routine.cost.code,
        "rodata": routine.cost.rodata,
        "stack": routine.frame.depth,
        "open_claims": list(routine.open_claims),
        "ensures": dict(Counter(one.method for one in routine.ensures)),
    }


def macro_of(root: Path, job: Job) -> Routine:
    """The macro of a job as a routine of its own, its instructions with forms."""
    return select(macro_routine(load(root, job.path), job.name, load_core(job.core)))


def _macro(root: Path, folder: Path, job: Job) -> dict[str, Any]:
    """By trying all inputs; where they are too many, as polynomials."""
    macro = macro_of(root, job)
    program = build(macro)
    if program.cases > MOST_CASES:
        if reason := unproved(macro):
            raise fail(
                "ensures-refuted",
                macro.span,
                f"`ensures` of {job.name} allows {program.cases} inputs, too many to try, and {reason}",
                help="restrict them: assert x in TABLE",
            )
        return {"cases": program.cases}
    found = refute(program, folder / "programs", f"{job.name}-{job.key[:12]}", parts=1)
    if found is not None:
        bag = Bag()
        report(bag, program, found)
        bag.close()
    return {"cases": program.cases}


def chain_jobs(root: Path, cores: Iterable[str]) -> list[Job]:
    """A job for each chain of calls: on the first core that has all its routines."""
    jobs = []
    refs = survey(root).refs
    for path in sorted((root / FOLDER).rglob(FILE)):
        shown = path.relative_to(root).as_posix()
        chain = read(path, shown)
        symbols = {step.routine for step in chain.steps if step.routine}
        for core in cores:
            found = {s: choose(refs, s, load_core(core).features) for s in symbols}
            if None in found.values():
                continue
            units = {s: load(root, ref.path) for s, ref in found.items() if ref is not None}
            try:
                texts = {text for unit in units.values() for text in texts_of(unit)}
                for symbol, unit in units.items():
                    run(elaborate(unit, symbol, load_core(core)), BEFORE_RANGES[:1])
            except Failed as failed:
                if misfit(load_core(core), failed.bag):
                    continue
                break  # told as what is wrong with the file
            key = digest([generator_hash(), "chain", core, chain.source.text, *sorted(texts)])
            jobs.append(Job("chain", shown, core, shown, key))
            break
    return jobs


def _chain(root: Path, _: Path, job: Job) -> dict[str, Any]:
    """The ranges of every step."""
    core, refs = load_core(job.core), survey(root).refs

    def routine_of(symbol: str) -> Routine:
        ref = choose(refs, symbol, core.features)
        if ref is None:
            raise fail("unknown-name", chain.at(symbol), f"no routine {symbol} on {job.core}")
        return run(elaborate(load(root, ref.path), symbol, core), BEFORE_RANGES)

    chain = read(root / job.path, job.path)
    folder = job.path.rpartition("/")[0]
    expected = {ref.symbol for ref in refs if ref.path.rpartition("/")[0] == folder}
    steps = check(chain, routine_of, expected)
    return {"steps": {name: list(pair) for name, pair in steps.items()}}


_WORK: dict[str, Callable[[Path, Path, Job], dict[str, Any]]] = {
    "routine": _routine,
    "smt": _smt,
    "sub": _sub,
    "macro": _macro,
    "chain": _chain,
}
