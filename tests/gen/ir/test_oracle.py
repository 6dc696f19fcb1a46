# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The oracle: webs and final instructions compute the same, and what it refuses."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gen.diag import Failed
from gen.ir.interp import execute
from gen.ir.ir import Routine
from gen.passes import BUILD
from gen.passes.running import promised
from tests.gen.passes.trees import made, real

NAMES = [
    "ntt",
    "invntt",
    "basemul_acc",
    "basemul_acc_32_16",
    "frombytes_mul_acc_32_32",
    "reduce",
    "add",
]


def arguments(routine: Routine, seed: int) -> dict[str, list[int]]:
    rng = random.Random(seed)
    return {
        param.name: [rng.randint(*promised(param)) for _ in range(param.ctype.count or 0)]
        for param in routine.params
        if param.table is None and param.role != "out"
    }


@pytest.mark.parametrize("name", NAMES)
def test_code_and_final_agree(name: str) -> None:
    routine = real(name, BUILD)
    args = arguments(routine, 1)
    code, final = execute(routine, args, "code"), execute(routine, args, "final")
    assert code.buffers == final.buffers
    assert code.buffers["r"] != args.get("r")


def test_rejection_keeps_what_is_small_enough() -> None:
    routine = real("rej_uniform", BUILD)
    rng = random.Random(2)
    data = [rng.randrange(256) for _ in range(300)]
    pairs = ((a | b << 8) & 0xFFF for a, b in zip(data[::3], data[1::3], strict=True))
    tops = (b >> 4 | c << 4 for b, c in zip(data[1::3], data[2::3], strict=True))
    expected = [v for two in zip(pairs, tops, strict=True) for v in two if v < 3329]
    for n in (0, 1, 50, 256):
        wanted = expected[:n]
        for stage in ("code", "final"):
            args = {"r": [0] * n, "n": n, "buf": data, "len": len(data)}
            out = execute(routine, args, stage)  # type: ignore[arg-type]
            assert out.result == len(wanted)
            assert out.buffers["r"][: len(wanted)] == wanted


def test_arguments_on_the_stack_and_wide_ones(tmp_path: Path) -> None:
    body = (
        "fn uint32_t t_r(uint32_t a, uint64_t w, uint32_t *p, uint32_t e, uint32_t f):\n"
        "    param a : secret in\n    param w : secret in\n    param p : secret inout, len(p) = 1\n"
        "    param e : secret in\n    param f : secret in\n    result s : u32\n"
        "    reg t : u32\n"
        "    add     s, a, w[0], lsl #4\n    add     s, s, w[1], lsl #8\n    ldr     t, [p]\n"
        "    add     s, s, t, lsl #12\n    add     s, s, e, lsl #16\n    add     s, s, f, lsl #20\n"
    )
    try:
        routine = made(tmp_path, body, BUILD)
    except Failed as failed:
        pytest.fail(str([item.message for item in failed.bag.items]))
    args = {"a": 1, "w": 3 << 32 | 2, "p": [4], "e": 5, "f": 6}
    for stage in ("code", "final"):
        assert execute(routine, args, stage).result == 0x654321  # type: ignore[arg-type]


def test_an_overflow_stops_it(tmp_path: Path) -> None:
    body = (
        "fn void t_r(int16_t r[2]):\n    param r : secret inout, align 4\n    reg x : i16x2\n"
        "    ldr     x, [r]\n    sadd16  x, x, x\n    str     x, [r]\n"
    )
    routine = made(tmp_path, body, BUILD)
    assert execute(routine, {"r": [-9, 16383]}).buffers["r"] == [-18, 32766]
    with pytest.raises(Failed):
        execute(routine, {"r": [0, 16384]})


def test_a_broken_assertion_stops_it(tmp_path: Path) -> None:
    body = (
        "fn void t_r(int32_t r[1]):\n    param r : secret inout, align 4\n    reg x : i32\n"
        "    ldr     x, [r]\n    assert  |x| < 10\n    str     x, [r]\n"
    )
    routine = made(tmp_path, body, BUILD)
    assert execute(routine, {"r": [9]}).buffers["r"] == [9]
    with pytest.raises(Failed):
        execute(routine, {"r": [-10]})
