# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Measures the generated routines of a built library on the emulated core."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from gen.bench.calls import arguments
from gen.bench.figures import Figure
from gen.bench.library import Library
from gen.bench.operations import SEED
from gen.emu.machine import Machine
from gen.emu.trace import Tracer
from gen.ir.ir import Routine


def routines(library: Library, known: Iterable[Routine]) -> Iterator[Figure]:
    """The figure of each generated routine."""
    machine = Machine(library.whole())
    tracer = Tracer(machine, library.core)
    for routine in known:
        mark = machine.mark()
        values, _ = arguments(routine, machine, random.Random(SEED))
        trace = tracer.call(routine.symbol, *values)
        machine.release(mark)
        tables = {t.symbol for t in routine.tables}
        tables |= {param.table.symbol for param in routine.params if param.table}
        rodata = sum(machine.image[name].size for name in tables)
        yield library.figure(routine.symbol, trace, machine.image[routine.symbol].size, rodata)
