# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs of instructions whose addresses all follow from the registers and the memory at their start.

A segment is what the tracker of secrets steps over at once. Where an address follows from something
computed on the way, a new segment has to start: `splits` finds these places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gen.emu.flow import JUMPS, NUMBER, Access, Flow
from gen.emu.machine import PLACES, RAM

_MASK = 0xFFFF_FFFF
_GAP = 32  # bytes that are not accessed, at most, inside a range
_TERMS = 3  # of an address, at most

# A place in memory that is read at the start: its address as terms and a constant, bytes.
Word = tuple["Terms", int, int]
# What is added up: register numbers or words of memory, each times a factor; sorted. A number from
# _LOW_HALF on is the low half-word of a register.
_LOW_HALF = 16
Terms = tuple[tuple["int | Word", int], ...]


@dataclass(frozen=True, slots=True)
class Value:
    """terms + constant, modulo 2**32."""

    terms: Terms
    constant: int

    def plus(self, other: Value, factor: int = 1) -> Value | None:
        """The sum with `factor` times another; None when it has too many terms."""
        found = dict(self.terms)
        for source, times in other.terms:
            found[source] = (found.get(source, 0) + times * factor) & _MASK
        terms = tuple(sorted(((s, t) for s, t in found.items() if t), key=repr))
        if len(terms) > _TERMS:
            return None
        return Value(terms, self.constant + other.constant * factor & _MASK)


def _known(number: int) -> Value:
    return Value((), number & _MASK)


class Values:
    """What registers hold, by what they held at the start of a segment."""

    def __init__(self, constants: Callable[[int, int], int]) -> None:
        self._constants = constants  # (address, size) -> content of flash
        self.restart()

    def restart(self) -> None:
        self._known: dict[str, Value | None] = {}
        self._stored = False

    def of(self, register: str) -> Value | None:
        if register not in self._known:
            self._known[register] = Value(((NUMBER[register], 1),), 0)
        return self._known[register]

    def address(self, access: Access) -> Value | None:
        value = self.of(access.base) if access.base else _known(0)
        if value is not None and access.index:
            index = self.of(access.index)
            value = value.plus(index, 1 << access.shift) if index else None
        return value.plus(_known(access.offset)) if value is not None else None

    def step(self, flow: Flow) -> None:
        """Goes past one instruction."""
        new: dict[str, Value | None] = {}
        written = flow.written
        for name, number in NUMBER.items():
            if written >> number & 1:
                new[name] = None
        if not flow.cond:
            if flow.sum is not None:
                new[flow.sum.target] = self._sum(flow)
            if flow.access is not None and not flow.access.store:
                self._load(flow.access, new)
            if flow.back is not None:
                base = self.of(flow.back[0])
                new[flow.back[0]] = base.plus(_known(flow.back[1])) if base else None
        self._known.update(new)
        self._stored |= flow.access is not None and flow.access.store

    def _sum(self, flow: Flow) -> Value | None:
        assert flow.sum is not None
        how = flow.sum.how
        if how == "high":
            old, high = self.of(flow.sum.target), flow.sum.operands[-1]
            return _with_top(old, high) if old and isinstance(high, int) else None
        values = [self.of(x) if isinstance(x, str) else _known(x) for x in flow.sum.operands]
        last = values.pop()
        if last is None:
            return None
        if how == "shift":
            first = values.pop()
            times = 1 << last.constant if not last.terms else 0
            return _known(0).plus(first, times) if first and times else None
        factor = (1 << flow.sum.shift) * (how if isinstance(how, int) else 1)
        total: Value | None = _known(0).plus(last, factor)
        for value in values:
            total = total.plus(value) if total and value else None
        return total

    def _load(self, access: Access, new: dict[str, Value | None]) -> None:
        """A loaded number is known if it is a constant, or nothing was stored before."""
        address = self.address(access)
        if address is None or len(access.lanes) > 2 or access.signed:
            return
        for lane in access.lanes:
            name = next((n for n, number in NUMBER.items() if lane.bits == 1 << number), None)
            at = address.plus(_known(lane.offset))
            if name is None or name == "pc" or at is None:
                continue
            if not at.terms and at.constant < RAM:
                new[name] = _known(self._constants(at.constant, lane.size))
            elif not self._stored and not _deep(at):
                new[name] = Value((((at.terms, at.constant, lane.size), 1),), 0)


def _with_top(low: Value, high: int) -> Value | None:
    """The low half-word of a constant or of a register at the start, below another one."""
    if not low.terms:
        return _known(low.constant & 0xFFFF | high << 16)
    source, times = low.terms[0]
    if not isinstance(source, int) or source >= _LOW_HALF:
        return None
    plain = low == Value(((source, 1),), 0) and times == 1
    return Value(((source + _LOW_HALF, 1),), high << 16) if plain else None


def _deep(value: Value) -> bool:
    """Whether an address needs three loads, one after the other."""
    inner = [source for source, _ in value.terms if not isinstance(source, int)]
    return any(not isinstance(source, int) for word in inner for source, _ in word[0])


def splits(
    flows: Sequence[Flow], marks: frozenset[int], constants: Callable[[int, int], int]
) -> Iterator[int]:
    """Addresses in a run of neighbouring instructions where a segment must start."""
    values = Values(constants)
    for flow in flows:
        if flow.kind == "it" or flow.address in marks:
            values.restart()
            yield flow.address
        if flow.access is not None and values.address(flow.access) is None:
            values.restart()
            yield flow.address
        values.step(flow)
        if flow.kind in JUMPS:
            values.restart()


@dataclass(slots=True)
class Range:
    """Bytes from terms + low on, in which accesses of a segment lie."""

    terms: Terms
    low: int
    size: int
    stored: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction and the place of its access: number of the range, offset in it."""

    flow: Flow
    range: int = -1
    offset: int = 0


@dataclass(slots=True)
class Segment:
    """Instructions one after the other; `memo` belongs to the tracker.

    `locate(registers, memory)` gives where each range is, by `machine.place`. Ranges `pairs` may
    overlap. `reads` are the bits of the state that matter, `writes` those that may change.
    """

    address: int
    steps: tuple[Step, ...]
    ranges: tuple[Range, ...]
    locate: Callable[[Any, Any], tuple[int, ...]]
    pairs: tuple[tuple[int, int, int, int], ...]  # two ranges and their sizes
    sizes: tuple[int, ...]
    conditional: bool
    reads: int
    writes: int
    memo: dict[Any, Any] = field(default_factory=dict)


def segment(flows: Iterable[Flow], address: int, constants: Callable[[int, int], int]) -> Segment:
    """The segment of these instructions. `LookupError` when an address is not known."""
    flows, values = tuple(flows), Values(constants)
    found: list[Value | None] = []
    reads = writes = 0
    for flow in flows:
        found.append(values.address(flow.access) if flow.access else None)
        if flow.access and found[-1] is None:
            raise LookupError(f"the address of `{flow.text}` at {flow.address:#x} is not known")
        values.step(flow)
        reads |= _reads(flow)
        writes |= flow.written
    ranges = tuple(_ranges(flows, found))
    steps = tuple(_place(f, v, ranges) for f, v in zip(flows, found, strict=True))
    return Segment(
        address,
        steps,
        ranges,
        _locator(ranges),
        tuple(_pairs(ranges)),
        tuple(r.size for r in ranges),
        any(flow.cond and flow.kind not in JUMPS for flow in flows),
        reads,
        writes,
    )


def _reads(flow: Flow) -> int:
    found = flow.operands | flow.flags | (flow.written if flow.cond else 0)
    for bits, _ in flow.moves:
        found |= bits
    if flow.access:
        found |= flow.access.bits
        for lane in flow.access.lanes if flow.access.store else ():
            found |= lane.bits
    return found


def _constant(value: Value) -> bool:
    """An address in flash: nothing secret is there."""
    return not value.terms and value.constant < RAM


def _spans(flows: Sequence[Flow], found: Sequence[Value | None]) -> Mapping[Terms, list[Any]]:
    spans: dict[Terms, list[tuple[int, int, bool]]] = {}
    for flow, value in zip(flows, found, strict=True):
        if flow.access and value and not _constant(value):
            low = _signed(value.constant)
            last = flow.access.lanes[-1]
            end = low + last.offset + last.size
            spans.setdefault(value.terms, []).append((low, end, flow.access.store))
    return spans


def _signed(number: int) -> int:
    return number - (1 << 32) if number >> 31 else number


def _ranges(flows: Sequence[Flow], found: Sequence[Value | None]) -> Iterator[Range]:
    for terms, spans in _spans(flows, found).items():
        current: Range | None = None
        for low, end, stored in sorted(spans):
            if current is not None and low <= current.low + current.size + _GAP:
                current.size = max(current.size, end - current.low)
                current.stored |= stored
            else:
                if current is not None:
                    yield current
                current = Range(terms, low, end - low, stored)
        if current is not None:
            yield current


def _place(flow: Flow, value: Value | None, ranges: Sequence[Range]) -> Step:
    if flow.access is None or value is None or _constant(value):
        return Step(flow)
    low = _signed(value.constant)
    for number, one in enumerate(ranges):
        if one.terms == value.terms and one.low <= low < one.low + one.size:
            return Step(flow, number, low - one.low)
    raise AssertionError(flow.text)


def _pairs(ranges: Sequence[Range]) -> Iterator[tuple[int, int, int, int]]:
    for a, first in enumerate(ranges):
        for b, second in enumerate(ranges[:a]):
            if first.terms != second.terms and (first.stored or second.stored):
                yield a, b, first.size, second.size


def _locator(ranges: Sequence[Range]) -> Callable[[Any, Any], tuple[int, ...]]:
    """Compiled once for each segment: this is called for every execution."""
    parts = "".join(f"{_text(r.terms, r.low)} % {PLACES}, " for r in ranges)
    found: Callable[[Any, Any], tuple[int, ...]] = eval(
        f"lambda r, m: ({parts})", {"__builtins__": {}, "int": int}
    )
    return found


def _text(terms: Terms, constant: int) -> str:
    parts = [str(constant)]
    for source, times in terms:
        if isinstance(source, int):
            half = source >= _LOW_HALF
            text = f"(r[{source - _LOW_HALF}] & 0xFFFF)" if half else f"r[{source}]"
        else:
            inner, low, size = source
            at = f"{_text(inner, low)} % {PLACES}"
            text = f"int.from_bytes(m[{at}:{at} + {size}], 'little')"
        parts.append(f"{text} * {times}" if times != 1 else text)
    return f"({' + '.join(parts)} & {_MASK})"
