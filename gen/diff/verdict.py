# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""How two generated files of one routine differ: identical, renamed, reordered, changed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

from gen.diff.abi import Ends, ends_of
from gen.diff.checking import Checked, check, wanted_of
from gen.diff.graph import Graph, Node, graph
from gen.diff.matching import Match, by_meaning, in_order, paired_blocks
from gen.diff.text import Stream, Unit, called
from gen.diff.words import renaming

IDENTICAL, RENAMED, REORDERED, CHANGED = "identical", "renamed", "reordered", "changed"
NEW, GONE, UNKNOWN = "new", "gone", "cannot tell"
ORDER = (IDENTICAL, RENAMED, REORDERED, CHANGED, NEW, GONE, UNKNOWN)  # from little to much

Calls = dict[str, tuple[frozenset[str], frozenset[str]]]


@dataclass
class Judged:
    """Two streams: the verdict, one line of why, and the pairs that were found the same."""

    verdict: str
    says: str = ""
    old: Stream | None = None
    new: Stream | None = None
    same: dict[int, int] = field(default_factory=dict)  # rows: old -> new
    graphs: tuple[Graph, Graph] | None = None


@dataclass
class Graphs:
    """The streams of a unit as graphs, what is read at their ends, and callers before callees."""

    made: dict[str, Graph] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)


def worst(verdicts: list[str]) -> str:
    return max(verdicts, key=ORDER.index, default=IDENTICAL)


def compare_streams(old: Unit, new: Unit) -> dict[str, Judged]:
    """Name of a stream -> how it differs."""
    names = [*old.streams, *(name for name in new.streams if name not in old.streams)]
    if all(
        name in old.streams and name in new.streams and _texts(old, name) == _texts(new, name)
        for name in names
    ):
        return {name: Judged(IDENTICAL) for name in names}
    try:
        before, after = graphs_of(old), graphs_of(new)
    except ValueError as problem:
        return {name: _without(old, new, name, str(problem)) for name in names}
    wanted = _wanted(old, new, before, after)
    found = {}
    for name in names:
        if name not in before.made or name not in after.made:
            found[name] = Judged(
                NEW if name in new.streams else GONE,
                old=old.streams.get(name),
                new=new.streams.get(name),
            )
            continue
        ends = wanted[name]
        judged = _judge(before.made[name], after.made[name], ends)
        judged.old, judged.new = old.streams[name], new.streams[name]
        judged.graphs = before.made[name], after.made[name]
        if judged.verdict == REORDERED and _texts(old, name) == _texts(new, name):
            judged = Judged(IDENTICAL)
        found[name] = judged
    return found


def _without(old: Unit, new: Unit, name: str, problem: str) -> Judged:
    """What texts alone tell."""
    a, b = old.streams.get(name), new.streams.get(name)
    if a is None or b is None:
        return Judged(NEW if a is None else GONE, old=a, new=b)
    return Judged(IDENTICAL if a.texts == b.texts else UNKNOWN, problem, a, b)


def _texts(unit: Unit, name: str) -> list[str]:
    """Lines of a stream; labels are numbered anew, since their names are not in the machine code."""
    stream = unit.streams[name]
    numbers = count()
    names = {line.label: f".{next(numbers)}" for line in stream.lines if line.label}
    found = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "$^")
    return [
        f"{names[line.label]}:" if line.label else _relabelled(line.text, names, found)
        for line in stream.lines
    ]


def _relabelled(text: str, names: dict[str, str], found: re.Pattern[str]) -> str:
    head, dot, label = text.rpartition(" .")
    return f"{head} {names[label]}" if dot and label in names else text


# --- graphs -----------------------------------------------------------------------------------------------


def graphs_of(unit: Unit) -> Graphs:
    """Graphs of all streams, made callees first. Errors: `ValueError`."""
    calls: Calls = {}
    result = Graphs()
    waiting = list(unit.streams)
    while waiting:
        ready = [
            n for n in waiting if {called(x) for x in unit.streams[n].lines} - {""} <= {*calls}
        ]
        for name in ready or waiting[:1]:  # a call in a circle, or out of the file, is opaque
            made = graph(unit.streams[name].lines, calls)
            result.made[name] = made
            calls[name] = traffic(made)
            result.order.insert(0, name)
            waiting.remove(name)
    return result


def traffic(made: Graph) -> tuple[frozenset[str], frozenset[str]]:
    """Registers whose values at the entry matter to a sub, and those it writes."""
    gives = frozenset(unit for node in made.nodes for _, unit in node.writes)
    reached = [defs for slots in made.uses.values() for defs in slots.values()]
    reached += [out[unit] for out in made.exits for unit in gives if unit in out]
    takes = frozenset(str(one[1]) for defs in reached for one in defs if one[0] == "entry")
    return takes, gives


def _wanted(old: Unit, new: Unit, before: Graphs, after: Graphs) -> dict[str, Ends]:
    """For each stream what counts at its end: the ABI's, or what the callers of a sub go on to use, on either side."""
    ends = {"": ends_of(old, new)}
    names = [name for name in before.order if name in after.made and name != ""]
    for name in names:
        used: set[str] = set()
        for graphs in (before, after):
            known = {
                id(g): ends[n].observed if n in ends else _all(g) for n, g in graphs.made.items()
            }
            used |= wanted_of(graphs.made.values(), known).get(name, set())
        ends[name] = Ends(frozenset(used), frozenset())
    return ends


def _all(made: Graph) -> frozenset[str]:
    return frozenset(unit for out in made.exits for unit in out)


# --- judgement ----------------------------------------------------------------------------------------------


def _judge(old: Graph, new: Graph, ends: Ends) -> Judged:
    blocks = paired_blocks(old, new)
    if blocks is None:
        return Judged(CHANGED, "it takes other ways")
    if not old.blocks or (old.opaque and new.opaque):
        return Judged(UNKNOWN, _opaque(old))
    straight = in_order(blocks)
    if straight is not None:
        checked = check(old, new, straight, ends.observed, ends.saved)
        if not checked.why:
            return _renamed(old, new, straight)
    match = by_meaning(old, new, blocks)
    if match is None:
        first = checked.why if straight is not None else ""
        return _partly(Judged(CHANGED, first or "it computes something else"), old, new, straight)
    checked = check(old, new, match, ends.observed, ends.saved)
    if not checked.why:
        return _reordered(old, new, match)
    return _partly(Judged(CHANGED, checked.why), old, new, match, checked)


def _opaque(made: Graph) -> str:
    node = next((node for node in made.nodes if node.shape[0] == "opaque"), None)
    return f"no instruction table has {node.line.text}" if node is not None else "it is empty"


def _partly(
    judged: Judged, old: Graph, new: Graph, match: Match | None, checked: Checked | None = None
) -> Judged:
    """What is the same in spite of the verdict, so that only the rest is shown."""
    wrong = {*(checked.wrong if checked is not None else ())}
    if match is not None and checked is not None and wrong:
        pairs = match.pairs.items()
        judged.same = {a.line.row: b.line.row for a, b in pairs if a not in wrong}
    return judged


def _renamed(old: Graph, new: Graph, match: Match) -> Judged:
    registers = registers_of(match)
    moved = _layout(old, new)
    same = {a.line.row: b.line.row for a, b in match.pairs.items()}
    if registers:
        return Judged(RENAMED, "; ".join(filter(None, (renaming(registers), moved))), same=same)
    return Judged(
        REORDERED, moved or "the same instructions at other widths or alignments", same=same
    )


def _layout(old: Graph, new: Graph) -> str:
    """How many blocks stand elsewhere."""
    rows = [[b.nodes[0].line.row for b in g.blocks if b.nodes] for g in (old, new)]
    before, after = ([sorted(r).index(x) for x in r] for r in rows)
    moved = sum(a != b for a, b in zip(before, after, strict=False))
    return f"{moved} of {len(before)} blocks moved" if moved else ""


def _reordered(old: Graph, new: Graph, match: Match) -> Judged:
    far = _distances(match)
    moved = [one for one in far if one]
    says = f"{len(moved)} of {len(far)} instructions moved, by up to {max(map(abs, far))} places"
    registers = registers_of(match)
    if registers:
        says += f"; {renaming(registers)}"
    if layout := _layout(old, new):
        says += f"; {layout}"
    same = {a.line.row: b.line.row for a, b in match.pairs.items()}
    return Judged(REORDERED, says, same=same)


def _distances(match: Match) -> list[int]:
    found = []
    for a, b in match.blocks:
        place = {node: at for at, node in enumerate(b.nodes)}
        found += [place[match.pairs[node]] - at for at, node in enumerate(a.nodes)]
    return found


def registers_of(match: Match) -> Counter[tuple[str, str]]:
    """(register, register in its place) -> how many operands."""
    found: Counter[tuple[str, str]] = Counter()
    for a, b in match.pairs.items():
        found.update(_differing(a, b))
    return found


def _differing(a: Node, b: Node) -> list[tuple[str, str]]:
    there = dict(b.names)
    return [(x, there[slot]) for slot, x in a.names if slot in there and there[slot] != x]
