# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs the sequences of tests/fixtures on the emulated core and says what they cost."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from gen.cores.core import Core, load_core
from gen.emu.build import assemble
from gen.emu.image import Image
from gen.emu.machine import Machine
from gen.emu.trace import Tracer

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RETURN = (1, 3)  # instructions and cycles of the BX LR that ends a sequence


@dataclass(frozen=True)
class Sequence:
    """One row: what the body of `symbol` must cost."""

    name: str
    core: str
    body: str
    instructions: int
    cycles: int
    symbol: str


@cache
def sequences(core: str) -> tuple[Sequence, ...]:
    """The rows of one core."""
    return tuple(row for row in _rows() if row.core == core)


def _rows() -> Iterator[Sequence]:
    number = 0
    for file in ("cycles.csv", "cycles-more.csv"):
        with (FIXTURES / file).open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                number += 1
                figures = int(row["instructions"]), int(row["cycles"])
                yield Sequence(row["name"], row["core"], row["sequence"], *figures, f"f{number}")


@cache
def image(key: str) -> Image:
    """All sequences of a core, a function each."""
    core = load_core(key)
    if "vfp" in core.isa:
        core = replace(core, cc=load_core("cortex-m4f").cc)
    text = ".syntax unified\n.thumb\n.text\n"
    for row in sequences(key):
        body = "\n".join(row.body.split("; "))
        text += f".balign 4\n.type {row.symbol}, %function\n{row.symbol}:\n{body}\n"
        text += f".balign 4\nbx lr\n.size {row.symbol}, . - {row.symbol}\n"
    return assemble(text, core)


def measure(core: Core) -> Iterator[tuple[Sequence, int, int]]:
    """Each sequence of `core.key` with its instructions and cycles under the prices of `core`."""
    machine = Machine(image(core.key))
    tracer = Tracer(machine, core)
    for row in sequences(core.key):
        mark = machine.mark()
        near, far = machine.alloc(64), machine.alloc(64)
        flash = machine.image[row.symbol].address
        trace = tracer.call(row.symbol, near, far, flash, 7)
        machine.release(mark)
        yield row, trace.instructions - RETURN[0], trace.cycles - RETURN[1]
