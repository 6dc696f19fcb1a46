# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Follows secrets through a program: byte by byte in memory, by register and by flag.

Secret is what was poisoned, and whatever is computed from it. Reported are branches, addresses and
operands of instructions whose time depends on them, when they are secret. A segment of instructions
is simulated once for each way secrets lie at its start, and remembered.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import unicorn as uc
from unicorn import arm_const as arm

from gen.cores.core import Core
from gen.emu.flow import BIT, JUMPS, PC, Flow, Flows
from gen.emu.machine import REGISTERS, SIZE, Fault, Machine, Wide, place
from gen.emu.segment import Segment, Step, segment, splits
from gen.isa.traffic import condition

_READ = [REGISTERS[name] for name in (*(f"r{n}" for n in range(13)), "sp", "lr")]
_XPSR = len(_READ)
_FLAG_BIT = {"N": 31, "Z": 30, "C": 29, "V": 28}

_Hit = tuple[int, tuple[tuple[int, bytes], ...]]


@dataclass(frozen=True, slots=True)
class Mark:
    """A place where something ceases to be a secret: `size` bytes at `register`, or it itself."""

    address: int
    name: str
    register: str
    size: int | str  # bytes, or the register that holds how many; 0: the register itself


@dataclass(frozen=True, slots=True)
class Finding:
    """An instruction that tells something of a secret, and how."""

    how: str  # branch address time
    address: int
    text: str
    place: str  # function+offset

    def __str__(self) -> str:
        return f"{self.place}: `{self.text}`: {_SAYS[self.how]}"


_SAYS = {
    "branch": "whether or where it branches depends on a secret",
    "address": "its address depends on a secret",
    "access": "whether it accesses memory depends on a secret",
    "time": "its time depends on a secret",
}


class Tracker:
    """Secrets on one machine. Leaves its hooks in the machine: one tracker for each."""

    def __init__(self, machine: Machine, core: Core, marks: Iterable[Mark] = ()) -> None:
        self.machine, self.core = machine, core
        self.findings: dict[tuple[str, int], Finding] = {}
        self.passed: dict[str, int] = {}  # marks by name: how often they were passed
        self.instructions = 0
        self._state = 0
        self._shadow = bytearray(2 * SIZE)
        self._marks: dict[int, list[Mark]] = {}
        for mark in marks:
            self._marks.setdefault(mark.address, []).append(mark)
        self._registers = (ctypes.c_uint32 * (_XPSR + 1))()
        self._fetch = self._fetcher()
        self._flows: dict[int, Flow] = {}
        self._splits: frozenset[int] = frozenset(self._decode())
        self._segments: dict[tuple[int, int], Segment] = {}
        self._start = self._end = 0  # of the block that runs
        self._hook()

    # --- what is secret

    def forget(self) -> None:
        """Makes everything public, and drops what was found."""
        self._shadow[:] = bytes(2 * SIZE)
        self._state = self.instructions = 0
        self.findings, self.passed = {}, {}

    def poison(self, address: int, size: int) -> None:
        """Makes bytes secret."""
        self._set(address, size, b"\1")

    def publish(self, address: int, size: int) -> None:
        """Makes bytes public."""
        self._set(address, size, b"\0")

    def secret(self, address: int, size: int) -> bytes:
        """A byte for each byte: 1 where it is secret."""
        at = place(address)
        return bytes(self._shadow[at : at + size])

    def _set(self, address: int, size: int, byte: bytes) -> None:
        at = place(address)
        self._shadow[at : at + size] = byte * size

    def call(self, symbol: str, *args: int | Wide, timeout: float = 600.0) -> int:
        """Calls a function as `Machine.call` does; its arguments themselves are public."""
        self._state = 0
        self._start = self._end = 0
        return self.machine.call(symbol, *args, timeout=timeout)

    # --- preparation

    def _fetcher(self) -> Any:
        """A function that fills `_registers`: the engine's own call, far cheaper than its wrapper."""
        count = _XPSR + 1
        numbers = (ctypes.c_int * count)(*_READ, arm.UC_ARM_REG_XPSR)
        base = ctypes.addressof(self._registers)
        places = (ctypes.c_void_p * count)(*(base + 4 * n for n in range(count)))
        read, size = self.machine.uc._do_reg_read_batch, ctypes.c_int(count)
        return lambda: read(numbers, places, size)

    def _decode(self) -> Iterable[int]:
        decoder, marks = Flows(), frozenset(self._marks)
        for start, end in self.machine.image.code:
            run = list(decoder.run(start, self.machine.read(start, end - start)))
            self._flows.update((flow.address, flow) for flow in run)
            yield from splits(run, marks, self._constant)

    def _constant(self, address: int, size: int) -> int:
        return int.from_bytes(self.machine.read(address, size), "little")

    def _hook(self) -> None:
        """Not by `Machine.hook`, whose guards are one more call for each block."""
        inside = self._splits & self.machine.in_it
        if inside:
            self.machine.guard()
        engine = self.machine.uc
        engine.hook_add(uc.UC_HOOK_BLOCK, self._block)
        for address in sorted(self._splits):
            engine.hook_add(uc.UC_HOOK_CODE, self._split, begin=address, end=address)
        engine.ctl_flush_tb()

    # --- while it runs

    def _block(self, _engine: Any, address: int, size: int, _data: Any) -> None:
        self._fetch()
        if self.machine.started_anew(address, self._registers[_XPSR]):
            return
        self._start, self._end = address, address + size
        self._pass(address)

    def _split(self, _engine: Any, address: int, _size: int, _data: Any) -> None:
        if address != self._start:
            self._fetch()
            self._pass(address)

    def _pass(self, address: int) -> None:
        """From a start to the next one."""
        if address in self._marks:
            self._declassify(address)
        key = (address, self._end)
        one = self._segments.get(key)
        if one is None:
            one = self._segments[key] = self._segment(address)
        self.instructions += len(one.steps)
        registers, shadow = self._registers, self._shadow
        at = one.locate(registers, self.machine.memory)
        content = b"".join([shadow[a : a + n] for a, n in zip(at, one.sizes)])  # noqa: B905
        near: tuple[int, ...] = ()
        for a, b, first, second in one.pairs:
            if -first < at[a] - at[b] < second:
                near += (a, b, at[a] - at[b])
        flags = registers[_XPSR] >> 28 if one.conditional else 0
        seen = (self._state & one.reads, content, near, flags)
        hit = one.memo.get(seen)
        if hit is None:
            one.memo[seen] = _Simulation(self, one, at, flags).run()
            return
        self._state = self._state & ~one.writes | hit[0]
        for number, new in hit[1]:
            shadow[at[number] : at[number] + len(new)] = new

    def _segment(self, address: int) -> Segment:
        flows, at = [], address
        while at < self._end and (at == address or at not in self._splits):
            if at not in self._flows:
                raise Fault(f"no instruction that is understood at {self.machine.where(at)}")
            flows.append(self._flows[at])
            at += flows[-1].size
        return segment(flows, address, self._constant)

    def _declassify(self, address: int) -> None:
        for mark in self._marks[address]:
            self.passed[mark.name] = self.passed.get(mark.name, 0) + 1
            size = self.machine.get(mark.size) if isinstance(mark.size, str) else mark.size
            if size:
                self.publish(self.machine.get(mark.register), size)
            else:
                self._state &= ~BIT[mark.register]

    def report(self, how: str, flow: Flow) -> None:
        found = Finding(how, flow.address, flow.text, self.machine.where(flow.address))
        self.findings.setdefault((how, flow.address), found)


class _Simulation:
    """One way through a segment, on the tracker's own state and shadow."""

    def __init__(self, tracker: Tracker, one: Segment, at: tuple[int, ...], flags: int) -> None:
        self.tracker, self.segment, self.at = tracker, one, at
        self.state, self.shadow = tracker._state, tracker._shadow
        self.flags: dict[str, int] | None = {
            name: flags >> bit - 28 & 1 for name, bit in _FLAG_BIT.items()
        }

    def run(self) -> _Hit:
        for step in self.segment.steps:
            self._step(step)
        self.tracker._state = self.state
        stores = tuple(
            (number, bytes(self.shadow[at : at + one.size]))
            for number, (at, one) in enumerate(zip(self.at, self.segment.ranges, strict=True))
            if one.stored
        )
        return self.state & self.segment.writes, stores

    def _step(self, step: Step) -> None:
        flow = step.flow
        hidden = bool(self.state & flow.flags)
        maybe = bool(flow.cond) and (hidden or self.flags is None)
        if hidden:
            self._hidden(flow)
        if flow.cond and flow.kind in JUMPS and maybe:
            return
        if flow.cond and not maybe and not condition(flow.cond, self.flags or {}):
            return
        self._judge(flow)
        self._execute(step, hidden, maybe)
        if any(written & _NZCV for _, written in flow.moves):
            self.flags = None

    def _hidden(self, flow: Flow) -> None:
        """A condition that is secret."""
        price = self.tracker.core.cycles[flow.kind]
        skipped = self.tracker.core.rules.skipped
        if flow.kind in JUMPS or flow.written & PC:
            self.tracker.report("branch", flow)
        elif flow.access is not None:
            self.tracker.report("access", flow)
        elif (price.low, price.high) != (skipped, skipped):
            self.tracker.report("time", flow)

    def _judge(self, flow: Flow) -> None:
        if flow.kind in JUMPS and self.state & flow.operands:
            self.tracker.report("branch", flow)
        if flow.access is not None and self.state & flow.access.bits:
            self.tracker.report("address", flow)
        price = self.tracker.core.cycles.get(flow.kind)
        if price is not None and price.data_dependent and self.state & flow.operands:
            self.tracker.report("time", flow)

    def _execute(self, step: Step, hidden: bool, maybe: bool) -> None:
        flow, new = step.flow, self.state
        for reads, writes in flow.moves:
            new = self._written(new, writes, hidden or self.state & reads, maybe)
        if flow.access is not None:
            start = self.at[step.range] + step.offset if step.range >= 0 else None
            unsure = bool(hidden or self.state & flow.access.bits)
            for lane in flow.access.lanes:
                span = (
                    slice(start + lane.offset, start + lane.offset + lane.size)
                    if start is not None
                    else _NO
                )
                if flow.access.store:
                    self._store(span, unsure or bool(self.state & lane.bits), maybe)
                else:
                    secret = unsure or any(self.shadow[span])
                    new = self._written(new, lane.bits, secret, maybe)
                    if lane.bits & PC and secret:
                        self.tracker.report("branch", flow)
        self.state = new & ~PC

    @staticmethod
    def _written(state: int, bits: int, secret: int | bool, maybe: bool) -> int:
        if secret:
            return state | bits
        return state if maybe else state & ~bits

    def _store(self, span: slice, secret: bool, maybe: bool) -> None:
        if secret or not maybe:
            self.shadow[span] = (b"\1" if secret else b"\0") * (span.stop - span.start)


_NO = slice(0, 0)
_NZCV = sum(BIT[name] for name in _FLAG_BIT)
