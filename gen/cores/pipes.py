# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Reads the sections [issue], [units] and [pipes] of a core file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from gen.cores.issue import ALONE, FIRST, SHIFTED, Issue, Pipe
from gen.cores.toml import Table, Value

NUMBERS = ("width", "bus", "early", "late", "narrow-load")
LEAST = {"width": 2, "bus": 1}  # a core that begins one at a time has no [issue]


class Wrong(Protocol):
    """Notes an error at a key."""

    def __call__(self, key: str, message: str, help: str = "") -> None: ...


class Known(Protocol):
    """Notes keys of a section that are not among those allowed."""

    def __call__(self, section: str, allowed: set[str]) -> None: ...


def read_issue(table: Table, kinds: Iterable[str], wrong: Wrong, known: Known) -> Issue | None:
    """What the file says of instructions that begin together; None where it says nothing."""
    sections = [name for name in ("issue", "units", "pipes") if [*table.keys(name)]]
    if not sections:
        return None
    known("issue", {*NUMBERS})
    number = {name: _number(table, name, wrong) for name in NUMBERS}
    units = _units(table, wrong)
    wanted = [*kinds, SHIFTED]
    known("pipes", {*wanted})
    pipes = tuple((kind, _pipe(table, kind, units, wrong)) for kind in wanted)
    numbers = {name.replace("-", "_"): value for name, value in number.items()}
    return Issue(**numbers, units=tuple(sorted(units.items())), pipes=pipes)


def _number(table: Table, name: str, wrong: Wrong) -> int:
    value, least = table.get(f"issue.{name}"), LEAST.get(name, 0)
    if value is None:
        wrong("issue", f"the key {name} is missing", f"add `{name} = {least}` under [issue]")
    elif not _whole(value, least):
        wrong(f"issue.{name}", f"{name} must be a number, {least} or more")
    return value if isinstance(value, int) and _whole(value, least) else least


def _units(table: Table, wrong: Wrong) -> dict[str, int]:
    found = {}
    for name in table.keys("units"):
        value = table.get(f"units.{name}")
        if name in (ALONE, FIRST) or not _whole(value, 1):
            wrong(f"units.{name}", f"{name} must be a number of units, and no word of [pipes]")
        found[name] = value if isinstance(value, int) else 1
    return found


def _pipe(table: Table, kind: str, units: dict[str, int], wrong: Wrong) -> Pipe:
    key = f"pipes.{kind}"
    value = table.get(key)
    if value is None:
        help = f'add `{kind} = ["UNIT", 1]` under [pipes]'
        wrong("pipes", f"what {kind} takes is missing", help)
        return Pipe((), 1)
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
        wrong(key, f'{kind} must be ["UNIT ...", cycles until the result is there]')
        return Pipe((), 1)
    words, latency = tuple(value[0].split()), value[1]
    for word in words:
        if word not in (*units, ALONE, FIRST):
            wrong(key, f"no unit is called {word}", f"[units] has: {' '.join(sorted(units))}")
    if not _whole(latency, 0):
        wrong(key, "the cycles until the result is there must be a number, zero or more")
        latency = 1
    assert isinstance(latency, int)
    return Pipe(words, latency)


def _whole(value: Value | object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
