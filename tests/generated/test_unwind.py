# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A debugger that stops at any instruction finds the caller: CFI against what the machine really does."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

from gen.cores.core import load_core
from gen.emu.machine import CALLEE_SAVED, Machine
from gen.ir.ir import Routine
from tests.generated import kit
from tests.generated.test_abi import Call, _machine, _one

RETURN_ADDRESS = 14  # DWARF number of lr
ROUNDS = 3  # first times that an instruction is looked at; then at the 4th, 8th, 16th ...
DEEPEST = 8  # subs that call each other


def dwarf_number(name: str) -> int:
    """AADWARF32, section 4.1."""
    if name.startswith("s") and name != "sp":
        return 64 + int(name[1:])
    return {"sp": 13, "lr": 14}.get(name) or int(name[1:])


Row = dict[Any, Any]


@dataclass
class Frames:
    """What holds from an offset on: a row for each change, in a part for the function and for each of its subs."""

    parts: list[tuple[int, int, list[Row]]]  # first offset, end, rows

    @classmethod
    def of(cls, text: str, core: str, scratch: Path) -> Frames:
        source, out = scratch / "one.S", scratch / "one.o"
        source.write_text(text)
        flags = [*load_core(core).cc, kit.INCLUDE, kit.backend(core, "gas")]
        subprocess.run(["arm-none-eabi-gcc", *flags, "-c", str(source), "-o", str(out)], check=True)
        with out.open("rb") as file:
            dwarf = ELFFile(file).get_dwarf_info()
            entries = [e for e in dwarf.CFI_entries() if type(e).__name__ == "FDE"]
            own = min(entry["initial_location"] for entry in entries)
            return cls([cls._part(entry, own) for entry in entries])

    @staticmethod
    def _part(entry: Any, own: int) -> tuple[int, int, list[Row]]:
        start = entry["initial_location"] - own
        rows = [{**row, "pc": row["pc"] - own} for row in entry.get_decoded().table]
        return start, start + entry["address_range"], rows

    def at(self, offset: int) -> Row | None:
        for start, end, rows in self.parts:
            if start <= offset < end:
                return next(row for row in reversed(rows) if row["pc"] <= offset)
        return None


@dataclass
class Watcher:
    """Unwinds before every instruction, out of subs and the routine; collects what does not lead to the caller."""

    machine: Machine
    frames: Frames
    symbol: str
    seen: dict[int, int] = field(default_factory=dict)  # address -> how often it was come to
    wrong: dict[str, None] = field(default_factory=dict)
    caller: dict[str, int] | None = None

    def __post_init__(self) -> None:
        self.entry = self.machine.image[self.symbol].address

    def act(self, address: int) -> None:
        count = self.seen[address] = self.seen.get(address, 0) + 1
        if count > ROUNDS and count & count - 1:
            return
        offset = address - self.entry
        if self.frames.at(offset) is None:
            return
        if self.caller is None:
            self.caller = self.registers()
        for problem in self.problems(offset):
            self.wrong[f"at +{offset:#x} {problem}"] = None

    def registers(self) -> dict[str, int]:
        return {name: self.machine.get(name) for name in dict.fromkeys((*CALLEE_SAVED, "lr", "sp"))}

    def problems(self, offset: int) -> Iterator[str]:
        assert self.caller is not None
        found, row = self.registers(), self.frames.at(offset)
        for _ in range(DEEPEST):
            if row is None:
                break
            if row["cfa"].reg != dwarf_number("sp"):
                yield "the frame address is not based on sp"
                return
            found = self.unwound(found, row)
            row = self.frames.at((found["lr"] & ~1) - self.entry - 1)  # of the call, not behind it
        for name, value in self.caller.items():
            if found[name] != value:
                yield f"{name} is not the caller's"

    def unwound(self, registers: dict[str, int], row: Row) -> dict[str, int]:
        """The registers of whoever called the function of this row."""
        frame = registers["sp"] + row["cfa"].offset
        before = {}
        for name, value in registers.items():
            rule = None if name == "sp" else row.get(dwarf_number(name))
            before[name] = value if rule is None else self.word(frame + rule.arg)
        return {**before, "sp": frame}

    def word(self, address: int) -> int:
        try:
            return int.from_bytes(self.machine.read(address, 4), "little")
        except Exception:  # no memory there: a wrong frame address
            return 0


def unwind(core: str, symbol: str, text: str, scratch: Path) -> tuple[str, ...]:
    """Problems of one call under the CFI of `text`."""
    routine: Routine = kit.routines(core)[symbol]
    machine = _machine(core, symbol, "gas", scratch)
    watcher = Watcher(machine, Frames.of(text, core, scratch), symbol)
    call = Call(machine, routine, _one(routine, 8))
    machine.randomise(random.Random(3))
    machine.each_instruction(watcher.act)
    machine.call(symbol, *call.arguments())
    assert watcher.caller is not None
    return tuple(watcher.wrong)


@pytest.mark.parametrize(("core", "symbol"), kit.distinct())
def test_the_caller_is_found(core: str, symbol: str, tmp_path: Path) -> None:
    text = kit.text_of(core, symbol, "gas").read_text()
    assert unwind(core, symbol, text, tmp_path) == ()


def test_each_lost_directive_is_noticed(tmp_path: Path) -> None:
    core, symbol = "cortex-m4", "mlkem_reduce"
    text = kit.text_of(core, symbol, "gas").read_text()
    directives = re.findall(r"\t\.cfi_(?:def_cfa_offset|offset|restore).*\n", text)
    assert directives
    for directive in directives:
        changed = text.replace(directive, "", 1)
        assert unwind(core, symbol, changed, tmp_path), f"without {directive.strip()}"


def test_each_lost_directive_of_a_sub_is_noticed(tmp_path: Path) -> None:
    core, symbol = "cortex-m4", "ge25519_add"
    head, *subs = kit.text_of(core, symbol, "gas").read_text().split("\t.cfi_startproc\n")[1:]
    before = kit.text_of(core, symbol, "gas").read_text().split("\t.cfi_startproc\n")[0]
    for number, sub in enumerate(subs):
        for directive in re.findall(r"\t\.cfi_(?:def_cfa_offset|offset|restore).*\n", sub):
            changed = [*subs[:number], sub.replace(directive, "", 1), *subs[number + 1 :]]
            text = "\t.cfi_startproc\n".join([before, head, *changed])
            assert unwind(core, symbol, text, tmp_path), f"sub {number} without {directive.strip()}"


def test_return_address_is_described() -> None:
    assert dwarf_number("lr") == RETURN_ADDRESS
    assert np.all([dwarf_number(f"r{n}") == n for n in range(4, 12)])
