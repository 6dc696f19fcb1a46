# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Small routines for the tests of elaboration, and their bodies as text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.diag import Diagnostic, Failed
from gen.ir import ir
from gen.passes.elaborate import elaborate
from gen.read.load import Unit
from gen.read.parse import parse_source
from gen.read.source import Source

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


def evaluated(pred: ir.Pred, values: dict[str, int]) -> object:
    code = compile(ast.fix_missing_locations(ast.Expression(pred.node)), "pred", "eval")
    return eval(code, {"abs": abs}, values)


ENSURED = """\
macro inc(inout x : u32, in w : i16) uses n ensures x == old(x) + old(w):
    assert n == 1
    add x, x, n
"""
