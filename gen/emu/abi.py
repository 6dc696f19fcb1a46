# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a called function must leave alone: callee-saved registers, SP, memory it was not given.

The area below SP belongs to interrupts: with `scribble` it is overwritten before every instruction.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from gen.emu.machine import CALLEE_SAVED, RAM, REGISTERS, STACK_SIZE, Machine, Wide

BELOW_SP = 64  # bytes that an exception frame and a handler's first pushes may take at any time


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that a call may read, and write if `writable`."""

    address: int
    size: int
    writable: bool = True

    def holds(self, address: int, size: int, write: bool) -> bool:
        inside = self.address <= address and address + size <= self.address + self.size
        return inside and (self.writable or not write)


@dataclass(frozen=True)
class Verdict:
    """What came back, and every rule that was broken, in words; none is a pass."""

    result: int
    broken: tuple[str, ...]


def check_call(
    machine: Machine,
    symbol: str,
    args: Iterable[int | Wide],
    buffers: Iterable[Buffer],
    source: random.Random,
    scribble: bool = True,
) -> Verdict:
    """Calls a function with random values in all other registers and watches what it does.

    It may use `buffers`, its arguments on the stack, the stack below SP and the read-only data of
    the image. Raises `Fault` as `Machine.call` does.
    """
    before = machine.randomise(source)
    guard = _Guard(machine, symbol, tuple(buffers))
    handles = [machine.each_access(guard.access)]
    if scribble:
        handles.append(machine.each_instruction(_Scribbler(machine, source).act))
    try:
        result = machine.call(symbol, *args)
    finally:
        for handle in handles:
            machine.unhook(handle)
    before["sp"] = machine.entry_sp
    broken = [
        f"{name} was {before[name]:#x} and is {machine.get(name):#x}"
        for name in CALLEE_SAVED
        if machine.get(name) != before[name]
    ]
    return Verdict(result, (*broken, *guard.broken))


class _Guard:
    def __init__(self, machine: Machine, symbol: str, buffers: tuple[Buffer, ...]) -> None:
        self.machine, self.symbol, self.buffers = machine, symbol, buffers
        self.broken: dict[str, None] = {}
        self.constant = tuple(
            Buffer(address, len(content), writable=False)
            for address, content in machine.image.segments
            if address < RAM
        )

    def access(self, write: bool, address: int, size: int) -> None:
        if any(buffer.holds(address, size, write) for buffer in self.buffers + self.constant):
            return
        if self._stack().holds(address, size, write):
            return
        verb = "writes" if write else "reads"
        place = self.machine.where(self.machine.get("pc"))
        self.broken[f"{place} {verb} {size} bytes at {address:#x}"] = None

    def _stack(self) -> Buffer:
        """From what the next push may write to the arguments that the caller put above its own."""
        sp = self.machine.get("sp")
        size = self.machine.entry_sp + self.machine.stacked - sp
        return Buffer(sp - BELOW_SP, min(size, STACK_SIZE) + BELOW_SP)


class _Scribbler:
    def __init__(self, machine: Machine, source: random.Random) -> None:
        self.machine = machine
        self.bytes = source.randbytes(BELOW_SP)

    def act(self, _address: int) -> None:
        below = self.machine.uc.reg_read(REGISTERS["sp"]) - BELOW_SP
        self.machine.uc.mem_write(below, self.bytes)
