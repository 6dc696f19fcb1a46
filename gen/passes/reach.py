# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Sizes and places of the final instructions: branch ranges, alignment, 32-bit instructions in
loops.

The body begins at a multiple of four, whatever form it is written in. In loops no 32-bit
instruction straddles a word if a 16-bit one before it can be widened; loop heads, labels before
a 32-bit instruction and `align 4` are brought to a multiple of four the same way, loop heads and
`align` by a NOP where nothing can be widened. A branch is widened when its target is out of
reach. All this is written as widths, so assemblers have nothing left to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from gen import isa
from gen.diag import fail
from gen.ir.ir import Align, Insn, Item, Label, Routine
from gen.passes.dataflow import target

WORD = 4
Filler = Callable[[], Insn]  # makes an instruction that does nothing


def reach(routine: Routine) -> Routine:
    """The pass. Raises `Failed`: out-of-range, bad-constant (an alignment that cannot be kept)."""
    entry, body, end = parts(routine.final)
    _check_aligns(body)
    nop = isa.builder(routine.core.abi).nop
    final = (*_whole_words(entry, nop), *_settled(body, routine.contract is not None, nop), *end)
    return replace(routine, final=final)


def parts(items: Sequence[Item]) -> tuple[list[Item], list[Item], list[Item]]:
    """Entry, body and exit."""
    marks = [at for at, item in enumerate(items) if isinstance(item, Insn) and item.part == "entry"]
    start = marks[-1] + 1 if marks else 0
    ends = [at for at, item in enumerate(items) if isinstance(item, Insn) and item.part == "exit"]
    end = ends[0] if ends else len(items)
    return list(items[:start]), list(items[start:end]), list(items[end:])


def _check_aligns(body: Sequence[Item]) -> None:
    for item in body:
        if isinstance(item, Align) and item.bytes not in (1, 2, WORD):
            raise fail(
                "bad-constant",
                item.span,
                f"code is aligned to 4 bytes, not to {item.bytes}",
                help="align 4",
            )


def widenable(item: Item) -> bool:
    """A 16-bit instruction that also has a 32-bit encoding."""
    if not isinstance(item, Insn) or item.form is None or item.width:
        return False
    return item.form.wide and isa.size(item) == 2 and target(item) is None


def _whole_words(entry: list[Item], nop: Filler) -> list[Item]:
    """The entry, made a multiple of four bytes long."""
    if sum(isa.size(item) for item in entry if isinstance(item, Insn)) % WORD == 0:
        return entry
    for at in range(len(entry) - 1, -1, -1):
        item = entry[at]
        if widenable(item):
            assert isinstance(item, Insn)
            return [*entry[:at], replace(item, width=".w"), *entry[at + 1 :]]
    return [*entry, replace(nop(), part="entry")]


def _settled(body: list[Item], called: bool, nop: Filler) -> list[Item]:
    """The body with all widths decided: branches grow until every target is in reach. A sub is there to be called
    again and again: all of it (`called`) is laid out as a loop is."""
    far: set[Insn] = set()
    loops = _loops(body)
    if called:
        loops = _Loops(frozenset(range(len(body))), loops.heads)
    while True:
        laid = _Layout(body, loops, far, nop)
        grown = {old for old, new in laid.branches.items() if not laid.reaches(new)}
        if not grown:
            return laid.out
        for branch in grown & far:
            raise fail("out-of-range", branch.span, "the branch is too far", trail=branch.trail)
        far |= grown


@dataclass(frozen=True)
class _Loops:
    inside: frozenset[int]  # items in a loop
    heads: frozenset[str]  # labels that a later branch goes back to


def _loops(body: Sequence[Item]) -> _Loops:
    place = {item.name: at for at, item in enumerate(body) if isinstance(item, Label)}
    inside: set[int] = set()
    heads = set()
    for at, item in enumerate(body):
        name = target(item)
        if name is not None and place[name] <= at:
            inside.update(range(place[name], at + 1))
            heads.add(name)
    return _Loops(frozenset(inside), frozenset(heads))


class _Layout:
    """Lays out the body from address 0; `far` are the branches that must be wide."""

    def __init__(self, body: Sequence[Item], loops: _Loops, far: set[Insn], nop: Filler) -> None:
        self.nop = nop
        self.out: list[Item] = []
        self.at = 0
        self.floor = 0  # items of `out` before this are settled
        self.branches: dict[Insn, Insn] = {}
        for place, item in enumerate(body):
            if isinstance(item, Align):
                self.align(item.bytes, must=True)
                self.floor = len(self.out)
                continue
            if isinstance(item, Label) and self.size_after(body, place) == WORD:
                self.align(WORD, must=item.name in loops.heads)
            elif isinstance(item, Insn):
                item = self.insn(item, place in loops.inside, far)
            self.out.append(item)
        self.addresses = dict(self._addresses())
        self.labels = {item.name: at for item, at in self._places() if isinstance(item, Label)}

    def insn(self, item: Insn, in_loop: bool, far: set[Insn]) -> Insn:
        """Places one instruction."""
        if target(item) is not None:
            old, item = item, replace(item, width=".w" if item in far or item.width == ".w" else "")
            self.branches[old] = item
        calls = item.form is not None and item.form.kind == "call"  # comes back behind itself
        if (in_loop or calls) and isa.size(item) == WORD:
            self.align(WORD, must=False)
        self.at += isa.size(item)
        return item

    def size_after(self, body: Sequence[Item], place: int) -> int:
        """Size of the first instruction behind a label."""
        for item in body[place + 1 :]:
            if isinstance(item, Insn):
                return isa.size(item)
        return 0

    def align(self, to: int, must: bool) -> None:
        """Brings the next address to a multiple, by widening if possible."""
        if self.at % to == 0:
            return
        place = self._to_widen()
        if place is not None:
            item = self.out[place]
            assert isinstance(item, Insn)
            self.out[place] = replace(item, width=".w")
        elif must:
            self.out.append(self.nop())
        else:
            return
        self.at += 2

    def _to_widen(self) -> int | None:
        """The nearest 16-bit instruction that can be widened, none of 32 bits behind it.

        The one right before an IT only if it must be: a 16-bit instruction makes the IT free.
        """
        last_resort, before_it = None, False
        for place in range(len(self.out) - 1, self.floor - 1, -1):
            item = self.out[place]
            if not isinstance(item, Insn) or item.form is None:
                continue
            if widenable(item):
                if not before_it:
                    return place
                last_resort = place if last_resort is None else last_resort
            elif isa.size(item) == WORD:
                break
            before_it = item.form.kind == "it"
        return last_resort

    def _places(self) -> Iterator[tuple[Item, int]]:
        at = 0
        for item in self.out:
            yield item, at
            at += isa.size(item) if isinstance(item, Insn) else 0

    def _addresses(self) -> Iterator[tuple[Insn, int]]:
        for item, at in self._places():
            if isinstance(item, Insn):
                yield item, at

    def reaches(self, branch: Insn) -> bool:
        """Whether a placed branch gets to its target."""
        assert branch.form is not None
        distance = self.labels[target(branch) or ""] - self.addresses[branch]
        return isa.in_reach(branch.form, distance, isa.size(branch))
