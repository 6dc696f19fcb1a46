# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Secrets are followed through every way of moving data, and what betrays one is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.emu.build import assemble, link
from gen.emu.debug import Debug
from gen.emu.machine import Fault, Machine
from gen.emu.taint import Tracker

M3, M4 = load_core("cortex-m3"), load_core("cortex-m4")
SECRET, PUBLIC = 64, 64  # bytes of the two buffers, in r0 and r1
HEAD = ".syntax unified\n.thumb\n.globl f\n.type f, %function\nf:\n"


def tracked(body: str, core: str = "cortex-m4") -> tuple[Tracker, tuple[int, int]]:
    """A function of these lines, called with a secret buffer and a public one."""
    chosen = load_core(core)
    text = HEAD + "".join(f"\t{line.strip()}\n" for line in body.strip().splitlines())
    machine = Machine(assemble(text + "\tbx lr\n.size f, . - f\n", chosen))
    tracker = Tracker(machine, chosen)
    at = machine.alloc(bytes(range(SECRET))), machine.alloc(PUBLIC)
    tracker.poison(at[0], SECRET)
    tracker.call("f", *at)
    return tracker, at


def secret_bytes(body: str) -> list[int]:
    """Which bytes of the public buffer are secret afterwards; nothing may be found."""
    tracker, at = tracked(body)
    assert not tracker.findings, [str(found) for found in tracker.findings.values()]
    simulated = tracker.secret(at[1], PUBLIC)
    tracker.publish(at[1], PUBLIC)
    tracker.machine.write(at[1], bytes(PUBLIC))
    tracker.call("f", *at)
    assert tracker.secret(at[1], PUBLIC) == simulated, "from memory it must be the same"
    return [n for n, secret in enumerate(tracker.secret(at[1], PUBLIC)) if secret]


# lines -> bytes of the public buffer that are secret afterwards
FLOWS = {
    "ldr r2, [r0]\nstrb r2, [r1, #3]": [3],
    "ldrb r2, [r0, #5]\nstrh r2, [r1, #2]": [2, 3],
    "ldr r2, [r0]\nmovs r2, #0\nstr r2, [r1]": [],
    "ldr r2, [r0]\neors r2, r2\nstr r2, [r1]": [],
    "ldr r2, [r0]\nldr r3, [r1]\nadds r2, r3\nmov r3, #0\nadc r3, r3, r3\nstr r3, [r1]": [
        0,
        1,
        2,
        3,
    ],
    "ldr r2, [r0]\nlsrs r2, #1\nmov r3, #0\nrrx r3, r3\nstr r3, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nadds r2, #1\nmov r3, #0\nadds r3, #1\nadc r3, r3, #0\nstr r3, [r1]": [],
    "ldrd r2, r3, [r0], #8\nstrd r2, r3, [r1, #8]!": list(range(8, 16)),
    "ldm r0, {r2, r3}\nmov r2, #0\nstm r1!, {r2, r3}": [4, 5, 6, 7],
    "ldr r2, [r0]\npush {r2, r3}\npop {r3, r12}\nstr r3, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nmov r3, #7\nbfi r3, r2, #4, #4\nstr r3, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nmov r3, r2\nmovt r3, #0\nstr r3, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nmov r3, #1\nmov r12, #1\numlal r12, r2, r3, r3\nstr r2, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nmov r3, #1\nmla r2, r3, r3, r2\nstr r2, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nmov r3, #1\npkhbt r3, r3, r2\nstr r3, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nmov r3, #1\nuxtab r3, r3, r2\nstr r3, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nuadd8 r2, r2, r2\nsel r2, r1, r1\nstr r2, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nqadd r2, r2, r2\nmrs r2, apsr\nstr r2, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\ncmp r2, #0\nmrs r2, apsr\nstr r2, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\ncmp r2, #4\nite lo\nmovlo r3, #1\nmovhs r3, #2\nstr r3, [r1]": [0, 1, 2, 3],
    "ldr r2, [r0]\nmov r3, #0\ncmp r1, #0\nit eq\nmoveq r3, r2\nstr r3, [r1]": [],
    "ldr r2, [r0]\nmov r3, #0\ncmp r1, #0\nit ne\nmovne r3, r2\nstr r3, [r1]": [0, 1, 2, 3],
    # the condition is decided inside the block: secret as soon as it may be
    "ldr r2, [r0]\ncmp r1, #0\nittt ne\nmovne r3, #0\ncmpne r1, #1\nmovne r3, r2\nstr r3, [r1]": [
        0,
        1,
        2,
        3,
    ],
    # the address of the second access comes from the first: another segment
    "str r1, [r1, #8]\nldr r2, [r1, #8]\nldr r3, [r0]\nstr r3, [r2, #4]": [4, 5, 6, 7],
    # two names for one place
    "mov r2, r1\nldr r3, [r0]\nstr r3, [r1]\nldr r3, [r2]\nstrb r3, [r1, #9]": [0, 1, 2, 3, 9],
    "ldr r3, [r0]\nstr r3, [r1]\nadd r2, r1, r1\nsub r2, r2, r1\nmov r3, #0\nstrb r3, [r2, #1]": [
        0,
        2,
        3,
    ],
}


@pytest.mark.parametrize("body", FLOWS, ids=lambda body: body.replace("\n", "; "))
def test_flow(body: str) -> None:
    assert secret_bytes(body) == FLOWS[body]


def test_fp_registers() -> None:
    body = (
        "ldr r2, [r0]\nvmov s1, r2\nvmov s0, r1\nvpush {d0}\nvpop {d8}\nvmov r2, s17\nstr r2, [r1]"
    )
    machine = Machine(assemble(HEAD + f".fpu fpv4-sp-d16\n{body}\nbx lr\n.size f, . - f\n", M4))
    tracker = Tracker(machine, M4)
    at = machine.alloc(64), machine.alloc(64)
    tracker.poison(at[0], 4)
    tracker.call("f", *at)
    assert sum(tracker.secret(at[1], 64)) == 4


# lines -> how they betray a secret
LEAKS = {
    "ldr r2, [r0]\ncmp r2, #0\nbeq 0f\nnop\n0:": "branch",
    "ldr r2, [r0]\ncbz r2, 0f\nnop\n0:": "branch",
    "ldrb r2, [r0]\nldrb r2, [r1, r2]": "address",
    "ldrb r2, [r0]\nadd r2, r1\nstrb r1, [r2]": "address",
    "ldrb r2, [r0]\nadd r2, r1\nldr r3, [r2]\nldr r3, [r1]": "address",
    "ldrb r2, [r0]\nand r2, #1\ntbb [pc, r2]\n.byte 1, 1\n": "branch",
    "ldr r2, [r0]\ncmp r2, #0\nit eq\nstreq r1, [r1]": "access",
    "ldr r2, [r0]\nmov r3, #3\nudiv r2, r2, r3": "time",
    "ldr r2, [r0]\nmov r3, #3\nsdiv r2, r3, r2": "time",
    "ldr r2, [r0]\ncmp r2, #1\nit ne\nudivne r3, r1, r1": "time",
}


@pytest.mark.parametrize("body", LEAKS, ids=lambda body: body.replace("\n", "; "))
def test_leak(body: str) -> None:
    tracker, _ = tracked(body)
    assert LEAKS[body] in {how for how, _ in tracker.findings}
    harmless, _ = tracked(body.replace("[r0]", "[r1]"))
    assert not harmless.findings


def test_long_multiplication_takes_its_time_on_some_cores() -> None:
    body = "ldr r2, [r0]\nmov r3, #3\numull r2, r3, r2, r3"
    assert {how for how, _ in tracked(body, "cortex-m3")[0].findings} == {"time"}
    assert not tracked(body)[0].findings


def test_public_again() -> None:
    tracker, at = tracked("ldr r2, [r0]\nstr r2, [r1]")
    tracker.publish(at[1] + 1, 2)
    assert tracker.secret(at[1], 4) == b"\1\0\0\1"
    tracker.forget()
    assert not any(tracker.secret(at[0], SECRET))


def test_an_instruction_that_is_not_understood_is_an_error() -> None:
    text = HEAD + ".fpu fpv4-sp-d16\nvadd.f32 s0, s0, s0\nbx lr\n.size f, . - f\n"
    machine = Machine(assemble(text, M4))
    with pytest.raises(Fault, match=r"no instruction that is understood at f\+0x0"):
        Tracker(machine, M4).call("f")


PLANTED = """
unsigned table[8];
unsigned branch(const unsigned *secret) { return *secret & 1 ? table[0] * 3 + table[1] : table[2]; }
unsigned look_up(const unsigned *secret) { return table[*secret & 7]; }
unsigned divide(const unsigned *secret) { return 1000 / *secret; }
unsigned fine(const unsigned *secret) { return (0 - (*secret & 1)) & 12345; }
"""


def planted(tmp_path: Path, level: str) -> dict[str, list[str]]:
    """Source lines and kinds that are found in each of the functions."""
    source, program = tmp_path / "planted.c", tmp_path / "planted.elf"
    source.write_text(PLANTED, encoding="utf-8")
    names = ("branch", "look_up", "divide", "fine")
    flags = [level, "-g", *(f"-Wl,-u,{name}" for name in names)]
    machine = Machine(link([source], M4, flags, program))
    debug, tracker = Debug(program), Tracker(machine, M4)
    at, found = machine.alloc(b"\5\0\0\0"), {}
    for name in names:
        tracker.forget()
        tracker.poison(at, 4)
        tracker.call(name, at)
        found[name] = [
            f"{one.how} {Path(debug.line(one.address)).name}" for one in tracker.findings.values()
        ]
    return found


@pytest.mark.parametrize("level", ("-O0", "-Os", "-O3"))
def test_planted_in_c(level: str, tmp_path: Path) -> None:
    found = planted(tmp_path, level)
    assert found["look_up"] == ["address planted.c:4"]
    assert found["divide"] == ["time planted.c:5"]
    assert found["fine"] == []
    assert found["branch"] and all(re.fullmatch(r"\w+ planted\.c:3", x) for x in found["branch"])


MARKED = """
#include "common/declassify.h"
unsigned table[8];
unsigned one(const unsigned *secret)
{
    unsigned x = *secret & 7;
    ARMSCRIBE_DECLASSIFY_VALUE("x", x);
    return table[x];
}
unsigned many(unsigned *secret, unsigned n)
{
    ARMSCRIBE_DECLASSIFY("first", secret, n);
    return table[secret[0] & 7] + table[secret[1] & 7];
}
"""


@pytest.mark.parametrize("level", ("-O0", "-O2"))
def test_declassified(level: str, root: Path, tmp_path: Path) -> None:
    source, program = tmp_path / "marked.c", tmp_path / "marked.elf"
    source.write_text(MARKED, encoding="utf-8")
    for marks, betrayed in (("-DARMSCRIBE_MARK_DECLASSIFIED", 1), ("-DNOTHING", 3)):
        flags = [level, marks, f"-I{root / 'lib'}", "-Wl,-u,one,-u,many"]
        machine = Machine(link([source], M4, flags, program))
        tracker = Tracker(machine, M4, Debug(program).marks())
        at = machine.alloc(bytes(8))
        for name in ("one", "many"):
            tracker.poison(at, 8)
            tracker.call(name, at, 4)
        assert len(tracker.findings) == betrayed
        assert tracker.passed == ({"x": 1, "first": 1} if betrayed == 1 else {})
