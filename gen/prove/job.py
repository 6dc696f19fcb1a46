# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A proof to make, how it went, and which routines lack one.

Kept apart from what makes proofs: a build asks only which are missing, and should not wait for the rest to load.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gen.cores.core import load_core
from gen.diag import Failed
from gen.orders.file import texts_for
from gen.prove.cache import Cache, digest, generator_hash
from gen.read.load import Unit, choose, load, survey, symbol_of

FOLDER = "build/prove"


@dataclass(frozen=True)
class Job:
    """One proof to make. Picklable: a worker process makes it."""

    kind: str  # routine, smt, sub, macro, chain
    name: str  # symbol, or name of the macro
    core: str
    path: str  # of the file it is in
    key: str  # hash of all it rests on
    within: str = ""  # symbol of a routine that calls a sub


@dataclass(frozen=True)
class Proof:
    """How a job went. `facts` of a routine: bounds, cycles, instructions, open_claims, ensures (conditions by method);
    of an smt job: questions, conditions; of a sub: runs; of a macro: cases; of a chain: steps."""

    job: Job
    facts: dict[str, Any]
    texts: tuple[str, ...] = ()  # errors, rendered; () when it holds
    codes: tuple[str, ...] = ()
    seconds: float = 0.0
    cached: bool = False

    @property
    def holds(self) -> bool:
        return not self.texts

    @property
    def errors(self) -> str:
        return "\n\n".join(self.texts)

    @property
    def lacks(self) -> bool:
        """Whether the core just does not have what the source needs."""
        return "lacks" in self.facts


def closure(unit: Unit) -> dict[str, str]:
    """Path -> text of a file and everything it imports."""
    source = unit.file.span.source
    found = {source.path: source.text}
    for other in unit.imports:
        found |= closure(other)
    return found


def texts_of(unit: Unit) -> list[str]:
    return [path + "\n" + text for path, text in sorted(closure(unit).items())]


def routine_jobs(root: Path, cores: Iterable[str], symbols: Iterable[str] = ()) -> list[Job]:
    """A job for each routine that a core can have; `symbols` restricts them. One whose imports do not parse
    has a key that no result is kept under."""
    wanted = set(symbols)
    refs = survey(root, tuple(wanted)).refs
    jobs = []
    for core in cores:
        features = load_core(core).features
        for symbol in sorted({ref.symbol for ref in refs}):
            ref = choose(refs, symbol, features)
            if ref is None or (wanted and not {symbol, symbol_of(ref.path)} & wanted):
                continue
            try:
                nature = repr(load_core(core).nature)
                texts = [
                    generator_hash(),
                    "routine",
                    symbol,
                    nature,
                    *texts_for(root, ref.path, load_core(core)),
                    *texts_of(load(root, ref.path)),
                ]
            except Failed:
                texts = [symbol, core]
            jobs.append(Job("routine", symbol, core, ref.path, digest(texts)))
    return jobs


def unproved(root: Path, symbols: Sequence[str], cores: Sequence[str]) -> set[str]:
    """Routines without a kept proof on one of these cores. Proves nothing. Empty `symbols` mean all."""
    cache = Cache(root / FOLDER)
    jobs = routine_jobs(root, cores, symbols)
    return {job.name for job in jobs if cache.get(job.key) is None}
