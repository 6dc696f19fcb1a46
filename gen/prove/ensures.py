# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Proves the `ensures` of a macro, and the asserts and claims inside it, by trying every input that
its asserts allow.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gen.diag import Bag
from gen.ir.ir import Var
from gen.prove.program import Program, start_of

FLAGS = ("-std=gnu11", "-O3")


class NoTool(Exception):
    """A tool that proofs rest on is missing: a C compiler for the host, or the solver."""


def compiler() -> str:
    """The host's C compiler: $HOSTCC, else the first of cc, gcc, clang on the path."""
    for name in (os.environ.get("HOSTCC", ""), "cc", "gcc", "clang"):
        if name and (found := shutil.which(name)):
            return found
    raise NoTool("no C compiler for this machine: install gcc, or set HOSTCC")


def refute(
    program: Program, folder: Path, name: str, parts: int = 2
) -> tuple[int, tuple[int, ...]] | None:
    """Runs the program in `parts` processes. The failed conditions as bits and the words of the
    first input found to fail, or None.
    """
    source, binary = folder / f"{name}.c", folder / f"{name}.exe"
    folder.mkdir(parents=True, exist_ok=True)
    source.write_text(program.text, encoding="utf-8", newline="\n")
    made = subprocess.run(
        [compiler(), *FLAGS, "-o", str(binary), str(source)], capture_output=True, text=True
    )
    if made.returncode:
        raise RuntimeError(f"the program of a proof does not compile: {made.stderr[:2000]}")
    with ThreadPoolExecutor(parts) as pool:
        runs = pool.map(lambda part: _run(binary, part), _pieces(program, parts))
        outputs = [output for output in runs if output]
    binary.unlink()
    if not outputs:
        return None
    failed, *words = (int(word) for word in outputs[0].split())
    return failed, tuple(words)


def _pieces(program: Program, parts: int) -> Sequence[tuple[int, int]]:
    """The outermost axis in about equal parts."""
    first = program.axes[0]
    start, count = start_of(first), first.count
    edges = [start + count * k // parts for k in range(parts + 1)]
    return [(a, b) for a, b in zip(edges, edges[1:], strict=False) if a < b]


def _run(binary: Path, part: tuple[int, int]) -> str:
    done = subprocess.run([str(binary), *map(str, part)], capture_output=True, text=True)
    if done.returncode not in (0, 1) or done.stderr:
        raise RuntimeError(f"the program of a proof fails: {done.returncode} {done.stderr[:500]}")
    return done.stdout


def report(bag: Bag, program: Program, found: tuple[int, tuple[int, ...]]) -> None:
    """The errors that a counterexample is: one for each condition it breaks."""
    failed, words = found
    varied = {axis.var for axis in program.axes}
    inputs = ", ".join(
        _shown(var, word, program)
        for var, word in zip(program.inputs, words, strict=True)
        if var in varied
    )
    for bit, mark in enumerate(program.marks):
        if not failed >> bit & 1 or mark.pred is None:
            continue
        code = "ensures-refuted" if mark.kind == "ensures" else "assert-failed"
        bag.error(
            code,
            mark.span,
            f"`{mark.pred.text}` does not hold for every input",
            trail=mark.trail,
            details=(f"counterexample: {inputs}",),
            help="restrict the inputs by an assert at the top of the macro, or correct it",
        )


def _shown(var: Var, word: int, program: Program) -> str:
    """`x.b = -5` or `w = 77`."""
    parts = [axis.part for axis in program.axes if axis.var is var]
    if parts == [""]:
        value = word - (1 << 32) if var.type in ("i32", "i16") and word >> 31 else word
        return f"{var.name} = {value}"
    halves = {"b": word & 0xFFFF, "t": word >> 16}
    signed = {part: value - 0x10000 * (value >> 15) for part, value in halves.items()}
    return ", ".join(f"{var.name}.{part} = {signed[part]}" for part in sorted(parts))
