# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The library on the machine of gen/emu: calls with buffers, and what a call leaves or costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gen.cores.core import load_core
from gen.emu.build import link
from gen.emu.image import Image
from gen.emu.machine import STACK_SIZE, STACK_TOP, Machine
from gen.emu.trace import Trace, Tracer

# Parameter set -> bytes of ek, dk, ct (FIPS 203, table 3).
SIZES = {512: (800, 1632, 768), 768: (1184, 2400, 1088), 1024: (1568, 3168, 1568)}
OPERATIONS = ("keygen_derand", "encaps_derand", "decaps", "decaps_checked")


def workspace(number: int) -> int:
    """Bytes of work space of encapsulation and decapsulation, as in armscribe/mlkem.h."""
    return 1772 + 1024 * (number // 256) + 232


def symbol(number: int, operation: str) -> str:
    return f"armscribe_mlkem{number}_{operation}"


def program(
    library: Path, number: int, extra: Sequence[str | Path] = (), core: str = "cortex-m4"
) -> Image:
    """The library's operations of one set, linked; `extra` are sources and linker options."""
    sources = [library, *(item for item in extra if isinstance(item, Path))]
    flags = [f"-Wl,-u,{symbol(number, operation)}" for operation in OPERATIONS]
    flags += [item for item in extra if isinstance(item, str)]
    return link(sources, load_core(core), ["-Wl,--gc-sections", *flags])


@dataclass(frozen=True)
class Buffers:
    """Addresses of one session's buffers."""

    ek: int
    dk: int
    ct: int
    ss: int
    seed: int
    m: int
    work: int


class Library:
    """One parameter set on one machine. Every call finds the same stack and the same buffers."""

    def __init__(self, image: Image, number: int, priced: bool = False) -> None:
        self.number, self.sizes = number, SIZES[number]
        self.machine = Machine(image)
        self._tracer = Tracer(self.machine, load_core("cortex-m4")) if priced else None
        alloc = self.machine.alloc
        ek, dk, ct = map(alloc, self.sizes)
        ss, seed, m, work = map(alloc, (32, 64, 32, workspace(number)))
        self.at = Buffers(ek, dk, ct, ss, seed, m, work)

    def keygen(self, seed: bytes) -> Trace | int:
        self.machine.write(self.at.seed, seed)
        return self._call("keygen_derand", self.at.ek, self.at.dk, self.at.seed)

    def encaps(self, m: bytes) -> Trace | int:
        self.machine.write(self.at.m, m)
        return self._call(
            "encaps_derand", self.at.ct, self.at.ss, self.at.ek, self.sizes[0], self.at.m
        )

    def decaps(self, operation: str = "decaps") -> Trace | int:
        ct, dk = (self.at.ct, self.sizes[2]), (self.at.dk, self.sizes[1])
        return self._call(operation, self.at.ss, *ct, *dk)

    def read(self, what: str) -> bytes:
        sizes = dict(zip(("ek", "dk", "ct"), self.sizes, strict=True))
        return self.machine.read(getattr(self.at, what), sizes.get(what, 32))

    def write(self, what: str, content: bytes) -> None:
        self.machine.write(getattr(self.at, what), content)

    def paint(self) -> None:
        """Fills the free stack, so that what a call leaves there can be seen."""
        self.machine.write(STACK_TOP - STACK_SIZE, b"\xc3" * STACK_SIZE)

    def left(self) -> bytes:
        """The stack below where the last call was made, and the work space."""
        bottom = STACK_TOP - STACK_SIZE
        stack = self.machine.read(bottom, self.machine.entry_sp - bottom)
        return stack + self.machine.read(self.at.work, workspace(self.number))

    def _call(self, operation: str, *args: int) -> Trace | int:
        caller = self._tracer or self.machine
        return caller.call(symbol(self.number, operation), *args, self.at.work)


def traced(trace: Trace | int) -> Trace:
    """The trace of a call that must have succeeded."""
    assert isinstance(trace, Trace) and trace.result == 0
    return trace
