# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The meaning of an instruction over integers: a state of the machine and what an instruction makes
of it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from gen import isa
from gen.ir.domains.ints import Ints
from gen.ir.ir import Base, Imm, Insn, Mem, Operand, Reg, Var

BASE, SIZE = 0x2000_0000, 0x4000
FLAG_BITS = {"N": (31, 1), "Z": (30, 1), "C": (29, 1), "V": (28, 1), "Q": (27, 1), "GE": (16, 15)}
CORE = [*(f"r{n}" for n in range(13)), "sp", "lr"]
FP = [f"s{n}" for n in range(32)]
WORD = 0xFFFFFFFF


@dataclass
class State:
    """Registers by name, flags by name, memory from BASE."""

    registers: dict[str, int]
    flags: dict[str, int]
    memory: bytearray = field(repr=False)

    def copy(self) -> State:
        return State(dict(self.registers), dict(self.flags), bytearray(self.memory))


class _Bounded(Ints):
    """Integers that do not shift further than an instruction can (a planted fault may try)."""

    def shl(self, x: int, n: int) -> int:
        assert 0 <= n <= 256, n
        return x << n


class IntMachine:
    """A State as the Machine that meanings run on."""

    def __init__(self, state: State) -> None:
        self.dom = _Bounded()
        self.state = state

    def get(self, operand: Operand) -> int:
        var = operand.var  # type: ignore[union-attr]
        value = self._read(var)
        if which := getattr(operand, "which", ""):
            return self.dom.half(value, which == "t")
        return value

    def _read(self, var: Var) -> int:
        if isa.bank(var) == "d":
            first = 2 * isa.number(var)
            both = self.state.registers
            return both[f"s{first}"] | both[f"s{first + 1}"] << 32
        return self.state.registers[var.name]

    def set(self, operand: Operand, value: int) -> None:
        var = operand.var  # type: ignore[union-attr]
        if isa.bank(var) == "d":
            first = 2 * isa.number(var)
            self.state.registers[f"s{first}"] = value & WORD
            self.state.registers[f"s{first + 1}"] = value >> 32 & WORD
        else:
            self.state.registers[var.name] = value & WORD

    def flag(self, name: str) -> int:
        return self.state.flags[name]

    def set_flag(self, name: str, value: int) -> None:
        assert 0 <= value <= FLAG_BITS[name][1], (name, value)
        self.state.flags[name] = value

    def address(self, mem: Mem) -> int:
        base = self._read(mem.base)
        if mem.index is not None:
            return base + (self._read(mem.index) << mem.shift) & WORD
        moved = base + mem.offset.value & WORD
        if mem.mode != "offset":
            self.set(Reg(mem.base), moved)
        return base if mem.mode == "post" else moved

    def load(self, address: int, size: int) -> int:
        at = (address & WORD) - BASE
        assert 0 <= at <= SIZE - size, hex(address)
        return int.from_bytes(self.state.memory[at : at + size], "little")

    def store(self, address: int, size: int, value: int) -> None:
        at = (address & WORD) - BASE
        assert 0 <= at <= SIZE - size, hex(address)
        self.state.memory[at : at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")

    def exact(self, value: int, bits: int) -> int:
        return value

    def wrap(self, value: int, dest: Operand) -> int:
        return value


def meant(insn: Insn, before: State) -> State:
    """The state after an instruction by its meaning, its condition respected."""
    machine = IntMachine(before.copy())
    if insn.cond is None or isa.condition_value(insn.cond, machine):
        isa.run(insn, machine)
    return machine.state


CORNERS = (
    0,
    1,
    2,
    31,
    32,
    33,
    64,
    255,
    256,
    0x7F,
    0x80,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0x80000001,
    0xFFFFFFFF,
    0xFFFF8000,
    0x80008000,
    0x7FFF7FFF,
    0x80808080,
    0x7F7F7F7F,
    0xFFFFFFFE,
)


def _pool(insn: Insn, rng: random.Random) -> list[int]:
    """Values close to each other or to a constant: carries and comparisons turn on them."""
    constants = [operand.value for operand in insn.ops if isinstance(operand, Imm)]
    seed = rng.choice([*constants, rng.choice(CORNERS), rng.getrandbits(32)])
    return [x & WORD for x in (seed, seed, seed + 1, seed - 1, ~seed, -seed)]


def before(insn: Insn, rng: random.Random) -> State:
    """A state to start from: random, corner and related values, addresses inside the memory."""
    pool = _pool(insn, rng)

    def value() -> int:
        return rng.choice((rng.choice(pool), rng.choice(CORNERS), rng.getrandbits(32)))

    vfp = insn.form is not None and insn.form.isa == "vfp"
    registers = {name: value() for name in (*CORE, *(FP if vfp else ()))}
    registers["sp"] = BASE + 0x2000 + 4 * rng.randrange(64)
    step = insn.form.align if insn.form is not None else 1
    for operand in insn.ops:
        if isinstance(operand, Mem):
            if operand.index is not None:
                registers[operand.index.name] = rng.randrange(0x100)
            registers[operand.base.name] = (
                BASE + 0x1800 + (4 if operand.base.name == "sp" else step) * rng.randrange(64)
            )
        elif isinstance(operand, Base):
            registers[operand.var.name] = BASE + 0x1800 + step * rng.randrange(64)
    base = insn.roles.get("p")
    if isinstance(base, Reg | Base):
        registers[base.var.name] = BASE + 0x1800 + step * rng.randrange(64)
    flags = {name: rng.randint(0, most) for name, (_, most) in FLAG_BITS.items()}
    return State(registers, flags, bytearray(rng.randbytes(SIZE)))


def difference(expected: State, found: State) -> str:
    """Where two states differ, or ""."""
    parts = [
        f"{k} {v:#x} not {found.registers[k]:#x}"
        for k, v in expected.registers.items()
        if found.registers[k] != v
    ]
    parts += [
        f"{k} {v} not {found.flags[k]}" for k, v in expected.flags.items() if found.flags[k] != v
    ]
    if expected.memory != found.memory:
        at = next(
            i for i, (a, b) in enumerate(zip(expected.memory, found.memory, strict=True)) if a != b
        )
        parts.append(f"memory at {BASE + at:#x}")
    return ", ".join(parts)
