# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A64 instructions to try a Form on, two assemblers, a processor, and the meaning over integers."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm64_const as arm

from gen import isa
from gen.ir.domains.ints import Ints
from gen.ir.ir import Imm, Insn, Mem, Operand, Reg, Shift, Var, physical
from gen.isa.encode import MEMORY, SHIFTS

GAS = ("aarch64-linux-gnu-as", "-march=armv8.2-a+sha3")
CLANG = ("clang", "--target=aarch64-linux-gnu", "-march=armv8.2-a+sha3", "-c")
CORE = [*(f"x{n}" for n in range(31)), "sp"]
VECTORS = [f"v{n}" for n in range(32)]
BASE, SIZE, CODE = 0x2000_0000, 0x3_0000, 0x1000
MIDDLE = BASE + SIZE // 2  # where bases point: every offset of an encoding stays inside
FLAGS = {"N": 31, "Z": 30, "C": 29, "V": 28}
CORNERS = (0, 1, 2**63, 2**64 - 1, 2**63 - 1, 0xFFFF_FFFF)


@dataclass
class State:
    """Registers by name, flags, memory from BASE that was written."""

    registers: dict[str, int]
    flags: dict[str, int]
    memory: bytearray = field(repr=False)


# --- instructions ----------------------------------------------------------------------------------


def _end(rng: random.Random, steps: range) -> int:
    return rng.choice((steps[0], steps[-1], rng.choice(steps)))


def constant(rng: random.Random, enc: str) -> int:
    """A constant that a rule of encode.py holds."""
    rule = rng.choice(enc.split("|"))
    if rule == "bm64":
        size = rng.choice((2, 4, 8, 16, 32, 64))
        ones, turn = rng.randrange(1, size), rng.randrange(size)
        run = (1 << ones) - 1
        element = (run << turn | run >> (size - turn)) & ((1 << size) - 1)
        return sum(element << at for at in range(0, 64, size))
    span, _, step = rule.partition("/")
    low, high = map(int, span.split(".."))
    return _end(rng, range(low, high + 1, int(step or "1")))


def memory(rng: random.Random, enc: str) -> Mem:
    """An address of any mode that the rule has."""
    rule, base = MEMORY[enc], physical(f"x{rng.randrange(28, 31)}")
    modes = ["offset", "more", "index", "post", "pre"]
    mode = rng.choice(modes[: 5 if rule.pre else 4])
    if mode == "index" and rule.shifts is not None:
        shift = rng.choice(sorted(rule.shifts))
        return Mem(base, index=physical("x27"), shift=shift)
    if mode in ("pre", "post") and rule.writeback is not None:
        return Mem(base, Imm(_end(rng, rule.writeback)), mode=mode)  # type: ignore[arg-type]
    return Mem(base, Imm(_end(rng, (mode == "more" and rule.more) or rule.offset)))


def _operand(rng: random.Random, role: isa.Role) -> Operand:
    match role.kind:
        case "imm":
            return Imm(constant(rng, role.enc))
        case "shift":
            kind = rng.choice(list(SHIFTS[role.enc]))
            return Shift(kind, _end(rng, SHIFTS[role.enc][kind]))
        case "mem":
            return memory(rng, role.enc)
    letter = "x" if role.enc == "core" else "v"
    return Reg(physical(f"{letter}{rng.randrange(27)}"))


def samples(form: isa.Form, count: int) -> Iterator[Insn]:
    """`count` tries of a form, registers alike now and then."""
    rng = random.Random(f"{form.name} {form.syntax}")
    made = 0
    while made < count:
        ops = [_operand(rng, role) for role in form.roles]
        places = [n for n, op in enumerate(ops) if isinstance(op, Reg)]
        if len(places) > 1 and rng.random() < 0.3:
            first, second = rng.sample(places, 2)
            if isa.bank(ops[first].var) == isa.bank(ops[second].var):  # type: ignore[union-attr]
                ops[second] = ops[first]
        roles = isa.match(form, ops)
        if isinstance(roles, isa.Mismatch):
            continue
        insn = Insn(form.name, tuple(roles.values()), form=form, roles=roles)
        if all(a is not b for a, b in isa.distinct(insn)):
            made += 1
            yield insn


def assemble(tool: Sequence[str], insns: Sequence[Insn], folder: Path) -> bytes:
    """The code that an assembler makes. Raises AssertionError with its messages."""
    source, target = folder / "t.s", folder / "t.o"
    text = "".join(f"\t{isa.render(insn)}\n" for insn in insns)
    source.write_text(".text\n" + text, encoding="utf-8", newline="\n")
    done = subprocess.run([*tool, "-o", str(target), str(source)], capture_output=True, text=True)
    assert done.returncode == 0 and "arning" not in done.stderr, done.stderr[:4000]
    with target.open("rb") as stream:
        return bytes(ELFFile(stream).get_section_by_name(".text").data())


# --- two ways to run one ---------------------------------------------------------------------------


def before(rng: random.Random) -> State:
    """Random and corner values; x28 to x30 point into memory, x27 is an index."""
    registers = {name: rng.choice((rng.getrandbits(64), rng.choice(CORNERS))) for name in CORE}
    registers |= {name: MIDDLE + 16 * rng.randrange(64) for name in ("x28", "x29", "x30", "sp")}
    registers["x27"] = rng.randrange(-100, 100) % 2**64
    registers |= {name: rng.getrandbits(128) for name in VECTORS}
    return State(registers, {name: rng.randrange(2) for name in FLAGS}, bytearray())


class Processor:
    """An AArch64 core with all extensions that runs one instruction at a time."""

    def __init__(self, code: bytes) -> None:
        self.uc: Any = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM64_MAX)
        self.uc.mem_map(0, 0x40_0000)
        self.uc.mem_map(BASE, SIZE)
        self.uc.mem_write(CODE, code)
        self.uc.reg_write(arm.UC_ARM64_REG_CPACR_EL1, 3 << 20)
        self.ids = {n: getattr(arm, f"UC_ARM64_REG_{n.upper()}") for n in (*CORE, *VECTORS)}
        self.filler = random.Random(1).randbytes(SIZE)

    def step(self, slot: int, start: State) -> State:
        """Runs the instruction in `slot`."""
        uc = self.uc
        for name, value in start.registers.items():
            uc.reg_write(self.ids[name], value)
        uc.reg_write(arm.UC_ARM64_REG_NZCV, sum(start.flags[n] << at for n, at in FLAGS.items()))
        uc.mem_write(BASE, self.filler)
        uc.emu_start(CODE + 4 * slot, CODE + 4 * slot + 4, count=1)
        flags = uc.reg_read(arm.UC_ARM64_REG_NZCV)
        registers = {name: uc.reg_read(self.ids[name]) for name in start.registers}
        seen = bytearray(uc.mem_read(BASE, SIZE))
        return State(registers, {name: flags >> at & 1 for name, at in FLAGS.items()}, seen)


class IntMachine:
    """A State as the Machine that meanings run on."""

    def __init__(self, state: State, filler: bytes) -> None:
        self.dom = Ints()
        self.state, self.memory = state, bytearray(filler)

    def get(self, operand: Operand) -> int:
        assert isinstance(operand, Reg)
        return self.state.registers[operand.var.name]

    def set(self, operand: Operand, value: int) -> None:
        assert isinstance(operand, Reg)
        self.put(operand.var, value)

    def put(self, var: Var, value: int) -> None:
        bits = 128 if var.name[0] == "v" else 64
        self.state.registers[var.name] = value % (1 << bits)

    def flag(self, name: str) -> int:
        return self.state.flags[name]

    def set_flag(self, name: str, value: int) -> None:
        assert value in (0, 1), (name, value)
        self.state.flags[name] = value

    def address(self, mem: Mem) -> int:
        base = self.state.registers[mem.base.name]
        if mem.index is not None:
            return base + (self.state.registers[mem.index.name] << mem.shift) & (2**64 - 1)
        moved = base + mem.offset.value
        if mem.mode != "offset":
            self.put(mem.base, moved)
        return base if mem.mode == "post" else moved

    def load(self, address: int, size: int) -> int:
        at = address - BASE
        return int.from_bytes(self.memory[at : at + size], "little")

    def store(self, address: int, size: int, value: int) -> None:
        at = address - BASE
        self.memory[at : at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")

    def exact(self, value: int, bits: int) -> int:
        return value

    def wrap(self, value: int, dest: Operand) -> int:
        return value


def meant(insn: Insn, start: State, filler: bytes) -> State:
    """The state after an instruction by its meaning."""
    machine = IntMachine(State(dict(start.registers), dict(start.flags), bytearray()), filler)
    isa.run(insn, machine)
    machine.state.memory = machine.memory
    return machine.state
