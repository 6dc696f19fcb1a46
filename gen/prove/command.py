# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""`python3 -m gen prove`: one line a proof, the messages of those that fail, and what remains
assumed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from gen.console import command
from gen.diag import render
from gen.prove.engine import Report, prove
from gen.prove.ensures import NoTool
from gen.prove.job import Proof
from gen.prove.summary import methods
from gen.read.load import symbol_of


def run(args: argparse.Namespace, root: Path) -> int:
    """The command on parsed arguments.

    Exit code: 0 when all holds, 1 with messages otherwise, 2 when a tool is missing.
    """
    begun = time.monotonic()

    def progress(proof: Proof, number: int, total: int) -> None:
        if not args.quiet or not proof.holds:
            print(f"[{number}/{total}] {line(proof)}", flush=True)

    try:
        asked = [symbol_of(name.replace("\\", "/")) for name in args.routine]
        report = prove(root, asked, args.core, progress)
    except NoTool as missing:
        print(f"gen prove: {missing}", file=sys.stderr)
        return 2
    return _summary(report, asked, time.monotonic() - begun)


def line(proof: Proof) -> str:
    """`proved mlkem_ntt on cortex-m4: r in [-15750, 15750], 4288 cycles`."""
    where = (
        f"{proof.job.name} on {proof.job.core}"
        if proof.job.kind in ("routine", "smt", "sub")
        else proof.job.name
    )
    if not proof.holds:
        return f"FAILED {where}: {', '.join(sorted(set(proof.codes)))}"
    how = "known  " if proof.cached else "proved "
    return f"{how}{where}: {_facts(proof)}"


def _facts(proof: Proof) -> str:
    facts = proof.facts
    if proof.lacks:
        return f"left to portable C, {facts['lacks']}"
    if proof.job.kind == "macro":
        return f"ensures holds for all {facts['cases']} inputs"
    if proof.job.kind == "sub":
        return f"ensures holds for all words behind its pointers, equal in {facts['runs']} ways"
    if proof.job.kind == "smt":
        return f"{facts['conditions']} conditions hold for all inputs, by SMT"
    if proof.job.kind == "chain":
        return f"{len(facts['steps'])} steps, each within its precondition"
    bounds = [f"{name} in [{lo}, {hi}]" for name, (lo, hi) in sorted(facts["bounds"].items())]
    low, high = facts["cycles"]
    cycles = f"{low} cycles" if low == high else f"{low} to {high} cycles"
    return ", ".join([*bounds, cycles])


def _summary(report: Report, asked: list[str], seconds: float) -> int:
    for text in told(report):
        print(f"\n{text}", file=sys.stderr)
    broken = {symbol_of(item.span.source.path) for item in report.unread.items}
    unknown = set(asked) - {proof.job.name for proof in report.proofs} - broken
    for name in sorted(unknown):
        print(f"no routine {name} on these cores; {command('list')} names them", file=sys.stderr)
    for routine, claim in report.open_claims:
        print(f"assumed in {routine}: {claim}")
    for core, count in report.fallen.items():
        print(f"{core} takes portable C for {count} routines, which its features do not fit")
    for text in methods(report.proofs):
        print(text)
    held = len(report.proofs) - len(report.failed)
    cached = sum(proof.cached for proof in report.proofs)
    print(f"{held} of {len(report.proofs)} proofs hold ({cached} known already), {seconds:.1f} s")
    return 1 if report.failed or unknown or report.unread.items else 0


def told(report: Report) -> Iterator[str]:
    """Each error once, with the cores it was found on."""
    texts = {render(item): render(item) for item in report.unread.items}
    cores: dict[str, dict[str, None]] = {key: {} for key in texts}
    for proof in report.failed:
        for text in proof.texts:
            key = text.replace(proof.job.core, "CORE")
            texts.setdefault(key, text)
            where = cores.setdefault(key, {})
            if proof.job.kind == "routine":
                where[proof.job.core] = None
    for key, text in texts.items():
        yield f"{text}\n   on {', '.join(cores[key])}" if cores[key] else text
