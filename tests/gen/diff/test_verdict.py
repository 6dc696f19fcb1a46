# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Verdicts: what is the same is seen to be, and what is not is never taken for the same."""

from __future__ import annotations

import random
import re

import pytest

from gen.cores.core import load_core
from gen.diff.text import read_unit
from gen.diff.verdict import CHANGED, IDENTICAL, RENAMED, REORDERED, UNKNOWN, compare_streams, worst
from gen.emu.build import assemble
from gen.emu.machine import RAM, Fault, Machine
from tests.gen.diff.samples import code_rows, real, text, unit

FIRST = (
    "ldr r2, [r0]",
    "ldr r3, [r1, #4]",
    "adds r2, r2, r3",
    "adc r3, r3, #1",
    "str r2, [r0]",
    "str r3, [r0, #4]",
    "mov r0, r3",
    "bx lr",
)


def verdict(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    return worst([one.verdict for one in compare_streams(unit(*old), unit(*new)).values()])


def swapped(lines: tuple[str, ...], at: int) -> tuple[str, ...]:
    return (*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :])


def test_comments_and_names_of_labels_are_no_change() -> None:
    loop = ("mov r2, #4", "{}:", "subs r2, r2, #1 /* n, n */", "bne {}", "bx lr")
    one = tuple(line.format(".Ldemo_one_0") for line in loop)
    other = tuple(line.format(".Ldemo_one_7").replace("n, n", "m, m") for line in loop)
    assert verdict(one, other) == IDENTICAL


def test_a_live_range_in_another_register_is_renamed() -> None:
    other = tuple(re.sub(r"\br2\b", "r12", line) for line in FIRST)
    found = compare_streams(unit(*FIRST), unit(*other))[""]
    assert found.verdict == RENAMED
    assert "r2 -> r12" in found.says


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("adds r2, r2, r3", "adds r2, r3, r2"),  # other operands, if the sum is the same
        ("adds r2, r2, r3", "adds r2, r2, r12"),  # of which nothing was ever written
        ("str r3, [r0, #4]", "str r2, [r0, #4]"),
        ("ldr r3, [r1, #4]", "ldr r3, [r0, #4]"),  # another parameter
        ("mov r0, r3", "mov r0, r2"),
        ("mov r0, r3", "mov r1, r3"),  # the result is in r0
        ("adc r3, r3, #1", "adc r3, r3, #2"),
        ("adc r3, r3, #1", "sbc r3, r3, #1"),
        ("adc r3, r3, #1", "adcs r3, r3, #1"),
    ],
)
def test_another_value_is_changed(line: str, becomes: str) -> None:
    assert line in FIRST
    assert verdict(FIRST, tuple(becomes if one == line else one for one in FIRST)) == CHANGED


def test_a_name_that_is_not_one_to_one_is_changed() -> None:
    """Two values in one register: the first is gone when it is needed."""
    other = tuple(re.sub(r"\br3\b", "r2", line) for line in FIRST)
    assert verdict(FIRST, other) == CHANGED


def test_a_register_of_the_caller_must_come_back() -> None:
    other = tuple(re.sub(r"\br2\b", "r4", line) for line in FIRST)
    assert verdict(FIRST, other) == CHANGED


def test_saved_registers_may_change_places() -> None:
    lines = ("push {r4, lr}", "mov r4, r0", "add r0, r4, r1", "pop {r4, pc}")
    assert verdict(lines, tuple(re.sub("r4", "r7", line) for line in lines)) == RENAMED
    wrong = ("push {r7, lr}", "mov r7, r0", "add r0, r7, r1", "pop {r6, pc}")
    assert verdict(lines, wrong) == CHANGED


def test_order_that_data_do_not_need() -> None:
    found = compare_streams(unit(*FIRST), unit(*swapped(FIRST, 0)))[""]
    assert found.verdict == REORDERED
    assert found.says.startswith("2 of 8 instructions moved")


@pytest.mark.parametrize(
    ("old", "legal"),
    [
        (("adds r0, r0, r1", "adc r2, r2, #0", "cmp r3, #1", "it eq", "moveq r0, r2"), False),
        (("str r2, [r0]", "ldr r3, [r0, #4]", "mov r0, r3", "bx lr"), True),
        (("str r2, [r0]", "ldr r3, [r1, #4]", "mov r0, r3", "bx lr"), False),
        (("ldr r2, [r0]", "ldr r3, [r1]", "add r0, r2, r3", "bx lr"), True),
        (("strh r2, [r0, #2]", "ldr r3, [r0]", "mov r0, r3", "bx lr"), False),
        (("strd r2, r3, [r0]", "ldr r1, [r0, #4]", "mov r0, r1", "bx lr"), False),
        (("strd r2, r3, [r0]", "ldr r1, [r0, #8]", "mov r0, r1", "bx lr"), True),
        (("stm r0, {r1, r2, r3}", "ldr r3, [r0, #8]", "mov r0, r3", "bx lr"), False),
        (("str r2, [r0, r1]", "ldr r3, [r0]", "mov r0, r3", "bx lr"), False),
        (("str r2, [r0], #4", "str r3, [r0]", "bx lr"), False),
    ],
)
def test_neighbours_change_places(old: tuple[str, ...], legal: bool) -> None:
    assert verdict(old, swapped(old, 0)) == (REORDERED if legal else CHANGED)


def test_addresses_are_followed_through_sums() -> None:
    old = ("str r2, [r0]", "add r3, r0, #8", "str r1, [r3]", "bx lr")
    new = ("add r3, r0, #8", "str r1, [r3]", "str r2, [r0]", "bx lr")
    assert verdict(old, new) == REORDERED
    near = tuple(line.replace("#8", "#2") for line in old)
    late = tuple(line.replace("#8", "#2") for line in new)
    assert verdict(near, late) == CHANGED


def test_the_stack_is_apart_until_its_address_is_known() -> None:
    inside = ("sub sp, sp, #8", "str r2, [sp]", "str r3, [r0]", "ldr r0, [sp]", "add sp, sp, #8")
    assert verdict((*inside, "bx lr"), (*swapped(inside, 1), "bx lr")) == REORDERED
    known = ("sub sp, sp, #8", "mov r12, sp", *inside[1:])
    assert verdict((*known, "bx lr"), (*swapped(known, 2), "bx lr")) == CHANGED


def test_blocks_in_another_order() -> None:
    old = (
        "cmp r0, #3",
        "beq .Ldemo_one_1",
        "add r0, r0, #1",
        "b .Ldemo_one_2",
        ".Ldemo_one_1:",
        "mov r0, #7",
        ".Ldemo_one_2:",
        "bx lr",
    )
    new = (
        "cmp r0, #3",
        "bne .Ldemo_one_3",
        "mov r0, #7",
        "b .Ldemo_one_2",
        ".Ldemo_one_3:",
        "add r0, r0, #1",
        ".Ldemo_one_2:",
        "bx lr",
    )
    found = compare_streams(unit(*old), unit(*new))[""]
    assert found.verdict == REORDERED
    assert "blocks moved" in found.says
    wrong = tuple(line.replace("bne", "beq") for line in new)
    assert verdict(old, wrong) == CHANGED


def test_a_round_less_is_changed() -> None:
    loop = (
        "mov r2, #4",
        ".Ldemo_one_0:",
        "ldr r3, [r1], #4",
        "subs r2, r2, #1",
        "bne .Ldemo_one_0",
        "mov r0, r3",
        "bx lr",
    )
    assert verdict(loop, tuple(line.replace("#4", "#3", 1) for line in loop)) == CHANGED
    assert verdict(loop, swapped(loop, 2)) == REORDERED
    assert verdict(loop, tuple(line.replace("bne", "bhi") for line in loop)) == CHANGED


def test_what_no_table_has_is_not_judged() -> None:
    old, new = ("svc #1", *FIRST), ("svc #1", *swapped(FIRST, 0))
    assert verdict(old, old) == IDENTICAL
    assert verdict(old, new) == UNKNOWN


def test_subs_are_followed() -> None:
    path = "cortex-m4/ge25519_madd.S"
    old = real(path)
    line = "\tumaal   r5, r6, r2, r3"
    assert line in old
    new = old.replace(line, "\tumaal   r5, r6, r3, r2", 1)
    found = compare_streams(read_unit(path, old), read_unit(path, new))
    assert [name for name, one in found.items() if one.verdict == CHANGED] == ["fe_mul"]


@pytest.mark.parametrize(
    "path",
    ["cortex-m4/mlkem_ntt.S", "cortex-m4/keccak_f1600_fast.S", "cortex-m4/mlkem_ntt_inline.c"],
)
def test_real_code_with_two_registers_exchanged(path: str) -> None:
    old = real(path)
    rows = old.split("\n")
    for at in code_rows(path, old):
        if not re.search(r"push|pop|\{", rows[at]):
            rows[at] = re.sub(r"\br([45])\b", lambda m: f"r{9 - int(m[1])}", rows[at])
    found = compare_streams(read_unit(path, old), read_unit(path, "\n".join(rows)))
    assert {one.verdict for one in found.values()} == {RENAMED}


# --- against the machine -----------------------------------------------------------------------------

BODY = """push {r4, r5, r6, lr}
ldr r2, [r0]
ldr r3, [r1, #4]
ldr r4, [r0, #8]
adds r5, r2, r3
adcs r6, r4, #0
str r5, [r1]
ldrh r12, [r1, #2]
sbc r4, r4, r12
umull r2, r3, r4, r5
str r2, [r0, #4]
strb r6, [r0, #5]
ldr lr, [r1, #4]
cmp r6, lr
it hi
addhi r3, r3, #1
add r1, r1, #8
str r3, [r1]
ldr r5, [r0, #8]
smlabt r6, r5, r4, r3
eor r0, r6, lr
pop {r4, r5, r6, pc}""".split("\n")
INPUTS = 6
SEEDS = range(3)


def _outcome(lines: list[str]) -> list[tuple[int, bytes]]:
    """Results and memory for some inputs; the two buffers are apart, the same, or overlap."""
    machine = Machine(assemble(text(*lines).replace('#include "armscribe_backend.h"', "").replace(
        "#if defined(ARMSCRIBE_CODE_CORTEX_M4_GAS)", "#if 1"), load_core("cortex-m4")))  # fmt: skip
    dice, found = random.Random(1), []
    for apart in (64, 0, 4, 8, 2, 64)[:INPUTS]:
        base = RAM + 0x4000
        machine.write(base, dice.randbytes(128))
        try:
            result = machine.call("demo_one", base, base + apart)
        except Fault:  # an address was made of something else
            result = -1
        found.append((result, machine.read(base, 128)))
    return found


def _units(dice: random.Random) -> list[str]:
    """The body with some neighbours exchanged; an IT and what it rules stay together."""
    lines = [*BODY]
    it = lines.index("it hi")
    lines[it : it + 2] = ["\n\t".join(lines[it : it + 2])]
    for _ in range(dice.randrange(1, 4)):
        at = dice.randrange(1, len(lines) - 2)
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return [one.strip() for line in lines for one in line.split("\n")]


@pytest.mark.parametrize("seed", SEEDS)
def test_reordered_code_gives_the_same_on_the_machine(seed: int) -> None:
    dice = random.Random(seed)
    wanted = _outcome(BODY)
    seen = {REORDERED: 0, CHANGED: 0}
    differ = 0
    for _ in range(30):
        lines = _units(dice)
        if lines == BODY:
            continue
        found = verdict(tuple(BODY), tuple(lines))
        seen[found] += 1
        same = _outcome(lines) == wanted
        assert same or found == CHANGED, "\n".join(lines)
        differ += not same
    assert seen[REORDERED] >= 3
    assert differ >= 3


def test_code_of_another_architecture() -> None:
    """Registers of A64, in pairs and as vectors; the stack slots of its frame."""
    path = "cortex-a710/keccak_f1600_u64.S"
    old = real(path)
    rows = old.split("\n")
    first, second = (
        rows.index(row) for row in rows if "ldp     d4, d1," in row or "ldp     d3, d2," in row
    )
    rows[first], rows[second] = rows[second], rows[first]
    judged = compare_streams(read_unit(path, old), read_unit(path, "\n".join(rows)))[""]
    assert judged.verdict == REORDERED
    wrong = old.replace("v15.16b, v2.16b, v22.16b", "v15.16b, v2.16b, v23.16b", 1)
    assert compare_streams(read_unit(path, old), read_unit(path, wrong))[""].verdict == CHANGED
