# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Figures as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict

from gen.bench.figures import Figure, Peer, Targets, best
from gen.bench.library import WRITTEN

ROUTINE_HEAD = (
    "routine instructions cycles peer ratio code peer read-only peer stack peer straddle"
).split() + ["best public code", "target"]
OPERATION_HEAD = [
    *("operation", "form", "cycles", "peer", "ratio", "code", "peer", "read-only", "peer"),
    *("stack", "work", "peer", "best public code", "target"),
]
CSV_HEAD = (
    *("routine", "core", "form", "implementation", "instructions", "cycles"),
    *("code", "rodata", "stack", "work", "peer", "peer_cycles", "ratio"),
)
TEXTS = {"routine", "operation", "form", "best public code", "target", "algorithm", "options"}
UNITS = {"cycles": "cycles", "code": "bytes of code", "memory": "bytes of stack and work"}


def routines_table(figures: Sequence[Figure], known: tuple[Peer, ...], goals: Targets) -> str:
    """Generated routines, a line each."""
    rows = []
    for figure in figures:
        peer = best(figure, known)
        rivals = [peer.code, peer.rodata, peer.stack] if peer else [None] * 3
        ours = (figure.code, figure.rodata, figure.stack)
        bytes_ = [_number(one) for pair in zip(ours, rivals, strict=True) for one in pair]
        time = [str(figure.instructions), str(figure.cycles), *_against(figure, peer)]
        straddle = f"{figure.straddling}/{figure.wide}"
        rows.append([figure.routine, *time, *bytes_, straddle, _name(peer), _goal(figure, goals)])
    return table([ROUTINE_HEAD, *rows])


def operations_table(figures: Sequence[Figure], known: tuple[Peer, ...], goals: Targets) -> str:
    """Whole operations, a line for each form; the peer's stack is what it needs of the caller's memory too."""
    rows = []
    order = {name: number for number, name in enumerate(dict.fromkeys(f.routine for f in figures))}
    for figure in sorted(figures, key=lambda figure: order[figure.routine]):
        peer = best(figure, known)
        code, rodata, stack = (peer.code, peer.rodata, peer.stack) if peer else (None,) * 3
        bytes_ = (figure.code, code, figure.rodata, rodata, figure.stack, figure.work, stack)
        time = [str(figure.cycles), *_against(figure, peer)]
        last = [_name(peer), _goal(figure, goals)]
        name = figure.routine.removeprefix("armscribe_")
        rows.append([name, figure.form, *time, *map(_number, bytes_), *last])
    return table([OPERATION_HEAD, *rows])


def _against(figure: Figure, peer: Peer | None) -> list[str]:
    return [str(peer.cycles), f"{figure.cycles / peer.cycles:.3f}"] if peer else ["", ""]


def _name(peer: Peer | None) -> str:
    return peer.implementation if peer else "none"


def _goal(figure: Figure, goals: Targets) -> str:
    """Whether the targets are met, and which are missed by how much."""
    goal = goals.get((figure.routine, figure.core))
    if goal is None or figure.form not in WRITTEN:
        return ""
    said = [
        f"{wanted} {'' if name == 'cycles' else UNITS[name] + ' '}"
        + ("met" if had <= wanted else f"MISSED by {had - wanted}")
        for name, (had, wanted) in goal.of(figure).items()
    ]
    return ", ".join(said)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Markdown with aligned columns; the first row is the head."""
    head = rows[0]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    left = [name in TEXTS for name in head]
    lines = [
        "| "
        + " | ".join(
            cell.ljust(width) if text else cell.rjust(width)
            for cell, width, text in zip(row, widths, left, strict=True)
        )
        + " |"
        for row in rows
    ]
    rule = "|" + "|".join(
        "-" * (width + 2) if text else "-" * (width + 1) + ":"
        for width, text in zip(widths, left, strict=True)
    )
    return "\n".join([lines[0], rule + "|", *lines[1:]]) + "\n"


def comma_separated(figures: Sequence[Figure], known: tuple[Peer, ...]) -> str:
    """Our figures with the peer to beat, each followed by those of every peer."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for ours in figures:
        row = (ours.instructions, ours.cycles, ours.code, ours.rodata, ours.stack, ours.work)
        peer = best(ours, known)
        beaten = (peer.implementation, *_against(ours, peer)) if peer else ("", "", "")
        writer.writerow((ours.routine, ours.core, ours.form, "armscribe", *row, *beaten))
        for rival in known:
            if rival.routine == ours.routine and ours.core in rival.cores:
                other = (rival.instructions, rival.cycles, rival.code, rival.rodata, rival.stack)
                name = rival.implementation
                writer.writerow((ours.routine, ours.core, "", name, *other, *("",) * 4))
    return out.getvalue()


def as_json(figures: Sequence[Figure], known: tuple[Peer, ...], lines: dict[str, str]) -> str:
    """Figures with the peer to beat, and the lines of signing."""
    rows = []
    for figure in figures:
        peer = best(figure, known)
        rows.append({**asdict(figure), "peer": asdict(peer) if peer else None})
    return json.dumps({"figures": rows, "signing": lines}, indent=1) + "\n"
