# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verb `diff`: exit codes 0 nothing changed (or nothing beyond what was promised), 1 changed, 2 cannot tell."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from gen.console import on_terminal, say
from gen.diag import Failed, render_all
from gen.diff import markdown, terminal
from gen.diff.compare import Report, compare
from gen.diff.lines import places_of
from gen.diff.machine import as_json
from gen.diff.sidebyside import Lines, shown
from gen.diff.tree import Side, side
from gen.diff.verdict import IDENTICAL, RENAMED, REORDERED

# what a promise allows
ALLOWED = {
    IDENTICAL: (IDENTICAL,),
    RENAMED: (IDENTICAL, RENAMED),
    REORDERED: (IDENTICAL, RENAMED, REORDERED),
}
PROMISED_ABOUT = ("ABI", "tables", "bounds", "open claims")  # facts that no promise covers


def run(args: argparse.Namespace, root: Path) -> int:
    """Compares, prints, judges."""
    try:
        old, new = side(args.old or "HEAD", root), side(args.new or "", root)
        report = compare(old, new)
        lines = {} if args.no_lines else _lines(report, old, new)
    except Failed as failed:
        say(render_all(failed.bag))
        return 2
    except OSError as problem:
        say(f"error: {problem.filename or ''}: {problem.strerror or problem}")
        return 2
    _print(args, report, lines)
    code = _judged(report, args.expect)
    return 0 if code == 1 and args.exit_zero else code


def _lines(report: Report, old: Side, new: Side) -> Lines:
    """Source lines of both sides, of the files that something is left to look at in."""
    changes = [c for row in report.rows for _, c in shown(row) if c.judged]
    paths = [change.new for change in changes]
    found = []
    for number, one in enumerate((old, new)):
        units = [unit for c in changes if (unit := c.units[number]) is not None]
        with one.sources() as root:
            found.append(places_of(units, root) if root is not None else [{} for _ in units])
    return dict(zip(paths, zip(*found, strict=True), strict=True))


def _print(args: argparse.Namespace, report: Report, lines: Lines) -> None:
    if args.json:
        print(json.dumps(as_json(report, lines), indent=1))
    elif args.markdown:
        sys.stdout.write(markdown.text(report, lines))
    else:
        terminal.show(terminal.view(report, lines), on_terminal(sys.stdout))


def _judged(report: Report, promise: str) -> int:
    """The exit code, and on a broken promise why."""
    if report.unknown:
        for text in report.unknown:
            say(f"cannot tell: {text}")
        return 2
    if not promise:
        return 1 if report.rows or report.others else 0
    broken = [row for row in report.rows if row.verdict not in ALLOWED[promise]]
    beyond = [
        row
        for row in report.rows
        if row not in broken and any(fact.kind in PROMISED_ABOUT for fact in row.facts)
    ]
    for row in broken:
        say(f"not {promise}: {row.routine} for {', '.join(row.cores)} is {row.verdict}")
    for row in beyond:
        kinds = sorted({fact.kind for fact in row.facts if fact.kind in PROMISED_ABOUT})
        say(f"not {promise}: {row.routine} for {', '.join(row.cores)}: other {', '.join(kinds)}")
    for path, what in report.others:
        say(f"not {promise}: {path}: {what}")
    return 1 if broken or beyond or report.others else 0
