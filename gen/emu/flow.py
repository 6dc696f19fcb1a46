# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Machine code as flow of data: which bits of a state each instruction reads and writes.

The state is one integer with a bit for each register and flag (`BIT`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from capstone import (
    CS_AC_WRITE,
    CS_ARCH_ARM,
    CS_MODE_MCLASS,
    CS_MODE_THUMB,
    CS_OP_IMM,
    CS_OP_MEM,
    CS_OP_REG,
    Cs,
)
from capstone.arm import ARM_CC_AL

from gen.isa.kinds import KIND_OF, STACK_LISTS, access_bytes
from gen.isa.meaning import CONDITIONS
from gen.isa.traffic import CANCELLING, SUMS, Traffic, base_and_setting, traffic

_ALIASES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}
CORE = (*(f"r{n}" for n in range(13)), "sp", "lr", "pc")
NUMBER = {name: number for number, name in enumerate(CORE)}
FLAGS = ("N", "Z", "C", "V", "Q", "GE")
BIT: dict[str, int] = {
    **{name: 1 << number for number, name in enumerate(CORE)},
    **{name: 1 << 16 + number for number, name in enumerate(FLAGS)},
    **{f"s{n}": 1 << 32 + n for n in range(32)},
    **{f"d{n}": 3 << 32 + 2 * n for n in range(16)},
}
PC = BIT["pc"]
JUMPS = frozenset({"branch", "call", "return"})
_LISTS = frozenset({"loadmulti", "storemulti", "vloadmulti", "vstoremulti"})
_STORES = frozenset({"store", "storepair", "storemulti", "vstore", "vstoremulti"})
# What takes its results from its operands alone; instructions of other kinds are not understood.
_KINDS = frozenset(KIND_OF.values()) - {"vop", "vmac", "vdiv"}


@dataclass(frozen=True, slots=True)
class Lane:
    """One register of a memory access: its bits, and where its bytes are from the address."""

    bits: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Access:
    """A memory access at base + (index << shift) + offset; base "" for an absolute address."""

    store: bool
    base: str
    index: str
    shift: int
    offset: int
    lanes: tuple[Lane, ...]
    signed: bool = False  # what is loaded is extended by its sign

    @property
    def bits(self) -> int:
        """Registers that the address is made of."""
        return (BIT[self.base] if self.base else 0) | (BIT[self.index] if self.index else 0)


@dataclass(frozen=True, slots=True)
class Sum:
    """A register's new value: `scale` times the last operand, plus those before it."""

    target: str
    how: int | str
    operands: tuple[str | int, ...]
    shift: int  # of the last operand, to the left


@dataclass(frozen=True, slots=True)
class Flow:
    """One instruction. `moves`: bits read, and written from them, all at once."""

    address: int
    size: int
    text: str
    kind: str
    cond: str  # "" for always
    operands: int  # bits of the registers that are operands and read, accumulators included
    moves: tuple[tuple[int, int], ...]
    access: Access | None = None
    back: tuple[str, int] | None = None  # the base that is written back, and what is added to it
    sum: Sum | None = None

    @property
    def flags(self) -> int:
        """Bits of the flags its condition reads."""
        return _condition_bits(self.cond)

    @property
    def written(self) -> int:
        """Every bit it may write."""
        found = 0
        for _, bits in self.moves:
            found |= bits
        if self.access and not self.access.store:
            for lane in self.access.lanes:
                found |= lane.bits
        return found


def _condition_bits(cond: str) -> int:
    return sum(BIT[flag] for flag in "NZCV" if cond and flag in CONDITIONS[cond])


class Flows:
    """Decodes runs of Thumb code."""

    def __init__(self) -> None:
        self._cs = Cs(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_MCLASS)
        self._cs.detail = True

    def run(self, address: int, code: bytes) -> Iterator[Flow]:
        """Instructions of `code` at `address`; what is not understood is left out."""
        offset = 0
        while offset < len(code):
            for insn in self._cs.disasm(code[offset:], address + offset):
                offset = insn.address - address + insn.size
                flow = self._flow(insn)
                if flow is not None:
                    yield flow
            offset += 2

    def _flow(self, insn: Any) -> Flow | None:
        name, setting = base_and_setting(insn.insn_name(), insn.mnemonic)
        kind = KIND_OF.get(insn.insn_name(), "")
        known = traffic(name, setting, _tail(insn.operands))
        if known is None or kind not in _KINDS or kind == "it":
            return self._it(insn) if kind == "it" else None
        conditional = insn.cc not in (ARM_CC_AL, 0)
        access, back = self._access(insn, name, kind)
        reads, writes = self._operands(insn, kind, known)
        return Flow(
            insn.address,
            insn.size,
            f"{insn.mnemonic} {insn.op_str}".strip(),
            "branch" if writes & PC and access is None and kind not in JUMPS else kind,
            self._cs_condition(insn) if conditional else "",
            reads,
            tuple(_moves(reads, writes, kind, known, access, back)),
            access,
            back,
            self._sum(insn, name, setting),
        )

    def _it(self, insn: Any) -> Flow:
        return Flow(insn.address, insn.size, f"{insn.mnemonic} {insn.op_str}", "it", "", 0, ())

    def _cs_condition(self, insn: Any) -> str:
        return _CONDITION_NAMES[insn.cc]

    def _name(self, register: int) -> str:
        name: str = self._cs.reg_name(register)
        return _ALIASES.get(name, name)

    # --- registers

    def _operands(self, insn: Any, kind: str, known: Traffic) -> tuple[int, int]:
        """Bits of operands read and written, without what memory is loaded to or stored from."""
        reads = writes = 0
        if insn.insn_name() in STACK_LISTS or kind in _LISTS:
            return 0, 0
        for position, operand in enumerate(insn.operands):
            if operand.type != CS_OP_REG:
                continue
            bits = BIT[self._name(operand.reg)]
            if position < known.updated or operand.access != CS_AC_WRITE:
                reads |= bits
            if operand.access & CS_AC_WRITE:
                writes |= bits
        if _cancels(insn):
            reads = 0
        return reads & ~PC, writes

    # --- memory

    def _access(
        self, insn: Any, name: str, kind: str
    ) -> tuple[Access | None, tuple[str, int] | None]:
        if name in STACK_LISTS or kind in _LISTS:
            return self._list(insn, name, kind)
        memory = next((op for op in insn.operands if op.type == CS_OP_MEM), None)
        if memory is None or kind == "nop":
            return None, None
        base, index = self._name(memory.mem.base), ""
        offset = memory.mem.disp
        if memory.mem.index:
            index = self._name(memory.mem.index)
        if base == "pc":
            base, offset = "", (insn.address + 4 & ~3) + offset
        lanes = tuple(self._lanes(insn, name, kind))
        shift = memory.shift.value if memory.shift.type else 0
        signed = kind == "load" and "s" in name[3:]
        access = Access(
            kind in _STORES, base, index, shift, 0 if insn.post_index else offset, lanes, signed
        )
        step = insn.operands[-1].imm if insn.post_index else offset
        return access, (base, step) if insn.writeback else None

    def _lanes(self, insn: Any, name: str, kind: str) -> Iterator[Lane]:
        if kind == "branch":  # a table of branches
            yield Lane(PC, 0, 1)
            return
        at = 0
        for operand in insn.operands:
            if operand.type == CS_OP_REG:
                register = self._name(operand.reg)
                size = 8 if register[0] == "d" else 4
                size = access_bytes(name) if kind in ("load", "store") else size
                yield Lane(BIT[register], at, size)
                at += size

    def _list(self, insn: Any, name: str, kind: str) -> tuple[Access, tuple[str, int] | None]:
        """A list of registers, the lowest at the lowest address."""
        stack = name in STACK_LISTS
        listed = insn.operands if stack else insn.operands[1:]
        base = "sp" if stack else self._name(insn.operands[0].reg)
        bits = sorted(BIT[self._name(op.reg)] for op in listed)
        size = 8 if bits[0].bit_count() == 2 else 4
        store, total = kind in _STORES, size * len(bits)
        down = store if stack else name.endswith("db")
        lanes = tuple(Lane(bit, size * n, size) for n, bit in enumerate(bits))
        access = Access(store, base, "", 0, -total if down else 0, lanes)
        moved = stack or insn.writeback
        return access, (base, -total if down else total) if moved else None

    # --- values of registers

    def _sum(self, insn: Any, name: str, setting: bool) -> Sum | None:
        how = SUMS.get(name)
        operands = insn.operands
        if how is None or setting and how == "high" or not operands:
            return None
        values: list[str | int] = []
        for operand in operands[1:]:
            if operand.type not in (CS_OP_REG, CS_OP_IMM):
                return None
            values.append(self._name(operand.reg) if operand.type == CS_OP_REG else operand.imm)
        if len(operands) == 2 and operands[0].access != CS_AC_WRITE and how != "high":
            values.insert(0, self._name(operands[0].reg))
        shift = operands[-1].shift
        if shift.type not in (0, _LSL) or "pc" in values:
            return None
        target = self._name(operands[0].reg)
        return Sum(target, how, tuple(values), shift.value if shift.type else 0)


_LSL = 2  # Capstone's number of this shift
_CONDITION_NAMES = dict(enumerate("eq ne hs lo mi pl vs vc hi ls ge lt gt le".split(), 1))


def _tail(operands: Any) -> str:
    if not operands:
        return ""
    last = operands[-1]
    if last.type == CS_OP_IMM:
        return "imm"
    return "shift" if last.shift.type else "reg"


def _cancels(insn: Any) -> bool:
    """Whether the result is the same for all values: x ^ x, x - x."""
    if insn.insn_name() not in CANCELLING:
        return False
    first, last = insn.operands[-2:]
    if first.type != CS_OP_REG or last.type != CS_OP_REG:
        return False
    return bool(first.reg == last.reg and not last.shift.type)


def _moves(
    reads: int,
    writes: int,
    kind: str,
    known: Traffic,
    access: Access | None,
    back: tuple[str, int] | None,
) -> Iterator[tuple[int, int]]:
    """From what to what; loads and stores apart."""
    if kind == "call":
        yield 0, BIT["lr"]
    if back is not None:
        base = BIT[back[0]]
        yield base, base
    if access is not None:
        return
    uses = sum(BIT[flag] for flag in known.uses)
    sets = sum(BIT[flag] for flag in known.sets)
    if writes & ~PC | sets:
        yield reads | uses, writes & ~PC | sets
    for flag in known.may_set:
        yield reads | uses | BIT[flag], BIT[flag]
