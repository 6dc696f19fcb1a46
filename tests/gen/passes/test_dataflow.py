# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Blocks, effects and live sets."""

from __future__ import annotations

from gen.ir.ir import Insn, Move
from gen.passes.dataflow import Flow, blocks
from tests.gen.passes.make import routine

LOOP = """
reg n : u32 slot
reg x : u32
mov n, #2
do:
    spill n
    ldr x, [k], #4
    str x, [r], #4
    fill n
    subs n, n, #1
while ne
"""


def flow(lines: str) -> Flow:
    return Flow(routine(lines, "flow").code)


def test_blocks_of_a_loop() -> None:
    made = blocks(routine(LOOP, "flow").code)
    assert [block.after for block in made] == [(1,), (1,)]
    assert made[1].start == made[0].end


def test_end_of_the_code_is_left() -> None:
    made = flow(LOOP)
    assert [made.leaves(number) for number in range(2)] == [False, True]


def test_live_into_a_loop() -> None:
    made = flow(LOOP)
    assert sorted(var.name for var in made.names(made.live_in[0])) == ["k", "r"]
    assert sorted(var.name for var in made.names(made.live_in[1])) == ["k", "n", "r"]


def test_spilled_register_is_free_and_its_home_live() -> None:
    made = flow(LOOP)
    at = next(n for n, item in enumerate(made.items) if isinstance(item, Move)) + 1
    live = dict(made.backwards(1))[at]
    assert sorted(var.name for var in made.names(live)) == ["home of n", "k", "r", "x"]


def test_conditional_write_keeps_the_old_value_live() -> None:
    made = flow("reg x : u32\nldr x, [k]\ncmp x, #1\nthen eq:\n    mov x, #2\nstr x, [r]")
    at = next(n for n, i in enumerate(made.items) if isinstance(i, Insn) and i.cond is not None)
    assert made.used[at] & made.killed[at] & made.mask([v for v in made.vars if v.name == "x"])


def test_flags_are_followed_one_by_one() -> None:
    lines = "reg x, y : u32\nldr x, [k]\nldr y, [k]\nadds x, x, y\nmuls_or\nadc x, x, y\nstr x, [r]"
    made = flow(lines.replace("muls_or\n", "eors y, y, x\n"))
    adds = next(
        n
        for n, i in enumerate(made.items)
        if isinstance(i, Insn) and i.form and i.form.name == "adds"
    )
    live = dict(made.backwards(0))[adds]
    assert {var.name for var in made.names(live)} & {"N", "Z", "C", "V"} == {"C"}
