# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What must stay before what in a block, so that it computes the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gen import isa
from gen.ir.ir import Call, Imm, Insn, Item, LabelRef, Mem, Move, Reg, Var
from gen.passes.dataflow import FLAGS, Flow, conditional_insn, target
from gen.passes.schedule import Real, movable

STICKY = FLAGS["Q"]  # only ever added to


@dataclass
class Node:
    """Items that stay together: one, or a row of conditional ones."""

    items: list[int]  # numbers among the real items of the code
    reads: set[Var] = field(default_factory=set)
    writes: set[Var] = field(default_factory=set)
    before: set[int] = field(default_factory=set)  # nodes that must come first
    after: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class _Place:
    """Memory that an item accesses; root None: anywhere."""

    root: tuple[Var, int] | None
    offset: int
    size: int
    store: bool

    def meets(self, other: _Place) -> bool:
        if not (self.store or other.store):
            return False
        if self.root is None or self.root != other.root:
            return True
        first, second = (self, other) if self.offset <= other.offset else (other, self)
        return second.offset < first.offset + first.size


class Places:
    """Follows pointers through a block as a root and a distance from it."""

    def __init__(self) -> None:
        self.known: dict[Var, tuple[tuple[Var, int], int]] = {}
        self.homes: dict[str, tuple[tuple[Var, int], int]] = {}
        self.versions = 0

    def of(self, var: Var) -> tuple[tuple[Var, int], int]:
        return self.known.setdefault(var, ((var, 0), 0))

    def move(self, move: Move) -> None:
        """Goes past `spill` or `fill`: what a home holds is another value until it is known where it is from."""
        if move.kind == "spill":
            self.homes[move.var.name] = self.of(move.var)
            return
        self.versions += 1
        self.known[move.var] = self.homes.setdefault(move.var.name, ((move.var, self.versions), 0))

    def step(self, insn: Insn) -> _Place | None:
        """What the instruction accesses. Goes past it."""
        form = insn.form
        assert form is not None
        found = None
        if form.loads or form.stores:
            found = self._access(insn, form.stores, form.size_bytes)
        moved = self._moved(insn)
        for var in isa.writes(insn):
            if var in moved:
                root, offset = moved[var]
                self.known[var] = (root, offset)
            else:
                self.versions += 1
                self.known[var] = ((var, self.versions), 0)
        return found

    def _access(self, insn: Insn, store: bool, size: int) -> _Place:
        kind = insn.form.kind if insn.form is not None else ""
        for op in insn.roles.values():
            if isinstance(op, Mem) and op.index is None:
                root, offset = self.of(op.base)
                step = 0 if op.mode == "post" else op.offset.value
                pair = 2 if kind in ("loadpair", "storepair") else 1
                return _Place(root, offset + step, max(size, 4) * pair, store)
        return _Place(None, 0, 0, store)

    def _moved(self, insn: Insn) -> dict[Var, tuple[tuple[Var, int], int]]:
        """Registers that come to be a known one plus a constant."""
        if insn.cond is not None:
            return {}
        found = {}
        for op in insn.roles.values():
            if isinstance(op, Mem) and op.mode != "offset":
                root, offset = self.of(op.base)
                found[op.base] = root, offset + op.offset.value
        d, n, k = (insn.roles.get(name) for name in "dnk")
        if isa.makes_address(insn) and isinstance(d, Reg) and isinstance(n, Reg):
            assert isinstance(k, Imm)
            root, offset = self.of(n.var)
            found[d.var] = root, offset + k.value
        return found


def nodes_of(flow: Flow, block: int, first: int) -> list[Node] | None:
    """The nodes of a block in the author's order, `first` the number of its first real item; None: it must stay."""
    this = flow.blocks[block]
    row = flow.items[this.start : this.end]
    if not movable(row) or any(isinstance(item, Call) for item in row):
        return None
    nodes: list[Node] = []
    accesses: list[list[_Place]] = []
    places, number, tied = Places(), first, False
    for at in range(this.start, this.end):
        item = flow.items[at]
        if not isinstance(item, Real):
            continue
        if not (tied and conditional_insn(item)):
            nodes.append(Node([]))
            accesses.append([])
        tied = conditional_insn(item)
        node = nodes[-1]
        node.items.append(number)
        node.reads |= {*flow.reads[at]}
        node.writes |= {*flow.writes[at]}
        if isinstance(item, Insn) and (place := places.step(item)) is not None:
            accesses[-1].append(place)
        elif isinstance(item, Move):
            places.move(item)
        number += 1
    last = flow.items[this.end - 1]
    barrier = len(nodes) - 1 if target(last) is not None or _leaves(last) else -1
    _link(nodes, accesses, barrier)
    return nodes


def _leaves(item: Item) -> bool:
    return isinstance(item, Insn) and any(isinstance(op, LabelRef) for op in item.ops)


def _link(nodes: Sequence[Node], accesses: Sequence[Sequence[_Place]], barrier: int) -> None:
    writer: dict[Var, int] = {}
    readers: dict[Var, list[int]] = {}
    touched: list[int] = []
    for number, node in enumerate(nodes):
        needed: set[int] = set()
        for var in node.reads:
            needed |= {writer[var]} if var in writer else set()
        for var in node.writes - {STICKY}:
            needed |= {writer[var]} if var in writer else set()
            needed |= {*readers.get(var, ())}
        for other in touched:
            if any(a.meets(b) for a in accesses[number] for b in accesses[other]):
                needed.add(other)
        if accesses[number]:
            touched.append(number)
        for var in node.reads:
            readers.setdefault(var, []).append(number)
        for var in node.writes:
            writer[var] = number
            readers[var] = [number] if var in node.reads else []
        if number == barrier:
            needed |= {*range(number)}
        node.before = needed - {number}
        for other in node.before:
            nodes[other].after.add(number)
