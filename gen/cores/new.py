# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The file of a new core: that of a known one with every price spelled out and every key explained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from gen.cores.core import FOLDER, Core, Price, Rules
from gen.cores.kinds import FEATURES, TABLES
from gen.cores.pipes import NUMBERS

LICENCE = "SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT"
COLUMN = 29
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_COMMENTED = re.compile(r"^([\w-]+) *= *[^#\n]*# *(.*)$", re.M)


def text_of(name: str, like: Core, folder: Path = FOLDER) -> str:
    """Text of the file of a core called `name` that is yet the same as `like`."""
    rows = [*_head(name, like), "", *_cycles(like), "", *_rules(like), *_issue(like)]
    said = _comments(folder)
    return "\n".join(_row(row, said) for row in rows) + "\n"


def _comments(folder: Path) -> dict[str, str]:
    """What core files here say behind a key, for each key."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.toml")))
    return {key: said for text in texts for key, said in _COMMENTED.findall(text)}


def _row(row: str, said: dict[str, str]) -> str:
    key = row.partition(" ")[0]
    if "#" in row or key not in said or '["' in row:
        return row
    return f"{row:<{COLUMN}}# {said[key]}"


def _head(name: str, like: Core) -> Iterator[str]:
    yield f"# {LICENCE}"
    yield "# Prices: say here where they are from, a manual and its table, or a measurement: board, clock, wait states."
    yield f'name = "{name}"'
    yield f'like = "{like.key}"'
    yield "# `like`: that core's files serve this one wherever the code is the same."
    yield f"cc = {_list(like.cc)}"
    yield "# `cc`: compiler flags that select the core."
    yield f'cross = "{like.cross}"'
    yield "# `cross`: what the names of its compiler and tools begin with."
    yield f'profile = "{like.profile}"'
    yield "# `profile`: of the architecture, M or A."
    yield f"isa = {_list(like.isa)}"
    yield f"# `isa`: instruction tables that the hardware has, of {' '.join(sorted(TABLES))}."
    yield f"features = {_list(sorted(like.features & {*FEATURES}))}"
    yield f"# `features`: what routines may use, of {' '.join(sorted(FEATURES))}."
    yield f'registers = "{" ".join(like.registers)}"'
    yield "# `registers`: general registers open to allocation, in order of preference."
    if like.fp_registers:
        yield f'fp-registers = "{" ".join(like.fp_registers)}"'
        yield "# `fp-registers`: those that may hold parked values."


def _list(items: tuple[str, ...] | list[str]) -> str:
    return "[" + ", ".join(f'"{item}"' for item in items) + "]"


def _cycles(like: Core) -> Iterator[str]:
    yield "# Cycles of each kind of instruction; a pair [least, most] where the data decides: no secret may go there."
    yield "[cycles]"
    for kind, price in like.cycles.items():
        yield f"{kind} = {_price(price)}"


def _price(price: Price) -> str:
    return f"[{price.low}, {price.high}]" if price.data_dependent else str(price.low)


def _rules(like: Core) -> Iterator[str]:
    yield "# What neighbours, addresses and targets add."
    yield "[rules]"
    for field in fields(Rules):
        value = getattr(like.rules, field.name)
        shown = hex(value) if field.name == "bus_boundary" else value
        yield f"{field.name.replace('_', '-')} = {shown}"


def _issue(like: Core) -> Iterator[str]:
    """What begins together, of a core that begins several instructions in a cycle."""
    issue = like.issue
    if issue is None:
        return
    yield from ("", "# Instructions that begin together.", "[issue]")
    for name in NUMBERS:
        yield f"{name} = {getattr(issue, name.replace('-', '_'))}"
    yield from ("", "# How many of each unit there are.", "[units]")
    yield from (f"{name} = {count}" for name, count in issue.units)
    yield from (
        "",
        "# For each kind the units it takes, and cycles until its result is there.",
        "[pipes]",
    )
    for kind, pipe in issue.pipes:
        yield f'{kind} = ["{" ".join(pipe.units)}", {pipe.latency}]'
