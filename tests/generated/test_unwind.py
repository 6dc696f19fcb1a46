# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A debugger that stops at any instruction finds the caller: CFI against what the machine really does."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
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


def dwarf_number(name: str) -> int:
    """AADWARF32, section 4.1."""
    if name.startswith("s") and name != "sp":
        return 64 + int(name[1:])
    return {"sp": 13, "lr": 14}.get(name) or int(name[1:])


@dataclass
class Frames:
    """The rows of one function's description: what holds from an offset on. Its subs stand behind `length`."""

    rows: list[dict[Any, Any]]
    length: int

    @classmethod
    def of(cls, text: str, core: str, scratch: Path) -> Frames:
        source, out = scratch / "one.S", scratch / "one.o"
        source.write_text(text)
        flags = [*load_core(core).cc, kit.INCLUDE, kit.backend(core, "gas")]
        subprocess.run(["arm-none-eabi-gcc", *flags, "-c", str(source), "-o", str(out)], check=True)
        with out.open("rb") as file:
            dwarf = ELFFile(file).get_dwarf_info()
            entries = [e for e in dwarf.CFI_entries() if type(e).__name__ == "FDE"]
            own = min(entries, key=lambda entry: entry["initial_location"])
            start = own["initial_location"]
            rows = [{**row, "pc": row["pc"] - start} for row in own.get_decoded().table]
        return cls(rows, own["address_range"])

    def at(self, offset: int) -> dict[Any, Any]:
        return next(row for row in reversed(self.rows) if row["pc"] <= offset)


@dataclass
class Watcher:
    """Unwinds before every instruction; collects what does not lead to the caller."""

    machine: Machine
    frames: Frames
    symbol: str

    def __post_init__(self) -> None:
        self.wrong: dict[str, None] = {}
        self.caller: dict[str, int] | None = None
        self.entry = self.machine.image[self.symbol].address

    def act(self, address: int) -> None:
        offset = address - self.entry
        if not 0 <= offset < self.frames.length:
            return
        if self.caller is None:
            self.caller = {name: self.machine.get(name) for name in (*CALLEE_SAVED, "lr")}
        for problem in self.problems(self.frames.at(offset)):
            self.wrong[f"at +{offset:#x} {problem}"] = None

    def problems(self, row: dict[Any, Any]) -> Iterator[str]:
        assert self.caller is not None
        cfa = self.machine.get("sp") + row["cfa"].offset
        if row["cfa"].reg != 13 or cfa != self.caller["sp"]:
            yield f"the frame address is {cfa:#x}"
        for name, value in self.caller.items():
            if name == "sp":
                continue
            rule = row.get(dwarf_number(name))
            if rule is None:
                found = self.machine.get(name)
            else:
                found = int.from_bytes(self.machine.read(cfa + rule.arg, 4), "little")
            if found != value:
                yield f"{name} is not the caller's"


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


def test_return_address_is_described() -> None:
    assert dwarf_number("lr") == RETURN_ADDRESS
    assert np.all([dwarf_number(f"r{n}") == n for n in range(4, 12)])
