# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a stream of executed instructions costs on a core: kind prices and neighbour rules.

The stream is a row of `Event`s, wherever they come from: the timing pass makes them from the IR,
the emulator from machine code. This file knows the rules; every number is the core file's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gen.cores.core import Core, Price
from gen.cores.issue import FULL, State

LOADS = frozenset({"load", "loadpair", "loadmulti", "vload", "vloadmulti"})
STORES = frozenset({"store", "storepair", "storemulti", "vstore", "vstoremulti"})
_SAMPLES = ((0, 0), (1, 1), (1 << 31, 1))
_FAR = frozenset({"call", "return"})
_FP_RESULTS = frozenset({"vop", "vmac", "vdiv"})


@dataclass(slots=True)
class Event:
    """One executed instruction. `None` where nobody knows: the rule that asks does not apply."""

    kind: str
    size: int  # bytes of the encoding: 2 or 4
    address: int | None = None  # of the instruction
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()  # results; the base of a write-back is not among them
    address_regs: tuple[str, ...] = ()  # registers that form the data address
    shifted: tuple[str, ...] = ()  # registers that are shifted on their way to a sum
    late: tuple[str, ...] = ()  # what is stored, or added to a product
    words: int = 0  # of a pair, a list, an FP load or store, a return from the stack
    bytes: int = 4  # width of a single access
    mem: int | None = None  # data address
    regoffset: bool = False
    executed: bool = True  # False: in an IT block, condition failed
    taken: bool = False
    target_address: int | None = None  # where a taken branch lands
    target_size: int = 2  # size of the instruction there
    operands: tuple[int, int] | None = None  # values, for kinds priced by a pair


class Neighbour(NamedTuple):
    """What the next instruction needs to know of this one."""

    kind: str = "nop"
    size: int = 4
    writes: tuple[str, ...] = ()
    side: bool | None = None  # a load: whether it read below the bus boundary
    slots: State = FULL  # on a core that begins several in a cycle

    def feeds(self, registers: tuple[str, ...]) -> bool:
        """Whether a result of it is among `registers`."""
        return any(name in self.writes for name in registers)


class Pricer:
    """Prices instructions on one core. `before` is all of its state, and may be put back."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.before = Neighbour()

    def step(self, event: Event) -> int:
        """Cycles of the next instruction."""
        if self.core.issue is not None:
            return self._begin(event)
        if not event.executed:
            self.before = Neighbour("skipped", event.size)
            return self.core.rules.skipped
        cycles = self._own(event) + self._around(event)
        side = None
        if event.kind in LOADS and event.mem is not None:
            side = event.mem < self.core.rules.bus_boundary
        self.before = Neighbour(event.kind, event.size, event.writes, side)
        return cycles

    def _begin(self, event: Event) -> int:
        """Cycles of the next instruction where several begin at once: those in which nothing else begins."""
        issue, rules = self.core.issue, self.core.rules
        assert issue is not None
        held = rules.skipped - 1
        if event.executed:
            held = data_price(self.core, event.kind, event.operands) - 1 + issue.words(event.words)
            held += self._unaligned(event) if event.kind in LOADS or event.kind in STORES else 0
        if event.executed and event.taken:
            held += rules.taken_far if event.kind in _FAR else rules.taken_branch
            held += self.landing(event.target_address, event.target_size)
        cycles, slots = issue.begin(self.before.slots, event, held)
        self.before = Neighbour(slots=slots)
        return cycles

    def _own(self, event: Event) -> int:
        """The price of the kind, changed where a neighbour makes it another."""
        rules, kind = self.core.rules, event.kind
        if kind == "load" and self._pipelined(event):
            return rules.load_after_load
        if kind == "store" and self.before.kind == "load" and not event.regoffset:
            return rules.store_after_load
        if kind == "it" and self.before.size == 2:
            return rules.it_after_narrow
        return data_price(self.core, kind, event.operands) + rules.word * event.words

    def _pipelined(self, event: Event) -> bool:
        """A single load overlaps the one before unless it needs its result."""
        return self.before.kind == "load" and not self.before.feeds(event.address_regs)

    def _around(self, event: Event) -> int:
        """What neighbours, addresses and targets add."""
        rules, kind, before = self.core.rules, event.kind, self.before
        extra = 0
        if before.feeds(event.address_regs) and not (kind == "load" and before.kind == "load"):
            extra += rules.address_just_written
        if before.kind in _FP_RESULTS and before.feeds(event.reads):
            extra += rules.fp_result_used
        if kind == "store" and event.regoffset:
            extra += rules.store_register_offset
        if kind == "load":
            extra += self._load_extra(event)
        if kind in LOADS or kind in STORES:
            extra += self._unaligned(event)
        if event.taken:
            extra += rules.taken_far if kind in _FAR else rules.taken_branch
            extra += self.landing(event.target_address, event.target_size)
        return extra

    def _load_extra(self, event: Event) -> int:
        rules, before = self.core.rules, self.before
        if before.kind == "store":
            return rules.load_after_store
        if self._pipelined(event) and None not in (event.mem, before.side):
            side = event.mem is not None and event.mem < rules.bus_boundary
            return rules.bus_switch if side != before.side else 0
        return 0

    def _unaligned(self, event: Event) -> int:
        rules = self.core.rules
        if event.mem is None or event.mem % event.bytes == 0:
            return 0
        if event.bytes == 2:
            return rules.unaligned_half
        return rules.unaligned_odd_word if event.mem % 2 else rules.unaligned_word

    def landing(self, address: int | None, size: int) -> int:
        """What it adds that a branch arrives at an instruction of this size."""
        if size == 4 and address is not None:
            return self.core.rules.misaligned_target if address % 4 else 0
        return 0


def data_price(core: Core, kind: str, operands: tuple[int, int] | None) -> int:
    """Cycles of a kind by itself. A pair without operands is its upper end.

    Within a pair the point is a stand-in: a division takes longer by the bits of its quotient; a
    long multiply ends early for a zero, and for two operands of at most `early-bits` bits.
    """
    price = core.cycles[kind]
    if operands is None or not price.data_dependent:
        return price.high
    if kind == "div":
        return _division(price, *operands)
    if 0 in operands:
        return price.low
    if all(_magnitude(value).bit_length() <= core.rules.early_bits for value in operands):
        return price.low + 1
    return price.high


def canonical(core: Core, kind: str, operands: tuple[int, int]) -> tuple[int, int]:
    """Small operands of the same price, so that a memo tells no more apart than prices do."""
    samples = ((1 << bits, 1) for bits in range(32)) if kind == "div" else _SAMPLES
    wanted = data_price(core, kind, operands)
    return next((s for s in samples if data_price(core, kind, s) == wanted), operands)


def _division(price: Price, dividend: int, divisor: int) -> int:
    if not divisor:
        return price.low
    quotient_bits = max(0, dividend.bit_length() - divisor.bit_length())
    return price.low + -(-(price.high - price.low) * quotient_bits // 31)


def _magnitude(value: int) -> int:
    """Of a register value 0 .. 2^32-1 read as a signed number."""
    return value if value < 1 << 31 else (1 << 32) - value
