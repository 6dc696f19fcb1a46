# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""ML-DSA. Signing repeats until a signature may be shown, so its cost is a line through the runs of fixed seeds:
a + b times the attempts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gen.bench.figures import Figure
from gen.bench.library import MeasureError
from gen.bench.operations import MESSAGE, SEED, Session
from gen.emu.trace import Trace

SEEDS = 30
NTT = "mldsa_ntt"


@dataclass(frozen=True, slots=True)
class Set:
    """A parameter set (FIPS 204, table 1): rows and columns of the matrix, expected attempts."""

    k: int
    l: int  # noqa: E741 (the standard's name)
    expected: float


SETS: Mapping[str, Set] = {
    "mldsa44": Set(4, 4, 4.25),
    "mldsa65": Set(6, 5, 5.1),
    "mldsa87": Set(8, 7, 3.85),
}


@dataclass(frozen=True)
class Line:
    """Cycles of a signature: a + b * attempts, through the runs of so many seeds."""

    a: float
    b: float
    seeds: int

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
    return Line(mean_y - b * mean_x, b, n)


@dataclass(frozen=True, slots=True)
class Sample:
    """What one seed gave: a key pair, a signature in so many attempts, its verification."""

    attempts: int
    keygen: Figure
    sign: Figure
    verify: Figure


class Signer:
    """Key pairs, messages and signatures of one set, deterministic."""

    def __init__(self, name: str, session: Session) -> None:
        self.session, self.set = session, SETS[name]
        self.keygen, self.sign, self.verify = (
            session.program(f"{name}_{operation}")
            for operation in ("keygen_derand", "sign", "verify")
        )

    def sample(self, number: int) -> Sample:
        """The figures of seed `number`."""
        keys, made, signed, verified = self.run(number)
        return Sample(
            self.attempts(made, signed),
            self.keygen.figure(made),
            self.sign.figure(signed),
            self.verify.figure(verified),
        )

    def run(self, number: int) -> tuple[dict[str, bytes], Trace, Trace, Trace]:
        """What verification is given, and the traces of the three operations."""
        source = random.Random(f"{SEED} {number}")
        made = self.session.done(self.keygen, {"seed": source.randbytes(32)})
        given = {"msg": source.randbytes(MESSAGE)}
        signed = self.session.done(self.sign, {"sk": made.outputs["sk"], **given})
        given |= {"pk": made.outputs["pk"], "sig": signed.outputs["sig"]}
        return given, made.trace, signed.trace, self.session.done(self.verify, given).trace

    def attempts(self, made: Trace, signed: Trace) -> int:
        """By the number of transforms: l of a key; of a signature l + 2 k, and l + 1 for each attempt. Where a
        transform is called from makes a cycle's difference."""
        one = made.by_function[NTT] / self.set.l
        once, each = self.set.l + 2 * self.set.k, self.set.l + 1
        counted = (signed.by_function[NTT] / one - once) / each
        attempts = round(counted)
        if abs(counted - attempts) > 0.05 or attempts < 1:
            raise MeasureError(f"signing: {counted} attempts by the number of transforms")
        return attempts


def mldsa(name: str, samples: Sequence[Sample]) -> tuple[list[Figure], Line]:
    """Key generation, signing at the expected number of attempts, verification; and the line."""
    line = through([(one.attempts, one.sign.cycles) for one in samples])
    instructions = through([(one.attempts, one.sign.instructions) for one in samples])
    deepest = max((one.sign for one in samples), key=lambda figure: figure.stack)
    at = SETS[name].expected
    signing = replace(deepest, cycles=line.at(at), instructions=instructions.at(at))
    return [samples[0].keygen, signing, samples[0].verify], line
