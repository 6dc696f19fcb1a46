# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Measures routines and operations of a built library on the emulated core."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gen.bench.calls import arguments
from gen.bench.figures import Figure
from gen.cores.core import Core
from gen.emu.build import link
from gen.emu.image import Image
from gen.emu.machine import Machine
from gen.emu.trace import Trace, Tracer
from gen.ir.ir import Routine

SEED = 20240813  # of the inputs; cycles of constant-time code do not depend on them
PERMUTATION = "armscribe_keccak_permute"
EK, DK, CT, SS = 1184, 2400, 1088, 32  # ML-KEM-768, FIPS 203 table 3
KEYGEN_WORK, WORK = 4844, 5076  # bytes of work space, as in armscribe/mlkem.h


class MeasureError(Exception):
    """A figure cannot be had, or belongs to a run that went wrong."""


@dataclass(frozen=True)
class Library:
    """A built libarmscribe.a, and what it was built for."""

    archive: Path
    core: Core
    form: str

    @classmethod
    def built(cls, root: Path, core: Core, form: str) -> Library:
        """The library below `root`/build. `MeasureError` when it is not there."""
        archive = root / "build" / core.key / form / "libarmscribe.a"
        if not archive.is_file():
            raise MeasureError(f"build it first: make lib CORE={core.key} FORM={form}")
        return cls(archive, core, form)

    def whole(self) -> Image:
        """Everything in it."""
        flags = ["-Wl,--whole-archive", str(self.archive), "-Wl,--no-whole-archive"]
        return link([], self.core, flags)

    def needed(self, symbol: str) -> Image:
        """Only what `symbol` needs."""
        return link([self.archive], self.core, [f"-Wl,-u,{symbol}", "-Wl,--gc-sections"])

    def figure(self, symbol: str, trace: Trace, code: int, rodata: int) -> Figure:
        return Figure(
            symbol,
            self.core.key,
            self.form,
            trace.instructions,
            trace.cycles,
            code,
            rodata,
            trace.stack,
            trace.wide,
            trace.straddling,
        )


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


def permutation(library: Library) -> Figure:
    """The Keccak permutation of the library, whoever wrote it."""
    return run(library, PERMUTATION, [], [bytes(range(200))])[0]


def operations(library: Library) -> Iterator[Figure]:
    """Key generation, encapsulation and decapsulation of ML-KEM-768, checked to agree.

    Their stack is that of the call and the work space.
    """
    source = random.Random(SEED)
    name = "armscribe_mlkem768_"
    figure, (ek, dk) = run(
        library, name + "keygen_derand", [EK, DK], [source.randbytes(64), bytes(KEYGEN_WORK)]
    )
    yield replace(figure, stack=figure.stack + KEYGEN_WORK)
    inputs: list[bytes | int] = [ek, EK, source.randbytes(32), bytes(WORK)]
    figure, (ct, ss) = run(library, name + "encaps_derand", [CT, SS], inputs)
    yield replace(figure, stack=figure.stack + WORK)
    for decaps in ("decaps", "decaps_checked"):
        figure, (opened,) = run(library, name + decaps, [SS], [ct, CT, dk, DK, bytes(WORK)])
        if opened != ss:
            raise MeasureError(f"{decaps}: the secrets differ")
        yield replace(figure, stack=figure.stack + WORK)


def run(
    library: Library, symbol: str, outputs: list[int], inputs: list[bytes | int]
) -> tuple[Figure, list[bytes]]:
    """The figure of a function that takes outputs, then inputs; and what it put out.

    Code and read-only data are those of all it links. A result other than 0 is an error; the
    permutation has none.
    """
    image = library.needed(symbol)
    machine = Machine(image)
    places = [machine.alloc(size) for size in outputs]
    values = [machine.alloc(item) if isinstance(item, bytes) else item for item in inputs]
    trace = Tracer(machine, library.core).call(symbol, *places, *values)
    if symbol != PERMUTATION and trace.result != 0:
        raise MeasureError(f"{symbol} answered {trace.result}")
    code, rodata = image.sections[".text"][1], image.sections.get(".rodata", (0, 0))[1]
    results = [machine.read(at, size) for at, size in zip(places, outputs, strict=True)]
    return library.figure(symbol, trace, code, rodata), results
