# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Machine code to events of the pricer, one instruction at a time; decoded once, then kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from capstone import (
    CS_ARCH_ARM,
    CS_MODE_MCLASS,
    CS_MODE_THUMB,
    CS_OP_IMM,
    CS_OP_MEM,
    CS_OP_REG,
    Cs,
)
from capstone.arm import ARM_CC_AL

from gen.cores.issue import ACCUMULATE, ARITHMETIC, FLAGS
from gen.cores.price import LOADS, STORES, Event
from gen.isa.kinds import KIND_OF, STACK_LISTS, access_bytes
from gen.isa.traffic import Traffic, base_and_setting, traffic

_NAMES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}
_LISTS = frozenset({"loadmulti", "storemulti", "vloadmulti", "vstoremulti"})
_PAIRS = frozenset({"loadpair", "storepair"})
_FP_ACCESS = frozenset({"vload", "vstore"})
# Multiplies and divisions: index of the first of two source operands.
_SOURCES = {"mul64": 2, "mac64": 2, "div": 1}


_NO_OPERANDS = frozenset({"pc", "itstate", "cpsr", "apsr"})  # followed as "flags", or not at all


def _traffic(insn: Any) -> Traffic:
    """What the tables know of an instruction beside its operands."""
    last = insn.operands[-1] if insn.operands else None
    tail = "" if last is None else "imm" if last.type == CS_OP_IMM else "reg"
    tail = "shift" if last is not None and tail == "reg" and last.shift.type else tail
    name, setting = base_and_setting(insn.insn_name(), insn.mnemonic)
    return traffic(name, setting, tail) or Traffic()


@dataclass(slots=True)
class Decoded:
    """An instruction in memory: the event it gives, and what a tracer must watch."""

    event: Event
    text: str
    conditional: bool  # in an IT block
    accesses: int  # single data accesses it makes when executed
    writes_sp: bool
    sources: tuple[str, ...]  # registers whose values a data-dependent price asks for
    may_jump: bool


class Decoder:
    """Decodes runs of Thumb code; IT blocks need their run from its start."""

    def __init__(self) -> None:
        self._cs = Cs(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_MCLASS)
        self._cs.detail = True

    def run(self, address: int, code: bytes) -> Iterator[Decoded]:
        """Instructions of `code` at `address`; what is none, or of no known kind, is left out."""
        offset = 0
        while offset < len(code):
            for insn in self._cs.disasm(code[offset:], address + offset):
                offset = insn.address - address + insn.size
                if insn.insn_name() in KIND_OF:
                    yield self._decoded(insn)
            offset += 2

    def _decoded(self, insn: Any) -> Decoded:
        name = insn.insn_name()
        writes = {self._name(number) for number in insn.regs_access()[1]}
        kind = self._kind(name, writes)
        memory = next((op.mem for op in insn.operands if op.type == CS_OP_MEM), None)
        event = self._event(insn, name, kind, writes, memory)
        accesses = int(memory is not None and kind != "nop")
        if event.words and (memory is None or event.words > 1):
            accesses = self._registers(insn, name, kind)
        sources = insn.operands[_SOURCES[kind] :][:2] if kind in _SOURCES else ()
        return Decoded(
            event,
            f"{insn.mnemonic} {insn.op_str}".strip(),
            conditional=insn.cc not in (ARM_CC_AL, 0) and name not in ("it", "b"),
            accesses=accesses,
            writes_sp="sp" in writes or name in STACK_LISTS,
            sources=tuple(self._name(op.reg) for op in sources),
            may_jump=kind in ("branch", "call", "return"),
        )

    def _event(self, insn: Any, name: str, kind: str, writes: set[str], memory: Any) -> Event:
        """What the pricer is told of the instruction, whenever it runs."""
        address: tuple[str, ...] = ()
        words = 0
        if memory is not None:
            address = tuple(self._name(part) for part in (memory.base, memory.index) if part)
        if kind in _PAIRS:
            words = 2
        elif kind in _FP_ACCESS:
            words = self._fp_words(insn.operands[:1])
        elif kind in _LISTS or name in STACK_LISTS:
            words, address = self._list(insn, name, kind)
        elif memory is not None and kind in ("branch", "return"):
            words = 1
        known = _traffic(insn)
        sets = {FLAGS} if (known.sets | known.may_set) & ARITHMETIC else set()
        bases = {*address} if insn.writeback else {"sp"} if name in STACK_LISTS else set()
        return Event(
            kind,
            insn.size,
            insn.address,
            reads=tuple(sorted(self._reads(insn, known, writes) - _NO_OPERANDS)),
            writes=tuple(sorted((writes - bases - _NO_OPERANDS) | sets)),
            address_regs=address if kind in LOADS or kind in STORES or words else (),
            words=words,
            shifted=self._shifted(insn) if kind == "alu" else (),
            late=self._late(insn, kind, known),
            bytes=access_bytes(name) if kind in ("load", "store") else 4,
            regoffset=memory is not None and bool(memory.index),
        )

    def _reads(self, insn: Any, known: Traffic, writes: set[str]) -> set[str]:
        """Registers read and "flags": what accumulates, and what a condition may leave, are read too."""
        found = {self._name(number) for number in insn.regs_access()[0]}
        found |= {self._name(op.reg) for op in insn.operands[: known.updated]}
        uses = known.uses & ARITHMETIC
        if insn.cc not in (ARM_CC_AL, 0) and insn.insn_name() != "it":
            uses |= ARITHMETIC
            found |= writes
        return found | ({FLAGS} if uses else set())

    def _shifted(self, insn: Any) -> tuple[str, ...]:
        """The operand that goes through the shifter."""
        return tuple(
            self._name(op.reg) for op in insn.operands if op.type == CS_OP_REG and op.shift.type
        )

    def _late(self, insn: Any, kind: str, known: Traffic) -> tuple[str, ...]:
        """What is stored; what is added to a product."""
        names = [self._name(op.reg) if op.type == CS_OP_REG else "" for op in insn.operands]
        if kind in STORES:
            return tuple(sorted({*names} - {""}))
        if kind not in ACCUMULATE:
            return ()
        if known.updated:
            return tuple(sorted({*names[:2]} - {*names[2:4]}))
        return tuple(sorted({*names[3:4]} - {*names[1:3]}))

    def _name(self, register: int) -> str:
        name: str = self._cs.reg_name(register)
        return _NAMES.get(name, name)

    @staticmethod
    def _kind(name: str, writes: set[str]) -> str:
        kind = KIND_OF[name]
        if "pc" in writes and kind in LOADS:
            return "return"
        return "branch" if "pc" in writes and kind == "alu" else kind

    def _list(self, insn: Any, name: str, kind: str) -> tuple[int, tuple[str, ...]]:
        """Words moved by a list, and its base register; PUSH and POP never wait for SP."""
        stack = name in STACK_LISTS
        listed = insn.operands if stack else insn.operands[1:]
        words = self._fp_words(listed) if kind.startswith("v") else len(listed)
        return words, () if stack else (self._name(insn.operands[0].reg),)

    @staticmethod
    def _registers(insn: Any, name: str, kind: str) -> int:
        """Registers that a transfer of words moves; each is one access, a double one too."""
        if kind in _FP_ACCESS:
            return 1
        if kind in _PAIRS:
            return 2
        return len(insn.operands) - (0 if name in STACK_LISTS else 1)

    def _fp_words(self, operands: Any) -> int:
        return sum(2 if self._name(op.reg).startswith("d") else 1 for op in operands)
