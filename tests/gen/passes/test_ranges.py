# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The interval run: what it proves of the real routines, and each planted fault it must see."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.diag import render
from gen.passes.ranges import ranges
from tests.gen.passes.trees import CODE, codes, errors, made, planted, real

HALF = 1665
PROVED = {
    "ntt": {"r": (-4095 - 7 * HALF, 4095 + 7 * HALF)},
    "invntt": {"r": (-16 * HALF, 16 * (HALF - 1))},
    "basemul": {"r": (-HALF, HALF - 1)},
    "reduce": {"r": (0, 3328)},
    "rej_uniform": {"r": (0, 3328)},
}


@pytest.mark.parametrize("name", PROVED)
def test_bounds_of_the_real_routines(name: str) -> None:
    routine = ranges(real(name, CODE))
    assert routine.bounds == PROVED[name]
    assert routine.open_claims == ()


# file, right, wrong, routine, code that must be said
FAULTS = [
    ("ntt", "|r[i]| <= 4095 ->", "|r[i]| <= 2**15 - 1 ->", "ntt", "overflow"),
    ("ntt", "<= 4095 + 7*HALF", "<= 4095 + 7*HALF - 1", "ntt", "post-failed"),
    ("plantard", "smlaxy  r, r.b, q.b, qa", "smlaxy  r, r.b, q.b, w", "ntt", "overflow"),
    ("rej_uniform", "q : u32 = Q", "q : u32 = Q + 1", "rej_uniform", "post-failed"),
    ("basemul", "reduce_pair(p, s, t)", "pkhbt   p, s, t, lsl #16", "basemul", "post-failed"),
    ("basemul_common", "WIDE = 4095 + 7*HALF", "WIDE = 2**15 - 1", "basemul", "assert-failed"),
    ("reduce", "split   p.b at 0", "split   p.b at 1", "reduce", "post-failed"),
    (
        "add",
        "ldm     a!, {x[0..3]}",
        "ldm     a!, {x[0..3]}\n        add     a, a, #4",
        "add",
        "out-of-bounds",
    ),
    ("add", "secret in, align 4, |a[i]|", "secret in, align 2, |a[i]|", "add", "misaligned"),
    ("ntt", "mov     n, #8", "mov     n, #9", "ntt", "out-of-bounds"),
    ("rej_uniform", "at most 169", "at most 168", "rej_uniform", "assert-failed"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "routine", "code"), FAULTS)
def test_a_planted_fault_is_seen(
    tmp_path: Path, file: str, right: str, wrong: str, routine: str, code: str
) -> None:
    found = errors(ranges, real(routine, CODE, planted(tmp_path, file, right, wrong)))
    assert code in codes(found), codes(found)


def test_overflow_names_instruction_bound_and_expansion(tmp_path: Path) -> None:
    tree = planted(tmp_path, "ntt", "|r[i]| <= 4095 ->", "|r[i]| <= 2**15 - 1 ->")
    item = errors(ranges, real("ntt", CODE, tree)).items[0]
    text = render(item)
    assert "16 d" in text or "ssub16 d" in text
    assert "outside [-32768, 32767]" in text
    assert "in ct_pair, from asm-src/mlkem/ntt.rasm" in text
    assert "in two_layers" in text


HEAD = "fn void t_r(int32_t r[4]):\n    param r : secret inout, align 4, |r[i]| <= 1000{post}\n"


def test_claims_are_believed_and_open(tmp_path: Path) -> None:
    body = HEAD.format(post=" -> |r[i]| <= 1000") + (
        "    reg x : i32\n"
        "    ldr     x, [r]\n"
        "    add     x, x, x\n"
        "    claim   |x| <= 10      // shown elsewhere\n"
        "    str     x, [r]\n"
    )
    routine = ranges(made(tmp_path, body, CODE))
    assert routine.bounds == {"r": (-1000, 1000)}
    assert routine.open_claims == ("|x| <= 10",)


def test_a_claim_against_the_ranges_is_an_error(tmp_path: Path) -> None:
    body = HEAD.format(post="") + (
        "    reg x : i32\n    ldr     x, [r]\n    claim   x > 1000      // no\n    str     x, [r]\n"
    )
    assert codes(errors(ranges, made(tmp_path, body, CODE))) == {"assert-failed"}


def test_split_sees_what_one_range_cannot(tmp_path: Path) -> None:
    """x - (x >> 31) * 2000 with x in [-1000, 1000]: by cases it is in [0, 1000]."""
    macro = (
        "macro fold(inout x : i32):\n    local m : i32\n{split}"
        "    asr     m, x, #31\n    and     m, m, #10*100\n    add     x, x, m\n\n"
    )
    body = HEAD.format(post=" -> -1 <= r[i] <= 1000") + (
        "    reg x : i32\n    for i in range(4):\n        ldr     x, [r, #4*i]\n        fold(x)\n"
        "        str     x, [r, #4*i]\n"
    )
    plain = made(tmp_path, macro.format(split="") + body, CODE)
    assert codes(errors(ranges, plain)) == {"post-failed"}
    split = made(tmp_path, macro.format(split="    split   x at 0\n") + body, CODE)
    assert ranges(split).bounds == {"r": (0, 1000)}
    parts = made(tmp_path, macro.format(split="    split   x by 2\n") + body, CODE)
    assert ranges(parts).bounds == {"r": (0, 1000)}


def test_unknown_public_flag_takes_both_ways(tmp_path: Path) -> None:
    body = (
        "fn void t_r(int32_t r[1], uint32_t n):\n    param r : secret inout, align 4, |r[i]| <= 10\n"
        "    param n : public in, 0 <= n <= 5\n    reg x : i32\n"
        "    ldr     x, [r]\n    cmp     n, #3\n    when hi:\n        add     x, x, #100\n"
        "    otherwise:\n        sub     x, x, #50\n    str     x, [r]\n"
    )
    assert ranges(made(tmp_path, body, CODE)).bounds == {"r": (-60, 110)}
    narrow = body.replace("0 <= n <= 5", "0 <= n <= 3")
    assert ranges(made(tmp_path, narrow, CODE)).bounds == {"r": (-60, -40)}


def test_a_counted_loop_with_unknown_count_ends(tmp_path: Path) -> None:
    body = (
        "fn void t_r(uint32_t r[1], uint32_t n):\n    param r : public inout, align 4, r[i] <= 10\n"
        "    param n : public in, 1 <= n <= 7\n    reg x : u32\n    ldr     x, [r]\n    do:\n"
        "        lsl     x, x, #1\n        subs    n, n, #1\n    while ne\n    str     x, [r]\n"
    )
    low, high = ranges(made(tmp_path, body, CODE)).bounds["r"]
    assert low == 0 and high >= 10 * 2**7


def test_an_alias_that_is_allowed_is_tried(tmp_path: Path) -> None:
    """r[i] = a[i] + r[0] with r the same as a: later elements see the sum that was stored first."""
    body = (
        "fn void t_r(int32_t r[2], const int32_t a[2]):\n"
        "    param r : secret out, align 4{alias}, -> |r[i]| <= 20\n"
        "    param a : secret in, align 4, |a[i]| <= 10\n    reg x, y : i32\n"
        "    ldr     x, [a]\n    mov     y, #10\n    add     x, x, y\n    str     x, [r]\n"
        "    ldr     x, [a]\n    add     x, x, y\n    str     x, [r, #4]\n"
    )
    assert ranges(made(tmp_path, body.format(alias=", noalias"), CODE)).bounds == {"r": (0, 20)}
    aliased = errors(ranges, made(tmp_path, body.format(alias=""), CODE))
    assert codes(aliased) == {"post-failed"}
