# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Where webs are live along the linear code, as intervals of positions.

Item n has three positions: 3n at its top (where a block is entered), 3n+1 where it reads, 3n+2
where it writes. Two webs are in each other's way when their segments share a position.
"""

from __future__ import annotations

from collections.abc import Iterable

from gen.ir.ir import Var
from gen.passes.colour import Segment
from gen.passes.dataflow import Flow


class Segments:
    """The segments of all webs of some code, numbered in the order of their starts."""

    def __init__(self, flow: Flow, flags: Iterable[Var]) -> None:
        self.flow = flow
        self.skip = flow.mask(var for var in flags if var in flow.number)
        self.spans: dict[int, list[tuple[int, int]]] = {}
        for block in range(len(flow.blocks)):
            self._walk(block)
        rows = [
            Segment(start, end, web)
            for web, spans in self.spans.items()
            for start, end in _merged(spans)
        ]
        self.rows = sorted(rows, key=lambda row: (row.start, row.web))
        self.of: dict[Var, list[int]] = {}
        for number, row in enumerate(self.rows):
            self.of.setdefault(flow.vars[row.web], []).append(number)

    def _walk(self, number: int) -> None:
        """Notes where webs are live in one block."""
        flow, block = self.flow, self.flow.blocks[number]
        open_at = dict.fromkeys(self._webs(flow.live_out(number)), 3 * block.end - 1)
        for at in range(block.end - 1, block.start - 1, -1):
            for web in self._webs(flow.killed[at]):
                end = open_at.get(web, 3 * at + 2)
                if flow.used[at] >> web & 1:
                    open_at[web] = end
                else:
                    open_at.pop(web, None)
                    self.spans.setdefault(web, []).append((3 * at + 2, end))
            for web in self._webs(flow.used[at]):
                open_at.setdefault(web, 3 * at + 1)
        for web, end in open_at.items():
            self.spans.setdefault(web, []).append((3 * block.start, end))

    def _webs(self, mask: int) -> list[int]:
        mask &= ~self.skip
        out = []
        while mask:
            low = mask & -mask
            out.append(low.bit_length() - 1)
            mask ^= low
        return out

    def at(self, var: Var, position: int) -> int | None:
        """Number of the segment of `var` that holds a position."""
        for number in self.of.get(var, ()):
            if self.rows[number].start <= position <= self.rows[number].end:
                return number
        return None

    def fullest(self) -> tuple[int, int]:
        """The position where most segments meet (the first such), and how many do."""
        change: dict[int, int] = {}
        for row in self.rows:
            change[row.start] = change.get(row.start, 0) + 1
            change[row.end + 1] = change.get(row.end + 1, 0) - 1
        best = place = now = 0
        for position in sorted(change):
            now += change[position]
            if now > best:
                best, place = now, position
        return place, best

    def live(self, position: int) -> list[Var]:
        """The webs that hold a register there."""
        return [self.flow.vars[r.web] for r in self.rows if r.start <= position <= r.end]


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of one web, those that touch made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1] + 1:
            out[-1] = out[-1][0], max(end, out[-1][1])
        else:
            out.append((start, end))
    return out
