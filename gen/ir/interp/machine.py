# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The machine that compiled meanings run on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from gen.ir.domains.base import Lattice
from gen.ir.interp.observer import Observer
from gen.ir.interp.state import State
from gen.ir.ir import Base, Half, Imm, Insn, Mem, Operand, Reg, Var
from gen.ir.memory import Memory, Region

V = TypeVar("V")

WORD = 1 << 32
SIGNED = ("i32", "i64")  # a signed register keeps signed words: sums of them show overflow


def kept(dom: Lattice[V], var: Var, value: V) -> V:
    """A value as the register of `var` keeps it."""
    return dom.s(value, var.bits) if var.type in SIGNED else dom.word(value, var.bits)


class Machine(Generic[V]):
    """Registers, flags and memory of `state`; `insn` is being executed."""

    def __init__(
        self, dom: Lattice[V], regions: Sequence[Region], observer: Observer[V] | None = None
    ) -> None:
        self.dom = dom
        self.regions = tuple(regions)
        self.observer = observer if observer is not None else Observer()
        self.insn = Insn("", ())
        self.state: State[V] = State(0, {}, {}, Memory(dom))
        self.consts: dict[int, V] = {}
        self.narrowed: dict[Any, Any] = {}  # see refine

    def leaves_out(self, state: State[V]) -> int:
        """How many instructions from here on have results that are taken for unknown instead of computed; done if
        any."""
        return 0

    # --- registers and flags ---

    def const(self, value: int) -> V:
        if value not in self.consts:
            self.consts[value] = self.dom.const(value)
        return self.consts[value]

    def register(self, var: Var) -> V:
        value = self.state.regs.get(var)
        if value is None:
            self.observer.unset(self.insn, var.name)
            value = self.state.regs[var] = self.any_word(var.bits)
        return value

    def any_word(self, bits: int = 32) -> V:
        """What stands in for a word nobody knows, after that was reported."""
        return self.dom.unknown(-1 << (bits - 1), (1 << (bits - 1)) - 1)

    def get(self, operand: Operand) -> V:
        if isinstance(operand, Reg | Base):
            return self.register(operand.var)
        if isinstance(operand, Half):
            return self.dom.half(self.register(operand.var), operand.which == "t")
        assert isinstance(operand, Imm), operand
        return self.const(operand.value)

    def set(self, operand: Operand, value: V) -> None:
        regs = self.state.regs
        if isinstance(operand, Reg | Base):
            var = operand.var
            regs[var] = kept(self.dom, var, value)
            return
        assert isinstance(operand, Half), operand
        old, top = self.register(operand.var), operand.which == "t"
        other = self.dom.half(old, not top)
        regs[operand.var] = self.dom.pack(other, value) if top else self.dom.pack(value, other)

    def flag(self, name: str) -> V:
        value = self.state.flags.get(name)
        if value is None:
            self.observer.unset(self.insn, f"flag {name}")
            value = self.state.flags[name] = self.const(0)
        return value

    def set_flag(self, name: str, value: V) -> None:
        self.state.flags[name] = value

    # --- memory ---

    def address(self, mem: Mem) -> V:
        """The address of the access; a base that is written back has its new value afterwards."""
        dom, base = self.dom, self.register(mem.base)
        if mem.index is not None:
            index = self.register(mem.index)
            moved = dom.add(base, dom.shl(index, self.const(mem.shift)) if mem.shift else index)
        else:
            moved = dom.add(base, self.const(mem.offset.value)) if mem.offset.value else base
        moved = dom.word(moved, mem.base.bits)
        if mem.mode != "offset":
            self.state.regs[mem.base] = moved
        return base if mem.mode == "post" else moved

    def load(self, address: V, size: int) -> V:
        self.observer.access(self.insn, address, size, False)
        places = self._places(address, size, False)
        out: V | None = None
        for place in places:
            value = self.state.memory.load(place, size)
            if value is None:
                self.observer.bad_access(
                    self.insn, "uninitialised", f"{self._where(place)} is read before it is written"
                )
                value = self._after_bad_load(size)
            out = value if out is None else self.dom.join(out, value)
        if out is None and self.dom.bounds(address) is None:
            return self.dom.u(address, 8 * size)  # a value that absorbs everything it meets
        return self._after_bad_load(size) if out is None else out

    def _after_bad_load(self, size: int) -> V:
        return self.dom.u(self.any_word(max(32, 8 * size)), 8 * size)

    def store(self, address: V, size: int, value: V) -> None:
        self.observer.access(self.insn, address, size, True)
        places = self._places(address, size, True)
        if len(places) == 1:
            self.state.memory.store(places[0], size, value)
            return
        for place in places:
            self.state.memory.weaken(place, size, value)

    def _places(self, address: V, size: int, stored: bool) -> Sequence[int]:
        """The addresses that may be meant; none after a report or without numbers."""
        bounds = self.dom.bounds(address)
        if bounds is None:
            return ()
        lo, hi, step = bounds
        lo, hi = (lo % WORD, lo % WORD + hi - lo) if lo < 0 else (lo, hi)
        region = self.region_of(lo, hi - lo + size)
        if region is None or (stored and not region.writable):
            self._outside(lo, hi, size, region)
            return ()
        places = range(lo, hi + 1, step or 1)
        form = self.insn.form
        align = form.align if form is not None else 1
        if align > 1 and any(place % align for place in places):
            self._misaligned(lo, region, align)
        return places

    def region_of(self, address: int, size: int) -> Region | None:
        for region in self.regions:
            if region.base <= address and address + size <= region.base + region.size:
                return region
        return None

    def _near(self, address: int) -> Region | None:
        below = [region for region in self.regions if region.base - 64 <= address]
        return max(below, key=lambda region: region.base, default=None)

    def _where(self, address: int) -> str:
        region = self.region_of(address, 1) or self._near(address)
        if region is None:
            return f"address {address:#x}"
        return f"byte {address - region.base} of {region.name}"

    def _outside(self, lo: int, hi: int, size: int, region: Region | None) -> None:
        if region is not None:
            message = f"{region.name} is written, but it is only read from by contract"
            self.observer.bad_access(
                self.insn,
                "out-of-bounds",
                message,
                f"declare it `out` or `inout`: param {region.name}",
            )
            return
        near = self._near(lo)
        if near is None:
            message = f"access to address {lo:#x}, which is in no buffer"
        else:
            first, last = lo - near.base, hi + size - 1 - near.base
            where = f"byte {first}" if first == last else f"bytes {first} to {last}"
            message = f"access to {where} of {near.name}, which has {near.size} bytes"
        self.observer.bad_access(self.insn, "out-of-bounds", message)

    def _misaligned(self, address: int, region: Region, align: int) -> None:
        self.observer.bad_access(
            self.insn,
            "misaligned",
            f"{self._where(address)} is not at a multiple of {align}, as this access needs",
            f"promise it: `param {region.name} : ..., align {align}`, or use single accesses",
        )

    # --- proof obligations ---

    def exact(self, value: V, bits: int) -> V:
        """`value`, which must fit in `bits` signed bits."""
        bounds = self.dom.bounds(value)
        limit = 1 << (bits - 1)
        if bounds is not None and (bounds[0] < -limit or bounds[1] >= limit):
            self.observer.overflow(self.insn, value, bits)
            return self.dom.s(value, bits)
        return value

    def wrap(self, value: V, dest: Operand) -> V:
        """`value` modulo 2**bits, and exact where the destination is declared signed: not within a
        macro with `ensures`, whose proof is about the words that come out."""
        if isinstance(dest, Reg) and dest.var.type in SIGNED and not self.state.olds:
            return self.exact(value, dest.var.bits)
        return value
