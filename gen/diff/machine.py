# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The report as JSON."""

from __future__ import annotations

from typing import Any

from gen.diff.compare import FileChange, Report, Row
from gen.diff.lines import Places
from gen.diff.sidebyside import Lines, shown
from gen.diff.text import Line


def as_json(report: Report, lines: Lines) -> dict[str, Any]:
    """Rows, other files, counts. Names of keys are those of the views."""
    return {
        "old": report.old,
        "new": report.new,
        "same": report.same,
        "routines": [_row(row, lines) for row in report.rows],
        "others": [{"path": path, "change": what} for path, what in report.others],
        "unknown": report.unknown,
    }


def _row(row: Row, lines: Lines) -> dict[str, Any]:
    return {
        "routine": row.routine,
        "cores": row.cores,
        "verdict": row.verdict,
        "says": row.says,
        "facts": [{"kind": f.kind, "old": f.old, "new": f.new} for f in row.facts],
        "forms": {
            form: {"verdict": c.verdict, "old": c.old, "new": c.new}
            for form, c in row.forms.items()
        },
        "left": [_left(form, change, lines) for form, change in shown(row)],
    }


def _left(form: str, change: FileChange, lines: Lines) -> dict[str, Any]:
    places = lines.get(change.new, ({}, {}))
    return {
        "form": form,
        "path": change.new,
        "streams": {
            name: {
                "says": left.says,
                "rows": [[_line(b.old, places[0]), _line(b.new, places[1])] for b in left.rows],
            }
            for name, left in change.left.items()
        },
    }


def _line(line: Line | None, places: Places) -> dict[str, Any] | None:
    if line is None:
        return None
    found: dict[str, Any] = {"row": line.row, "text": line.text, "names": line.comment}
    if line.row in places:
        found["source"] = places[line.row]
    return found
