# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""In which order memory must be touched: for each access, those before it that it may not pass.

Two accesses of a block are known to be apart when both addresses are the same value plus different constants; and
stack slots from everything else, where no address of the stack is ever put into another register.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gen.diff.graph import Block, Graph, Node
from gen.ir.ir import Base, Imm, Insn, Mem, Reg, RegList

Place = tuple[object, int]  # a value, and a constant added to it
_ADDS = re.compile(r"^d = (?:wrap\()?n ([+-]) k\)?$")
_COPIES = re.compile(r"^d = [mn]$")
STACK = "sp"


@dataclass(frozen=True, slots=True)
class Access:
    """Bytes `[start, end)` from a place; nothing is known of where without one."""

    node: Node
    place: Place | None = None
    size: int = 0
    stack: bool = False

    @property
    def stores(self) -> bool:
        return self.node.memory != "load"


def stack_is_private(graph: Graph) -> bool:
    """Whether no address of the stack leaves SP: it is used in addresses and moved by constants only."""
    return all(_keeps(node) for node in graph.nodes)


def _keeps(node: Node) -> bool:
    insn = node.line.insn
    if node.shape[0] in ("opaque", "call") or insn is None or insn.form is None:
        return node.shape[0] != "opaque"
    for role in insn.form.roles:
        operand = insn.roles[role.name]
        if isinstance(operand, Mem) and operand.index is not None and operand.base.name == STACK:
            return False
        if isinstance(operand, Reg) and operand.var.name == STACK and "r" in role.access:
            return all(name == STACK for slot, name in node.names if slot == "d") and _moves(insn)
    return True


def _moves(insn: Insn) -> bool:
    assert insn.form is not None
    return bool(_ADDS.match(insn.form.means))


class _Places:
    """Registers of a block as a value and a constant, instruction by instruction."""

    def __init__(self) -> None:
        self.known: dict[str, Place] = {}

    def of(self, name: str) -> Place:
        return self.known.setdefault(name, (("in", name), 0))

    def pass_over(self, node: Node) -> None:
        insn = node.line.insn
        moved = dict(self._moved(insn)) if insn is not None and insn.form is not None else {}
        if node.shape[0] == "opaque":
            for name in self.known:
                self.known[name] = ((node, name), 0)
        for slot, unit in node.writes:
            self.known[unit] = ((node, slot), 0)
        if node.shape[0] != "call" and insn is not None and insn.cond is None:
            self.known.update(moved)

    def _moved(self, insn: Insn) -> Iterator[tuple[str, Place]]:
        assert insn.form is not None
        roles = insn.roles
        if found := _ADDS.match(insn.form.means):
            n, k, d = roles["n"], roles["k"], roles["d"]
            if isinstance(n, Reg) and isinstance(k, Imm) and isinstance(d, Reg):
                sign = 1 if found[1] == "+" else -1
                yield d.var.name, self._plus(n.var.name, sign * _signed(k.value))
        elif _COPIES.match(insn.form.means):
            source = roles.get("m", roles.get("n"))
            d = roles["d"]
            if isinstance(source, Reg) and isinstance(d, Reg):
                yield d.var.name, self.of(source.var.name)
        for operand in insn.roles.values():
            if isinstance(operand, Mem) and operand.mode != "offset":
                yield operand.base.name, self._plus(operand.base.name, operand.offset.value)
        if (change := _block_step(insn)) is not None:
            yield change[0], self._plus(*change)

    def _plus(self, name: str, more: int) -> Place:
        value, constant = self.of(name)
        return value, constant + more


def _signed(value: int) -> int:
    return value - (1 << 32) if value >= 1 << 31 else value


def _down(insn: Insn) -> bool:
    """Whether a multiple transfer goes down from its base."""
    assert insn.form is not None
    return re.search(r"(?:p|sp) = (?:p|sp) -", insn.form.means) is not None


def _block_step(insn: Insn) -> tuple[str, int] | None:
    """The register that a multiple transfer moves, and how far."""
    assert insn.form is not None
    listed = next((op for op in insn.roles.values() if isinstance(op, RegList)), None)
    if listed is None or not insn.form.size_bytes:
        return None
    base = next((op for op in insn.roles.values() if isinstance(op, Base)), None)
    name = STACK if base is None else base.var.name if base.writeback else ""
    size = _bytes(insn)
    return (name, -size if _down(insn) else size) if name else None


def _bytes(insn: Insn) -> int:
    """Bytes that one access may touch, from its base up (or down)."""
    assert insn.form is not None
    listed = next((op for op in insn.roles.values() if isinstance(op, RegList)), None)
    accesses = insn.form.means.count("load(") + insn.form.means.count("store(")
    return insn.form.size_bytes * max(1, accesses) * (len(listed.vars) if listed is not None else 1)


def accesses(block: Block) -> Iterator[Access]:
    """The accesses of a block in order."""
    places = _Places()
    for node in block.nodes:
        if node.memory:
            yield _access(node, places)
        places.pass_over(node)


def _access(node: Node, places: _Places) -> Access:
    insn = node.line.insn
    if node.memory == "all" or insn is None or insn.form is None:
        return Access(node)
    mem = next((op for op in insn.roles.values() if isinstance(op, Mem)), None)
    size = _bytes(insn)
    if mem is not None:
        value, constant = places.of(mem.base.name)
        if mem.index is not None:
            return Access(node)
        offset = 0 if mem.mode == "post" else mem.offset.value
        return Access(node, (value, constant + offset), size, mem.base.name == STACK)
    base = next((op for op in insn.roles.values() if isinstance(op, Base)), None)
    name = STACK if base is None else base.var.name
    value, constant = places.of(name)
    start = constant - size if _down(insn) else constant
    return Access(node, (value, start), size, name == STACK)


Order = dict[Node, int]  # access -> bits of those that must stay before it


def order(found: Iterable[Access], number: Callable[[Node], int], private: bool) -> Order:
    """For each access the earlier ones of its block that it conflicts with, as bits by `number`."""
    seen = _Seen()
    result: Order = {}
    for access in found:
        bit = 1 << number(access.node)
        kept_apart = seen.stack if private and not access.stack else 0
        if private and access.stack:
            kept_apart = (seen.all & ~seen.stack) & ~seen.barriers
        before = seen.all if access.stores else seen.stores
        result[access.node] = before & ~(kept_apart & ~seen.barriers) & ~seen.apart(access)
        if access.node.memory == "all":
            result[access.node] = seen.all
        seen.add(access, bit)
    return result


class _Seen:
    """Accesses so far, as bits."""

    def __init__(self) -> None:
        self.all = self.stores = self.stack = self.barriers = 0
        self.by_value: dict[object, int] = {}
        self.at: dict[tuple[object, int], int] = {}

    def add(self, access: Access, bit: int) -> None:
        self.all |= bit
        self.stores |= bit if access.stores else 0
        self.stack |= bit if access.stack else 0
        self.barriers |= bit if access.node.memory == "all" else 0
        if access.place is not None:
            value, start = access.place
            self.by_value[value] = self.by_value.get(value, 0) | bit
            for byte in range(start, start + access.size):
                self.at[value, byte] = self.at.get((value, byte), 0) | bit

    def apart(self, access: Access) -> int:
        """Earlier accesses from the same value that touch other bytes."""
        if access.place is None:
            return 0
        value, start = access.place
        touched = 0
        for byte in range(start, start + access.size):
            touched |= self.at.get((value, byte), 0)
        return self.by_value.get(value, 0) & ~touched


__all__ = ["Access", "accesses", "order", "stack_is_private"]
