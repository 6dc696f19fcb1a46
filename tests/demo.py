# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The main job: ML-KEM-768 on an emulated Cortex-M4, twice, and on this host.

    python -m tests.demo

Generates every form of every routine, builds the library from each, runs key generation,
encapsulation and decapsulation, and prints one table. Exit code 1 if anything disagrees.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from elftools.elf.elffile import ELFFile

from tests.lib.driver import ROOT, SETS, Driver, Target
from tests.lib.emulated import Library, program, symbol, traced
from tests.lib.memory import workspaces

NUMBER = 768
TARGETS = (Target("cortex-m4", "gas"), Target("cortex-m4", "inline"), Target("host", "portable"))
WHERE = {"cortex-m4": "qemu mps2-an386", "host": "this host"}
OPERATIONS = ("keygen_derand", "encaps_derand", "decaps")
COSTS = ("keygen", "encaps", "decaps")
HEADING = (
    *("form", "runs on", "secrets agree", "code", "read-only"),
    *(f"{name} stack+work" for name in COSTS),
    *(f"{name} cycles" for name in COSTS),
)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Run:
    """What one form computed: everything public and secret, and whether both sides agree."""

    values: tuple[bytes, ...]
    agree: bool


def run(driver: Driver, seed: bytes, m: bytes) -> Run:
    """Key generation, encapsulation and decapsulation on the driver's target."""
    number = SETS[f"ML-KEM-{NUMBER}"]
    ek, dk = driver.ask("a", number, seed).outputs
    ct, sent = driver.ask("c", number, ek, m).outputs
    (received,) = driver.ask("e", number, ct, dk).outputs
    return Run((ek, dk, ct, sent), sent == received)


def relocatable(driver: Driver) -> Path:
    """What ML-KEM of this size needs of the library on the host, in one object file."""
    file = driver.folder / "mlkem.o"
    needed = [f"-Wl,-u,{symbol(NUMBER, operation)}" for operation in OPERATIONS]
    command = ["cc", "-r", "-no-pie", "-nostdlib", "-Wl,--gc-sections", *needed]
    subprocess.run([*command, str(driver.library), "-o", str(file)], check=True)
    return file


def sizes(file: Path) -> tuple[int, int]:
    """Bytes of code and of read-only data in a linked file."""
    code = constants = 0
    with file.open("rb") as stream:
        for section in ELFFile(stream).iter_sections():
            code += section["sh_size"] * section.name.startswith(".text")
            constants += section["sh_size"] * section.name.startswith(".rodata")
    return code, constants


def figures(driver: Driver, seed: bytes, m: bytes) -> tuple[int | str, ...]:
    """Code, read-only data, then stack and work space, and model cycles of each operation; "-" where unknown."""
    if driver.target.core == "host":
        return (*sizes(relocatable(driver)), *("-",) * (2 * len(OPERATIONS)))
    image = program(driver.library, NUMBER)
    library = Library(image, NUMBER, priced=True)
    calls = (lambda: library.keygen(seed), lambda: library.encaps(m), library.decaps)
    traces = [traced(call()) for call in calls]
    work = [workspaces()[f"MLKEM{NUMBER}_{name.upper()}"] for name in COSTS]
    memory = [f"{trace.stack}+{size}" for trace, size in zip(traces, work, strict=True)]
    costs = [*memory, *(trace.cycles for trace in traces)]
    return (*(image.sections[name][1] for name in (".text", ".rodata")), *costs)


def step(text: str, action: Callable[[], Result]) -> Result:
    """Does something and says so, with the seconds it took."""
    print(f"{text} ...", end=" ", flush=True)
    start = time.monotonic()
    result = action()
    print(f"{time.monotonic() - start:.1f} s", flush=True)
    return result


def generate() -> None:
    """Writes every form of every routine."""
    command = [sys.executable, "-m", "gen", "build"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"failed\n{done.stdout}{done.stderr}")


def print_table(rows: Sequence[Sequence[int | str]]) -> None:
    """Columns as wide as they must be: words to the left, numbers to the right."""
    shown = [[f"{value:,}" if isinstance(value, int) else value for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    print()
    for row in shown:
        cells = [
            c.ljust(w) if at < 3 else c.rjust(w)
            for at, (c, w) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def main() -> int:
    """Runs all of it; 0 if every form gives the same keys, ciphertext and secret."""
    seed = hashlib.shake_256(b"armscribe demonstration").digest(64)
    m = hashlib.sha3_256(seed).digest()
    print(f"ML-KEM-{NUMBER}: key generation, encapsulation, decapsulation")
    step("generate every form of every routine", generate)
    rows: list[Sequence[int | str]] = [HEADING]
    runs = []
    for target in TARGETS:
        place = WHERE[target.core]
        name = f"{target.core} {target.form}"
        driver = step(f"build {name}", partial(Driver, target))
        runs.append(step(f"run it on {place}", partial(run, driver, seed, m)))
        costs = step("measure it", partial(figures, driver, seed, m))
        rows.append((name, place, "yes" if runs[-1].agree else "NO", *costs))
    print_table(rows)
    same = len({one.values for one in runs}) == 1
    print(
        "\nevery form gives the same keys, ciphertext and secret" if same else "\nTHE FORMS DIFFER"
    )
    return 0 if same and all(one.agree for one in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
