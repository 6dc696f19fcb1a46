# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verb `optimise`: looks for a better order, and writes it into a file beside the source."""

from __future__ import annotations

import argparse
from pathlib import Path

from gen import driver
from gen.console import Progress, say
from gen.cores.core import Core
from gen.diag import Failed, fail
from gen.ir.ir import Routine
from gen.ir.order import Order
from gen.orders import search
from gen.orders.file import order_for, path_of, text_of
from gen.passes import BUILD
from gen.pieces import Job, routine
from gen.read.source import NOWHERE

BEFORE = BUILD[: BUILD.index("schedule")]


def optimise(args: argparse.Namespace, root: Path) -> int:
    """Each named routine for each named core."""
    cores = [driver.core_named(key) for key in args.core]
    found, wanted = driver.surveyed(root, args.routine)
    jobs = [
        (core, job)
        for core in cores
        for job in driver.routine_jobs(found.refs, core)
        if job.symbol in wanted
    ]
    for core, job in jobs:
        if not core.isa:
            raise fail("unknown-name", NOWHERE, f"{core.key} has no instructions to put in order")
        _one(root, core, job, args)
    return 0


def _one(root: Path, core: Core, job: Job, args: argparse.Namespace) -> None:
    made = routine(root, job, BEFORE)
    better = search.Search(made, Progress(), args.trials)
    kept = _standing(root, core, job, made)
    found = better.best(kept)
    if found is None:
        say(f"{job.symbol} for {core.key}: no better order than the one that stands")
        return
    order, before, after = found
    path = root / path_of(job.path, core.key)
    stem = job.path.removeprefix("asm-src/").removesuffix(".rasm")
    rows = [(name, order.rows[name]) for name in sorted(order.rows)]
    text = text_of(rows, f"make optimise CORE={core.key} R={stem}")
    path.write_text(text, encoding="utf-8", newline="\n")
    say(f"{job.symbol} for {core.key}: {_cycles(before)} cycles, now {_cycles(after)}: {path.name}")


def _standing(root: Path, core: Core, job: Job, made: Routine) -> Order | None:
    """The order that is committed for this very core, if it is one of the code as it stands."""
    try:
        order = order_for(root, job.path, core)
        if order is None or order.core != core.key:
            return None
        search.finished(made, order)
    except Failed:
        return None
    return order


def _cycles(cost: tuple[int, int]) -> str:
    return str(cost[0]) if cost[0] == cost[1] else f"{cost[0]} to {cost[1]}"
