# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The timing pass against the tracer: the same machine code, two ways to count."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.emit.gas import body_lines
from gen.emu.build import assemble
from gen.emu.machine import Machine
from gen.emu.trace import Trace, Tracer
from gen.ir.interp.entry import element_bytes
from gen.ir.ir import Param, Routine
from gen.passes import BUILD, run
from gen.passes.elaborate import elaborate
from gen.passes.running import promised
from gen.passes.timing import timing
from gen.read.load import choose, index, load

ROOT = Path(__file__).resolve().parents[3]
CORES = ("cortex-m4", "cortex-m4f")
SYMBOLS = [ref.symbol for ref in index(ROOT) if {*ref.requires} <= load_core("cortex-m4f").features]


@cache
def built(symbol: str, key: str) -> Routine:
    core = load_core(key)
    ref = choose(index(ROOT), symbol, core.features)
    assert ref is not None
    return timing(run(elaborate(load(ROOT, ref.path), symbol, core), BUILD))


def assembly(routine: Routine) -> str:
    """The final instructions, and the tables that callers pass."""
    head = [".syntax unified", ".thumb", ".text", ".balign 8"]
    name = routine.symbol
    body = [f"{name}:", *body_lines(routine, name)]
    for one in routine.subs:
        body += [".balign 4", f"{name}{one.name}:", *body_lines(one, name)]
    body = [line for line in body if ".cfi" not in line]
    lines = [*head, f".type {name}, %function", *body, f".size {name}, . - {name}"]
    for param in routine.params:
        if param.table is not None:
            directive = {1: ".byte", 2: ".hword", 4: ".word"}[element_bytes(param)]
            values = ", ".join(str(value) for value in param.table.values)
            section = ".section .rodata" if param.flash else ".data"
            lines += [section, ".balign 8", f"table_{param.name}:", f"{directive} {values}"]
    return "\n".join([*lines, ""])


def traced(routine: Routine, seed: int, scalars: dict[str, int] | None = None) -> Trace:
    """One call with random arguments within their bounds."""
    rng = random.Random(seed)
    machine = Machine(assemble(assembly(routine), routine.core))
    args = [_argument(machine, param, rng, scalars or {}) for param in routine.params]
    return Tracer(machine, routine.core).call(routine.symbol, *args)


def _argument(machine: Machine, param: Param, rng: random.Random, scalars: dict[str, int]) -> int:
    if not param.ctype.pointer:
        return scalars[param.name]
    if param.table is not None:
        return machine.image[f"table_{param.name}"].address
    low, high = promised(param)
    size = element_bytes(param)
    values = [rng.randint(low, high) for _ in range(param.ctype.count or 1024)]
    content = b"".join((v % (1 << 8 * size)).to_bytes(size, "little") for v in values)
    return machine.alloc(content)


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("core", CORES)
def test_cycles_and_instructions_are_what_the_machine_code_takes(symbol: str, core: str) -> None:
    """Exactly where nothing public decides; else every length that the routine lists lies in the range."""
    routine = built(symbol, core)
    assert routine.cost is not None
    scalars = {p.name: p.lengths or (0,) for p in routine.params if not p.ctype.pointer}
    if not scalars:
        trace = traced(routine, 1)
        assert routine.cost.cycles == (trace.cycles, trace.cycles)
        assert routine.cost.instructions == (trace.instructions, trace.instructions)
        assert routine.frame.depth == trace.stack
    for values in product(*scalars.values()) if scalars else ():
        trace = traced(routine, 1, dict(zip(scalars, values, strict=True)))
        assert routine.cost.cycles[0] <= trace.cycles <= routine.cost.cycles[1]
        assert trace.stack <= routine.frame.depth


def test_a_wrong_price_shows() -> None:
    """The same routine on a core whose loads cost more differs from the trace."""
    routine = built("mlkem_add", "cortex-m4")
    rules = replace(routine.core.rules, load_after_load=2)
    dearer = timing(replace(routine, core=replace(routine.core, rules=rules)))
    ldm_only = {item.form.kind for item in routine.final if hasattr(item, "form") and item.form}
    assert ("load" in ldm_only) == (dearer.cost != routine.cost)


def test_bytes_of_code_and_tables() -> None:
    routine = built("mlkem_ntt", "cortex-m4")
    assert routine.cost is not None
    image = assemble(assembly(routine), routine.core)
    assert routine.cost.code == image["mlkem_ntt"].size
    assert routine.cost.rodata == sum(4 * len(table.values) for table in routine.tables)
