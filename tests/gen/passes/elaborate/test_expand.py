# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Statements to nodes; the examples."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.diag import Failed
from gen.ir import ir
from gen.passes.elaborate import elaborate
from gen.read.load import Unit, load
from gen.read.parse import parse_source
from gen.read.source import Source
from tests.gen.passes.elaborate.lab import ENSURED, HEAD, body, errors, listing, made, said

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_structure() -> None:
    lines = """\
align 4
do:
    subs n, n, #1
    spill n
    fill n
while ne
loop at most 2*8:
    cmp a, b
    break hs
when eq:
    mov a, #1
otherwise:
    mov a, #2
then lo:
    mov a, #3"""
    nodes = body(lines)
    assert listing(nodes) == [
        "align 4", "do", "subs n, n, #1", "spill n", "fill n", "while ne",
        "loop 16", "cmp a, b", "break hs", "end",
        "when eq", "mov a, #1", "otherwise", "mov a, #2", "end",
        "then lo", "mov a, #3", "end",
    ]  # fmt: skip
    last = nodes[-1]
    assert isinstance(last, ir.Then) and last.body[0].cond == "lo"


def test_generation_time() -> None:
    lines = """\
for i, k in [(0, 1), (2, 3)]:
    if i == 0:
        mov a, #i + k
    elif has(dsp):
        mov b, #k
    else:
        mov n, #k"""
    assert listing(body(lines)) == ["mov a, #1", "mov b, #3"]
    assert listing(body(lines, core="cortex-m3")) == ["mov a, #1", "mov n, #3"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("mov a, c", "no register `c`"),
        ("mov a, b[0]", "`b` is one register, not an array"),
        ("adcs a, a, b, c", "no register `c`"),
        ("adds a, a, b -> r", "`r` is no carry; behind `->` stands a name for one"),
        ("adds a, b -> c\nadd a, c, b", "a carry is read as the last operand"),
        ("ldr a, [r, n, asr #2]", "an index is shifted by lsl only"),
        ("ldr a, [r.b]", "an address is a register, not a half-word"),
        ("ldm r!, {a.b}", "a list holds registers, not half-words"),
        ("mov a, #r", "`r` is a register; its value is not known at generation time"),
        ("spill a.b", "spill takes whole registers"),
        ("spill r", "`r` has no home to spill"),
        ("break eq", "`break` outside of a loop"),
        ("align 3", "alignment to 3 bytes; 2, 4, 8, 16 or 32 go"),
        ("for i in 8:\n    nop", "`for` needs a list"),
        ("for i, j in [1]:\n    nop", "2 names for 1 values"),
        ("loop at most 0:\n    break eq", "a loop runs at least once, not 0 times"),
        ("then eq:\n    for i in range(5):\n        nop",
         "`then` holds one to four instructions, not 5"),
        ("then eq:\n    spill a", "`then` holds instructions only"),
        ("split a by 1", "a split into 1 parts; 2 to 65536 go"),
        ("assert old(a) == 1", "`old` belongs into `ensures`"),
        ("assert a in b", "`in` needs a constant list or a table"),
        ("assert powmod(a, 2, 3) == 1", "`powmod` cannot be used on registers like this"),
        ("assert a / 2 == 1", "`/` is exact division of constants"),
        ("call s(a)", "no sub `s`"),
    ],
)  # fmt: skip
def test_statements_refused(lines: str, message: str) -> None:
    assert said(lines) == [message]


def test_an_error_in_a_declaration_is_told_once() -> None:
    assert said("reg x : u33\nmov x, #1\nmov a, x") == ["no register type `u33`"]


def test_an_error_in_an_expansion_is_told_once() -> None:
    (item,) = errors("macro m(inout x : u32):\n    mov x, y\n" + HEAD + "    m(a)\n    m(b)\n")
    assert item.trail[0].what == "m" and item.trail[0].span.line == 6


@pytest.mark.parametrize(
    ("name", "core", "instructions"),
    [
        ("ntt_l123", "cortex-m4", 131),
        ("ntt_l123", "cortex-m3", 275),
        ("theta", "cortex-m3", 250),
        ("fe_mul_wide", "cortex-m4", 168),
    ],
)
def test_examples(name: str, core: str, instructions: int) -> None:
    routine = elaborate(
        load(EXAMPLES, f"asm-src/demo/{name}.rasm"), f"demo_{name}", load_core(core)
    )
    lines = listing(routine.body)
    control = ("do", "while", "spill", "fill")
    assert len([line for line in lines if line.split()[0] not in control]) == instructions


def test_speed() -> None:
    """About 4000 instructions through macros, loops and conditions in well under a second."""
    before = "const Q = 3329\n" + ENSURED
    lines = "".join(
        f"for i in range(250):\n    inc(a, b.t)\n    ldr b, [r, #4*(i % 8) + {k % 4}]\n"
        for k in range(8)
    )
    began = time.process_time()
    nodes = body(lines, before)
    assert len([node for node in nodes if isinstance(node, ir.Insn)]) == 4000
    assert time.process_time() - began < 2.0


def test_comments_of_a_routine() -> None:
    assert made("// About the file.\n\n" + HEAD + "    nop\n").comment == "About the file."
    assert made("// File.\n\n// Routine.\n" + HEAD + "    nop\n").comment == "Routine."


def test_names_of_files_and_variants() -> None:
    core = load_core("cortex-m4f")
    source = Source(
        "asm-src/demo/x_fp.rasm",
        HEAD.replace("):", ") variant fp requires fpregs:", 1) + "    nop\n",
    )
    variant = Unit(Path(), parse_source(source), ())
    assert elaborate(variant, "demo_x", core).variant == "fp"
    with pytest.raises(Failed) as caught:
        elaborate(variant, "demo_x", load_core("cortex-m4"))
    assert caught.value.bag.items[0].code == "missing-feature"
    assert [item.code for item in errors(HEAD.replace("demo_x", "demo_y") + "    nop\n")] == [
        "unknown-name"
    ]
