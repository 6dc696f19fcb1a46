# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Blocks of linear code, what each item reads and writes, and what is live where.

Beside registers six flags and the homes of spilled registers are followed, each as a Var of its
own. A set of Vars is an int used as a bit mask over `Flow.vars`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gen import isa
from gen.ir.ir import Call, Insn, Item, Label, LabelRef, Move, Var

SPOILT = ("N", "Z", "C", "V", "GE")  # flags that no call keeps
FLAGS: dict[str, Var] = {name: Var(name, "flag") for name in ("N", "Z", "C", "V", "Q", "GE")}


@dataclass(frozen=True, slots=True)
class Block:
    """Items `start` to `end` (exclusive), entered at the top and left at the bottom."""

    start: int
    end: int
    after: tuple[int, ...]  # blocks that may follow


def target(item: Item) -> str | None:
    """The label a branch goes to."""
    if isinstance(item, Insn) and item.form is not None and item.form.kind == "branch":
        return next(op.name for op in item.ops if isinstance(op, LabelRef))
    return None


def conditional(insn: Insn) -> bool:
    """Whether a branch may fall through."""
    return insn.cond is not None or bool(isa.reads(insn))


def conditional_insn(item: Item) -> bool:
    """Whether an item is an instruction that stands in an IT block."""
    return isinstance(item, Insn) and item.cond is not None and target(item) is None


def blocks(items: Sequence[Item]) -> tuple[Block, ...]:
    """The blocks in order. The last item leads out of the code. What stands before the first instruction makes no
    block of its own: alignment and marks, which the final code no longer has."""
    lead = next((at for at, i in enumerate(items) if isinstance(i, Insn | Move | Call)), len(items))
    begin = {
        item.name: at if at > lead else 0
        for at, item in enumerate(items)
        if isinstance(item, Label)
    }
    starts = {0, *begin.values()}
    for at, item in enumerate(items):
        if not isinstance(item, Label) and target(item) is not None:
            starts.add(at + 1)
    cuts = sorted(start for start in starts if start < len(items)) or [0]
    ends = [*cuts[1:], len(items)]
    number = {name: cuts.index(at) for name, at in begin.items()}
    out = []
    for place, (start, end) in enumerate(zip(cuts, ends, strict=True)):
        after: list[int] = []
        last = items[end - 1] if end > start else None
        name = None if last is None else target(last)
        if (name is None or conditional(_insn(last))) and place + 1 < len(cuts):
            after.append(place + 1)
        if name is not None:
            after.append(number[name])
        out.append(Block(start, end, tuple(after)))
    return tuple(out)


def _insn(item: Item | None) -> Insn:
    assert isinstance(item, Insn)
    return item


class Homes(dict[str, Var]):
    """Home of each spilled register, by its name: all webs of a name share it."""

    def __missing__(self, name: str) -> Var:
        self[name] = Var(f"home of {name}", "home")
        return self[name]


def effects(item: Item, homes: Homes) -> tuple[tuple[Var, ...], tuple[Var, ...]]:
    """Vars read, and Vars written. Under a condition what is written may also keep its value.

    A call leaves no flag but the sticky one; addresses of stack objects are constants of the frame.
    """
    if isinstance(item, Insn):
        used, given = isa.flags_used(item), isa.flags_set(item)
        if item.cond is not None:
            used = used | given
        read = (var for var in isa.reads(item) if var.type != "stack")
        return (
            (*read, *(FLAGS[name] for name in sorted(used))),
            (*isa.writes(item), *(FLAGS[name] for name in sorted(given))),
        )
    if isinstance(item, Call):
        return item.ins, (*item.outs, *(FLAGS[name] for name in SPOILT))
    if isinstance(item, Move):
        home = homes[item.var.name]
        return ((item.var,), (home,)) if item.kind == "spill" else ((home,), (item.var,))
    return (), ()


class Flow:
    """Liveness of `items`; the Vars `at_exit` are read behind the last one."""

    def __init__(self, items: Sequence[Item], at_exit: Iterable[Var] = ()) -> None:
        self.items = items
        self.blocks = blocks(items)
        self.homes = Homes()
        found = [effects(item, self.homes) for item in items]
        self.reads = [reads for reads, _ in found]
        self.writes = [writes for _, writes in found]
        self.vars: list[Var] = []
        self.number: dict[Var, int] = {}
        for group in (at_exit, *self.reads, *self.writes):
            for var in group:
                if var not in self.number:
                    self.number[var] = len(self.vars)
                    self.vars.append(var)
        self.used = [self.mask(reads) for reads in self.reads]
        self.killed = [self.mask(writes) for writes in self.writes]
        self.at_exit = self.mask(at_exit)
        self.live_in = [0] * len(self.blocks)
        self._solve()

    def mask(self, group: Iterable[Var]) -> int:
        """The set of these Vars."""
        out = 0
        for var in group:
            out |= 1 << self.number[var]
        return out

    def names(self, mask: int) -> Iterator[Var]:
        """The Vars of a set."""
        while mask:
            low = mask & -mask
            yield self.vars[low.bit_length() - 1]
            mask ^= low

    def live_out(self, block: int) -> int:
        """What is live behind a block."""
        out = 0
        for other in self.blocks[block].after:
            out |= self.live_in[other]
        return out | self.at_exit if self.leaves(block) else out

    def leaves(self, block: int) -> bool:
        """Whether the code ends behind a block."""
        this = self.blocks[block]
        if this.end < len(self.items):
            return False
        last = self.items[-1] if self.items else None
        return last is None or target(last) is None or conditional(_insn(last))

    def backwards(self, block: int) -> Iterator[tuple[int, int]]:
        """Items of a block from the last to the first, each with what is live behind it."""
        live = self.live_out(block)
        this = self.blocks[block]
        for at in range(this.end - 1, this.start - 1, -1):
            yield at, live
            live = live & ~self.killed[at] | self.used[at]

    def _solve(self) -> None:
        """Live-in sets, iterated to the fixed point."""
        keep, need = [], []
        for block in self.blocks:
            killed = used = 0
            for at in range(block.start, block.end):
                used |= self.used[at] & ~killed
                killed |= self.killed[at]
            keep.append(~killed)
            need.append(used)
        changed = True
        while changed:
            changed = False
            for number in range(len(self.blocks) - 1, -1, -1):
                live = self.live_out(number) & keep[number] | need[number]
                if live != self.live_in[number]:
                    self.live_in[number] = live
                    changed = True
