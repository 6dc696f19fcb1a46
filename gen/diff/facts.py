# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which facts of a routine changed: contract, costs, tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gen import costs
from gen.diff.text import Unit
from gen.diff.words import counted

# first words of a row of the contract block -> what it is about
KINDS = (
    ("saves:", "clobbers"),
    ("FP registers:", "clobbers"),
    ("ensures:", "bounds"),
    ("open claims:", "open claims"),
    ("permissions:", "permissions"),
    ("proved in full:", "proofs"),
    ("table ", "tables"),
)
FIGURES = (
    ("instructions", ("instructions_least", "instructions_most")),
    ("cycles", ("cycles_least", "cycles_most")),
    ("code", ("code",)),
    ("rodata", ("rodata",)),
    ("stack", ("stack",)),
    ("open claims", ("open_claims",)),
)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that both sides state, differently."""

    kind: str
    old: str
    new: str


Costs = Mapping[tuple[str, str], Mapping[str, str]]


def read_costs(files: Mapping[str, bytes]) -> Costs:
    """(routine, core) -> figure -> number; {} where the tree has no list of costs."""
    text = files.get(costs.NAME, b"").decode("utf-8", "replace")
    rows = list(csv.DictReader(io.StringIO(text)))
    return {
        (row["routine"], row["core"]): {k: v or "" for k, v in row.items() if isinstance(v, str)}
        for row in rows
        if row.get("routine") and row.get("core")
    }


def figures(row: Mapping[str, str] | None) -> dict[str, str]:
    """Figure -> "26", or "26 to 90" where public data decides; left out where it is not known."""
    found = {}
    for name, columns in FIGURES:
        values = [value for column in columns if (value := (row or {}).get(column, ""))]
        if values:
            found[name] = " to ".join(dict.fromkeys(values))
    return found


def cost_facts(old: Mapping[str, str] | None, new: Mapping[str, str] | None) -> Iterator[Fact]:
    before, after = figures(old), figures(new)
    for name, _ in FIGURES:
        a, b = before.get(name, ""), after.get(name, "")
        if a != b:
            yield Fact(name, a or "not known", b or "not known")


def contract_facts(old: Unit, new: Unit) -> Iterator[Fact]:
    """Rows of the contract that are not on both sides."""
    if old.prototype != new.prototype:
        yield Fact("ABI", old.prototype or "none", new.prototype or "none")
    before, after = _sorted_rows(old), _sorted_rows(new)
    for kind in dict.fromkeys((*before, *after)):
        a, b = before.get(kind, []), after.get(kind, [])
        gone = [row for row in a if row not in b]
        come = [row for row in b if row not in a]
        if gone or come:
            yield Fact(kind, "\n".join(gone), "\n".join(come))
    if old.clobbers != new.clobbers:
        yield Fact("clobbers", old.clobbers, new.clobbers)
    for name in old.streams.keys() & new.streams.keys():
        a, b = old.streams[name].contract, new.streams[name].contract
        if name and a != b:
            yield Fact(f"contract of {name}", "\n".join(a), "\n".join(b))


def _sorted_rows(unit: Unit) -> dict[str, list[str]]:
    """Rows of the contract by what they are about; what a row was broken into is put together."""
    found: dict[str, list[str]] = {}
    kind, seen = "description", unit.prototype == ""
    for row in unit.contract:
        named = next((what for lead, what in KINDS if row.startswith(lead)), "")
        if row == unit.prototype:
            seen, kind = True, "bounds"
            continue
        if named:
            kind = named
        elif seen and "  " in row.strip() and not row.startswith(" "):
            kind = "bounds"  # a parameter: its name, two blanks, what holds of it
        elif found.get(kind) and (seen or kind == "description"):
            found[kind][-1] += " " + row.strip()
            continue
        found.setdefault(kind, []).append(row.strip())
    return found


def table_facts(old: Unit, new: Unit) -> Iterator[Fact]:
    """Tables whose values or types differ."""
    for name in dict.fromkeys((*old.tables, *new.tables)):
        a, b = old.tables.get(name), new.tables.get(name)
        if a == b:
            continue
        if a is None or b is None:
            yield Fact("tables", f"{name}" if a else "", f"{name}" if b else "")
            continue
        yield Fact("tables", *_values(name, a, b))


def _values(
    name: str, old: tuple[str, tuple[int, ...]], new: tuple[str, tuple[int, ...]]
) -> tuple[str, str]:
    pairs = [at for at, (x, y) in enumerate(zip(old[1], new[1], strict=False)) if x != y]
    words = [f"{name}: {counted(len(one[1]), 'value')} of {one[0]}" for one in (old, new)]
    if pairs:
        at = pairs[0]
        differ = f"{counted(len(pairs), 'value')} differ, the first at [{at}]"
        words = [f"{words[0]}; {differ}: {old[1][at]}", f"{words[1]}; {differ}: {new[1][at]}"]
    return words[0], words[1]
