# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Expansion of macros, variants, what their parameters take."""

from __future__ import annotations

import pytest

from gen.ir import ir
from tests.gen.passes.elaborate.lab import body, listing, said

MACRO = """\
// Not emitted.
macro swap(inout x[2] : u32, in y : u32) uses n:
    local t : u32
    // emitted
    mov t, x[0]
    mov x[0], x[1]
    add x[1], t, n
"""


def test_macros_get_fresh_locals() -> None:
    nodes = body("swap({a, b}, n)\nswap({b, a}, n)  // again", MACRO)
    insns = [node for node in nodes if isinstance(node, ir.Insn)]
    first, second = insns[0].ops[0], insns[3].ops[0]
    assert isinstance(first, ir.Reg) and isinstance(second, ir.Reg)
    assert first.var is not second.var and first.var.name == second.var.name == "t"
    assert listing(nodes)[3:] == ["mov t, b", "mov b, a", "add a, t, n"]
    comments = [node.text for node in nodes if isinstance(node, ir.Comment)]
    assert comments == ["emitted", "again", "emitted"]


def test_trail() -> None:
    before = (
        MACRO
        + "macro twice(inout x[2] : u32) uses n:\n    for k in range(2):\n        swap(x, n)\n"
    )
    nodes = body("for i in range(1, 2):\n    twice({a, b})", before)
    insn = next(node for node in nodes if isinstance(node, ir.Insn))
    assert [(f.what, f.loops) for f in insn.trail] == [("twice", "i = 1"), ("swap", "k = 0")]
    (plain,) = body("for i in range(5, 6):\n    nop")
    assert isinstance(plain, ir.Insn)
    assert [(f.what, f.loops) for f in plain.trail] == [("", "i = 5")]


def test_the_most_demanding_variant_is_taken() -> None:
    before = "macro m():\n    nop\nmacro m() requires dsp:\n    yield\n"
    assert listing(body("m()", before)) == ["yield"]
    assert listing(body("m()", before, core="cortex-m3")) == ["nop"]


def test_a_carry_through_a_macro() -> None:
    before = "macro m(inout x : u32, inout c : flag):\n    adcs x, x, x, c -> c\n"
    first, second = body("adds a, a, b -> k\nm(b, k)", before)
    assert isinstance(first, ir.Insn) and isinstance(second, ir.Insn)
    assert second.flag_in is first.flag_out


@pytest.mark.parametrize(
    ("macro", "call", "message"),
    [
        ("m(in x : u32):\n    add x, x, #1", "m(a)",
         "`x` is an `in` parameter of m and cannot be written"),
        ("m(p : ptr):\n    local n : u32\n    ldr n, [p], #4", "m(r)",
         "`p` is an `in` parameter of m and cannot be written"),
        ("m(in x[2] : u32):\n    ldm x[0]!, {x[1]}", "m({a, b})",
         "`x` is an `in` parameter of m and cannot be written"),
        ("m(in x : u32):\n    nop", "m a", "`m` is a macro; its arguments stand in parentheses"),
        ("m():\n    nop", "add(a, b)",
         "`add` is an instruction; its operands stand without parentheses"),
        ("m() requires dps:\n    nop", "m()", "no feature `dps`"),
        ("m():\n    if has(dps):\n        nop", "m()", "no feature `dps`"),
        ("m() uses k:\n    nop", "m()", "m uses `k`, which demo_x does not have"),
        ("m(inout x : u32):\n    mov a, x", "m(a)", "no register `a`"),
        ("m(inout x : u32, inout y : u32):\n    nop", "m(a, a)",
         "`a` is written through two parameters"),
        ("m():\n    local x : u32 slot\n    nop", "m()",
         "a local has no home; declare a `reg` and pass it to the macro"),
    ],
)  # fmt: skip
def test_macros_refused(macro: str, call: str, message: str) -> None:
    assert said(call, f"macro {macro}\n") == [message]
