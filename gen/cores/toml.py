# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""TOML with places: the values of a file by dotted key, and where each key stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from gen.diag import Bag
from gen.read.source import Source, Span

Value = str | int | list[object]

_HEADER = re.compile(r"\s*\[([^\]]+)\]")
_KEY = re.compile(r'\s*("?)([\w-]+)\1\s*=')


@dataclass(frozen=True)
class Table:
    """Values and places of one file, by key: "name", "cycles.alu"; sections have places too."""

    source: Source
    values: dict[str, Value]
    places: dict[str, Span]

    def get(self, key: str) -> Value | None:
        return self.values.get(key)

    def span(self, key: str) -> Span:
        """Where `key` stands, else its section, else the first character."""
        section = key.rpartition(".")[0]
        return self.places.get(key) or self.places.get(section) or Span(self.source, 0, 1)

    def keys(self, section: str) -> Iterator[str]:
        """Names in a section, in order of the file; in "" those of the top and of sections."""
        names = (
            key.split(".", 1) if section else (key.split(".")[0],)
            for key in (*self.values, *self.places)
        )
        if not section:
            yield from dict.fromkeys(name for (name, *_) in names)
        else:
            yield from dict.fromkeys(
                parts[1] for parts in names if parts[0] == section and len(parts) > 1
            )


def parse(source: Source, bag: Bag) -> Table:
    """The table of a text. A text that is no TOML is an error in the bag and an empty table."""
    try:
        tree = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        bag.error("syntax", _where(source, str(error)), f"not TOML: {error}")
        return Table(source, {}, {})
    values: dict[str, Value] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            values |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            values[key] = value
    return Table(source, values, dict(_places(source)))


def _places(source: Source) -> Iterator[tuple[str, Span]]:
    section, start = "", 0
    for line in source.text.splitlines(keepends=True):
        if header := _HEADER.match(line):
            yield header[1].strip(), Span(source, start + header.start(1), start + header.end(1))
            section = header[1].strip() + "."
        elif key := _KEY.match(line):
            yield section + key[2], Span(source, start + key.start(2), start + key.end(2))
        start += len(line)


def _where(source: Source, message: str) -> Span:
    """The place in "... (at line 3, column 5)"; the end of the text when the message names none."""
    match = re.search(r"line (\d+), column (\d+)", message)
    if match is None:
        return Span(source, max(0, len(source.text) - 1), len(source.text))
    lines = source.text.splitlines(keepends=True)
    start = sum(len(line) for line in lines[: int(match[1]) - 1]) + int(match[2]) - 1
    return Span(source, start, start + 1)
