# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The ABI check: before its silence counts, it is shown to shout at each kind of offence."""

import random
from functools import cache

import pytest

from gen.cores.core import load_core
from gen.emu.abi import Buffer, Verdict, check_call
from gen.emu.build import assemble
from gen.emu.image import Image
from gen.emu.machine import CALLEE_SAVED, Machine, Wide

GENERAL = [name for name in CALLEE_SAVED if name.startswith("r")]
FLOATING = [name for name in CALLEE_SAVED if name.startswith("s") and name != "sp"]

BODIES = {
    "good": "push {r4-r11, lr}; vpush {s16-s31}; ldr r4, [r0]; str r4, [r0, #4]; "
    "ldr r0, [sp, #100]; vpop {s16-s31}; pop {r4-r11, pc}",
    "sp": "sub sp, #8; bx lr",
    "reads_beyond": "ldr r1, [r0, #8]; bx lr",
    "reads_across": "ldr r1, [r0, #6]; bx lr",
    "writes_before": "strb r1, [r0, #-1]; bx lr",
    "writes_input": "str r1, [r0]; bx lr",
    "reads_caller": "ldr r1, [sp, #4]; bx lr",
    "writes_caller": "str r1, [sp, #8]; bx lr",
    "below_sp": "str r0, [sp, #-8]; nop; ldr r0, [sp, #-8]; bx lr",
    "pushed": "push {r0}; nop; pop {r0}; bx lr",
    "table": "ldr r0, =0x12345678; bx lr; .ltorg",
    **{f"spoil_{name}": f"eor {name}, {name}, #1; bx lr" for name in GENERAL},
    **{f"spoil_{name}": f"vmov {name}, r0; bx lr" for name in FLOATING},
}


@cache
def image() -> Image:
    text = ".syntax unified\n.thumb\n.text\n"
    for name, body in BODIES.items():
        lines = "\n".join(body.split("; "))
        text += f".balign 4\n.type {name}, %function\n{name}:\n{lines}\n.size {name}, . - {name}\n"
    return assemble(text, load_core("cortex-m4f"))


def verdict(symbol: str, *extra: int | Wide, writable: bool = True) -> Verdict:
    machine = Machine(image())
    address = machine.alloc(bytes(range(8)))
    buffers = [Buffer(address, 8, writable)]
    return check_call(machine, symbol, (address, *extra), buffers, random.Random(3))


def test_a_good_function_passes() -> None:
    assert verdict("good", 0, 0, 0, 99) == Verdict(99, ())
    assert verdict("table") == Verdict(0x12345678, ())


@pytest.mark.parametrize("name", [*GENERAL, *FLOATING])
def test_each_spoiled_register_is_noticed(name: str) -> None:
    (broken,) = verdict(f"spoil_{name}").broken
    assert broken.startswith(f"{name} was ")


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        ("sp", "sp was"),
        ("reads_beyond", "reads 4 bytes"),
        ("reads_across", "reads 4 bytes"),
        ("writes_before", "writes 1 bytes"),
        ("reads_caller", "reads 4 bytes"),
        ("writes_caller", "writes 4 bytes"),
    ],
)
def test_other_offences_are_noticed(symbol: str, words: str) -> None:
    assert any(words in broken for broken in verdict(symbol).broken)


def test_writing_an_input_is_noticed() -> None:
    assert verdict("writes_input").broken == ()
    assert "writes 4 bytes" in verdict("writes_input", writable=False).broken[0]


def test_below_sp_nothing_survives() -> None:
    address = Machine(image()).alloc(bytes(8))
    assert verdict("pushed").result == address
    assert verdict("below_sp").result != address
