# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Routines for the tests of the passes: small ones from text, all of asm-src; code as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gen import isa
from gen.cores.core import load_core
from gen.diag import Diagnostic, Failed
from gen.ir.ir import Insn, Item, Label, Move, Routine
from gen.passes import BUILD, run
from gen.passes.elaborate import elaborate
from gen.read.load import Unit, choose, index, load
from gen.read.parse import parse_source
from gen.read.source import Source

ROOT = Path(__file__).resolve().parents[3]
HEAD = "fn void t_f(uint32_t r[64], const uint32_t k[8]):\n    param r : secret inout, align 4\n"
HEAD += "    param k : secret in, align 4\n"


def routine(lines: str, last: str = "", core: str = "cortex-m4", head: str = HEAD) -> Routine:
    """The routine `t_f` with this body, after the pass `last` ("": before all)."""
    indented = "".join(f"    {line}\n" for line in lines.strip("\n").splitlines())
    unit = Unit(Path(), parse_source(Source("asm-src/t/f.rasm", head + indented)), ())
    return run(elaborate(unit, "t_f", load_core(core)), upto(last))


def upto(last: str) -> Sequence[str]:
    """The build passes up to and including `last`."""
    return BUILD[: BUILD.index(last) + 1] if last else ()


def shipped(core: str = "cortex-m4", last: str = "check_result") -> Iterator[Routine]:
    """Every routine of asm-src that fits the core, after the pass `last`."""
    has = load_core(core).features
    refs = index(ROOT)
    for ref in refs:
        if ref == choose(refs, ref.symbol, has):
            made = elaborate(load(ROOT, ref.path), ref.symbol, load_core(core))
            yield run(made, upto(last))


def complaints(
    lines: str, last: str, core: str = "cortex-m4", head: str = HEAD
) -> list[Diagnostic]:
    """What the passes up to `last` have to say."""
    try:
        routine(lines, last, core, head)
    except Failed as failed:
        return failed.bag.items
    return []


def text(items: Iterable[Item]) -> list[str]:
    """Instructions, labels and moves, a line each; registers by name."""
    out = []
    for item in items:
        if isinstance(item, Insn):
            out.append(isa.render(item, lambda var: var.name).replace("\t", " "))
        elif isinstance(item, Label):
            out.append(f"{item.name}:")
        elif isinstance(item, Move):
            out.append(f"{item.kind} {item.var.name}")
    return out
