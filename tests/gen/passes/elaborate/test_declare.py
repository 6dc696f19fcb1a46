# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""reg, local, result, stack."""

from __future__ import annotations

import pytest

from gen.ir import ir
from tests.gen.passes.elaborate.lab import made, said


def test_registers() -> None:
    text = """\
const Q = 3329
fn int32_t demo_x(uint64_t k, int32_t s):
    param k : public in
    param s : secret in, -Q < s < Q
    result v : i32
    reg w[2] : i16x2 park @ r4..r5 = [1, -1]
    reg q : u32 = Q*2**16
    add v, k[0], k[1]
    add v, s, w[0]
    add v, q, w[1]
"""
    routine = made(text)
    k, s = routine.params
    assert isinstance(k.var, tuple) and [var.name for var in k.var] == ["k[0]", "k[1]"]
    assert s.pre == (ir.Bound("each", -3328, 3328, "-Q < s < Q"),)
    assert routine.result is not None and routine.result[1].type == "i32"
    insns = [node for node in routine.body if isinstance(node, ir.Insn)]
    w = [op.var for op in (insns[1].ops[2], insns[2].ops[2]) if isinstance(op, ir.Reg)]
    assert [(v.pin, v.home, v.init) for v in w] == [("r4", "park", 1), ("r5", "park", 2**32 - 1)]
    q = insns[2].ops[1]
    assert isinstance(q, ir.Reg) and (q.var.init, q.var.init_text) == (3329 * 2**16, "Q*2**16")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("reg x : u32 @ r13", "no register `r13` to pin to on cortex-m4"),
        ("reg x[2] : u32 @ r4..r6", "3 pins for 2 registers"),
        ("reg x : u32 = 2**32", "4294967296 does not fit 32 bits"),
        ("reg x : u32 fp", "cortex-m4 has no FP registers to keep values in"),
        ("reg x[0] : u32", "an array of 0 registers; 1 to 256 go"),
        ("reg x[2] : u32 = 1", "2 registers need a list of 2 values"),
        ("stack x[2] : i8", "no element type `i8`"),
        ("stack x[2000*1] : u32", "2000 elements in the frame"),
        ("stack x[2] : u32\nstack y[3] : u32 over x", "`y` does not fit over 2 elements of u32"),
        ("stack y : u32 over x", "no stack object `x` is declared above"),
        ("result x : u32", "the prototype returns nothing"),
    ],
)
def test_declarations_refused(line: str, message: str) -> None:
    assert said(f"{line}\nnop") == [message]
