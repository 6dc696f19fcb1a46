# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Watched accesses inside IT blocks change nothing in what comes after the block."""

import pytest

from gen.cores.core import load_core
from gen.emu.build import assemble
from gen.emu.machine import Machine

# Counts n down; every second round stores inside an IT block. Returns the sum of what it loads.
_LOOP = """
    .syntax unified
    .thumb
    .text
    .global loop
    .type loop, %function
    .balign 4
loop:
    push {r4, lr}
    movs r2, #0
again:
    ldr r3, [r0]
    ldr r4, [r0, #4]
    add r2, r2, r3
    add r2, r2, r4
    b middle
middle:
    tst r1, #1
    itt ne
    strne r1, [r0, #8]
    addne r2, r2, #100
    subs r1, r1, #1
    bne again
    mov r0, r2
    tst r0, r0
    it ne
    popne {r4, pc}
    pop {r4, pc}
"""


@pytest.mark.parametrize("watched", (False, True))
def test_loop_with_it_blocks(watched: bool) -> None:
    machine = Machine(assemble(_LOOP, load_core("cortex-m4")))
    if watched:
        machine.each_access(lambda _write, _address, _size: None)
    for n in (1, 2, 3, 10, 11):
        at = machine.alloc(b"\1\0\0\0\2\0\0\0\0\0\0\0")
        assert machine.call("loop", at, n) == 3 * n + 100 * ((n + 1) // 2)
