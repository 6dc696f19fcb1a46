# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which instruction of one graph stands for which of the other: a proposal, which `checking` judges.

Blocks are paired by walking both graphs from the entry. Inside a pair an instruction is known by what it computes from
what, and by what is made of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from gen.diff.graph import Block, Def, Graph, Node

ROUNDS = 3  # how far what is outside of a block is looked into
Keys = dict[Node, int]


@dataclass
class Match:
    """Pairs of instructions, old to new."""

    pairs: dict[Node, Node] = field(default_factory=dict)
    blocks: list[tuple[Block, Block]] = field(default_factory=list)


def paired_blocks(old: Graph, new: Graph) -> list[tuple[Block, Block]] | None:
    """Pairs of blocks that the same ways lead to; None where the ways differ."""
    pairs: dict[Block, Block] = {}
    waiting = [(old.blocks[0], new.blocks[0])]
    while waiting:
        a, b = waiting.pop()
        if a in pairs:
            if pairs[a] is not b:
                return None
            continue
        if len(a.next) != len(b.next) or a.leaves != b.leaves or len(a.nodes) != len(b.nodes):
            return None
        if a.branch and a.nodes[-1].shape != b.nodes[-1].shape:
            return None
        pairs[a] = b
        waiting += zip(a.next, b.next, strict=True)
    if len(pairs) != len(old.blocks) or len({*pairs.values()}) != len(new.blocks):
        return None
    return list(pairs.items())


def in_order(blocks: Iterable[tuple[Block, Block]]) -> Match | None:
    """Each instruction with the one at its place; None when one differs in more than registers."""
    match = Match()
    for a, b in blocks:
        match.blocks.append((a, b))
        for x, y in zip(a.nodes, b.nodes, strict=True):
            if x.shape != y.shape:
                return None
            match.pairs[x] = y
    return match


def by_meaning(old: Graph, new: Graph, blocks: list[tuple[Block, Block]]) -> Match | None:
    """Each instruction with one that computes the same of the same, wherever it stands in its block."""
    keys = [_keys(graph, [pair[side] for pair in blocks]) for side, graph in enumerate((old, new))]
    match = Match(blocks=list(blocks))
    for a, b in blocks:
        waiting: dict[int, list[Node]] = defaultdict(list)
        for node in reversed(b.nodes):
            waiting[keys[1][node]].append(node)
        for node in a.nodes:
            found = waiting[keys[0][node]]
            if not found:
                return None
            match.pairs[node] = found.pop()
    return match


def _keys(graph: Graph, blocks: list[Block]) -> Keys:
    """A number for each instruction that is equal where the meaning is."""
    keys: Keys = {
        node: hash((at, node.shape)) for at, block in enumerate(blocks) for node in block.nodes
    }
    users = _users(graph)
    for _ in range(ROUNDS):
        keys = _round(graph, blocks, keys, users)
    return keys


def _users(graph: Graph) -> dict[Node, list[tuple[Node, str, str]]]:
    """Node -> (user, its slot, the slot that is used)."""
    found: dict[Node, list[tuple[Node, str, str]]] = defaultdict(list)
    for user, slots in graph.uses.items():
        for slot, defs in slots.items():
            for one in defs:
                if isinstance(one[0], Node):
                    found[one[0]].append((user, slot, str(one[1])))
    return found


def _round(
    graph: Graph,
    blocks: list[Block],
    known: Keys,
    users: dict[Node, list[tuple[Node, str, str]]],
) -> Keys:
    forward = dict(known)
    for at, block in enumerate(blocks):
        for node in block.nodes:  # earlier ones of the block have their new number by now
            uses = graph.uses[node]
            ways = tuple((slot, _sources(defs, forward)) for slot, defs in sorted(uses.items()))
            forward[node] = hash((at, node.shape, ways))
    backward = dict(forward)
    for block in blocks:
        for node in reversed(block.nodes):
            seen = sorted(hash((backward[u], slot, own)) for u, slot, own in users.get(node, ()))
            backward[node] = hash((forward[node], tuple(seen)))
    return backward


def _sources(defs: frozenset[Def], keys: Keys) -> tuple[int, ...]:
    return tuple(
        sorted(
            hash((keys[one[0]], one[1])) if isinstance(one[0], Node) else hash(one[0])
            for one in defs
        )
    )
