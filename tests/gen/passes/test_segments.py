# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Live ranges as intervals of positions."""

from __future__ import annotations

from gen.ir.ir import Insn
from gen.passes.dataflow import FLAGS, Flow
from gen.passes.segments import Segments
from tests.gen.passes.make import routine


def segments(lines: str) -> Segments:
    flow = Flow(routine(lines, "liveness").code)
    return Segments(flow, (*FLAGS.values(), *flow.homes.values()))


def spans(made: Segments, name: str) -> list[tuple[int, int]]:
    return sorted((row.start, row.end) for row in made.rows if made.flow.vars[row.web].name == name)


def test_from_write_to_last_read() -> None:
    made = segments("reg x : u32\nldr x, [k]\nstr x, [r]")
    assert spans(made, "x") == [(2, 4)]
    assert spans(made, "k") == [(0, 1)]
    assert spans(made, "r") == [(0, 4)]


def test_result_nobody_reads_still_needs_a_register() -> None:
    made = segments("reg x, lo, hi : u32\nldr x, [k]\numull lo, hi, x, x\nstr hi, [r]")
    assert spans(made, "lo") == [(5, 5)]


def test_loop_carried_value_has_two_segments() -> None:
    made = segments(
        "reg n, x : u32\nmov n, #2\ndo:\n    sub n, n, #1\n    ldr x, [k]\n    add x, x, n\n"
        "    str x, [r]\n    lsls n, x, #1\nwhile ne"
    )
    at = [place for place, item in enumerate(made.flow.items) if isinstance(item, Insn)]
    carried = [row for row in made.of.values() if len(row) > 1]
    assert len(carried) == 1
    rows = [made.rows[number] for number in carried[0]]
    assert rows[0].end == 3 * at[4] + 1 or rows[-1].end == 3 * len(made.flow.items) - 1


def test_fullest_place() -> None:
    made = segments("reg x, y : u32\nldr x, [k]\nldr y, [k]\nadd x, x, y\nstr x, [r]")
    place, count = made.fullest()
    assert count == 3
    assert {var.name for var in made.live(place)} <= {"r", "k", "x", "y"}
    assert len(made.live(place)) == count


def test_segment_at_a_position() -> None:
    made = segments("reg x : u32\nldr x, [k]\nstr x, [r]")
    (x,) = [var for var in made.of if var.name == "x"]
    assert made.at(x, 1) is None
    assert made.at(x, 2) is not None
