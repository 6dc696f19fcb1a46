# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a boot loader asks for: the footprint of one function and all it needs, its memory, its time at a clock."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gen.bench.api import Api
from gen.bench.figures import Figure
from gen.bench.library import Library, MeasureError
from gen.bench.operations import ALGORITHMS, MESSAGE, SEED, Session
from gen.bench.report import table
from gen.bench.signing import Signer
from gen.cores.core import Core

IMAGE = 16384  # bytes of firmware that are hashed
CLOCK = 64.0  # MHz
HEAD = "algorithm options code read-only footprint stack work cycles".split()
Measure = Callable[[Session], Figure]
Row = tuple[str, str, Figure]  # algorithm, options, what it takes

FAST: Mapping[str, str] = {}
OS: Mapping[str, str] = {"CFLAGS": "-Os"}
SMALL: Mapping[str, str] = {"CFLAGS": "-Os -DARMSCRIBE_SMALL"}


@dataclass(frozen=True)
class Choice:
    """A line of the table: what is measured in a library that is made with these variables of lib/Makefile."""

    algorithm: str
    make: Mapping[str, str]
    measure: Measure

    @property
    def options(self) -> str:
        """As one types them for `make lib`."""
        return " ".join(f"{k}={v!r}" if " " in v else f"{k}={v}" for k, v in self.make.items())


def _of(algorithm: str, symbol: str, session: Session) -> Figure:
    """One figure of an algorithm's operations."""
    for figure in ALGORITHMS[algorithm](session):
        if figure.routine == symbol:
            return figure
    raise MeasureError(f"{algorithm} has no operation {symbol}")


def _hash(function: str, session: Session) -> Figure:
    return session.call(function, {"in": random.Random(SEED).randbytes(IMAGE)})[0]


class Signed:
    """Verification of one signature of each set, made by the first library that is asked."""

    def __init__(self) -> None:
        self.made: dict[str, dict[str, bytes]] = {}

    def verify(self, name: str, session: Session) -> Figure:
        if name not in self.made:
            self.made[name] = Signer(name, session).run(0)[0]
        return session.call(f"{name}_verify", self.made[name])[0]


def choices() -> Iterator[Choice]:
    """The lines, in their order."""
    ed25519: Measure = partial(_of, "ed25519", "armscribe_ed25519_verify")
    for make in (FAST, OS, SMALL):
        yield Choice(f"Ed25519 verify, {MESSAGE} bytes", make, ed25519)
    signed = Signed()
    for number in (44, 65, 87):
        for make in (FAST, {"KECCAK": "balanced"}, SMALL):
            yield Choice(
                f"ML-DSA-{number} verify, {MESSAGE} bytes",
                make,
                partial(signed.verify, f"mldsa{number}"),
            )
    for name in ("SHA-256", "SHA-512"):
        for make in (FAST, OS, {"CFLAGS": "-O3 -DARMSCRIBE_SHA2_C"}):
            measure = partial(_hash, name.replace("-", "").lower())
            yield Choice(f"{name}, {IMAGE} bytes", make, measure)
    for keccak in ("fast", "inplace", "balanced", "small", "lanes", "c"):
        yield Choice(f"SHA3-256, {IMAGE} bytes", {"KECCAK": keccak}, partial(_hash, "sha3_256"))
    for make in (FAST, SMALL):
        yield Choice("X25519", make, partial(_of, "x25519", "armscribe_x25519"))
    for make in (FAST, SMALL):
        decaps: Measure = partial(_of, "mlkem768", "armscribe_mlkem768_decaps")
        yield Choice("ML-KEM-768 decapsulation", make, decaps)


def measured(root: Path, core: Core, form: str) -> list[Row]:
    """Every line; a library is built once for each choice of options."""
    sessions: dict[str, Session] = {}
    found = []
    for choice in choices():
        if choice.options not in sessions:
            library = Library.make(root, core, form, choice.make)
            api = Api.read(root, core, choice.make.get("CFLAGS", "").split())
            sessions[choice.options] = Session(library, api)
        figure = choice.measure(sessions[choice.options])
        found.append((choice.algorithm, choice.options or "CFLAGS=-O3", figure))
    return found


def boot_table(rows: Sequence[Row], clock: float) -> str:
    """As Markdown; `clock` in MHz, above 0."""
    lines = [[*HEAD, f"ms at {clock:g} MHz"]]
    for algorithm, options, figure in rows:
        footprint = figure.code + figure.rodata
        numbers = (figure.code, figure.rodata, footprint, figure.stack, figure.work, figure.cycles)
        time = f"{figure.cycles / clock / 1000:.2f}"
        lines.append([algorithm, options, *map(str, numbers), time])
    return table(lines)
