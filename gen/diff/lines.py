# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The source line that each instruction of a generated file came from.

Generated files hold no line numbers, so that a new comment in a source changes none of them: the routine is made anew
from the sources of its side, and its instructions are laid beside those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gen.cores.core import all_cores, load_core
from gen.diag import Failed
from gen.diff.align import anchored
from gen.diff.text import Unit, symbol_of
from gen.emit.view import instruction
from gen.ir.ir import Insn, Routine
from gen.passes import BUILD
from gen.pieces import routine
from gen.read.load import survey
from gen.workers import spread

Places = dict[int, str]  # row of the file -> "asm-src/mlkem/ntt.rasm:41"
Given = dict[str, list[tuple[str, str]]]  # stream -> instruction, source line

PASSES = tuple(name for name in BUILD if name != "check_result")  # nothing is shipped from here


def places_of(units: Sequence[Unit], root: Path) -> list[Places]:
    """For each file row -> source line, of those instructions that the sources below `root` give as they stand."""
    jobs = [(unit.path.split("/")[0], symbol_of(unit.path)) for unit in units]
    wanted = list(dict.fromkeys(jobs))
    made = spread(partial(_given, root), ([job] for job in wanted), len(wanted), 0)
    known = dict(zip(wanted, made, strict=True))
    return [_laid_beside(unit, known[job]) for unit, job in zip(units, jobs, strict=True)]


def _given(root: Path, jobs: Sequence[tuple[str, str]]) -> list[Given]:
    """What the sources give for (core, symbol)."""
    return [_of(root, core, symbol) for core, symbol in jobs]


def _of(root: Path, core: str, symbol: str) -> Given:
    from gen.driver import routine_jobs

    if core not in all_cores():
        return {}
    try:
        refs = survey(root, [symbol]).refs
        jobs = [job for job in routine_jobs(refs, load_core(core)) if job.symbol == symbol]
        made = routine(root, jobs[0], PASSES) if jobs else None
    except (Failed, OSError):
        return {}  # what is wrong with the source is not what was asked
    if made is None:
        return {}
    return {"": _instructions(made), **{sub.name: _instructions(sub) for sub in made.subs}}


def _instructions(made: Routine) -> list[tuple[str, str]]:
    return [
        (re.sub(r"\s+", " ", instruction(item, ".")), _place(item))
        for item in made.final
        if isinstance(item, Insn)
    ]


def _place(insn: Insn) -> str:
    """File and line that an author wrote; "" for what the frame added."""
    span = (insn.origin or insn).span
    return f"{span.source.path}:{span.line}" if span.source.path and insn.part == "body" else ""


def _laid_beside(unit: Unit, given: Given) -> Places:
    found: Places = {}
    for name, stream in unit.streams.items():
        lines, made = stream.instructions(), given.get(name, [])
        pairs = anchored([line.text for line in lines], [text for text, _ in made])
        found |= {lines[a].row: made[b][1] for a, b in pairs if made[b][1]}
    return found
