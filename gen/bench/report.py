# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Figures as Markdown and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from gen.bench.figures import Figure, Peer, best

HEAD = (
    "routine",
    "instructions",
    "cycles",
    "peer",
    "ratio",
    "code",
    "peer",
    "read-only",
    "peer",
    "stack",
    "peer",
    "straddle",
    "best public code",
    "target",
)
CSV_HEAD = (
    "routine",
    "core",
    "form",
    "implementation",
    "instructions",
    "cycles",
    "code",
    "rodata",
    "stack",
)

Targets = Mapping[tuple[str, str], int]


def markdown(figures: Sequence[Figure], known: tuple[Peer, ...], goals: Targets) -> str:
    """One table for each core and form, columns aligned."""
    parts = []
    for core, form in dict.fromkeys((figure.core, figure.form) for figure in figures):
        rows = [
            _row(figure, best(figure, known), goals.get((figure.routine, figure.core)))
            for figure in figures
            if (figure.core, figure.form) == (core, form)
        ]
        parts.append(f"### {core}, {form}\n\n{_table([HEAD, *rows])}")
    return "\n".join(parts)


def _row(figure: Figure, peer: Peer | None, goal: int | None) -> tuple[str, ...]:
    rival = peer.cycles if peer else None
    code, rodata, stack = (peer.code, peer.rodata, peer.stack) if peer else (None, None, None)
    return (
        figure.routine,
        str(figure.instructions),
        str(figure.cycles),
        _number(rival),
        f"{figure.cycles / rival:.3f}" if rival else "",
        str(figure.code),
        _number(code),
        str(figure.rodata),
        _number(rodata),
        str(figure.stack),
        _number(stack),
        f"{figure.straddling}/{figure.wide}",
        peer.implementation if peer else "none",
        "" if goal is None else f"{goal} {'met' if figure.cycles <= goal else 'MISSED'}",
    )


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    left = {0, len(HEAD) - 2, len(HEAD) - 1}
    lines = [
        "| "
        + " | ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        + " |"
        for row in rows
    ]
    rule = "|" + "|".join(
        "-" * (width + 2) if column in left else "-" * (width + 1) + ":"
        for column, width in enumerate(widths)
    )
    return "\n".join([lines[0], rule + "|", *lines[1:]]) + "\n"


def comma_separated(figures: Sequence[Figure], known: tuple[Peer, ...]) -> str:
    """Our figures, each followed by those of every peer."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for ours in figures:
        row = (ours.instructions, ours.cycles, ours.code, ours.rodata, ours.stack)
        writer.writerow((ours.routine, ours.core, ours.form, "armscribe", *row))
        for peer in known:
            if peer.routine == ours.routine and ours.core in peer.cores:
                other = (peer.instructions, peer.cycles, peer.code, peer.rodata, peer.stack)
                writer.writerow((ours.routine, ours.core, "", peer.implementation, *other))
    return out.getvalue()
