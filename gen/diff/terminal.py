# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The report for a terminal: in colour and page by page there, plain anywhere else."""

from __future__ import annotations

import os
from collections.abc import Iterator

from gen.console import say
from gen.diff.compare import FileChange, Report, Row
from gen.diff.sidebyside import (
    FIGURES,
    Lines,
    columns,
    cores,
    figure,
    joined,
    ordered,
    other_facts,
    shown,
    summary,
)

STYLES = {"-": "red", "+": "green", "!": "yellow", "head": "bold", "says": "cyan", "": ""}

View = list[tuple[str, str]]  # (style, line)


def view(report: Report, lines: Lines) -> View:
    """Lines with the style that each has."""
    found: View = [("head", f"{report.old} -> {report.new}: {summary(report)}")]
    for row in ordered(report):
        found += [("", ""), *_row(row, lines)]
    if report.others:
        found += [("", ""), ("head", "other files")]
        found += [("", f"  {path}: {what}") for path, what in report.others]
    return found


def _row(row: Row, lines: Lines) -> Iterator[tuple[str, str]]:
    yield "head", f"{row.routine}  {row.verdict}  ({cores(row)})"
    for text in row.says:
        yield "says", f"  {text}"
    for name in FIGURES:
        if text := figure(row, name):
            yield "", f"  {name}: {text}"
    for kind, old, new in other_facts(row):
        yield "", f"  {kind}:"
        yield from (("-", f"  - {text}") for text in old.splitlines())
        yield from (("+", f"  + {text}") for text in new.splitlines())
    for form, change in shown(row):
        yield from _details(form, change, lines)


def _details(form: str, change: FileChange, lines: Lines) -> Iterator[tuple[str, str]]:
    places = lines.get(change.new, ({}, {}))
    for name, left in change.left.items():
        yield "head", f"  {form}{f', {name}' if name else ''}: {change.new}"
        yield from (("says", f"    {text}") for text in left.says)
        for mark, old, new in columns(left, places):
            yield mark, f"  {mark} {joined(old, new)}"


def show(found: View, coloured: bool) -> None:
    """Prints a view. Colour and paging come from rich, on a terminal that has not said NO_COLOR."""
    if not coloured:
        print("\n".join(text for _, text in found))
        return
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        print("\n".join(text for _, text in found))
        say("colour and paging need the package rich: pip install rich")
        return
    console = Console(highlight=False, no_color="NO_COLOR" in os.environ or None)
    os.environ.setdefault("LESS", "-FRX")  # what fits on the screen is not paged
    with console.pager(styles=True):
        for style, text in found:
            console.print(Text(text, style=STYLES[style]), soft_wrap=True)
