# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The report for a pull request: a short table, then details that are folded until somebody opens them.

Sites that show pull requests take 65,536 characters of a comment; what does not fit is counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from gen.diff.compare import Report, Row
from gen.diff.sidebyside import (
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
from gen.diff.words import counted

LIMIT = 65_536
TABLE = 24_000  # characters of the table
ROOM = 200  # for the count of what is left out
LONGEST = 12_000  # of one routine's details
COLUMNS = ("instructions", "cycles", "code", "stack")


def text(report: Report, lines: Lines, limit: int = LIMIT) -> str:
    """The comment, shorter than `limit` characters (of UTF-16, as sites count)."""
    rows = ordered(report)
    parts = [f"**{_cell(f'{report.old} -> {report.new}')}**: {summary(report)}\n\n"]
    parts += _fitting(_table(rows), min(TABLE, limit // 2), "row") if rows else []
    used = sum(map(len, parts))
    details = [one for row in rows if (one := _details(row, lines))]
    if report.others:
        listed = "".join(f"- `{path}`: {what}\n" for path, what in report.others[:100])
        details.append(_folded("other files", listed))
    parts += ["\n", *_fitting(details, limit - used - ROOM, "routine", " with details")]
    return "".join(parts)


def _fitting(parts: list[str], room: int, what: str, more: str = "") -> list[str]:
    """As many parts as there is room for, in order, and how many are left out."""
    found: list[str] = []
    left_out = 0
    for part in parts:
        if len(part) <= room and not left_out:
            found.append(part)
            room -= len(part)
        else:
            left_out += 1
    if left_out:
        found.append(f"\n{counted(left_out, what)}{more} more not shown here\n")
    return found


def _table(rows: list[Row]) -> list[str]:
    """Head and rows of the table."""
    head = f"| routine | cores | verdict | {' | '.join(COLUMNS)} | |\n"
    rule = "|---" * (len(COLUMNS) + 4) + "|\n"
    return [head + rule, *map(_line, rows)]


def _line(row: Row) -> str:
    kinds = dict.fromkeys(kind for kind, _, _ in other_facts(row))
    says = "; ".join([*row.says[:2], *(f"other {kind}" for kind in kinds)])
    figures = " | ".join(figure(row, name) for name in COLUMNS)
    return f"| `{row.routine}` | {cores(row)} | **{row.verdict}** | {figures} | {_cell(says)} |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")[:300]


def _details(row: Row, lines: Lines) -> str:
    body = list(_body(row, lines))
    if not body:
        return ""
    whole, size, kept = "", 0, 0
    for line in body:
        size += len(line) + 1
        if size > LONGEST:
            break
        kept += 1
    whole = "\n".join(body[:kept])
    if kept < len(body):
        whole += f"\n... {counted(len(body) - kept, 'line')} more"
    return _folded(f"{row.routine} ({cores(row)}): {row.verdict}", f"```diff\n{whole}\n```\n")


def _body(row: Row, lines: Lines) -> Iterator[str]:
    for kind, old, new in other_facts(row):
        yield f"{kind}:"
        yield from (f"- {_code(text)}" for text in old.splitlines())
        yield from (f"+ {_code(text)}" for text in new.splitlines())
    for _form, change in shown(row):
        for name, left in change.left.items():
            yield f"@@ {change.new}{f', {name}' if name else ''} @@"
            yield from (f"# {text}" for text in left.says)
            for mark, old, new in columns(left, lines.get(change.new, ({}, {}))):
                yield f"{mark} {_code(joined(old, new))}"


def _code(text: str) -> str:
    return text.replace("```", "` ` `")


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{_cell(title)}</summary>\n\n{body}\n</details>\n"
