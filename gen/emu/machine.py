# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A Cortex-M4 with flash and RAM that calls functions of an image by the AAPCS.

The map is that of the MPS2 board AN386: code from 0, data from 0x20000000.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import unicorn as uc
from unicorn import arm_const as arm

from gen.emu.image import Image

FLASH, RAM, SIZE = 0x0000_0000, 0x2000_0000, 0x0040_0000
MARGIN = 0x1000  # of RAM left free at both ends: a stray access there can be told
STACK_TOP = RAM + SIZE - MARGIN  # of a stack that grows down towards data
STACK_SIZE = 0x0004_0000
PLACES = RAM - SIZE  # `place` is the remainder by this
_IT_STATE = 0x0600_FC00  # bits of XPSR: the rest of an IT block
_RETURN = FLASH + SIZE - 16  # a call returns here, and the machine stops

_CORE_REGISTERS = [getattr(arm, f"UC_ARM_REG_R{n}") for n in range(13)]
REGISTERS: dict[str, int] = {
    **{f"r{n}": number for n, number in enumerate(_CORE_REGISTERS)},
    "sp": arm.UC_ARM_REG_SP,
    "lr": arm.UC_ARM_REG_LR,
    "pc": arm.UC_ARM_REG_PC,
    **{f"s{n}": getattr(arm, f"UC_ARM_REG_S{n}") for n in range(32)},
}
CALLEE_SAVED = (*(f"r{n}" for n in range(4, 12)), "sp", *(f"s{n}" for n in range(16, 32)))


@dataclass(frozen=True, slots=True)
class Wide:
    """A 64-bit argument."""

    value: int


def place(address: int) -> int:
    """Where the byte at `address` is in a buffer that holds flash and RAM."""
    return address % PLACES


class Fault(Exception):
    """The program did what a Cortex-M cannot do, or never came back."""


class Machine:
    """One machine with one image in it. Memory keeps its content from call to call."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.uc: Any = uc.Uc(uc.UC_ARCH_ARM, uc.UC_MODE_THUMB | uc.UC_MODE_MCLASS)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M4)
        self.memory = ctypes.create_string_buffer(2 * SIZE)  # flash, then RAM: see `place`
        for start, rights in (FLASH, uc.UC_PROT_EXEC), (RAM, uc.UC_PROT_WRITE):
            at = ctypes.addressof(self.memory) + place(start)
            self.uc.mem_map_ptr(start, SIZE, uc.UC_PROT_READ | rights, at)
        self.lowest_sp = STACK_TOP
        self._next = RAM + MARGIN
        for address, content in image.segments:
            self.uc.mem_write(address, content)
            if address >= RAM:
                self._next = max(self._next, address + len(content))
        self.stale = False  # the block that starts now is about to be started anew
        blocks = self._unguarded = list(_it_blocks(image))
        self.in_it = frozenset(address for inside, _ in blocks for address in inside)
        self.entry_sp = STACK_TOP  # SP of the last call at its entry
        self.stacked = 0  # bytes of its arguments on the stack, from there

    # --- memory and registers

    def read(self, address: int, size: int) -> bytes:
        """`size` bytes at `address`."""
        return bytes(self.uc.mem_read(address, size))

    def write(self, address: int, content: bytes) -> None:
        self.uc.mem_write(address, content)

    def alloc(self, content: bytes | int, align: int = 8, misalign: int = 0) -> int:
        """Address of new RAM with this content, or so many zero bytes.

        `misalign` is added to a multiple of `align`: (4, 1) gives an address that is odd for sure.
        """
        if isinstance(content, int):
            content = bytes(content)
        address = -(-self._next // align) * align + misalign
        self._next = address + len(content)
        if self._next > STACK_TOP - STACK_SIZE:
            raise MemoryError("the machine's RAM is full")
        self.write(address, content)
        return address

    def mark(self) -> int:
        """A point to `release` to: everything allocated since is given back then."""
        return self._next

    def release(self, mark: int) -> None:
        self._next = mark

    def get(self, register: str) -> int:
        value: int = self.uc.reg_read(REGISTERS[register])
        return value

    def set(self, register: str, value: int) -> None:
        self.uc.reg_write(REGISTERS[register], value & 0xFFFF_FFFF)

    def randomise(self, source: random.Random) -> dict[str, int]:
        """Random values in every register but SP and PC; returns them by name."""
        names = [name for name in REGISTERS if name not in ("sp", "pc")]
        values = {name: source.getrandbits(32) for name in names}
        for name, value in values.items():
            self.set(name, value)
        return values

    # --- running

    def call(self, symbol: str, *args: int | Wide, timeout: float = 120.0) -> int:
        """Calls a function and returns r0.

        Raises `Fault` when it faults or takes more than `timeout` seconds. Registers that carry
        no argument keep the values they have.
        """
        entry = self.image[symbol].address
        self._place(args)
        self.set("lr", _RETURN | 1)
        self.lowest_sp = self.entry_sp
        try:
            self.uc.emu_start(entry | 1, _RETURN, timeout=int(timeout * 1e6))
        except uc.UcError as error:
            raise Fault(f"{symbol}: {error} at {self.where(self.get('pc'))}") from error
        if self.get("pc") & ~1 != _RETURN:
            raise Fault(f"{symbol}: still running at {self.where(self.get('pc'))}")
        return self.get("r0")

    def note_sp(self) -> None:
        """Remembers how deep the stack is now, for `lowest_sp`."""
        self.lowest_sp = min(self.lowest_sp, self.uc.reg_read(arm.UC_ARM_REG_SP))

    def result64(self) -> int:
        """The 64-bit result of the last call."""
        return self.get("r1") << 32 | self.get("r0")

    def where(self, address: int) -> str:
        """`function+offset` of a code address, for messages."""
        symbol = self.image.function_at(address)
        return f"{symbol.name}+{address - symbol.address:#x}" if symbol else f"{address:#x}"

    def _place(self, args: Iterable[int | Wide]) -> None:
        words: list[int] = []
        for arg in args:
            if isinstance(arg, Wide):
                words += [0] * (len(words) % 2) + [arg.value & 0xFFFF_FFFF, arg.value >> 32]
            else:
                words.append(arg & 0xFFFF_FFFF)
        stacked = words[4:]
        self.stacked = 4 * len(stacked)
        self.entry_sp = STACK_TOP - (self.stacked + 7) // 8 * 8
        self.write(self.entry_sp, b"".join(word.to_bytes(4, "little") for word in stacked))
        for number, word in enumerate(words[:4]):
            self.set(f"r{number}", word)
        self.set("sp", self.entry_sp)

    # --- watching

    def each_instruction(self, act: Callable[[int], None]) -> int:
        """Calls `act(address)` before every instruction; returns a handle for `unhook`."""
        return self.hook(uc.UC_HOOK_CODE, lambda _uc, address, _size, _data: act(address))

    def each_access(self, act: Callable[[bool, int, int], None]) -> int:
        """Calls `act(is_write, address, size)` before every data access; returns a handle."""
        kinds = uc.UC_HOOK_MEM_READ | uc.UC_HOOK_MEM_WRITE
        return self.hook(
            kinds, lambda _uc, kind, at, size, _v, _d: act(kind == uc.UC_MEM_WRITE, at, size)
        )

    def at(self, addresses: Iterable[int], act: Callable[[int], None]) -> None:
        """Calls `act(address)` before each executed instruction at one of `addresses`."""
        for address in addresses:
            self.hook(uc.UC_HOOK_CODE, lambda _u, at, _s, _d: act(at), address, address)

    # Unicorn (2.1) leaves the IT state of a hooked access or instruction inside an IT block behind,
    # and what comes next is translated as if it were still inside.

    def _leave_it(self, engine: Any, _address: int, _size: int, _data: Any) -> None:
        """After an IT block, in the same run of instructions: takes the state back."""
        engine.reg_write(arm.UC_ARM_REG_XPSR, engine.reg_read(arm.UC_ARM_REG_XPSR) & ~_IT_STATE)

    def _mend(self, engine: Any, address: int, _size: int, _data: Any) -> None:
        """At the start of a block, where an IT block ended in a jump: starts it once more without.

        Hooks of blocks see both starts; `stale` tells them of the first.
        """
        self.stale = self.started_anew(address, engine.reg_read(arm.UC_ARM_REG_XPSR))

    def started_anew(self, address: int, xpsr: int) -> bool:
        """For a block hook that was not added by `hook`: whether the block is stale."""
        stale = bool(xpsr & _IT_STATE) and address not in self.in_it
        if stale:
            self.uc.ctl_remove_cache(address, address + 1)  # or the jump to it stays for ever
            self.uc.reg_write(arm.UC_ARM_REG_XPSR, xpsr & ~_IT_STATE)
            self.uc.reg_write(arm.UC_ARM_REG_PC, address | 1)
        return stale

    def guard(self) -> None:
        """Before the first hook: the two hooks that keep the others from doing harm."""
        if self._unguarded:
            self.uc.hook_add(uc.UC_HOOK_BLOCK, self._mend)
        for _, after in self._unguarded:
            self.uc.hook_add(uc.UC_HOOK_CODE, self._leave_it, begin=after, end=after)
        self._unguarded = []

    def hook(self, kind: int, act: Callable[..., None], first: int = 1, last: int = 0) -> int:
        """Adds a hook of Unicorn, for `first` to `last` or everywhere; returns a handle."""
        self.guard()
        handle: int = self.uc.hook_add(kind, act, begin=first, end=last)
        self.uc.ctl_flush_tb()  # code translated before would run without it
        return handle

    def unhook(self, handle: int) -> None:
        self.uc.hook_del(handle)
        self.uc.ctl_flush_tb()


def _it_blocks(image: Image) -> Iterator[tuple[list[int], int]]:
    """Of each IT block: the addresses inside, and the one after (Armv7-M, A5.1 and A7.3.1)."""
    for start, end in image.code:
        base, content = next(s for s in image.segments if s[0] <= start < s[0] + len(s[1]))
        inside: list[int] = []
        at, left = start, 0
        while at < end:
            half = int.from_bytes(content[at - base : at - base + 2], "little")
            size = 4 if half >> 11 in (0b11101, 0b11110, 0b11111) else 2
            if left:
                inside.append(at)
                left -= 1
                if not left:
                    yield inside, at + size
            elif half >> 8 == 0xBF and half & 0xF:
                inside, left = [], 5 - (half & 0xF & -(half & 0xF)).bit_length()
            at += size
