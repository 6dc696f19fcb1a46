# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""One source made for every core: pieces, their files, what they cost, or what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen import costs
from gen.cores.core import load_core
from gen.cores.fit import misfit
from gen.diag import Bag, Failed
from gen.emit import FORMS, forms_of
from gen.emit.header import Entry, entry
from gen.emit.view import Piece
from gen.manifest import Output
from gen.pieces import Job, Pieces
from gen.sharing import Shelf, Taken


@dataclass(frozen=True)
class Made:
    """What became of a job: outputs, or what is wrong."""

    job: Job
    outputs: tuple[Output, ...] = ()  # in the folder of this core
    entry: Entry | None = None
    cost: costs.Row | None = None  # where there is machine code
    bag: Bag | None = None
    taken: tuple[Taken, ...] = ()  # the files this core takes, in whatever folder
    unfit: Bag | None = None  # why this core takes portable C


def pieces(root: Path, jobs: Sequence[Job]) -> tuple[dict[str, Piece], dict[str, Bag]]:
    """By core: what is made of one source; what is wrong."""
    source = Pieces(root)
    done: dict[str, Piece] = {}
    wrong: dict[str, Bag] = {}
    for job in jobs:
        linear = any(FORMS[name].linear for name in forms_of(load_core(job.core)))
        try:
            done[job.core] = source.built(job) if linear else source.begun(job)
        except Failed as failed:
            wrong[job.core] = failed.bag
    return done, wrong


def make(root: Path, forms: Sequence[str], jobs: Sequence[Job]) -> list[Made]:
    """All outputs of one source in these forms. `jobs`: those of the source, for all cores there are."""
    done, wrong = pieces(root, jobs)
    cores = [load_core(job.core) for job in jobs]
    served = any(
        not core.pretend and (core.key in done or not misfit(core, wrong.get(core.key)))
        for core in cores
    )
    unfit = {core.key for core in cores if served and misfit(core, wrong.get(core.key))}
    if wrong.keys() - unfit:
        return [Made(job, bag=None if job.core in unfit else wrong.get(job.core)) for job in jobs]
    try:
        shelf = Shelf(cores, done)
    except Failed as failed:  # there is no C for it
        return [Made(job, bag=failed.bag) for job in jobs]
    return [_finished(job, forms, shelf, wrong) for job in jobs]


def _finished(job: Job, forms: Sequence[str], shelf: Shelf, unfit: Mapping[str, Bag]) -> Made:
    core = load_core(job.core)
    outputs = tuple(shelf.outputs(core, forms))
    taken = tuple(shelf.taken(core, forms))
    one = shelf.made.get(job.core)
    if one is None:
        return Made(job, taken=taken, unfit=unfit[job.core])
    cost = None if core.pretend or not taken else costs.row(one)
    return Made(job, outputs, entry(one) if outputs else None, cost, taken=taken)
