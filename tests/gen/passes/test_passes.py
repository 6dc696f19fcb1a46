# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The pipeline as a whole: its names are modules, and it is fast."""

from __future__ import annotations

import time
from importlib import import_module

from gen.passes import BUILD, PIPELINE, PROOF
from tests.gen.passes.make import routine, shipped

LONG = """
reg a[10] : u32
reg n : u32 slot
reg t : u32
mov n, #3
do:
    spill n
    for i in range(10):
        ldr a[i], [r, #4*i]
    for j in range(1500):
        eor t, a[j%10], a[(j+3)%10], ror #7
        add a[(j*7)%10], t, a[(j*7)%10]
        ldr t, [k, #4*(j%8)]
        eor a[(j+5)%10], a[(j+5)%10], t
    for i in range(10):
        str a[i], [r, #4*i]
    fill n
    subs n, n, #1
while ne
"""


def test_every_pass_is_a_function_of_its_module() -> None:
    for name in PIPELINE:
        assert callable(getattr(import_module(f"gen.passes.{name}"), name))


def test_order() -> None:
    assert set(PROOF) < set(PIPELINE)
    assert tuple(name for name in PIPELINE if name not in (*PROOF, "elaborate")) == BUILD


def seconds(count: int, task: object) -> float:
    """Processor time of the quickest of `count` runs."""
    assert callable(task)
    best = float("inf")
    for _ in range(count):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def test_all_routines_in_a_few_seconds() -> None:
    assert seconds(1, lambda: list(shipped())) < 0.25 * len(list(shipped()))


def test_six_thousand_instructions_in_a_loop() -> None:
    assert seconds(1, lambda: routine(LONG, "check_result")) < 10
