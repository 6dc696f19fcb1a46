# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The numbers that an `ensures` speaks of, in a run that has come to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from gen.ir.domains.base import Lattice
from gen.ir.interp.entry import Call, Filling, element_bytes
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.state import State
from gen.ir.ir import Argument, CType, Digits, Insn, Number, Returned, Routine
from gen.ir.memory import Memory, Region
from gen.passes.running import Ending, place_of

V = TypeVar("V")


class Start(Observer[V]):
    """Keeps memory as it is at entry and tells where the run is. Other passes judge what happens there."""

    def __init__(self, dom: Lattice[V], tell: Callable[[str], None] = lambda place: None) -> None:
        self.dom, self.tell = dom, tell
        self.memory: Memory[V] = Memory(dom)

    def watching(self, call: Call[V]) -> Machine[V]:
        self.memory = call.state.memory.copy()
        return Machine(self.dom, call.regions, self)

    def begins(self, state: State[V], insn: Insn) -> None:
        span = place_of(insn).span
        self.tell(f"{span.source.path}:{span.line}" if span.source.text.strip() else "")


@dataclass(frozen=True)
class Buffer:
    """A parameter that points to elements: whether they are an `in` parameter's, and of what type."""

    region: Region
    read: bool
    size: int
    signed: bool


class Finished(Generic[V]):
    """The end of one run, and its beginning."""

    def __init__(
        self,
        dom: Lattice[V],
        buffers: Mapping[str, Buffer],
        before: Memory[V],
        after: Memory[V],
        arguments: Mapping[str, V],
        result: V | None = None,
    ) -> None:
        self.dom, self.buffers, self.before, self.after = dom, buffers, before, after
        self.arguments, self.result = arguments, result

    def number(self, which: Number) -> V:
        """The value of a name."""
        if isinstance(which, Argument):
            return self.arguments[which.param]
        if isinstance(which, Returned):
            assert self.result is not None
            return self.result
        dom, total = self.dom, self.dom.const(0)
        words = self.words(which)
        for index, word in enumerate(words):
            weight = 8 * self.buffers[which.param].size * index
            total = dom.add(total, dom.shl(word, dom.const(weight))) if index else word
        return total

    def words(self, which: Digits) -> list[V]:
        """Its elements, each as its type says."""
        buffer = self.buffers[which.param]
        memory = self.before if which.old or buffer.read else self.after
        out = []
        for index in range(which.first, which.last):
            word = memory.load(buffer.region.base + index * buffer.size, buffer.size)
            if word is None:  # which `initialised` reports
                word = self.dom.unknown(0, (1 << 8 * buffer.size) - 1)
            view = self.dom.s if buffer.signed else self.dom.u
            out.append(view(word, 8 * buffer.size))
        return out


def finished(
    routine: Routine, dom: Lattice[V], before: Memory[V], ending: Ending[V], inputs: Filling[V]
) -> Finished[V]:
    """What a run of a routine that came to its end left."""
    assert ending.state is not None
    buffers, arguments = {}, {}
    for param in routine.params:
        if param.ctype.pointer:
            region = ending.call.buffers[param.name]
            read, size = param.role == "in", element_bytes(param)
            buffers[param.name] = Buffer(region, read, size, param.ctype.signed)
        else:
            arguments[param.name] = inputs.scalar(param)
    result = None
    if routine.result is not None:
        ctype, var = routine.result
        result = _typed(dom, ending.state.regs[var], ctype)
    return Finished(dom, buffers, before, ending.state.memory, arguments, result)


def _typed(dom: Lattice[V], word: V, ctype: CType) -> V:
    return dom.s(word, ctype.bits) if ctype.signed else dom.u(word, ctype.bits)
