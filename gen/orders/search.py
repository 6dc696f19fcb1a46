# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A better order of a whole routine: each block is put in order, then registers are found for all of them together.

Where no registers are found, blocks go back, one after the other, towards the author's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from gen import isa
from gen.diag import Failed
from gen.ir.ir import Item, Routine
from gen.ir.order import Order, Row
from gen.orders.depend import Node, nodes_of
from gen.orders.file import with_order
from gen.orders.walk import Names, Task, cost, orders
from gen.passes import BUILD, run
from gen.passes.allocate import allocate
from gen.passes.calls import open_registers
from gen.passes.dataflow import FLAGS, Flow
from gen.passes.liveness import results
from gen.passes.schedule import UNPLACED, Real, applied, digest, webs_of
from gen.passes.timing import timing
from gen.read.source import NOWHERE

TRIALS = 40  # exchanges tried for each instruction of a block

REST = BUILD[BUILD.index("schedule") :]

Progress = Callable[[int, int, str], None]
Cycles = tuple[int, int]


@dataclass
class Piece:
    """A block that can be put in order: its place among the real items, and the orders found, best first."""

    first: int
    nodes: list[Node]
    found: list[list[int]]
    taken: int = 0

    @property
    def items(self) -> list[int]:
        """The numbers of the real items in the order that is taken."""
        order = self.found[self.taken]
        return [item for number in order for item in self.nodes[number].items]


def tasks(routine: Routine) -> Iterator[tuple[int, Task]]:
    """The blocks of a routine after `liveness` that can be put in order, each with its first real item's number."""
    flow, first = Flow(routine.code, results(routine)), 0
    flags = {*FLAGS.values(), *flow.homes.values()}
    webs = frozenset(
        var
        for var in flow.vars
        if var not in flags and var.home != "fp" and var.type != "stack" and isa.bank(var) == "core"
    )
    for number, block in enumerate(flow.blocks):
        nodes = nodes_of(flow, number, first)
        row = [item for item in flow.items[block.start : block.end] if isinstance(item, Real)]
        if nodes is not None and len(nodes) > 2:
            yield first, _task(routine, nodes, row, first, webs, flow, number)
        first += len(row)


def _task(
    routine: Routine,
    nodes: list[Node],
    row: Sequence[Item],
    first: int,
    webs: frozenset[object],
    flow: Flow,
    block: int,
) -> Task:
    names = Names()
    made = [names.event(item) for item in row]
    events = [[made[item - first] for item in node.items] for node in nodes]
    live_in, live_out = (
        frozenset(var for var in flow.names(mask) if var in webs)
        for mask in (flow.live_in[block], flow.live_out(block))
    )
    limit = len(open_registers(routine))
    of_block = frozenset(v for node in nodes for v in (*node.reads, *node.writes) if v in webs)
    return Task(routine.core, nodes, events, limit, of_block | live_out, live_in, live_out)


def row_of(routine: Routine, pieces: Sequence[Piece]) -> Row | None:
    """The order of all pieces with registers, or None when none are found."""
    count = sum(isinstance(item, Real) for item in routine.code)
    items = list(range(count))
    for piece in pieces:
        items[piece.first : piece.first + len(piece.items)] = piece.items
    ordered = applied(routine.code, items)
    if ordered is None:
        return None
    try:
        places = allocate(replace(routine, ordered=ordered, places={})).places
    except Failed:
        return None
    names = tuple(places.get(web, UNPLACED) for web in webs_of(routine.code))
    return Row(digest(routine.code), tuple(items), names, NOWHERE)


def settled(routine: Routine, pieces: list[Piece]) -> Row | None:
    """Orders for which there are registers: the best of each block, put back where that helps."""
    for piece in pieces:
        piece.taken = len(piece.found) - 1
    best = row_of(routine, pieces)
    for piece in sorted(pieces, key=lambda piece: -len(piece.nodes)):
        for taken in range(len(piece.found) - 1):
            piece.taken = taken
            found = row_of(routine, pieces)
            if found is not None:
                best = found
                break
        else:
            piece.taken = len(piece.found) - 1
    return best


def finished(routine: Routine, order: Order | None) -> Routine:
    """Machine code and cost of a routine after `liveness`, with an order; proved to do what the code says."""
    return timing(run(with_order(routine, order), REST))


class Search:
    """The list scheduler over a routine after `liveness`, subs first."""

    def __init__(self, routine: Routine, progress: Progress, trials: int = TRIALS) -> None:
        self.routine, self.progress, self.trials = routine, progress, trials
        self.whole = (*routine.subs, routine)
        self.count = sum(len(list(tasks(one))) for one in self.whole)

    def best(self, standing: Order | None) -> tuple[Order, Cycles, Cycles] | None:
        """A better order than the one that stands (None: the author's), with cycles before and after."""
        before = _cycles(finished(self.routine, standing))
        order = self._order()
        if not order.rows:
            return None
        after = _cycles(finished(self.routine, order))
        worse = after[1] >= before[1] or after[0] > before[0]
        return None if worse else (order, before, after)

    def _order(self) -> Order:
        rows, done = {}, 0
        for one in self.whole:
            pieces = []
            for first, task in tasks(one):
                pieces.append(self.piece(first, task))
                done += 1
                self.progress(done, self.count, one.name)
            better = any(len(piece.found) > 1 for piece in pieces)
            row = settled(one, pieces) if better else None
            if row is not None:
                rows[one.name] = row
        return Order(self.routine.core.key, rows)

    def piece(self, first: int, task: Task) -> Piece:
        """A block with what is found for it."""
        best = orders(task, self.trials * len(task.nodes))
        author = [*range(len(task.nodes))]
        better = [order for order in best if cost(task, order) < cost(task, author)]
        return Piece(first, task.nodes, [*better, author])


def _cycles(routine: Routine) -> Cycles:
    assert routine.cost is not None
    return routine.cost.cycles
