# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Sources through the passes: once for all cores that a source cannot tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gen.cores.core import Core, load_core
from gen.emit.contract import nodes
from gen.emit.view import Piece
from gen.ir.ir import Insn, Node, Routine, Then
from gen.orders.file import order_for, with_order
from gen.passes import BUILD, run
from gen.passes.elaborate import elaborate, tables
from gen.passes.timing import timing
from gen.read.load import load

READ, MADE = BUILD[:1], BUILD[1:]  # what C is written from, and what is left to do for machine code


@dataclass(frozen=True, slots=True)
class Job:
    """One output piece for one core: a routine, or a source of tables alone (symbol "")."""

    stem: str
    path: str
    symbol: str
    core: str
    also: tuple[str, ...] = ()  # sources of other variants, whose tables this piece holds

    def __str__(self) -> str:
        return f"{self.stem} for {self.core}"


def piece(root: Path, job: Job, passes: Sequence[str]) -> Piece:
    """The routine of a job after `passes`, with its tables."""
    routine = run(_elaborated(root, job), passes) if job.symbol else None
    return _piece(root, job, routine)


def routine(root: Path, job: Job, passes: Sequence[str]) -> Routine:
    """As `piece`, for a job that has a routine."""
    made = piece(root, job, passes).routine
    assert made is not None
    return made


def _elaborated(root: Path, job: Job) -> Routine:
    """The routine of a job, with the tables of its other variants: they are the callers' in any case."""
    core = load_core(job.core)
    made = with_order(
        elaborate(load(root, job.path), job.symbol, core), order_for(root, job.path, core)
    )
    found = {table.symbol: table for table in made.tables}
    for path in job.also:
        found = {table.symbol: table for table in tables(load(root, path))} | found
    return replace(made, tables=tuple(found.values()))


def _piece(root: Path, job: Job, routine: Routine | None) -> Piece:
    held = tables(load(root, job.path)) if routine is None else routine.tables
    return Piece(job.stem, job.path, load_core(job.core), routine, held)


class Pieces:
    """The pieces of one source. Jobs for cores that it cannot tell apart share what is made."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.read: list[tuple[str, Routine]] = []  # path and routine after READ
        self.made: list[tuple[str, Routine]] = []  # path and routine after BUILD and timing

    def begun(self, job: Job) -> Piece:
        """The piece that C is written from."""
        return _piece(self.root, job, self._read(job) if job.symbol else None)

    def built(self, job: Job) -> Piece:
        """The piece with machine code and its cost."""
        return _piece(self.root, job, self._built(job) if job.symbol else None)

    def _read(self, job: Job) -> Routine:
        core = load_core(job.core)
        for path, one in self.read:
            if path == job.path and core.takes(one.core, one.asked, _used(one)):
                return _on(one, core)
        found = run(_elaborated(self.root, job), READ)
        self.read.append((job.path, found))
        return found

    def _built(self, job: Job) -> Routine:
        core = load_core(job.core)
        order = order_for(self.root, job.path, core)
        alike = [
            one
            for path, one in self.made
            if path == job.path
            and one.order == order
            and core.takes(one.core, one.asked, _used(one))
        ]
        for one in alike:
            if core.counts(one.core):
                return _on(one, core)
        found = timing(
            _on(alike[0], core) if alike else run(with_order(self._read(job), order), MADE)
        )
        self.made.append((job.path, found))
        return found


def _on(routine: Routine, core: Core) -> Routine:
    """The routine as one of another core."""
    subs = tuple(replace(sub, core=core) for sub in routine.subs)
    return replace(routine, core=core, subs=subs)


def _used(routine: Routine) -> frozenset[tuple[str, str]]:
    """The tables and features that the chosen forms stand in and need."""
    bodies = [one.body for one in (routine, *routine.subs)]
    forms = (insn.form for body in bodies for node in nodes(body) for insn in _insns(node))
    return frozenset((form.isa, form.needs or "") for form in forms if form is not None)


def _insns(node: Node) -> tuple[Insn, ...]:
    if isinstance(node, Then):
        return node.body
    return (node,) if isinstance(node, Insn) else ()
