# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""How much is proved of what routines compute, by which method, and of which routines nothing is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from gen.prove.job import Proof
from gen.prove.program import MOST_CASES

WIDTH = 100


def methods(proofs: Iterable[Proof]) -> Iterator[str]:
    """Lines about the proofs that hold. A routine counts once, whatever the number of cores."""
    proofs = tuple(proofs)
    failed = {proof.job.name for proof in proofs if not proof.holds}
    subs = {proof.job.name for proof in proofs if proof.job.kind == "sub"} - failed
    ways: dict[str, set[str]] = {}
    macros: Counter[str] = Counter()
    for proof in proofs:
        if proof.job.name in failed:
            continue
        if proof.job.kind == "routine":
            ways.setdefault(proof.job.name, set()).update(proof.facts["ensures"])
        elif proof.job.kind == "macro":
            few = proof.facts["cases"] <= MOST_CASES
            macros["by trying every input" if few else "as polynomials"] += 1
    if macros:
        yield f"macros: {_counted(macros)}"
    if subs:
        yield f"subs: {len(subs)} by identity"
    if ways:
        count = Counter(" and ".join(f"by {one}" for one in sorted(way)) for way in ways.values())
        bare = sorted(name for name, way in ways.items() if not way)
        said = Counter({how: number for how, number in count.items() if how})
        if said:
            yield f"routines, what they compute: {_counted(said)}"
        if bare:
            yield f"without `ensures`, only ranges, secrecy and timing proved: {len(bare)} routines"
            yield from _wrapped(bare)


def _counted(what: Counter[str]) -> str:
    return ", ".join(f"{number} {how}" for how, number in what.most_common())


def _wrapped(names: Iterable[str]) -> Iterator[str]:
    line = "   "
    for name in names:
        if len(line) + len(name) + 1 > WIDTH:
            yield line
            line = "   "
        line += f" {name}"
    yield line
