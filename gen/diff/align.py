# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is left of a changed stream to look at: lines side by side, without what only moved or changed registers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from gen.diff.graph import Def, Graph, Node
from gen.diff.text import Line, Stream

SMALL = 300  # lines between two anchors that are compared thoroughly
RUN = 3  # instructions that make a moved block
Pairs = list[tuple[int, int]]


@dataclass
class Beside:
    """Two lines beside each other; one of them may be missing."""

    old: Line | None
    new: Line | None


@dataclass
class Left:
    """What is left to look at, and one line for each thing that is not."""

    rows: list[Beside] = field(default_factory=list)
    says: list[str] = field(default_factory=list)


def anchored(old: Sequence[Hashable], new: Sequence[Hashable]) -> Pairs:
    """Pairs of equal items, ascending on both sides: what is unique on both, and what lies between."""
    found: Pairs = []
    _between(old, new, 0, len(old), 0, len(new), found)
    return found


def _between(
    old: Sequence[Hashable], new: Sequence[Hashable], a: int, b: int, c: int, d: int, out: Pairs
) -> None:
    while a < b and c < d and old[a] == new[c]:
        out.append((a, c))
        a, c = a + 1, c + 1
    tail = 0
    while a < b - tail and c < d - tail and old[b - tail - 1] == new[d - tail - 1]:
        tail += 1
    unique = _unique(old, new, a, b - tail, c, d - tail)
    if unique:
        for x, y in unique:
            _between(old, new, a, x, c, y, out)
            out.append((x, y))
            a, c = x + 1, y + 1
        _between(old, new, a, b - tail, c, d - tail, out)
    elif b - tail - a <= SMALL and d - tail - c <= SMALL:
        matcher = SequenceMatcher(None, old[a : b - tail], new[c : d - tail], autojunk=False)
        for x, y, size in matcher.get_matching_blocks():
            out += [(a + x + i, c + y + i) for i in range(size)]
    out += [(b - i, d - i) for i in range(tail, 0, -1)]


def _unique(
    old: Sequence[Hashable], new: Sequence[Hashable], a: int, b: int, c: int, d: int
) -> Pairs:
    """The longest ascending row of pairs that stand once on either side."""
    here, there = Counter(old[a:b]), Counter(new[c:d])
    places = {item: at for at, item in enumerate(new[c:d], c)}
    pairs = [
        (at, places[item])
        for at, item in enumerate(old[a:b], a)
        if here[item] == 1 and there.get(item) == 1
    ]
    return ascending(pairs)


def ascending(pairs: Pairs) -> Pairs:
    """The longest part of pairs, ascending on the left, that ascends on the right too."""
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for number, (_, y) in enumerate(pairs):
        place = bisect_left(ends, y)
        before.append(at[place - 1] if place else -1)
        ends[place : place + 1] = [y]
        at[place : place + 1] = [number]
    found: Pairs = []
    number = at[-1] if at else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


# --- what is left of a stream --------------------------------------------------------------------------------


def left_of(
    old: Stream, new: Stream, same: dict[int, int], graphs: tuple[Graph, Graph] | None
) -> Left:
    """What is left of two streams. `same`: rows that are known to stand for each other."""
    a, b = old.instructions(), new.instructions()
    here = {line.row: at for at, line in enumerate(a)}
    there = {line.row: at for at, line in enumerate(b)}
    known = sorted((here[x], there[y]) for x, y in same.items() if x in here and y in there)
    nodes = _nodes(graphs)
    if not known:
        known = _aligned(a, b, nodes)
    straight = ascending(known)
    moved = [pair for pair in known if pair not in {*straight}]
    result = Left()
    hidden, renamed = _hidden(straight, a, b, nodes, bool(same), graphs)
    runs = _runs(a, b, straight, moved)
    if renamed:
        result.says.append(f"{renamed} instructions differ in registers alone")
    result.says += [
        f"{size} instructions moved: old line {a[x].row} to new line {b[y].row}, as they were"
        for x, y, size in runs
    ]
    gone = {x + i for x, _, size in runs for i in range(size)} | {x for x, _ in moved}
    come = {y + i for _, y, size in runs for i in range(size)} | {y for _, y in moved}
    if moved:
        result.says.append(f"{len(moved)} instructions moved")
    result.rows = list(_rows(a, b, straight, hidden, gone, come))
    return result


def _nodes(graphs: tuple[Graph, Graph] | None) -> tuple[dict[int, Node], dict[int, Node]]:
    if graphs is None:
        return {}, {}
    return (
        {node.line.row: node for node in graphs[0].nodes},
        {node.line.row: node for node in graphs[1].nodes},
    )


def _aligned(a: list[Line], b: list[Line], nodes: tuple[dict[int, Node], dict[int, Node]]) -> Pairs:
    """Pairs of lines that do the same by name, then, between those, by what they do."""
    kinds = [[_kind(line, nodes[i]) for line in lines] for i, lines in enumerate((a, b))]
    names = [
        [(kind, line.comment) for kind, line in zip(kinds[i], lines, strict=True)]
        for i, lines in enumerate((a, b))
    ]
    found: Pairs = []
    x = y = 0
    for p, q in [*anchored(*names), (len(a), len(b))]:
        inner = anchored(kinds[0][x:p], kinds[1][y:q])
        found += [(x + i, y + j) for i, j in inner]
        if p < len(a):
            found.append((p, q))
        x, y = p + 1, q + 1
    return found


def _kind(line: Line, nodes: dict[int, Node]) -> Hashable:
    node = nodes.get(line.row)
    return node.shape if node is not None else line.text


def _hidden(
    straight: Pairs,
    a: list[Line],
    b: list[Line],
    nodes: tuple[dict[int, Node], dict[int, Node]],
    proved: bool,
    graphs: tuple[Graph, Graph] | None,
) -> tuple[set[tuple[int, int]], int]:
    """Pairs that need no look, and how many of them have other registers."""
    pairs = [(x, y, nodes[0].get(a[x].row), nodes[1].get(b[y].row)) for x, y in straight]
    match = {m: n for _, _, m, n in pairs if m is not None and n is not None}
    hidden, renamed = set(), 0
    for x, y, m, n in pairs:
        if a[x].text == b[y].text:
            hidden.add((x, y))
        elif proved or (graphs and m and n and _takes_the_same(m, n, match, graphs)):
            hidden.add((x, y))
            renamed += 1
    return hidden, renamed


def _takes_the_same(
    old: Node, new: Node, match: dict[Node, Node], graphs: tuple[Graph, Graph]
) -> bool:
    """Whether all operands come from instructions that stand beside each other."""
    here, there = graphs[0].uses[old], graphs[1].uses[new]
    return old.shape == new.shape and all(
        {_mapped(one, match) for one in defs} == {(one[0], one[1]) for one in there.get(slot, ())}
        for slot, defs in here.items()
    )


def _mapped(one: Def, match: dict[Node, Node]) -> tuple[object, object]:
    source = one[0]
    return (match.get(source) if isinstance(source, Node) else source, one[1])


def _runs(
    a: list[Line], b: list[Line], straight: Pairs, moved: Pairs
) -> list[tuple[int, int, int]]:
    """Blocks of lines that stand as they were at another place: (old, new, how many)."""
    taken_a = {x for x, _ in straight} | {x for x, _ in moved}
    taken_b = {y for _, y in straight} | {y for _, y in moved}
    where: dict[tuple[str, ...], list[int]] = {}
    free = [y for y in range(len(b)) if y not in taken_b]
    texts = [line.text for line in b]
    for y in free:
        where.setdefault(tuple(texts[y : y + RUN]), []).append(y)
    found, used = [], set(taken_b)
    x = 0
    while x < len(a):
        key = tuple(line.text for line in a[x : x + RUN])
        start = next((y for y in where.get(key, ()) if y not in used), None)
        size = 0
        while (
            start is not None
            and x + size < len(a)
            and start + size < len(b)
            and x + size not in taken_a
            and start + size not in used
            and a[x + size].text == texts[start + size]
        ):
            size += 1
        if start is not None and size >= RUN:
            found.append((x, start, size))
            used |= set(range(start, start + size))
        x += max(1, size if size >= RUN else 1)
    return found


def _rows(
    a: list[Line],
    b: list[Line],
    straight: Pairs,
    hidden: set[tuple[int, int]],
    gone: set[int],
    come: set[int],
) -> Iterator[Beside]:
    """Lines to look at, in order."""
    x = y = 0
    for p, q in [*straight, (len(a), len(b))]:
        left = [a[i] for i in range(x, p) if i not in gone]
        right = [b[j] for j in range(y, q) if j not in come]
        for i in range(max(len(left), len(right))):
            yield Beside(left[i] if i < len(left) else None, right[i] if i < len(right) else None)
        if p < len(a) and (p, q) not in hidden:
            yield Beside(a[p], b[q])
        x, y = p + 1, q + 1
