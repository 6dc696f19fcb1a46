# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Counts what a call executes and what it costs.

Every executed instruction goes through the pricer, but a block of them only once for each way it
can run: the price of a block depends on the instruction before it, the block after it, which side
of the bus boundary and how aligned its accesses are, which conditional instructions ran, and on
operands where a price asks for them. That is the key of the memo; no rule looks at anything else.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Any

import unicorn as uc

from gen.cores.core import Core
from gen.cores.price import Event, Neighbour, Pricer, canonical
from gen.emu.decode import Decoded, Decoder
from gen.emu.machine import Fault, Machine, Wide

_START = -1  # in place of a block: nothing ran yet

# What happened inside a block, in order. An access: its address modulo 4, plus 4 when it is below
# the bus boundary. A conditional instruction that ran: the complement of its address. One priced by
# its operands: the complement of its address, and the operands.
_Item = int | tuple[int, int, int]
_Key = tuple[int, int, int, Neighbour, tuple[_Item, ...]]


@dataclass(slots=True)
class _Run:
    """One way through a block: its instructions, their cycles, the state it leaves, how often."""

    block: list[Decoded]
    cycles: int
    after: Neighbour
    times: int = 0


@dataclass(frozen=True)
class Trace:
    """What one call took.

    `by_function`: cycles spent in each function itself. `straddling` of the `wide` 32-bit
    instructions that ran more than once lie across two words.
    """

    result: int
    instructions: int
    cycles: int
    stack: int  # bytes below the SP of the caller
    wide: int
    straddling: int
    by_function: dict[str, int] = field(default_factory=dict)


class Tracer:
    """Traces calls on a machine for a core. Leaves its hooks in the machine."""

    def __init__(self, machine: Machine, core: Core) -> None:
        self.machine, self.core = machine, core
        self._pricer = Pricer(core)
        self._decoded = _decode(machine)
        self._memo: dict[_Key, _Run] = {}
        self._stream: list[_Item] = []
        self._block, self._size, self._before = _START, 0, Neighbour()
        self._hook()

    def call(self, symbol: str, *args: int | Wide, timeout: float = 120.0) -> Trace:
        """Calls a function as `Machine.call` does; a misaligned wide access is a `Fault` too."""
        self._block, self._before = _START, Neighbour()
        for run in self._memo.values():
            run.times = 0
        result = self.machine.call(symbol, *args, timeout=timeout)
        self._enter(None, self.machine.get("pc") & ~1, 0, None)
        runs = [run for run in self._memo.values() if run.times]
        wide = self._repeated_wide(runs)
        return Trace(
            result,
            sum(run.times * len(run.block) for run in runs),
            sum(run.times * run.cycles for run in runs),
            self.machine.entry_sp - self.machine.lowest_sp,
            len(wide),
            sum(address % 4 != 0 for address in wide),
            self._by_function(runs),
        )

    def _by_function(self, runs: list[_Run]) -> dict[str, int]:
        cycles: dict[str, int] = defaultdict(int)
        for run in runs:
            name = self.machine.where(_address(run.block[0])).split("+")[0]
            cycles[name] += run.times * run.cycles
        return dict(cycles)

    @staticmethod
    def _repeated_wide(runs: list[_Run]) -> set[int]:
        """Addresses of the 32-bit instructions that ran more than once."""
        times: dict[int, int] = defaultdict(int)
        for run in runs:
            for decoded in run.block:
                if decoded.event.size == 4:
                    times[_address(decoded)] += run.times
        return {address for address, count in times.items() if count > 1}

    # --- hooks

    def _hook(self) -> None:
        boundary, append = self.core.rules.bus_boundary, self._stream.append

        def access(_u: Any, _k: int, address: int, _s: int, _v: int, _d: Any) -> None:
            append(address & 3 | (address < boundary) << 2)

        self.machine.hook(uc.UC_HOOK_BLOCK, self._enter)
        self.machine.hook(uc.UC_HOOK_MEM_READ | uc.UC_HOOK_MEM_WRITE, access)
        watched = (d for d in self._decoded.values() if self._dynamic(d))
        self.machine.at((_address(d) for d in watched), self._note)
        moved = (_address(d) + d.event.size for d in self._decoded.values() if d.writes_sp)
        self.machine.at(moved, lambda _address: self.machine.note_sp())

    def _dynamic(self, decoded: Decoded) -> bool:
        return not decoded.may_jump and (decoded.conditional or self._asks(decoded))

    def _asks(self, decoded: Decoded) -> bool:
        price = self.core.cycles.get(decoded.event.kind)
        return bool(decoded.sources) and price is not None and price.data_dependent

    def _note(self, address: int) -> None:
        """Before a conditional or data-dependent instruction that does run."""
        decoded = self._decoded[address]
        if self._asks(decoded):
            first, second = (self.machine.get(name) for name in decoded.sources)
            operands = canonical(self.core, decoded.event.kind, (first, second))
            self._stream.append((~address, *operands))
        else:
            self._stream.append(~address)

    def _enter(self, _uc: Any, address: int, size: int, _data: Any) -> None:
        """At the start of a block, which ends the one before."""
        if self.machine.stale:
            return
        if self._block != _START:
            key = (self._block, self._size, address, self._before, tuple(self._stream))
            run = self._memo.get(key)
            if run is None:
                run = self._memo[key] = self._price(key)
            run.times += 1
            self._before = run.after
            self._stream.clear()
        self._block, self._size = address, size

    # --- pricing

    def _price(self, key: _Key) -> _Run:
        """Puts one way through a block to the pricer."""
        address, size, following, before, stream = key
        block = self._instructions(address, size)
        items = deque(stream)
        self._pricer.before = before
        cycles = sum(self._pricer.step(self._event(d, items, following)) for d in block)
        if items:
            raise Fault(f"accesses at {self.machine.where(address)} do not fit its instructions")
        return _Run(block, cycles, self._pricer.before)

    def _instructions(self, address: int, size: int) -> list[Decoded]:
        found, at = [], address
        while at < address + size:
            if at not in self._decoded:
                raise Fault(f"no instruction of a known kind at {self.machine.where(at)}")
            found.append(self._decoded[at])
            at += found[-1].event.size
        return found

    def _event(self, decoded: Decoded, items: deque[_Item], following: int) -> Event:
        """The event of an instruction, with what the stream tells about this execution."""
        event = decoded.event
        if decoded.may_jump:
            self._branch(decoded, following)
        elif self._dynamic(decoded):
            self._dynamics(decoded, items)
        if decoded.accesses and event.executed:
            event.mem = self._access(decoded, items)
        return event

    def _branch(self, decoded: Decoded, following: int) -> None:
        event = decoded.event
        event.taken = following != _address(decoded) + event.size
        event.executed = event.taken or event.kind == "branch"
        event.target_address = following
        target = self._decoded.get(following)
        event.target_size = target.event.size if target else 2

    def _dynamics(self, decoded: Decoded, items: deque[_Item]) -> None:
        item = items[0] if items else 0
        mark = item[0] if isinstance(item, tuple) else item
        decoded.event.executed = mark == ~_address(decoded)
        if not decoded.event.executed:
            return
        items.popleft()
        if isinstance(item, tuple):
            decoded.event.operands = item[1:]

    def _access(self, decoded: Decoded, items: deque[_Item]) -> int:
        """A data address that the rules treat as they would the one accessed."""
        if len(items) < decoded.accesses:
            raise Fault(f"accesses at {self.machine.where(_address(decoded))} are missing")
        item = [items.popleft() for _ in range(decoded.accesses)][0]
        if isinstance(item, tuple) or item < 0:
            raise Fault(f"accesses at {self.machine.where(_address(decoded))} are missing")
        if item & 3 and decoded.event.words and decoded.event.kind != "branch":
            raise Fault(f"{self.machine.where(_address(decoded))}: misaligned {decoded.text}")
        return (0 if item & 4 else self.core.rules.bus_boundary) + (item & 3)


def _address(decoded: Decoded) -> int:
    address = decoded.event.address
    assert address is not None
    return address


def _decode(machine: Machine) -> dict[int, Decoded]:
    decoder = Decoder()
    return {
        _address(decoded): decoded
        for start, end in machine.image.code
        for decoded in decoder.run(start, machine.read(start, end - start))
    }
