# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Syntax to the body of a routine."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.diag import Diagnostic, Failed
from gen.ir import ir
from gen.passes.elaborate import elaborate, ensured_macros, macro_routine, tables
from gen.read.load import Unit, load
from gen.read.parse import parse_source
from gen.read.source import Source

EXAMPLES = Path(__file__).parent.parent / "examples"
HEAD = "fn void demo_x(uint32_t r[8]):\n    param r : secret inout\n    reg a, b, n : u32 slot\n"


def unit(text: str) -> Unit:
    return Unit(Path(), parse_source(Source("asm-src/demo/x.rasm", text)), ())


def made(text: str, core: str = "cortex-m4") -> ir.Routine:
    return elaborate(unit(text), "demo_x", load_core(core))


def body(lines: str, before: str = "", core: str = "cortex-m4") -> tuple[ir.Node, ...]:
    """The body of a routine with parameter r and registers a, b, n (with slots)."""
    indented = "".join(f"    {line}\n" for line in lines.splitlines())
    return made(before + HEAD + indented, core).body


def errors(text: str, core: str = "cortex-m4") -> list[Diagnostic]:
    with pytest.raises(Failed) as caught:
        made(text, core)
    return caught.value.bag.items


def said(lines: str, before: str = "") -> list[str]:
    """The messages about the body of a routine with parameter r and registers a, b, n."""
    indented = "".join(f"    {line}\n" for line in lines.splitlines())
    return [item.message for item in errors(before + HEAD + indented)]


def text(operand: object) -> str:
    """An operand in the language's own spelling."""
    match operand:
        case ir.Reg(var):
            return var.name
        case ir.Half(var, which):
            return f"{var.name}.{which}"
        case ir.Imm(value, _):
            return f"#{value}"
        case ir.Shift(kind, amount):
            return f"{kind} #{amount}"
        case ir.Base(var, writeback):
            return var.name + "!" * writeback
        case ir.RegList(many):
            return "{" + ", ".join(var.name for var in many) + "}"
        case ir.Mem(base, offset, index, shift, mode):
            inner = f", {index.name}, lsl #{shift}" if index else f", #{offset.value}"
            return f"[{base.name}{inner}]{mode if mode != 'offset' else ''}"
    raise AssertionError(operand)


def listing(nodes: Sequence[ir.Node]) -> list[str]:
    """Instructions as text, blocks indented by their kind."""
    return list(_listing(nodes))


def _listing(nodes: Sequence[ir.Node]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ir.Insn():
                yield f"{node.mnemonic} {', '.join(text(op) for op in node.ops)}".strip()
            case ir.Do():
                yield from ["do", *_listing(node.body), f"while {node.cond}"]
            case ir.Loop():
                yield from [f"loop {node.limit}", *_listing(node.body), "end"]
            case ir.When():
                yield from [f"when {node.cond}", *_listing(node.then), "otherwise"]
                yield from [*_listing(node.other), "end"]
            case ir.Then():
                yield from [f"then {node.cond}", *_listing(node.body), "end"]
            case ir.Break():
                yield f"break {node.cond}"
            case ir.Move():
                yield f"{node.kind} {node.var.name}"
            case ir.Align():
                yield f"align {node.bytes}"


# --- instructions ---


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


def test_a_carry_through_a_macro() -> None:
    before = "macro m(inout x : u32, inout c : flag):\n    adcs x, x, x, c -> c\n"
    first, second = body("adds a, a, b -> k\nm(b, k)", before)
    assert isinstance(first, ir.Insn) and isinstance(second, ir.Insn)
    assert second.flag_in is first.flag_out


def test_width_comment_and_place() -> None:
    (insn,) = body("add.w a, a, b  // the sum")
    assert isinstance(insn, ir.Insn)
    assert (insn.mnemonic, insn.width, insn.comment) == ("add", ".w", "the sum")
    assert insn.span.source.text[insn.span.start : insn.span.end] == "add.w a, a, b"


# --- control ---


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


# --- conditions ---


def evaluated(pred: ir.Pred, values: dict[str, int]) -> object:
    code = compile(ast.fix_missing_locations(ast.Expression(pred.node)), "pred", "eval")
    return eval(code, {"abs": abs}, values)


def mark(lines: str, before: str = "") -> ir.Mark:
    found = [node for node in body(lines, before) if isinstance(node, ir.Mark)]
    return found[-1]


@pytest.mark.parametrize(
    ("condition", "values", "holds"),
    [
        ("|a.b| < 4*Q", {"a.b": -13315}, True),
        ("|a.b| < 4*Q", {"a.b": -13316}, False),
        ("0 <= a < Q and b in T", {"a": 1, "b": 5}, True),
        ("0 <= a < Q and b in T", {"a": 1, "b": 4}, False),
        ("b not in T", {"b": 4}, True),
        ("r[3] == twice(a) + 1", {"r[3]": 7, "a": 3}, True),
        ("smod(a, 2**16) == -1", {"a": 2**16 - 1}, True),
        ("div(a, 2) == 3", {"a": 7}, True),
        ("not (a - b) % Q == 0", {"a": 3330, "b": 1}, False),
        ("has(dsp) == 1", {}, True),
    ],
)
def test_conditions(condition: str, values: dict[str, int], holds: bool) -> None:
    before = "const Q = 3329\ntable T : u8[2] = [3, 5]\nconst twice(x) = x + x\n"
    found = mark(f"assert {condition}", before)
    assert found.pred is not None and set(found.pred.env) == set(values)
    assert bool(evaluated(found.pred, values)) == holds


def test_what_a_name_stands_for() -> None:
    found = mark("assert a.t < b and r[2] < a")
    assert found.pred is not None
    env = found.pred.env
    assert isinstance(env["a.t"], ir.Half) and isinstance(env["b"], ir.Reg)
    assert env["r[2]"] == ir.Element("r", 2)


def test_a_register_seen_with_another_sign() -> None:
    found = mark("m(a)", "macro m(in x : i32):\n    assert x == -1\n    nop\n")
    assert found.pred is not None
    assert evaluated(found.pred, {"x": 2**32 - 1})


def test_other_marks() -> None:
    lines = "claim a == 0  // because\nsplit a.b by 16\nsplit a at -3\npublic r  // told"
    claim, by, at, public = (node for node in body(lines) if isinstance(node, ir.Mark))
    assert (claim.kind, claim.text) == ("claim", "because")
    assert (by.text, by.number, isinstance(by.operand, ir.Half)) == ("by", 16, True)
    assert (at.text, at.number) == ("at", -3)
    assert (public.kind, public.text) == ("public", "told")


ENSURED = """\
macro inc(inout x : u32, in w : i16) uses n ensures x == old(x) + old(w):
    assert n == 1
    add x, x, n
"""


def test_ensures_stands_around_every_expansion() -> None:
    marks = [
        node for node in body("inc(a, b.t)\ninc(b, a.b)", ENSURED) if isinstance(node, ir.Mark)
    ]
    assert [m.kind for m in marks] == ["ensures-begin", "assert", "ensures"] * 2
    assert marks[0].number == marks[2].number != marks[3].number == marks[5].number
    pred = marks[2].pred
    assert pred is not None and set(pred.env) == {"x", "old(x)", "old(w)"}
    old = pred.env["old(w)"]
    assert isinstance(old, ir.Old) and isinstance(old.operand, ir.Half)
    assert old.mark == marks[0].number


def test_a_macro_by_itself() -> None:
    core = load_core("cortex-m4")
    text = ENSURED + HEAD.replace("a, b, n : u32 slot", "n : u32 = 1") + "    nop\n"
    assert ensured_macros(unit(text), core) == ("inc",)
    routine = macro_routine(unit(text), "inc", core)
    assert [(p.name, p.role) for p in routine.params] == [("x", "inout"), ("w", "in")]
    used = next(op for node in routine.body if isinstance(node, ir.Insn) for op in node.ops[2:])
    assert isinstance(used, ir.Reg) and used.var.init == 1
    alone = macro_routine(unit(ENSURED), "inc", core)
    assert [p.name for p in alone.params] == ["x", "w", "n"]


def test_ensures_needs_registers_only() -> None:
    text = "macro m(inout x : u32, k : const) ensures x == k:\n    mov x, #k\n"
    with pytest.raises(Failed) as caught:
        macro_routine(unit(text), "m", load_core("cortex-m4"))
    assert caught.value.bag.items[0].code == "bad-arguments"


# --- declarations ---


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


def test_promises() -> None:
    text = """\
const Q = 3329
table zs : i16[4] = [1, 2, 3, 4]
fn void demo_x(int16_t p[8], const uint8_t *b, uint32_t n, const int16_t z[4], uint32_t e[4]):
    param p : secret inout, align 4, noalias, |p[i]| < Q -> 0 <= p[i] < Q, public p[0:2]
    param b : public in, len(b) = 3*n + 1, in flash
    param n : public in, n <= 100, lengths [0, 7, 100]
    param z : public in = zs
    param e : secret out, -> value(e) < 2**100
    nop
"""
    p, b, n, z, e = made(text).params
    assert (p.align, p.noalias, p.secret, p.role, p.public_ranges) == (
        4,
        True,
        True,
        "inout",
        ((0, 2),),
    )
    assert p.pre == (ir.Bound("each", -3328, 3328, "|p[i]| < Q"),)
    assert p.post == (ir.Bound("each", 0, 3328, "0 <= p[i] < Q"),)
    assert (b.flash, b.align, b.ctype.const, b.ctype.count) == (True, 1, True, None)
    assert b.length is not None and evaluated(b.length, {"n": 5}) == 16
    assert (n.lengths, n.pre) == ((0, 7, 100), (ir.Bound("each", 0, 100, "n <= 100"),))
    assert z.table is not None and z.table.symbol == "demo_zs" and z.align == 2
    assert e.post == (ir.Bound("value", 0, 2**100 - 1, "value(e) < 2**100"),)


def test_tables() -> None:
    text = "const Q = 17\n// Powers.\ntable zs : i16[3] = [powmod(3, i, Q) for i in range(3)]\n"
    (table,) = tables(unit(text))
    assert (table.symbol, table.type, table.values) == ("demo_zs", "i16", (1, 3, 9))
    assert table.comment == "Powers."


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


# --- refusals ---


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
        ("call s(a)", "a sub cannot be called yet"),
    ],
)  # fmt: skip
def test_statements_refused(lines: str, message: str) -> None:
    assert said(lines) == [message]


@pytest.mark.parametrize(
    ("macro", "call", "message"),
    [
        ("m(in x : u32):\n    add x, x, #1", "m(a)",
         "`x` is an `in` parameter of m and cannot be written"),
        ("m(p : ptr):\n    local n : u32\n    ldr n, [p], #4", "m(r)",
         "`p` is an `in` parameter of m and cannot be written"),
        ("m(in x[2] : u32):\n    ldm x[0]!, {x[1]}", "m({a, b})",
         "`x` is an `in` parameter of m and cannot be written"),
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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("reg x : u32 @ r13", "no register `r13` to pin to on cortex-m4"),
        ("reg x[2] : u32 @ r4..r6", "3 pins for 2 registers"),
        ("reg x : u32 = 2**32", "4294967296 does not fit 32 bits"),
        ("reg x : u32 fp", "registers that live in the FP unit cannot be declared yet"),
        ("reg x[0] : u32", "an array of 0 registers; 1 to 64 go"),
        ("reg x[2] : u32 = 1", "2 registers need a list of 2 values"),
        ("stack x[2] : u32", "stack objects cannot be declared yet"),
        ("result x : u32", "the prototype returns nothing"),
    ],
)
def test_declarations_refused(line: str, message: str) -> None:
    assert said(f"{line}\nnop") == [message]


def test_an_error_in_a_declaration_is_told_once() -> None:
    assert said("reg x : u33\nmov x, #1\nmov a, x") == ["no register type `u33`"]


def test_an_error_in_an_expansion_is_told_once() -> None:
    (item,) = errors("macro m(inout x : u32):\n    mov x, y\n" + HEAD + "    m(a)\n    m(b)\n")
    assert item.trail[0].what == "m" and item.trail[0].span.line == 6


# --- the examples ---


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
    began = time.perf_counter()
    nodes = body(lines, before)
    assert len([node for node in nodes if isinstance(node, ir.Insn)]) == 4000
    assert time.perf_counter() - began < 2.0
