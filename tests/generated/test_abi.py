# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The calling convention of every routine, from its prototype and its promises: registers, stack, memory, aliases."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from gen.cores.core import load_core
from gen.emu.abi import Buffer, check_call
from gen.emu.build import assemble, link
from gen.emu.machine import CALLEE_SAVED, Machine
from gen.ir.ir import Param, Routine
from tests.generated import kit

CODE = kit.distinct()


def _machine(core: str, symbol: str, form: str, scratch: Path) -> Machine:
    """All a routine needs, and nothing that calls it."""
    routine = kit.routines(core)[symbol]
    empty = scratch / "empty.c"
    empty.write_text("extern int nothing;\n")
    flags = ["-O2", kit.INCLUDE, kit.backend(core, form)]
    return Machine(link([empty, *kit.files(routine, form)], load_core(core), flags))


@dataclass
class Call:
    """One call: where its buffers are, and what they held before. Two parameters of one place share it."""

    machine: Machine
    routine: Routine
    given: kit.Batch
    same: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        self.places: dict[str, int] = {}
        for param in self.routine.params:
            if param.ctype.pointer and param.table is None:
                self.places[param.name] = self._place(param)

    def _place(self, param: Param) -> int:
        """A buffer aligned as promised and not better."""
        if param.name == self.same[1]:
            return self.places[self.same[0]]
        return self.machine.alloc(self._bytes(param), 2 * param.align, param.align)

    def _bytes(self, param: Param) -> bytes:
        count = self.count(param)
        return self.given[param.name][0][:count].astype(f"<{kit.numpy_type(param.ctype)}").tobytes()

    def count(self, param: Param) -> int:
        """Elements that the call may touch."""
        return kit.elements(param, self.given, 0)

    def arguments(self) -> Iterator[int]:
        for param in self.routine.params:
            if param.table is not None:
                yield self.machine.image[param.table.symbol].address
            elif param.ctype.pointer:
                yield self.places[param.name]
            else:
                yield int(self.given[param.name][0][0])

    def buffers(self) -> list[Buffer]:
        found = []
        for param in self.routine.params:
            if param.name in self.places:
                size = self.count(param) * param.ctype.bits // 8
                found.append(Buffer(self.places[param.name], size, param.role != "in"))
        return found

    def run(self) -> tuple[str, ...]:
        """Calls it once; what it broke, and how its results are wrong."""
        source = random.Random(7)
        symbol = self.routine.symbol
        verdict = check_call(self.machine, symbol, tuple(self.arguments()), self.buffers(), source)
        wrong = kit.wrong(self.routine, self.given, self._results(verdict.result))
        return (*verdict.broken, *((wrong,) if wrong else ()))

    def _results(self, result: int) -> kit.Batch:
        got: kit.Batch = {}
        for param in kit.rows_of(self.routine):
            if param.name in self.places:
                size = kit.count_of(param) * param.ctype.bits // 8
                raw = self.machine.read(self.places[param.name], size)
                kind = f"<{kit.numpy_type(param.ctype)}"
                got[param.name] = np.frombuffer(raw, kind).astype(np.int64)[None, :]
        got["return"] = np.array([[result]])
        return got


def _one(routine: Routine, seed: int) -> kit.Batch:
    """One random input."""
    batch = kit.inputs(routine, np.random.default_rng(seed), 1)
    return {name: rows[-1:] for name, rows in batch.items()}


@pytest.mark.parametrize("form", kit.REAL_FORMS)
@pytest.mark.parametrize(("core", "symbol"), CODE)
def test_convention(core: str, symbol: str, form: str, tmp_path: Path) -> None:
    machine = _machine(core, symbol, form, tmp_path)
    routine = kit.routines(core)[symbol]
    assert Call(machine, routine, _one(routine, 5)).run() == ()


def _pairs(routine: Routine) -> list[tuple[Param, Param]]:
    """Pairs of buffers that a caller may pass as one: C lets no object be read as another type of element."""
    buffers = [p for p in kit.rows_of(routine) if p.ctype.pointer and not p.noalias]
    return [
        (a, b)
        for a, b in itertools.combinations(buffers, 2)
        if (a.ctype.text, a.ctype.count) == (b.ctype.text, b.ctype.count)
    ]


@pytest.mark.parametrize(("core", "symbol"), CODE)
def test_aliases(core: str, symbol: str, tmp_path: Path) -> None:
    """Buffers that may be the same are: the result is what separate buffers of that content give."""
    routine = kit.routines(core)[symbol]
    machine = _machine(core, symbol, "gas", tmp_path)
    for one, other in _pairs(routine):
        given = _one(routine, 6)
        readers = [param for param in (one, other) if param.role != "out"]
        low = max(kit.limits(param)[0] for param in readers)
        high = min(kit.limits(param)[1] for param in readers)
        shared = np.clip(given[readers[0].name], low, high)
        given |= {one.name: shared, other.name: shared}
        broken = Call(machine, routine, given, (one.name, other.name)).run()
        assert broken == (), f"{one.name} is {other.name}: say noalias where that is not meant"


# --- the check notices ---------------------------------------------------------------------------


def _offence(name: str) -> str:
    """A step that breaks one rule, before a routine is entered."""
    if name == "sp":
        return "sub sp, #8"
    return f"vmov {name}, lr" if name.startswith("s") else f"mvn {name}, {name}"


@pytest.fixture(scope="module")
def offenders() -> Machine:
    """`bad_X` changes X, calls the real mlkem_add, and returns."""
    text = kit.text_of("cortex-m4", "mlkem_add", "gas").read_text()
    bodies = []
    for name in CALLEE_SAVED:
        bodies.append(
            f"\t.text\n\t.global bad_{name}\n\t.type bad_{name}, %function\nbad_{name}:\n"
            f"\t{_offence(name)}\n\tb.w mlkem_add\n\t.size bad_{name}, . - bad_{name}\n"
        )
    strays = {
        "before": "str r3, [r0, #-4]",
        "after": "strb r3, [r0, #512]",
        "input": "strh r3, [r1]",
        "reads": "ldr r3, [r2, #512]",
    }
    for name, step in strays.items():
        bodies.append(
            f"\t.text\n\t.global bad_{name}\n\t.type bad_{name}, %function\nbad_{name}:\n"
            f"\t{step}\n\tb.w mlkem_add\n\t.size bad_{name}, . - bad_{name}\n"
        )
    head = "#define ARMSCRIBE_BACKEND_H\n#define ARMSCRIBE_CODE_CORTEX_M4_GAS\n"
    text = head + text.replace('#include "armscribe_backend.h"', "")
    return Machine(
        assemble(
            text + "\t.syntax unified\n\t.thumb\n\t.fpu fpv4-sp-d16\n" + "".join(bodies),
            load_core("cortex-m4"),
        )
    )


@pytest.mark.parametrize("name", [*CALLEE_SAVED, "before", "after", "input", "reads"])
def test_each_offence_is_noticed(offenders: Machine, name: str) -> None:
    r, a, b = (offenders.alloc(512, 8, 4) for _ in range(3))
    buffers = [Buffer(r, 512), Buffer(a, 512, False), Buffer(b, 512, False)]
    clean = check_call(offenders, "mlkem_add", (r, a, b), buffers, random.Random(1))
    assert clean.broken == ()
    verdict = check_call(offenders, f"bad_{name}", (r, a, b), buffers, random.Random(1))
    assert verdict.broken
    assert name not in CALLEE_SAVED or any(text.startswith(name) for text in verdict.broken)
