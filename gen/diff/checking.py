# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Whether two graphs compute the same, given which instruction stands for which.

They do when every operand holds, on both sides, a value of instructions that stand for each other; when accesses that
may touch the same bytes keep their order; and when what a caller sees at the end is the same. Registers may differ:
each live range has its own, and callee-saved ones may change places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gen.diff.graph import Def, Graph, Node
from gen.diff.matching import Match
from gen.diff.memory import accesses, order, stack_is_private


@dataclass
class Checked:
    """Why the two are not the same, "" when they are; which instructions are not shown to be."""

    why: str = ""
    wrong: list[Node] = field(default_factory=list)  # of the old graph
    swapped: dict[str, str] = field(default_factory=dict)  # callee-saved: old -> new


def check(
    old: Graph, new: Graph, match: Match, observed: frozenset[str], saved: frozenset[str]
) -> Checked:
    """Judges a match. `observed`: registers that count at the end; `saved`: those whose values at the entry are only
    kept for the caller."""
    result = Checked()
    if not _bijective(old, new, match):
        result.why = "not every instruction has a counterpart"
        return result
    places = _Entries(saved)
    for node, other in match.pairs.items():
        reason = _same(old, new, node, other, match, places)
        if reason:
            result.wrong.append(node)
            result.why = result.why or reason
    result.why = result.why or _memory(old, new, match, result.wrong)
    result.why = result.why or _ends(old, new, match, observed, places)
    result.swapped = {a: b for a, b in places.there.items() if a != b}
    return result


def _bijective(old: Graph, new: Graph, match: Match) -> bool:
    targets = {*match.pairs.values()}
    return (
        {*match.pairs} == {*old.nodes}
        and targets == {*new.nodes}
        and len(targets) == len(match.pairs)
    )


class _Entries:
    """Which register at the entry stands for which: itself, or another that a caller wants kept."""

    def __init__(self, saved: frozenset[str]) -> None:
        self.saved = saved
        self.there: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def agree(self, old: str, new: str) -> bool:
        if old != new and not {old, new} <= self.saved:
            return False
        return self.there.setdefault(old, new) == new and self.back.setdefault(new, old) == old

    def of(self, old: str) -> str:
        """What stands for a register that may not have been met: one that is left over, else itself."""
        if old in self.there:
            return self.there[old]
        while old in self.back:
            old = self.back[old]
        return old


def _agree(
    one: frozenset[Def], other: frozenset[Def], match: Match, places: _Entries, kept: bool
) -> bool:
    """Whether two sets of definitions stand for each other. `kept`: the value is only stored, or left as it is."""
    if len(one) != len(other):
        return False
    entries = [(str(d[1])) for d in one if d[0] == "entry"]
    wanted = {(match.pairs.get(d[0]), d[1]) for d in one if isinstance(d[0], Node)}
    found = {(d[0], d[1]) for d in other if isinstance(d[0], Node)}
    theirs = [str(d[1]) for d in other if d[0] == "entry"]
    if wanted != found or len(entries) != len(theirs):
        return False
    return all(
        (kept or a == b) and places.agree(a, b) for a, b in zip(entries, theirs, strict=True)
    )


def _same(old: Graph, new: Graph, node: Node, other: Node, match: Match, places: _Entries) -> str:
    if node.shape != other.shape:
        return f"{node.line.text} is not {other.line.text}"
    if node.shape[0] == "opaque":
        return f"no instruction table has {node.line.text}"
    here, there = old.uses[node], new.uses[other]
    if {*here} != {*there}:
        return f"{node.line.text} reads something else"
    for slot, defs in here.items():
        if not _agree(defs, there[slot], match, places, node.memory == "store"):
            return f"{node.line.text} takes {slot.split('/')[0]} from elsewhere"
    return ""


def _memory(old: Graph, new: Graph, match: Match, wrong: list[Node]) -> str:
    private = stack_is_private(old) and stack_is_private(new)
    numbers = {node: at for at, node in enumerate(match.pairs)}
    others = {match.pairs[node]: at for node, at in numbers.items()}
    why = ""
    for a, b in match.blocks:
        before = order(accesses(a), numbers.__getitem__, private)
        after = order(accesses(b), others.__getitem__, private)
        for node, bits in before.items():
            if after[match.pairs[node]] != bits:
                wrong.append(node)
                why = why or f"{node.line.text} has passed an access that may touch the same bytes"
    return why


def _ends(old: Graph, new: Graph, match: Match, observed: frozenset[str], places: _Entries) -> str:
    """The ends of both, by register that counts there."""
    theirs = dict(zip((b for b in new.blocks if b.leaves), new.exits, strict=True))
    there = {a: theirs[b] for a, b in match.blocks if a.leaves}
    units = {unit for out in (*old.exits, *new.exits) for unit in out} & observed
    for block, out in zip((a for a in old.blocks if a.leaves), old.exits, strict=True):
        for unit in sorted(units):
            place = places.of(unit)
            here = out.get(unit, frozenset({("entry", unit)}))
            other = there[block].get(place, frozenset({("entry", place)}))
            if not _agree(here, other, match, places, kept=True):
                return f"{unit} holds something else at the end"
    return ""


def wanted_of(
    graphs: Iterable[Graph], observed: Mapping[int, frozenset[str]]
) -> dict[str, set[str]]:
    """Sub -> registers of it that its callers go on to use. `observed`: by graph, what counts at its ends."""
    found: dict[str, set[str]] = {}
    for graph in graphs:
        defs = [one for slots in graph.uses.values() for ds in slots.values() for one in ds]
        for out in graph.exits:
            defs += [one for unit in observed[id(graph)] for one in out.get(unit, ())]
        for one in defs:
            if isinstance(one[0], Node) and one[0].shape[0] == "call":
                found.setdefault(str(one[0].shape[1]), set()).add(str(one[1]).removeprefix("out "))
    return found
