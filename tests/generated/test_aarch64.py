# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Keccak-f[1600] on AArch64 cores: values, calls, instruction counts and what registers are left alone, in every form."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from gen.cores.core import load_core
from gen.emu.a64 import KEPT, Called, Machine64
from gen.emu.abi import Buffer
from gen.emu.build import assemble, link
from tests.generated import kit
from tests.ref import keccak

STATES = 12  # random ones a form, behind the extreme ones
TABLE = "keccak_lanes64"


@dataclass(frozen=True)
class Code:
    """A routine of a core in a form; `most`: instructions a call may execute."""

    core: str
    symbol: str
    form: str
    most: int
    states: int = 1

    def __str__(self) -> str:
        return f"{self.symbol}-{self.core}-{self.form}"


# Counts of public implementations are the limits; of what a compiler makes of intrinsics a tenth more.
CODES = [
    Code(core, symbol, form, most, states)
    for core, symbol, most, states in (
        ("cortex-a53", "keccak_f1600_u64", 2780, 1),
        ("cortex-a710", "keccak_f1600_u64", 1700, 1),
        ("cortex-a710", "keccak_f1600_x2", 1758, 2),
    )
    for form in ("gas", "inline")
]
INTRINSICS = [
    replace(code, form="acle", most=code.most * 11 // 10)
    for code in CODES
    if code.form == "gas" and "sha3" in load_core(code.core).isa
]
every = pytest.mark.parametrize("code", CODES + INTRINSICS, ids=str)
assembly = pytest.mark.parametrize("code", CODES, ids=str)


@cache
def machine(code: Code, level: str = "-O2") -> Machine64:
    files = kit.taken(code.core, code.form)
    inputs = [files[code.symbol], files[TABLE]]
    flags = [level, kit.INCLUDE, kit.backend(code.core, code.form), f"-Wl,-u,{code.symbol}"]
    flags += ["-ffixed-x18"] * (code.form == "acle")  # there the choice is the compiler's
    return Machine64(link(inputs, load_core(code.core), flags))


def states(code: Code) -> Iterator[list[int]]:
    """Lanes of extreme and random states."""
    rng = random.Random(str(code))
    count = 25 * code.states
    yield from ([0] * count, [2**64 - 1] * count, [1 << i % 64 for i in range(count)])
    for _ in range(STATES):
        yield [rng.getrandbits(64) for _ in range(count)]


def call(
    code: Code, lanes: list[int], seed: int = 0, level: str = "-O2"
) -> tuple[list[int], Called]:
    """The lanes after a call, at an address that is a multiple of four only."""
    core = machine(code, level)
    packed = struct.pack(f"<{len(lanes)}Q", *lanes)
    at = core.alloc(packed, 16, 4)
    args = [at, core.image["keccak_round_constants64"].address]
    done = core.call(code.symbol, args, [Buffer(at, len(packed))], random.Random(seed))
    return list(struct.unpack(f"<{len(lanes)}Q", core.read(at, len(packed)))), done


@every
def test_values_and_calls(code: Code) -> None:
    for seed, lanes in enumerate(states(code)):
        got, done = call(code, lanes, seed)
        parts = [keccak.permute(lanes[i : i + 25]) for i in range(0, len(lanes), 25)]
        assert got == [lane for part in parts for lane in part]
        assert done.broken == ()


@every
def test_instructions(code: Code) -> None:
    _, done = call(code, [0] * 25 * code.states)
    assert done.instructions <= code.most
    routine = kit.routines_of(code.core, code.symbol)
    if code.form == "gas":  # the figures of COSTS.csv are those of the machine
        assert routine.cost is not None
        assert routine.cost.instructions == (done.instructions,) * 2
        assert routine.frame.depth == done.stack


@pytest.mark.parametrize("level", ["-O1", "-O3", "-Os"])
@pytest.mark.parametrize("code", INTRINSICS, ids=str)
def test_intrinsics_at_other_levels(code: Code, level: str) -> None:
    lanes = list(range(25 * code.states))
    got, done = call(code, lanes, 0, level)
    assert got == call(replace(code, form="gas"), lanes)[0]
    assert done.instructions <= code.most and done.broken == ()


def test_scalar_code_in_c() -> None:
    """What has no intrinsic is C from the meaning."""
    code = replace(CODES[0], form="acle")
    assert call(code, [3] * 25)[0] == call(CODES[0], [3] * 25)[0]


@assembly
def test_registers_that_are_nobodys(code: Code) -> None:
    """x18 and x29 stand nowhere in the text; the routine for two states uses every vector register."""
    text = kit.taken(code.core, code.form)[code.symbol].read_text(encoding="utf-8")
    body = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    assert not re.search(r"\b[xw](18|29)\b", body)
    vectors = {int(number) for number in re.findall(r"\b[vdq](\d+)\b", body)}
    assert code.states == 1 or vectors == set(range(32))


# --- planted faults ----------------------------------------------------------------------------------

FAULTS = {
    "x19": "mov x19, #1",
    "x18": "mov x18, #1",
    "x29": "mov x29, #1",
    "v8": "movi v8.2d, #0",
    "writes": "str x1, [x0, #-8]",
    "reads": "ldr x1, [x0, #200]",
    "SP": "sub sp, sp, #8\n nop\n add sp, sp, #8",
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_broken_rule_is_noticed(what: str) -> None:
    head = ".global f\n.type f, %function\nf:\n"
    core = Machine64(assemble(f"{head} {FAULTS[what]}\n ret\n", load_core("cortex-a53")))
    at = core.alloc(bytes(200))
    broken = core.call("f", [at], [Buffer(at, 200)], random.Random(1)).broken
    assert any(what in text for text in broken), broken
    assert {"x18", "x29", "x19"} <= {*KEPT}


def test_the_upper_half_of_a_kept_vector_register_is_free() -> None:
    head = ".global f\n.type f, %function\nf:\n"
    core = Machine64(assemble(f"{head} mov v8.d[1], x0\n ret\n", load_core("cortex-a53")))
    assert core.call("f", [], [], random.Random(1)).broken == ()


def test_both_forms_have_one_body() -> None:
    """The bytes between frame and exit are those of the `.S` file."""
    for code in CODES:
        if code.form == "gas":
            bodies = [body(Code(code.core, code.symbol, form, 0)) for form in ("gas", "inline")]
            assert bodies[0] in bodies[1]


def body(code: Code) -> bytes:
    """From behind the frame to the last store of a lane, or the whole of a function in C."""
    core = machine(code)
    symbol = core.image[code.symbol]
    whole = core.read(symbol.address, symbol.size)
    routine = kit.routines_of(code.core, code.symbol)
    parts = [item.part for item in routine.final if hasattr(item, "part")]
    if code.form == "gas":
        return whole[4 * parts.count("entry") : 4 * (len(parts) - parts.count("exit"))]
    return whole

