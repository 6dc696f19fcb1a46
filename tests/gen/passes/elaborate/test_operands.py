# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Operands, immediates with their formulas, named carries."""

from __future__ import annotations

import pytest

from gen.ir import ir
from tests.gen.passes.elaborate.lab import body, listing


def test_operands() -> None:
    lines = """\
ldr a, [r, #4*2]
ldr a, [r], #4
ldr a, [r, #8]!
ldr a, [r, n, lsl #2]
add a, b, a, ror #3
add a, b, a, lsl #0
ldm r!, {a, b}
smulxy a, b.t, n.b"""
    assert listing(body(lines)) == [
        "ldr a, [r, #8]",
        "ldr a, [r, #4]post",
        "ldr a, [r, #8]pre",
        "ldr a, [r, n, lsl #2]",
        "add a, b, a, ror #3",
        "add a, b, a",
        "ldm r!, {a, b}",
        "smulxy a, b.t, n.b",
    ]


@pytest.mark.parametrize(
    ("formula", "value", "kept"),
    [
        ("7", 7, ""),
        ("Q", 3329, "Q"),
        ("2*Q - 1", 6657, "2*Q - 1"),
        ("2**16 - 1", 65535, "2**16 - 1"),
        ("64*i", 192, ""),
        ("Q*i", 9987, "Q*3"),
        ("at(i, 1)", 13, "at(3, 1)"),
        ("at(-i, 1)", -11, "at(-3, 1)"),
    ],
)
def test_formulas_are_kept(formula: str, value: int, kept: str) -> None:
    before = "const Q = 3329\nconst at(x, y) = 4*x + y\n"
    (insn,) = body(f"for i in range(3, 4):\n    mov a, #{formula}", before)
    assert isinstance(insn, ir.Insn)
    assert insn.ops[1] == ir.Imm(value, kept)


def test_a_constant_argument_keeps_its_formula() -> None:
    before = "const Q = 3329\nmacro m(k : const):\n    mov a, #2*k\n"
    before = before.replace("mov a", "mov x").replace("(k : const)", "(out x : u32, k : const)")
    first, second, third = body("m(a, Q)\nm(a, Q + 1)\nm(a, 5)", before)
    kept = [insn.ops[1] for insn in (first, second, third) if isinstance(insn, ir.Insn)]
    assert kept == [ir.Imm(6658, "2*Q"), ir.Imm(6660, "2*(Q + 1)"), ir.Imm(10, "")]


def test_named_carries() -> None:
    first, second = body("adds a, a, b -> c\nadcs a, a, n, c -> c")
    assert isinstance(first, ir.Insn) and isinstance(second, ir.Insn)
    assert first.flag_in is None and first.flag_out is not None
    assert second.flag_in is first.flag_out is second.flag_out
    assert first.flag_out.type == "flag" and len(second.ops) == 3


def test_width_comment_and_place() -> None:
    (insn,) = body("add.w a, a, b  // the sum")
    assert isinstance(insn, ir.Insn)
    assert (insn.mnemonic, insn.width, insn.comment) == ("add", ".w", "the sum")
    assert insn.span.source.text[insn.span.start : insn.span.end] == "add.w a, a, b"
