# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is left of a change as two columns of text, and the figures of a row in words. All views are made of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gen.diff.align import Left
from gen.diff.compare import FileChange, Report, Row
from gen.diff.lines import Places
from gen.diff.text import Line
from gen.diff.verdict import ORDER
from gen.diff.words import counted

WIDTH = 72  # of a column
COLUMN = 24  # of an instruction
PLACE = 17  # of a source line
FEW = 4  # cores that are all named
FIGURES = ("instructions", "cycles", "code", "rodata", "stack", "open claims")

Lines = Mapping[str, tuple[Places, Places]]


def cell(line: Line | None, places: Places) -> str:
    """Row, source line, instruction, the author's names."""
    if line is None:
        return ""
    row = f"{line.row:>5} " if line.row else ""
    place = places.get(line.row, "").rsplit("/", 1)[-1]
    where = f"{place:<{PLACE}} " if places and line.row else ""
    names = f" {line.comment}" if line.comment else ""
    return f"{row}{where}{line.text:<{COLUMN}}{names}".rstrip()


def columns(left: Left, places: tuple[Places, Places]) -> Iterator[tuple[str, str, str]]:
    """(mark, old column, new column): "-" gone, "+" new, "!" other."""
    for beside in left.rows:
        mark = "!" if beside.old and beside.new else "-" if beside.old else "+"
        yield mark, cell(beside.old, places[0]), cell(beside.new, places[1])


def joined(old: str, new: str, width: int = WIDTH) -> str:
    """Both columns in a line; what is too long for its column is cut."""
    return f"{_cut(old, width):<{width}} | {_cut(new, width)}".rstrip()


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 2] + ".."


def shown(row: Row) -> list[tuple[str, FileChange]]:
    """The forms whose details are worth a look: of those with equal ones the first."""
    found: list[tuple[str, FileChange]] = []
    seen: list[object] = []
    for form, change in row.forms.items():
        key = [
            [(b.old and b.old.text, b.new and b.new.text) for b in left.rows]
            for left in change.left.values()
        ]
        if any(change.left.values()) and key not in seen:
            seen.append(key)
            found.append((form, change))
    return found


def cores(row: Row) -> str:
    """ "cortex-m4, cortex-m4f and 5 more"."""
    names = row.cores[:FEW] if len(row.cores) > FEW + 1 else row.cores
    more = len(row.cores) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def figure(row: Row, name: str) -> str:
    """ "26 -> 24 (-2)", "" where it is the same."""
    fact = next((fact for fact in row.facts if fact.kind == name), None)
    if fact is None:
        return ""
    change = ""
    if fact.old.isdecimal() and fact.new.isdecimal():
        change = f" ({int(fact.new) - int(fact.old):+d})"
    return f"{fact.old} -> {fact.new}{change}"


def other_facts(row: Row) -> Iterator[tuple[str, str, str]]:
    """(kind, old, new) of facts that are no figures."""
    for fact in row.facts:
        if fact.kind not in FIGURES or "\n" in fact.old + fact.new:
            yield fact.kind, fact.old, fact.new


def summary(report: Report) -> str:
    """ "3 changed, 1 new; 120 as they were"."""
    counts = {v: sum(len(r.cores) for r in report.rows if r.verdict == v) for v in ORDER}
    words = [
        f"{count} {'identical in code' if v == 'identical' else v}"
        for v, count in counts.items()
        if count
    ]
    words += [counted(len(report.others), "other file") + " differ"] if report.others else []
    return f"{', '.join(words) or 'nothing changed'}; {report.same} as they were"


def ordered(report: Report) -> list[Row]:
    """What changed most comes first."""
    return sorted(report.rows, key=lambda row: (-ORDER.index(row.verdict), row.routine))
