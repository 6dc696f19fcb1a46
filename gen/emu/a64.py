# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""An AArch64 core that calls functions of an image by the AAPCS64: instructions executed, and every rule of a call that
was broken."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import unicorn as uc
from unicorn import arm64_const as arm

from gen.cores.abi import AAPCS64
from gen.emu.abi import Buffer
from gen.emu.image import Image
from gen.emu.machine import FLASH, MARGIN, RAM, SIZE, STACK_SIZE, STACK_TOP, Fault

BELOW_SP = 512  # bytes that a signal handler may overwrite at any time; there is no red zone (AAPCS64, 6.2.2)
_RETURN = FLASH + SIZE - 16
_GENERAL = [f"x{number}" for number in range(31)]
REGISTERS: dict[str, int] = {
    **{
        name: getattr(arm, f"UC_ARM64_REG_{name.upper()}") for name in (*_GENERAL, *AAPCS64.vectors)
    },
    "sp": arm.UC_ARM64_REG_SP,
    "pc": arm.UC_ARM64_REG_PC,
}
# Registers that no routine may change: x18 is the platform's, x29 holds frames together.
KEPT = (*AAPCS64.kept, "x18", "x29")
_LOW = (1 << 64) - 1


@dataclass(frozen=True)
class Called:
    """What came of a call."""

    result: int
    instructions: int
    stack: int  # bytes below SP at entry
    broken: tuple[str, ...]


class Machine64:
    """A core with every extension and one image in it."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.uc: Any = uc.Uc(uc.UC_ARCH_ARM64, uc.UC_MODE_ARM)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM64_MAX)
        self.uc.mem_map(FLASH, SIZE, uc.UC_PROT_READ | uc.UC_PROT_EXEC)
        self.uc.mem_map(RAM, SIZE, uc.UC_PROT_READ | uc.UC_PROT_WRITE)
        self.uc.reg_write(arm.UC_ARM64_REG_CPACR_EL1, 3 << 20)  # vector registers are open
        for address, content in image.segments:
            self.uc.mem_write(address, content)
        self._next = RAM + MARGIN

    def alloc(self, content: bytes, align: int = 16, misalign: int = 0) -> int:
        """Address of new RAM with this content, `misalign` behind a multiple of `align`."""
        address = -(-self._next // align) * align + misalign
        self._next = address + len(content) + 64
        self.uc.mem_write(address, content)
        return address

    def read(self, address: int, size: int) -> bytes:
        return bytes(self.uc.mem_read(address, size))

    def get(self, register: str) -> int:
        value: int = self.uc.reg_read(REGISTERS[register])
        return value

    def call(
        self, symbol: str, args: Sequence[int], buffers: Sequence[Buffer], source: random.Random
    ) -> Called:
        """Calls a function with random values in all other registers; it may use `buffers`, read-only data and its
        stack, whose part below SP is overwritten before each instruction. Raises `Fault`."""
        before = {name: source.getrandbits(64) for name in _GENERAL}
        before |= {name: source.getrandbits(128) for name in AAPCS64.vectors}
        before |= {f"x{number}": value for number, value in enumerate(args)}
        before |= {"x30": _RETURN, "sp": STACK_TOP}
        for name, value in before.items():
            self.uc.reg_write(REGISTERS[name], value)
        watch = _Watch(self, buffers, source.randbytes(BELOW_SP))
        hooks = [
            self.uc.hook_add(uc.UC_HOOK_CODE, watch.executed),
            self.uc.hook_add(uc.UC_HOOK_MEM_READ | uc.UC_HOOK_MEM_WRITE, watch.accessed),
        ]
        try:
            self.uc.emu_start(self.image[symbol].address, _RETURN, timeout=60_000_000)
        except uc.UcError as error:
            raise Fault(f"{symbol}: {error} at {self.get('pc'):#x}") from error
        finally:
            for hook in hooks:
                self.uc.hook_del(hook)
        if self.get("pc") != _RETURN:
            raise Fault(f"{symbol}: still running at {self.get('pc'):#x}")
        broken = (*watch.broken, *self._changed(before))
        return Called(self.get("x0"), watch.count, STACK_TOP - watch.lowest, broken)

    def _changed(self, before: dict[str, int]) -> list[str]:
        """Registers that the caller does not find as they were."""
        kept = {name: before[name] for name in (*KEPT, "sp")}
        kept |= {name: before[name] & _LOW for name in AAPCS64.kept_fp}  # the low halves
        now = {name: self.get(name) & _LOW for name in kept}
        return [f"{n} was {kept[n]:#x} and is {now[n]:#x}" for n in kept if now[n] != kept[n]]


class _Watch:
    """Counts instructions, and notes accesses to what is not the function's."""

    def __init__(self, machine: Machine64, buffers: Sequence[Buffer], below: bytes) -> None:
        self.machine, self.below = machine, below
        self.count, self.lowest = 0, STACK_TOP
        self.broken: dict[str, None] = {}
        constant = (
            Buffer(at, len(content), writable=False)
            for at, content in machine.image.segments
            if at < RAM
        )
        self.buffers = (*buffers, *constant)

    def executed(self, _uc: Any, _address: int, _size: int, _data: object) -> None:
        sp = self.machine.get("sp")
        if sp % 16:
            self.broken["SP is no multiple of 16"] = None
        self.lowest = min(self.lowest, sp)
        self.machine.uc.mem_write(sp - BELOW_SP, self.below)
        self.count += 1

    def accessed(
        self, _uc: Any, access: int, address: int, size: int, _value: int, _data: object
    ) -> None:
        sp, write = self.machine.get("sp"), access == uc.UC_MEM_WRITE
        # from what a store with write-back may reach, SP not moved yet; what stays there is overwritten
        stack = Buffer(sp - BELOW_SP, min(STACK_TOP - sp, STACK_SIZE) + BELOW_SP)
        if not any(one.holds(address, size, write) for one in (*self.buffers, stack)):
            verb = "writes" if write else "reads"
            self.broken[f"{self.machine.get('pc'):#x} {verb} {size} bytes at {address:#x}"] = None
