# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The operations of ML-DSA-65. Signing repeats until a signature may be shown, so its cost is a line through the runs
of fixed seeds: a + b times the attempts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gen.bench.figures import Figure
from gen.bench.measure import SEED, Library, MeasureError
from gen.emu.machine import Machine
from gen.emu.trace import Trace, Tracer

NAME = "armscribe_mldsa65_"
PK, SK, SIG, K, L = 1952, 4032, 3309, 6, 5  # FIPS 204, tables 1 and 2
EXPECTED = 5.1  # attempts, FIPS 204, table 1
SEEDS = 30
PATIENCE = 1800.0  # seconds: a signature may take dozens of attempts
NTT = "mldsa_ntt"
# Bytes of work space, as in armscribe/mldsa.h: its stack and this is what an operation takes.
WORK = {
    name: 1024 * (1 + polys)
    for name, polys in (("keygen", L + 2), ("sign", K * L + 2 * L + 3 * K + 2), ("verify", L + 3))
}


@dataclass(frozen=True)
class Line:
    """Cycles of a signature: a + b * attempts."""

    a: float
    b: float

    def at(self, attempts: float) -> int:
        return round(self.a + self.b * attempts)

    def __str__(self) -> str:
        return f"{round(self.a)} + {round(self.b)} x attempts"


def through(points: Sequence[tuple[int, int]]) -> Line:
    """The line of least squares through (attempts, cycles). Errors: all attempts equal."""
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if not spread:
        raise MeasureError("signing: every seed took as many attempts, that makes no line")
    b = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return Line(mean_y - b * mean_x, b)


class Session:
    """Keys, a message and a signature on one machine."""

    def __init__(self, library: Library) -> None:
        self.library, self.source = library, random.Random(SEED)
        self.machine = Machine(library.whole())
        self.tracer = Tracer(self.machine, library.core)
        alloc = self.machine.alloc
        self.pk, self.sk, self.sig = alloc(PK), alloc(SK), alloc(SIG)
        self.seed, self.message, self.work = alloc(32), alloc(32), alloc(WORK["sign"], align=8)
        self.ntt = (
            0.0  # cycles of one transform; where it is called from makes a cycle's difference
        )

    def keygen(self) -> Trace:
        self.machine.write(self.seed, self.source.randbytes(32))
        trace = self._call("keygen_derand", self.pk, self.sk, self.seed, self.work)
        self.ntt = trace.by_function[NTT] / L
        return trace

    def sign(self) -> tuple[int, Trace]:
        """Attempts, counted by the transforms, and the trace of signing the next message."""
        self.machine.write(self.message, self.source.randbytes(32))
        message = (self.message, 32, 0, 0)
        trace = self._call("sign", self.sig, self.sk, SK, *message, 0, 0, self.work)
        once, each = L + 2 * K, L + 1
        counted = (trace.by_function[NTT] / self.ntt - once) / each
        attempts = round(counted)
        if abs(counted - attempts) > 0.05 or attempts < 1:
            raise MeasureError(f"signing: {counted} attempts by the number of transforms")
        return attempts, trace

    def verify(self) -> Trace:
        message = (self.message, 32, 0, 0)
        return self._call("verify", self.pk, PK, *message, self.sig, SIG, self.work)

    def _call(self, operation: str, *values: int) -> Trace:
        trace = self.tracer.call(NAME + operation, *values, timeout=PATIENCE)
        if trace.result != 0:
            raise MeasureError(f"{NAME}{operation} answered {trace.result}")
        return trace

    def figure(self, operation: str, trace: Trace) -> Figure:
        """Code and read-only data of all it links; stack and work space as one."""
        image = self.library.needed(NAME + operation)
        code, rodata = image.sections[".text"][1], image.sections.get(".rodata", (0, 0))[1]
        figure = self.library.figure(NAME + operation, trace, code, rodata)
        return replace(figure, stack=figure.stack + WORK[operation.removesuffix("_derand")])


def signatures(library: Library, seeds: int = SEEDS) -> tuple[list[Figure], Line]:
    """Key generation, signing at the expected number of attempts, verification; and the line."""
    session = Session(library)
    figures = [session.figure("keygen_derand", session.keygen())]
    runs = list(_signed(session, seeds))
    line = through([(attempts, trace.cycles) for attempts, trace in runs])
    instructions = through([(attempts, trace.instructions) for attempts, trace in runs])
    figure = session.figure("sign", runs[-1][1])
    expected = line.at(EXPECTED), instructions.at(EXPECTED)
    figures.append(replace(figure, cycles=expected[0], instructions=expected[1]))
    figures.append(session.figure("verify", session.verify()))
    return figures, line


def _signed(session: Session, seeds: int) -> Iterator[tuple[int, Trace]]:
    """Runs with a key pair of its own for each seed."""
    for number in range(seeds):
        if number:
            session.keygen()
        yield session.sign()
