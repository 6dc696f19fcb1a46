# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The main job: from the descriptions to a shared secret, in every form.

Writes every form of every routine, builds the library from them, lets ML-KEM-768 make keys,
encapsulate and decapsulate on an emulated Cortex-M4 and on this host, and prints one table.
Exit code 1 where two secrets differ.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from gen.cores.core import load_core
from gen.emu.build import link
from gen.emu.machine import Machine
from gen.emu.trace import Tracer
from tests.lib.driver import ROOT, SETS, Driver, Target

NAME = "ML-KEM-768"
TARGETS = (
    Target("cortex-m4", "gas"),
    Target("cortex-m4", "inline"),
    Target("host", "portable"),
)
STEPS = ("keygen_derand", "encaps_derand", "decaps")
FUNCTIONS = tuple(f"armscribe_mlkem768_{step}" for step in STEPS)
SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR = 1, 2, 4
_UNWINDING = (".ARM.ex", ".eh_frame", ".note")


@dataclass(frozen=True)
class Run:
    """What one form gave. Bytes; cycles of the three operations together; None: not modelled."""

    target: Target
    secrets: tuple[bytes, bytes]
    code: int
    constants: int
    stack: int | None = None
    cycles: int | None = None

    @property
    def agree(self) -> bool:
        return self.secrets[0] == self.secrets[1]


def exchange(driver: Driver, seed: bytes, message: bytes) -> tuple[bytes, bytes]:
    """The secrets of encapsulation and decapsulation, each computed by the built program."""
    parameters = SETS[NAME]
    ek, dk = _ask(driver, "a", parameters, seed)
    ciphertext, sent = _ask(driver, "c", parameters, ek, message)
    (received,) = _ask(driver, "e", parameters, ciphertext, dk)
    return sent, received


def _ask(driver: Driver, operation: str, parameters: int, *fields: bytes) -> tuple[bytes, ...]:
    answer = driver.ask(operation, parameters, *fields)
    if answer.result:
        sys.exit(f"{driver.target.name}: operation {operation} answers error {answer.result}")
    return answer.outputs


def sizes(driver: Driver) -> tuple[int, int]:
    """Bytes of code and of constants that a program takes from the library for the three calls."""
    linked = driver.folder / "linked.o"
    compiler = "cc" if driver.target.core == "host" else "arm-none-eabi-gcc"
    wanted = [f"-Wl,-u,{name}" for name in FUNCTIONS]
    command = [compiler, "-r", "-nostdlib", "-Wl,--gc-sections", *wanted]
    subprocess.run([*command, str(driver.library), "-o", str(linked)], check=True)
    code = constants = 0
    with linked.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            flags = section["sh_flags"]
            if not flags & SHF_ALLOC or section.name.startswith(_UNWINDING):
                continue
            if flags & SHF_EXECINSTR:
                code += section["sh_size"]
            elif not flags & SHF_WRITE:
                constants += section["sh_size"]
    return code, constants


def model(driver: Driver, seed: bytes, message: bytes) -> tuple[int, int]:
    """Deepest stack in bytes and cycles of the three operations together, by the core's model."""
    core = load_core(driver.target.core)
    wanted = [f"-Wl,-u,{name}" for name in FUNCTIONS]
    machine = Machine(link([driver.library], core, ["-Wl,--gc-sections", *wanted]))
    tracer = Tracer(machine, core)
    ek, dk, ciphertext = (machine.alloc(size) for size in (1184, 2400, 1088))
    sent, received = machine.alloc(32), machine.alloc(32)
    calls = (
        (ek, dk, machine.alloc(seed)),
        (ciphertext, sent, ek, 1184, machine.alloc(message)),
        (received, ciphertext, 1088, dk, 2400),
    )
    traces = [tracer.call(name, *args) for name, args in zip(FUNCTIONS, calls, strict=True)]
    if any(trace.result for trace in traces) or machine.read(sent, 32) != machine.read(
        received, 32
    ):
        sys.exit(f"{driver.target.name}: the traced run does not agree on a secret")
    return max(trace.stack for trace in traces), sum(trace.cycles for trace in traces)


def run(target: Target, folder: Path, seed: bytes, message: bytes) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    driver = Driver(target, folder)
    secrets = exchange(driver, seed, message)
    figures = () if target.core == "host" else model(driver, seed, message)
    return Run(target, secrets, *sizes(driver), *figures)


def table(runs: list[Run]) -> str:
    """One line a form; a dash where the host has no model."""
    head = ("core", "form", "secrets agree", "code", "constants", "stack", "model cycles")
    rows: list[tuple[str, ...]] = [head]
    for one in runs:
        verdict = "yes" if one.agree else "NO"
        numbers = (one.code, one.constants, one.stack, one.cycles)
        shown = ("-" if number is None else f"{number:,}" for number in numbers)
        rows.append((one.target.core, one.target.form, verdict, *shown))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column < 3 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def main() -> int:
    start = time.monotonic()

    def progress(text: str) -> None:
        print(f"[{time.monotonic() - start:5.1f} s] {text}", flush=True)

    progress("writing every form of every routine")
    written = subprocess.run([sys.executable, "-m", "gen", "build"], cwd=ROOT)
    if written.returncode:
        return written.returncode
    seed, message = os.urandom(64), os.urandom(32)
    runs = []
    for target in TARGETS:
        where = "on this host" if target.core == "host" else "on the emulated board mps2-an386"
        progress(
            f"{NAME} from {target.form}, {where}: key generation, encapsulation, decapsulation"
        )
        runs.append(run(target, ROOT / "build" / "demo" / target.name, seed, message))
    progress("done")
    print(f"\n{NAME}; bytes; cycles of the three operations together\n\n{table(runs)}")
    return 0 if len({secret for one in runs for secret in one.secrets}) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
