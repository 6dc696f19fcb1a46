# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Source texts and the places in them that a message can point at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """One text, known by the path a user would type (forward slashes)."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts = [0]
        for offset, char in enumerate(self.text):
            if char == "\n":
                starts.append(offset + 1)
        return tuple(starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from one."""
        from bisect import bisect_right

        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Text of line `number` (from one), without its end."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.line_column(self.start)[0]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))


NOWHERE = Span(Source("<generated>", "\n"), 0, 0)
