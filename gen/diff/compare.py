# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Two trees: what each core gets for each routine on either side, and how it differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from gen.diff.align import Left, left_of
from gen.diff.cfile import compare_c, condition
from gen.diff.facts import Costs, Fact, contract_facts, cost_facts, read_costs, table_facts
from gen.diff.text import Unit, form_of, read_unit, symbol_of
from gen.diff.tree import Side
from gen.diff.verdict import (
    CHANGED,
    GONE,
    IDENTICAL,
    NEW,
    UNKNOWN,
    Judged,
    compare_streams,
    worst,
)
from gen.diff.words import counted
from gen.manifest import NAME as MANIFEST
from gen.sharing import SUFFIX, entries

QUIET = (MANIFEST, "COSTS.csv")  # they follow from the rest
HEADERS = "include/"
Files = dict[tuple[str, str], dict[str, str]]  # (routine, core) -> form -> path


@dataclass
class FileChange:
    """One pair of files."""

    old: str  # paths, "" where there is none
    new: str
    verdict: str
    says: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    judged: dict[str, Judged] = field(default_factory=dict)  # by stream
    text: Left | None = None  # of C
    units: tuple[Unit | None, Unit | None] = (None, None)

    @cached_property
    def left(self) -> dict[str, Left]:
        """Stream -> what is left to look at."""
        found = {} if self.text is None else {"": self.text}
        for name, one in self.judged.items():
            if one.verdict in (CHANGED, UNKNOWN) and one.old is not None and one.new is not None:
                found[name] = left_of(one.old, one.new, one.same, one.graphs)
        return found


@dataclass
class Row:
    """A routine on the cores for which all of this is the same."""

    routine: str
    cores: list[str]
    verdict: str
    forms: dict[str, FileChange]
    facts: list[Fact]

    @property
    def says(self) -> list[str]:
        return list(dict.fromkeys(text for change in self.forms.values() for text in change.says))


@dataclass
class Report:
    """All that differs, and how much does not."""

    old: str
    new: str
    rows: list[Row] = field(default_factory=list)
    same: int = 0  # pairs of routine and core without any difference
    others: list[tuple[str, str]] = field(
        default_factory=list
    )  # file that is no routine's, what of it
    unknown: list[str] = field(default_factory=list)  # what could not be compared

    @property
    def verdicts(self) -> list[str]:
        return [row.verdict for row in self.rows]


def taken(side: Side) -> Files:
    """The files that each core takes for each routine: those of its folder, and what its lists say."""
    found: Files = {}
    for path in sorted(side.files):
        form = form_of(path)
        if form and "/" in path and not path.startswith(HEADERS):
            found.setdefault((symbol_of(path), path.split("/")[0]), {})[form] = path
    for path, content in sorted(side.files.items()):
        core, _, name = path.partition("/")
        if name.endswith(SUFFIX):
            form = name.removesuffix(SUFFIX)
            for stem, file in entries(content.decode("utf-8", "replace")).items():
                found.setdefault((stem, core), {})[form] = file
    return found


class Comparison:
    """Compares pairs of files, each once."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new = old, new
        self.known: dict[tuple[str, str], FileChange] = {}

    def files(self, old: str, new: str) -> FileChange:
        if (old, new) not in self.known:
            self.known[old, new] = self._files(old, new)
        return self.known[old, new]

    def _files(self, old: str, new: str) -> FileChange:
        before, after = self.old.files.get(old), self.new.files.get(new)
        if before == after and before is not None:
            return FileChange(old, new, IDENTICAL)
        if before is None or after is None:
            return FileChange(old, new, NEW if before is None else GONE)
        units: list[Unit] = []
        for path, content in ((old, before), (new, after)):
            try:
                units.append(read_unit(path, content.decode("utf-8")))
            except (ValueError, IndexError) as problem:  # a UnicodeDecodeError is a ValueError
                return FileChange(old, new, UNKNOWN, [f"{path}: {problem}"])
        return compare_units(*units)


def compare_units(old: Unit, new: Unit) -> FileChange:
    """Two files of one routine."""
    change = FileChange(old.path, new.path, IDENTICAL, units=(old, new))
    change.facts += [*contract_facts(old, new), *table_facts(old, new)]
    verdicts = [CHANGED for fact in change.facts if fact.kind in ("ABI", "tables")]
    if old.form != new.form:
        change.says.append(f"{new.form} instead of {old.form}")
        verdicts.append(CHANGED)
    elif old.form in ("gas", "inline", "pinned"):
        change.judged = compare_streams(old, new)
        verdicts += [_said(change, name, one) for name, one in change.judged.items()]
        verdicts += _around(change, old, new)
    else:
        verdict, says, change.text = compare_c(old, new)
        change.says += [says] if says else []
        verdicts.append(verdict)
    _conditions(change, old, new)
    change.verdict = CHANGED if {NEW, GONE} & {*verdicts} else worst(verdicts)
    return change


def _said(change: FileChange, name: str, judged: Judged) -> str:
    where = f"{name}: " if name else ""
    if judged.verdict in (NEW, GONE):
        change.says.append(f"{where}{judged.verdict}")
    elif judged.says:
        change.says.append(where + judged.says)
    return judged.verdict


def _around(change: FileChange, old: Unit, new: Unit) -> Iterator[str]:
    """Directives and C around the instructions; unwind information is in no byte that runs."""
    before, after = (_plain([*one.around, *one.statements]) for one in (old, new))
    if before != after:
        differ = len({*before} ^ {*after}) or 1
        change.says.append(f"{counted(differ, 'line')} around the code differ")
        yield CHANGED
    for name in old.streams.keys() & new.streams.keys():
        if old.streams[name].unwind != new.streams[name].unwind:
            change.says.append("unwind information differs")


def _plain(rows: list[str]) -> list[str]:
    return [row for row in rows if not condition(row)]


def _conditions(change: FileChange, old: Unit, new: Unit) -> None:
    before, after = (list(filter(condition, [*u.around, *u.statements])) for u in (old, new))
    if before != after:
        change.says.append("other builds take the file: its #if differs")


# --- rows --------------------------------------------------------------------------------------------------


def compare(old: Side, new: Side) -> Report:
    """The report on two trees."""
    report = Report(old.name, new.name)
    before, after = taken(old), taken(new)
    comparison = Comparison(old, new)
    prices = read_costs(old.files), read_costs(new.files)
    rows = []
    for key in sorted({*before, *after}):
        row = _row(key, before.get(key, {}), after.get(key, {}), comparison, prices)
        if row is None:
            report.same += 1
        else:
            rows.append(row)
    report.rows = _grouped(rows)
    report.others = list(_others(old, new))
    report.unknown = [t for row in report.rows if row.verdict == UNKNOWN for t in row.says]
    return report


def _row(
    key: tuple[str, str],
    before: dict[str, str],
    after: dict[str, str],
    comparison: Comparison,
    prices: tuple[Costs, Costs],
) -> Row | None:
    """None when nothing differs."""
    forms = {
        form: comparison.files(before.get(form, ""), after.get(form, ""))
        for form in sorted({*before, *after})
    }
    verdicts = [change.verdict for change in forms.values()]
    kinds = {*verdicts}
    verdict = kinds.pop() if len(kinds) == 1 else worst([_one_of(v) for v in verdicts])
    facts = list(cost_facts(prices[0].get(key), prices[1].get(key))) if before and after else []
    for change in forms.values():
        facts += [fact for fact in change.facts if fact not in facts]
    if verdict == IDENTICAL and not facts and not any(change.says for change in forms.values()):
        return None
    return Row(key[0], [key[1]], verdict, forms, facts)


def _one_of(verdict: str) -> str:
    """A form that came or went changes the routine."""
    return CHANGED if verdict in (NEW, GONE) else verdict


def _grouped(rows: list[Row]) -> list[Row]:
    """Cores for which all is the same become one row."""
    found: dict[object, Row] = {}
    for row in rows:
        # only a file of its own tells a core from those that take another's
        changes = tuple((form, c.verdict, tuple(c.says)) for form, c in sorted(row.forms.items()))
        key = (row.routine, row.verdict, changes, tuple(row.facts))
        if key in found:
            found[key].cores += row.cores
        else:
            found[key] = row
    return list(found.values())


def _others(old: Side, new: Side) -> Iterator[tuple[str, str]]:
    """Files that belong to no routine."""
    for path in sorted({*old.files, *new.files}):
        before, after = old.files.get(path), new.files.get(path)
        routine = form_of(path) and not path.startswith(HEADERS)
        if before == after or routine or path in QUIET:
            continue
        if before is None or after is None:
            yield path, NEW if before is None else GONE
        else:
            rows = [text.decode("utf-8", "replace").splitlines() for text in (before, after)]
            differ = sum((Counter(rows[0]) - Counter(rows[1])).values())
            more = sum((Counter(rows[1]) - Counter(rows[0])).values())
            yield path, f"{differ} lines gone, {more} new"
