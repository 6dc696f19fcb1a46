# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Call frame information: after each instruction of the frame, where the caller's registers are now.

Nothing is taken from the shape of the instructions: those of entry and exit are executed on a small machine in which
each callee-saved register holds a value of its own, and what became of these values is written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gen.cores.abi import Abi
from gen.ir.domains.ints import Ints
from gen.ir.ir import Half, Insn, Mem, Operand, Reg, Var
from gen.isa import run

TOP = 0x8000  # the stack pointer at entry: the canonical frame address


def dwarf_name(register: str) -> str:
    """A register as `.cfi_offset` takes it; FP registers by number (AADWARF32, 4.1, AADWARF64, 4.1: both 64 on)."""
    numbered = register[:1] in ("s", "v") and register[1:].isdigit()
    return str(64 + int(register[1:])) if numbered else register


class FrameMachine:
    """Registers and stack in plain integers; everything unknown is zero, which no token is."""

    def __init__(self, abi: Abi) -> None:
        self.dom = Ints()
        self.kept = (*abi.kept, abi.link, *abi.kept_fp)
        self.tokens = {name: 0x5EED0000 + number for number, name in enumerate(self.kept)}
        self.holders = {token: name for name, token in self.tokens.items()}
        self.registers: dict[str, int] = {**self.tokens, "sp": TOP}
        self.memory: dict[int, int] = {}
        self.saved: dict[str, int] = {}  # register -> bytes below the frame address
        self.offset = 0

    # --- what a compiled meaning asks for

    def get(self, operand: Operand) -> int:
        assert isinstance(operand, Reg | Half)
        return self._read(operand.var)

    def set(self, operand: Operand, value: int) -> None:
        assert isinstance(operand, Reg | Half)
        self.registers[operand.var.name] = value % (1 << operand.var.bits)

    def flag(self, name: str) -> int:
        return 0

    def set_flag(self, name: str, value: int) -> None:
        pass

    def address(self, mem: Mem) -> int:
        base = self._read(mem.base)
        moved = base + mem.offset.value
        if mem.mode != "offset":
            self.registers[mem.base.name] = moved
        return base if mem.mode == "post" else moved

    def load(self, address: int, size: int) -> int:
        return self.memory.get(address, 0)

    def store(self, address: int, size: int, value: int) -> None:
        self.memory[address] = value

    def exact(self, value: int, bits: int) -> int:
        return value

    def wrap(self, value: int, dest: Operand) -> int:
        return value

    def _read(self, var: Var) -> int:
        return self.registers.get(var.name, 0)

    # --- what the listing asks for

    def body_ran(self) -> None:
        """Everything the frame saved may have changed."""
        for name in self.saved:
            self.registers[name] = 0

    def after(self, insn: Insn) -> Iterator[str]:
        """Executes `insn`; the directives that describe the change. On the way out nothing is saved any more."""
        run(insn, self)
        offset = TOP - self.registers["sp"]
        if offset != self.offset:
            self.offset = offset
            yield f".cfi_def_cfa_offset {offset}"
        for address, value in sorted(self.memory.items(), reverse=True) * (insn.part != "exit"):
            holder = self.holders.get(value)
            if holder is not None and holder not in self.saved and self.registers[holder] == value:
                self.saved[holder] = TOP - address
                yield f".cfi_offset {dwarf_name(holder)}, {address - TOP}"

    def restored(self) -> Iterator[str]:
        """Directives for saved registers that hold the caller's value again."""
        for name in sorted(self.saved, key=self.kept.index):
            if self.registers[name] == self.tokens[name]:
                del self.saved[name]
                yield f".cfi_restore {dwarf_name(name)}"


def directives(items: Iterable[Insn], abi: Abi) -> dict[Insn, tuple[str, ...]]:
    """For each instruction of entry and exit the directives to write after it. Items are those of `final`, in order."""
    machine, rows, left = FrameMachine(abi), {}, False
    frame = [insn for insn in items if insn.part != "body"]
    for number, insn in enumerate(frame):
        if insn.part == "exit" and not left:
            machine.body_ran()
            left = True
        found = list(machine.after(insn))
        found += machine.restored() if left else ()
        last = number == len(frame) - 1
        rows[insn] = () if last and left else tuple(found)
    return rows
