# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The order of one block: a list scheduler, then exchanges, both weighed by the core's own pricer.

Deterministic: what looks like chance comes from a generator with a fixed start. Never past the register limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from gen.cores.core import Core
from gen.cores.price import Event, Neighbour, Pricer
from gen.ir.ir import Insn, Item, Move, Var
from gen.ir.rename import everywhere
from gen.orders.depend import Node
from gen.passes.timing import event_of

WINDOWS = (1, 4, 8, 16, 32, 64, 128)  # how far ahead of the author's order the list scheduler looks
NARROW, WIDE = 2, 4


@dataclass
class Task:
    """A block to put in order. `events`: of each node; `limit`: registers; `webs`: those that need one."""

    core: Core
    nodes: list[Node]
    events: list[list[Event]]
    limit: int
    webs: frozenset[Var]
    live_in: frozenset[Var]
    live_out: frozenset[Var]


class Names:
    """A name of its own for each web: webs of one source name are different things to wait for."""

    def __init__(self) -> None:
        self.found: dict[Var, Var] = {}

    def __call__(self, var: Var) -> Var:
        if var not in self.found:
            self.found[var] = (
                replace(var, name=f"w{len(self.found)}")
                if var.pin is None or var.name != var.pin
                else var
            )
        return self.found[var]

    def event(self, item: Item) -> Event:
        """The event of an item over webs."""
        if isinstance(item, Insn):
            return event_of(everywhere(item, self), 0, WIDE)
        assert isinstance(item, Move)
        name = (self(item.var).name,)
        parked = item.var.home == "park"
        if item.kind == "spill":
            kind = "vmov" if parked else "store"
            return Event(kind, WIDE, 0, reads=name, late=() if parked else name)
        return Event("vmov" if parked else "load", WIDE, 0, writes=name)


def cost(task: Task, order: Sequence[int]) -> int:
    """Cycles of a block in an order."""
    pricer = Pricer(task.core)
    pricer.before = Neighbour()
    return sum(pricer.step(event) for number in order for event in task.events[number])


class Pressure:
    """How many registers an order needs."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.uses = [node.reads & task.webs for node in task.nodes]
        self.gives = [node.writes & task.webs for node in task.nodes]

    def fits(self, order: Sequence[int]) -> bool:
        """Whether the limit holds everywhere, from the end to the start."""
        live = {*self.task.live_out}
        limit = self.task.limit
        for number in reversed(order):
            gives, uses = self.gives[number], self.uses[number]
            if len(live | gives) > limit:
                return False
            live -= gives - uses
            live |= uses
            if len(live) > limit:
                return False
        return True

    def needed(self, order: Sequence[int]) -> int:
        live = {*self.task.live_out}
        most = len(live)
        for number in reversed(order):
            most = max(most, len(live | self.gives[number]))
            live -= self.gives[number] - self.uses[number]
            live |= self.uses[number]
            most = max(most, len(live))
        return most


# --- list scheduling -----------------------------------------------------------------------------------


def heights(task: Task) -> list[int]:
    """Cycles from the beginning of each node to the end of the block, at least."""
    found = [0] * len(task.nodes)
    for number in range(len(task.nodes) - 1, -1, -1):
        after = max((found[other] for other in task.nodes[number].after), default=0)
        found[number] = after + _latency(task, number)
    return found


def _latency(task: Task, number: int) -> int:
    issue = task.core.issue
    events = task.events[number]
    if issue is None:
        return sum(task.core.cycles[event.kind].high for event in events)
    return sum(max(1, issue.pipe[issue.pipe_of(event)].latency) for event in events)


class Listing:
    """Takes, of what may come next, what costs least now; of those the one that most waits for."""

    def __init__(self, task: Task, pressure: Pressure) -> None:
        self.task, self.pressure = task, pressure
        self.height = heights(task)
        readers: dict[Var, int] = {}
        for uses in pressure.uses:
            for var in uses:
                readers[var] = readers.get(var, 0) + 1
        self.readers = readers

    def run(self, window: int, margin: int = 0) -> list[int] | None:
        """An order within the limit, or None when this way leads to none."""
        task = self.task
        left = {number: len(node.before) for number, node in enumerate(task.nodes)}
        ready = sorted(number for number, count in left.items() if not count)
        uses, live = dict(self.readers), {*task.live_in}
        pricer, order, first = Pricer(task.core), list[int](), 0
        done = [False] * len(task.nodes)
        while ready:
            best, state = None, None
            before = pricer.before
            for number in ready:
                if number >= first + window:
                    break
                grown = self._live(number, live, uses)
                if grown is None or len(grown) > task.limit - (margin if number != first else 0):
                    continue
                pricer.before = before
                paid = sum(pricer.step(event) for event in task.events[number])
                key = (paid, len(grown) - len(live) > 1, -self.height[number], number)
                if best is None or key < best:
                    best, state = key, (number, grown, pricer.before)
            if state is None:
                return None
            number, live, pricer.before = state
            for var in self.pressure.uses[number]:
                uses[var] -= 1
            order.append(number)
            done[number] = True
            while first < len(done) and done[first]:
                first += 1
            ready.remove(number)
            for other in task.nodes[number].after:
                left[other] -= 1
                if not left[other]:
                    ready.append(other)
            ready.sort()
        return order

    def _live(self, number: int, live: set[Var], uses: dict[Var, int]) -> set[Var] | None:
        """What is live behind a node; None when its results do not fit beside what is."""
        out = self.task.live_out
        gone = {var for var in self.pressure.uses[number] if uses[var] == 1 and var not in out}
        gives = self.pressure.gives[number]
        now = (live - gone) | gives
        if len(now) > self.task.limit:
            return None
        return {
            var
            for var in now
            if var in out or uses.get(var, 0) - (var in self.pressure.uses[number]) > 0
        }


# --- exchanges -------------------------------------------------------------------------------------------


class Walk:
    """Moves single nodes about as long as that costs nothing, from a first order on."""

    def __init__(self, task: Task, pressure: Pressure, order: list[int], seed: int) -> None:
        self.task, self.pressure = task, pressure
        self.order, self.chance = order, Random(seed)
        self.states: list[tuple[int, Neighbour]] = []
        self._price(order, 0, len(order))

    def _price(self, order: list[int], start: int, end: int) -> None:
        pricer = Pricer(self.task.core)
        self.states = []
        total = 0
        for number in order:
            self.states.append((total, pricer.before))
            total += sum(pricer.step(event) for event in self.task.events[number])
        self.total = total

    def run(self, trials: int) -> list[int]:
        """The best order after so many trials."""
        count = len(self.order)
        for _ in range(trials if count > 1 else 0):
            at = self.chance.randrange(count)
            low, high = self._room(at)
            if low < high:
                to = self.chance.randint(max(low, at - 40), min(high, at + 40))
                if to != at:
                    self._try(at, to)
        return self.order

    def _room(self, at: int) -> tuple[int, int]:
        """The first and the last place that a node may be moved to."""
        node = self.task.nodes[self.order[at]]
        low, high = at, at
        while low > 0 and at - low < 40 and self.order[low - 1] not in node.before:
            low -= 1
        last = len(self.order) - 1
        while high < last and high - at < 40 and self.order[high + 1] not in node.after:
            high += 1
        return low, high

    def _try(self, at: int, to: int) -> None:
        moved = self.order[:]
        moved.insert(to, moved.pop(at))
        start, end = min(at, to), max(at, to) + 1
        pricer = Pricer(self.task.core)
        total, pricer.before = self.states[start]
        states: list[tuple[int, Neighbour]] = []
        gain = None
        for place in range(start, len(moved)):
            if place >= end and pricer.before == self.states[place][1]:
                gain = self.states[place][0] - total
                break
            states.append((total, pricer.before))
            total += sum(pricer.step(event) for event in self.task.events[moved[place]])
        if gain is None:
            gain = self.total - total
        if gain < 0 or not self.pressure.fits(moved):
            return
        self.order = moved
        tail = [(paid - gain, before) for paid, before in self.states[start + len(states) :]]
        self.states = [*self.states[:start], *states, *tail]
        self.total -= gain


def orders(task: Task, trials: int) -> list[list[int]]:
    """Orders of a block, the best first; the author's is the last."""
    pressure = Pressure(task)
    author = list(range(len(task.nodes)))
    listing = Listing(task, pressure)
    found = [order for window in WINDOWS if (order := listing.run(window)) and pressure.fits(order)]
    found.append(author)
    found.sort(key=lambda order: cost(task, order))
    first = [
        Walk(task, pressure, order[:], seed).run(trials) for seed, order in enumerate(found[:2])
    ]
    first.sort(key=lambda order: cost(task, order))
    return [*first, *found]
