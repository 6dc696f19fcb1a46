# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Lines to syntax."""

from __future__ import annotations

import pytest

from gen.diag import Failed
from gen.read import syntax as s
from gen.read.parse import parse_source
from gen.read.source import Source


def parse(text: str) -> s.File:
    return parse_source(Source("asm-src/demo/x.rasm", text))


def body(text: str) -> s.Block:
    """The statements of a routine that consists of `text`."""
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    (fn,) = parse("fn void demo_x(void):\n" + indented).decls
    assert isinstance(fn, s.FnDecl)
    return fn.body


def one(text: str) -> s.Stmt:
    (statement,) = body(text)
    return statement


def errors(text: str) -> list[str]:
    with pytest.raises(Failed) as caught:
        parse(text)
    return [f"{item.span.line}: {item.message}" for item in caught.value.bag.items]


def test_instruction() -> None:
    insn = one("adds.w  z, x[i], y.t, lsl #2 -> c  // sum")
    assert isinstance(insn, s.Instr)
    assert (insn.mnemonic.text, insn.width, insn.comment) == ("adds", ".w", "sum")
    assert insn.carry is not None and insn.carry.text == "c"
    z, x, y, shift = insn.ops
    assert isinstance(z, s.RegOp) and z.ref.name.text == "z"
    assert isinstance(x, s.RegOp) and x.ref.index is not None and x.ref.index.text == "i"
    assert isinstance(y, s.RegOp) and y.ref.half is not None and y.ref.half.text == "t"
    assert isinstance(shift, s.ShiftOp) and shift.kind.text == "lsl"


def test_mnemonic_with_a_type() -> None:
    insn = one("vmov.f32 a, b")
    assert isinstance(insn, s.Instr)
    assert (insn.mnemonic.text, insn.width) == ("vmov.f32", "")


@pytest.mark.parametrize(
    ("text", "mode", "offset", "index"),
    [
        ("[p]", "offset", None, None),
        ("[p, #4*i]", "offset", "4*i", None),
        ("[p, #4]!", "pre", "4", None),
        ("[p], #4", "post", "4", None),
        ("[p, n]", "offset", None, "n"),
        ("[p, n, lsl #2]", "offset", None, "n"),
    ],
)
def test_addresses(text: str, mode: str, offset: str | None, index: str | None) -> None:
    insn = one(f"ldr a, {text}")
    assert isinstance(insn, s.Instr)
    _, mem = insn.ops
    assert isinstance(mem, s.MemOp)
    assert (mem.base.name.text, mem.mode) == ("p", mode)
    assert (mem.offset.expr.text if mem.offset else None) == offset
    assert (mem.index.name.text if mem.index else None) == index
    assert (mem.shift is not None) == ("lsl" in text)


def test_register_lists() -> None:
    insn = one("ldm p!, {a[0..3], b, c[2]}")
    assert isinstance(insn, s.Instr)
    base, regs = insn.ops
    assert isinstance(base, s.RegOp) and base.bang
    assert isinstance(regs, s.ListOp)
    assert [ref.name.text for ref in regs.items] == ["a", "b", "c"]
    assert regs.items[0].last is not None


def test_macro_arguments_keep_both_readings() -> None:
    call = one("pair(a[i], a[0..3], w.t, 2*k, Q, win(i+1), {x, y})")
    assert isinstance(call, s.MacroCall)
    assert [arg.ref is not None for arg in call.args] == [
        True,
        True,
        True,
        False,
        True,
        False,
        False,
    ]
    assert [arg.expr is not None for arg in call.args] == [
        True,
        False,
        False,
        True,
        True,
        True,
        False,
    ]
    assert call.args[-1].items is not None


def test_blocks_and_their_ends() -> None:
    text = """\
for i, j in [(0, 1)]:
    nop
if x == 1:
    nop
elif y:
    nop
else:
    nop
do:
    nop
while ne
loop at most 4*N:
    break hs
when eq:
    nop
otherwise:
    nop
then lo:
    nop"""
    kinds = [type(statement) for statement in body(text)]
    assert kinds == [s.For, s.If, s.Do, s.LoopAtMost, s.When, s.Then]
    choice = body(text)[1]
    assert isinstance(choice, s.If) and len(choice.branches) == 3


def test_statements_for_the_analyses() -> None:
    text = """\
assert |a| < 4*Q and b in T
claim lo.b == 0      // the residue
split a.b by 16
split a.b at 0
public r             // published
spill n, m
fill n
align 4"""
    found = body(text)
    kinds = [s.Assert, s.Assert, s.Split, s.Split, s.Public, s.Move, s.Move, s.AlignTo]
    assert [type(statement) for statement in found] == kinds
    assert found[1].comment == "the residue"


def test_comments_stay_in_their_blocks() -> None:
    text = """\
do:
    // inside
    nop
    // still inside
while ne
// outside
nop"""
    loop, outside, _ = body(text.replace("while ne", "while ne  // end"))
    assert isinstance(loop, s.Do) and len(loop.body) == 4
    assert isinstance(outside, s.Remark) and outside.comment == "outside"


DECLARATIONS = """\
// SPDX-License-Identifier: X

// About the file,
// in two lines.

import "common/mont"
const Q = 3329
const f(x, y) = x + y
// The roots.
table t : i16[2] = [1, 2]
macro m(inout a[4] : u32, in w : i16, b : ptr, k : const) uses q, r requires dsp ensures a.b == 0:
    local x, y[2] : i32
    nop
sub s(in a : ptr @ r1, out z[2] : u32 @ r0..r1) clobbers r8..r12, lr:
    nop

// What it does.
//
// More.
fn void demo_x(int16_t r[256], uint32_t n) variant fpregs requires fpregs, dsp:
    param r : secret inout, align 4, noalias, in flash, len(r) = 2*n, public r[0:4], |r[i]| < Q -> \
|r[i]| < 2*Q = t
    param n : public in, 0 <= n <= 256, lengths [1, 2]
    result x : u32
    reg a[8] : i16x2 slot @ r4..r11 = Q
    stack o[8] : u32 over p
    call s(a, b)
"""


def test_declarations_of_a_file() -> None:
    file = parse(DECLARATIONS)
    assert file.above == "About the file, in two lines."
    assert [one.path for one in file.imports] == ["common/mont"]
    q, f, t, m, sub, fn = file.decls
    assert isinstance(q, s.ConstDecl) and q.params is None
    assert isinstance(f, s.ConstDecl) and f.params is not None and len(f.params) == 2
    assert isinstance(t, s.TableDecl) and t.above == "The roots."
    assert isinstance(m, s.MacroDecl)
    assert [(p.name.word.text, p.role, p.type.text) for p in m.params] == [
        ("a", "inout", "u32"),
        ("w", "in", "i16"),
        ("b", "in", "ptr"),
        ("k", None, "const"),
    ]
    assert [word.text for word in m.uses] == ["q", "r"] and m.ensures is not None
    assert isinstance(sub, s.SubDecl) and len(sub.clobbers) == 2
    assert isinstance(fn, s.FnDecl) and fn.above == "What it does.\nMore."
    assert fn.variant is not None and [word.text for word in fn.requires] == ["fpregs", "dsp"]
    assert fn.prototype == "void demo_x(int16_t r[256], uint32_t n)"


def test_declarations_of_a_routine() -> None:
    fn = parse(DECLARATIONS).decls[-1]
    assert isinstance(fn, s.FnDecl)
    r, n, result, reg, stack, call = fn.body
    assert isinstance(r, s.ParamDecl) and r.noalias and r.flash and r.secret and r.role == "inout"
    assert r.align is not None and r.length is not None and r.table is not None and r.public
    assert r.promises[0].pre is not None and r.promises[0].post is not None
    assert isinstance(n, s.ParamDecl) and n.lengths is not None and not n.secret
    assert isinstance(result, s.ResultDecl)
    assert isinstance(reg, s.Registers) and reg.home is not None and reg.pin is not None
    assert isinstance(stack, s.StackObject) and stack.over is not None
    assert isinstance(call, s.SubCall) and call.name.text == "s"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("while ne", "`while` without its `do` at the same indentation"),
        ("else:\n    nop", "`else` without its `if` at the same indentation"),
        ("do:\n    nop", "this `do:` has no `while CONDITION` at its end"),
        ("loop most 4:\n    nop", "expected `at`, found `most`"),
        ("break xx", "`xx` is no condition"),
        ("local x : u32", "`local` stands at the top of a macro, not here"),
        ("do:\n    reg x : u32\nwhile ne", "`reg` stands at the top of a fn or sub, not here"),
        ("mov a, 4", "a constant operand is written with `#`"),
        ("mov a b", "expected the end of the line, found `b`"),
        ("mov a, win(3)", "a value computed by `win(...)` is a constant; write `#` before it"),
        ("mov a, b.x", "`.x` is no half; write `.b` or `.t`"),
        (".align 4", "directives are not written; the generator places them"),
        ("assert |a < 1", "`|` without its partner"),
        ("assert a is b", "this operator is not part of expressions"),
        ("if x.y:\n    nop", "this is not part of expressions"),
        ("if f(*x):\n    nop", "this is not part of expressions"),
        ("mov a, #'x'", "the character `'` means nothing here"),
        ("mov a, #lambda", "the expression does not parse"),
        ("nop\n        nop", "this line is indented further than its block"),
    ],
)
def test_refused(text: str, message: str) -> None:
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    assert message in [m.partition(": ")[2] for m in errors("fn void demo_x(void):\n" + indented)]


def test_several_errors_of_one_file() -> None:
    text = """\
const = 1
fn void demo_x(void):
    mov a, 4
    for i on range(3):
        mov b, 5
    nop
  nop
cnst B = 2
"""
    assert errors(text) == [
        "1: expected a constant, found `=`",
        "3: a constant operand is written with `#`",
        "4: expected `in`, found `on`",
        "5: a constant operand is written with `#`",
        "7: the indentation fits no block above",
        "8: expected a declaration, found `cnst`",
    ]


def test_a_rewritten_condition_points_at_the_source() -> None:
    with pytest.raises(Failed) as caught:
        body("assert |a| < 4 and |b| < c.x")
    span = caught.value.bag.items[0].span
    assert span.source.text[span.start : span.end] == "c.x"
