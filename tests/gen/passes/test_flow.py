# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Loops and choices become labels and branches."""

from __future__ import annotations

from gen.ir.ir import Label
from tests.gen.passes.make import complaints, routine, text


def code(lines: str) -> list[str]:
    return text(routine("reg n, x : u32\nmov n, #2\n" + lines, "flow").code)


def test_counted_loop() -> None:
    assert code("do:\n    subs n, n, #1\nwhile ne") == [
        "mov n, #2",
        "0:",
        "subs n, n, #1",
        "bne 0",
    ]


def test_loop_with_break() -> None:
    lines = "loop at most 9:\n    subs n, n, #1\n    break eq\n    add n, n, #1"
    assert code(lines)[1:] == ["0:", "subs n, n, #1", "beq 1", "add n, n, #1", "b 0", "1:"]


def test_break_at_the_end_closes_the_loop() -> None:
    lines = "loop at most 9:\n    subs n, n, #1\n    break eq"
    assert code(lines)[1:] == ["0:", "subs n, n, #1", "bne 0", "1:"]


def test_break_out_of_a_counted_loop_inside() -> None:
    lines = "loop at most 9:\n    do:\n        cmp n, #1\n        break eq\n    while ne"
    assert code(lines)[1:] == ["0:", "2:", "cmp n, #1", "beq 1", "bne 2", "b 0", "1:"]


def test_limits_stand_at_the_heads() -> None:
    made = routine("reg n : u32\nmov n, #2\nloop at most 9:\n    cmp n, #1\n    break ne", "flow")
    assert [item.loop for item in made.code if isinstance(item, Label)] == [9, 0]


def test_choice() -> None:
    lines = "cmp n, #1\nwhen eq:\n    mov x, #1\notherwise:\n    mov x, #2"
    assert code(lines)[2:] == ["bne 0", "mov x, #1", "b 1", "0:", "mov x, #2", "1:"]


def test_choice_without_other() -> None:
    assert code("cmp n, #1\nwhen hi:\n    mov x, #1")[2:] == ["bls 1", "mov x, #1", "1:"]


def test_conditional_block_keeps_conditions() -> None:
    assert code("cmp n, #1\nthen eq:\n    mov x, #1\n    add x, x, #2")[2:] == [
        "moveq x, #1",
        "addeq x, x, #2",
    ]


def test_break_needs_a_loop() -> None:
    assert [c.code for c in complaints("reg n : u32\nmov n, #1\nbreak eq", "flow")] == ["syntax"]
