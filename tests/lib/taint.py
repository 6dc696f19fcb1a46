# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs operations of a built library under the tracker of secrets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen.cores.core import load_core
from gen.emu.build import link
from gen.emu.debug import Debug
from gen.emu.machine import Machine
from gen.emu.taint import Tracker
from tests.lib.driver import ROOT
from tests.lib.operations import RANDOM, Call, Operation, Secret, size

MARKED = "-DARMSCRIBE_MARK_DECLASSIFIED"


@dataclass(frozen=True)
class Outcome:
    """What a run told: findings with their source lines, how often each mark was passed."""

    findings: tuple[str, ...]
    passed: dict[str, int]
    instructions: int
    secret: dict[str, int]  # buffer -> its secret bytes at the end


class Program:
    """What some operations need of a library that was built with -g and `MARKED`."""

    def __init__(
        self, library: Path, operations: Iterable[Operation], core: str, more: Sequence[str] = ()
    ) -> None:
        self.core = load_core(core)
        self.operations = tuple(operations)
        wanted = sorted({call.function for one in self.operations for call in one.calls})
        flags = ["-O1", f"-I{ROOT / 'lib/include'}", "-Wl,--gc-sections"]
        flags += [*more, *(f"-Wl,-u,{name}" for name in (RANDOM, *wanted))]
        output = library.with_name(f"{self.operations[0].family}.elf")
        self.image = link([ROOT / "tests/lib/random.c", library], self.core, flags, output)
        self.debug = Debug(output)
        marks = tuple(self.debug.marks())
        self.machine = Machine(self.image)
        self.tracker = Tracker(self.machine, self.core, marks)

    def run(self, operation: Operation) -> Outcome:
        """The calls of an operation; where nothing is secret nothing has to be followed."""
        if not any(isinstance(buffer, Secret) for buffer in operation.buffers.values()):
            return self._plain(operation)
        machine, tracker = self.machine, self.tracker
        tracker.forget()
        mark, at = machine.mark(), {}
        for name, buffer in operation.buffers.items():
            at[name] = machine.alloc(buffer.content if isinstance(buffer, Secret) else buffer)
            for start, end in buffer.secrets() if isinstance(buffer, Secret) else ():
                tracker.poison(at[name] + start, end - start)
        for call in operation.calls:
            self._call(call, at, tracker)
        machine.release(mark)
        found = sorted(tracker.findings.values(), key=lambda finding: finding.address)
        lines = tuple(f"{self.debug.line(one.address)}: {one}" for one in found)
        left = {n: sum(tracker.secret(at[n], size(b))) for n, b in operation.buffers.items()}
        return Outcome(lines, dict(tracker.passed), tracker.instructions, left)

    def _plain(self, operation: Operation) -> Outcome:
        machine = Machine(self.image)
        buffers = operation.buffers.items()
        at = {n: machine.alloc(b) for n, b in buffers if not isinstance(b, Secret)}
        for call in operation.calls:
            self._call(call, at, machine)
        return Outcome((), {}, 0, dict.fromkeys(at, 0))

    def _call(self, call: Call, at: dict[str, int], runner: Tracker | Machine) -> None:
        values = []
        for argument in call.arguments:
            if isinstance(argument, str) and argument.startswith("&"):
                values.append(self.image[argument[1:]].address | 1)
            else:
                values.append(at[argument] if isinstance(argument, str) else argument)
        result = runner.call(call.function, *values)
        assert call.answers in (None, result), f"{call.function} answered {result}"
