# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Order files, asm-src/SCHEME/NAME.CORE.order: TOML, a section for the routine and for each of its subs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from gen.cores.core import Core, lineage
from gen.cores.toml import Table, parse
from gen.diag import Bag
from gen.ir.ir import Routine
from gen.ir.order import Order, Row
from gen.read.source import Source

SUFFIX = ".order"
WIDTH = 100
_KEYS = ("code", "items", "places")
_SPAN = re.compile(r"(\d+)(?:-(\d+))?")


def path_of(source: str, core: str) -> str:
    """The order file of a source: asm-src/mlkem/ntt.rasm -> asm-src/mlkem/ntt.cortex-m7.order."""
    return f"{source.removesuffix('.rasm')}.{core}{SUFFIX}"


def order_for(root: Path, source: str, core: Core) -> Order | None:
    """The order of this core, or of the nearest that it is like. Raises `Failed`: bad-order."""
    for one in reversed(lineage(core)):
        path = path_of(source, one.key)
        text = text_at(root, path)
        if text:
            return read(path, text, one.key)
    return None


def text_at(root: Path, path: str) -> str:
    """The text of an order file, "" where there is none."""
    try:
        return (root / path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def texts_for(root: Path, source: str, core: Core) -> list[str]:
    """The texts of all order files that can decide about the code of a source on a core."""
    texts = (text_at(root, path_of(source, one.key)) for one in lineage(core))
    return [text for text in texts if text]


@lru_cache(maxsize=32)
def read(path: str, text: str, core: str) -> Order:
    """The order that a file states."""
    bag = Bag()
    table = parse(Source(path, text), bag)
    bag.close()
    rows = {}
    for name in table.keys(""):
        rows[name] = _row(table, name, bag)
    bag.close()
    return Order(core, rows)


def _row(table: Table, name: str, bag: Bag) -> Row:
    values = {}
    for key in _KEYS:
        value = table.get(f"{name}.{key}")
        if not isinstance(value, str):
            bag.error("bad-order", table.span(f"{name}.{key}"), f"{key} must be a string")
        values[key] = value if isinstance(value, str) else ""
    for key in table.keys(name):
        if key not in _KEYS:
            help = f"the keys here are: {' '.join(_KEYS)}"
            bag.error("bad-order", table.span(f"{name}.{key}"), f"unknown key {key}", help=help)
    try:
        items = tuple(_numbers(values["items"]))
    except ValueError as error:
        bag.error("bad-order", table.span(f"{name}.items"), str(error))
        items = ()
    places = tuple(values["places"].split())
    return Row(values["code"], items, places, table.span(f"{name}.code"))


def _numbers(text: str) -> Iterator[int]:
    for word in text.split():
        match = _SPAN.fullmatch(word)
        if match is None:
            raise ValueError(f"{word} is no number and no span of numbers")
        first = int(match[1])
        yield from range(first, int(match[2] or first) + 1)


def with_order(routine: Routine, order: Order | None) -> Routine:
    """The routine and its subs with a committed order."""
    subs = tuple(replace(sub, order=order) for sub in routine.subs)
    return replace(routine, order=order, subs=subs)


# --- writing ---------------------------------------------------------------------------------------------


def text_of(rows: Sequence[tuple[str, Row]], made_by: str) -> str:
    """The text of a file with these rows."""
    lines = ["# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT", f"# Made by: {made_by}"]
    for name, row in rows:
        lines += ["", f"[{name}]", f'code = "{row.code}"']
        lines += _long("items", [*_spans(row.items)])
        lines += _long("places", row.places)
    return "\n".join(lines) + "\n"


def _spans(items: Sequence[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(items), key=lambda pair: pair[1] - pair[0]):
        row = [number for _, number in group]
        yield f"{row[0]}-{row[-1]}" if len(row) > 1 else str(row[0])


def _long(key: str, words: Sequence[str]) -> Iterator[str]:
    """A string over lines of bounded width."""
    yield f'{key} = """\\'
    line = ""
    for word in words:
        if len(line) + len(word) + 1 > WIDTH:
            yield line + " \\"
            line = ""
        line += (" " if line else "") + word
    yield line + '"""'
