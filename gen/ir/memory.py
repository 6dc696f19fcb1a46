# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Memory of a run: buffers at fixed addresses, and cells that hold values of a domain.

A cell is (size, value) at its address, size 1, 2, 4 or more; cells never overlap. A load that meets
one cell gives its value; any other load is put together from bytes and half-words, so that a packed
word keeps both its halves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from gen.ir.domains.base import Lattice

V = TypeVar("V")
Cells = dict[int, tuple[int, V]]


@dataclass(frozen=True, slots=True)
class Region:
    """Bytes that a routine may touch: a parameter's buffer, a table, or its frame."""

    name: str
    base: int
    size: int
    writable: bool = True

    @property
    def end(self) -> int:
        return self.base + self.size


class Memory(Generic[V]):
    """Loads and stores at known addresses.

    `partly`: a byte that only some paths wrote has what those wrote; else it counts as never
    written.
    """

    def __init__(
        self, dom: Lattice[V], cells: Cells[V] | None = None, partly: bool = False
    ) -> None:
        self.dom = dom
        self.cells: Cells[V] = cells if cells is not None else {}
        self.partly = partly

    def copy(self) -> Memory[V]:
        return Memory(self.dom, dict(self.cells), self.partly)

    def load(self, address: int, size: int) -> V | None:
        """The unsigned value of `size` bytes; None when one of them never got a value."""
        cell = self.cells.get(address)
        if cell is not None and cell[0] == size:
            return self.dom.u(cell[1], 8 * size) if size < 4 else cell[1]
        if size == 1:
            return self._byte(address)
        if size == 2:
            for start, top in ((address, False), (address - 2, True)):
                if (cell := self.cells.get(start)) is not None and cell[0] == 4:
                    return self.dom.u(self.dom.half(cell[1], top), 16)
        half = size // 2
        low, high = self.load(address, half), self.load(address + half, half)
        if low is None or high is None:
            return None
        if size == 4:
            return self.dom.pack(low, high)
        return self.dom.add(self.dom.u(low, 8 * half), self.dom.shl(high, self.dom.const(8 * half)))

    def _byte(self, address: int) -> V | None:
        for start in range(address, address - 16, -1):
            cell = self.cells.get(start)
            if cell is not None:
                size, value = cell
                if start + size <= address:
                    return None
                if size == 4 and start % 2 == 0 and address - start in (2, 3):
                    value, start = self.dom.half(value, True), start + 2
                return self.dom.u(self.dom.shr(value, self.dom.const(8 * (address - start))), 8)
        return None

    def store(self, address: int, size: int, value: V) -> None:
        """Keeps `value` in `size` bytes; neighbours in cells that it cuts keep theirs."""
        if (cell := self.cells.get(address)) is None or cell[0] != size:
            self._make_room(address, size)
        self.cells[address] = (size, value)

    def _make_room(self, address: int, size: int) -> None:
        for start in range(address - 15, address + size):
            while (cell := self.cells.get(start)) is not None and cell[0] > 1:
                if start + cell[0] <= address:
                    break
                self._split(start, cell[0])
        for byte in range(address, address + size):
            self.cells.pop(byte, None)

    def _split(self, start: int, size: int) -> None:
        """Turns a cell into smaller ones: halves of a word, else bytes."""
        part = 2 if size == 4 else 1
        parts = [(at, self.load(at, part)) for at in range(start, start + size, part)]
        del self.cells[start]
        for at, value in parts:
            assert value is not None
            self.cells[at] = (part, value)

    def weaken(self, address: int, size: int, value: V) -> None:
        """A store that may or may not have happened here."""
        if self.cells.get(address) == (size, value):
            return
        old = self.load(address, size)
        if old is not None:
            self.store(address, size, self.dom.join(old, value))
        elif self.partly:
            self.store(address, size, value)

    def join(self, other: Memory[V]) -> Memory[V]:
        """Cells that stand for both memories."""
        out: Cells[V] = {}
        for address, cell in self.cells.items():
            theirs = other.cells.get(address)
            if theirs is cell:
                out[address] = cell
            elif theirs is not None and theirs[0] == cell[0]:
                out[address] = (cell[0], self.dom.join(cell[1], theirs[1]))
            else:
                self._join_cell(other, address, cell, out)
        if self.partly:
            for address, cell in other.cells.items():
                if address not in out and not self._touched(address, cell[0]):
                    out[address] = cell
        return Memory(self.dom, out, self.partly)

    def _touched(self, address: int, size: int) -> bool:
        return any(self.load(at, 1) is not None for at in range(address, address + size))

    def _join_cell(
        self, other: Memory[V], address: int, cell: tuple[int, V], out: Cells[V]
    ) -> None:
        """A cell that the other memory has in another shape, or not at all."""
        size, value = cell
        theirs = other.load(address, size)
        if theirs is not None:
            out[address] = (size, self.dom.join(value, theirs))
        elif self.partly and not other._touched(address, size):
            out[address] = cell
        else:
            for at in range(address, address + size):
                mine, byte = self.load(at, 1), other.load(at, 1)
                if mine is not None and byte is not None:
                    out[at] = (1, self.dom.join(mine, byte))
