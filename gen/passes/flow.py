# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Structured nodes to linear code: labels and branches for loops and choices.

A conditional instruction keeps its condition; the IT before it is made when the registers are
known (frame).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from gen import isa
from gen.diag import fail
from gen.ir.ir import Break, Do, Insn, Item, Label, Loop, Node, Routine, Then, When

Jump = Callable[[str, str | None], Insn]  # makes a branch
COUNTED = 1 << 32  # rounds that a loop counted in a register can make at most


def flow(routine: Routine) -> Routine:
    """The pass. Labels are numbered as their loops and choices are met, those of a sub under its name."""
    stem = f"{routine.name}." if routine.contract is not None else ""
    names = (f"{stem}{number}" for number in range(1 << 30))
    jump = isa.builder(routine.core.abi).branch
    return replace(routine, code=tuple(_linear(routine.body, None, names, jump)))


def _linear(
    nodes: Sequence[Node], leave: str | None, names: Iterator[str], jump: Jump
) -> Iterator[Item]:
    """Items of `nodes`; `leave` is the label behind the innermost `loop`, where a break goes."""
    for node in nodes:
        match node:
            case Do():
                head = next(names)
                yield Label(head, COUNTED)
                yield from _linear(node.body, leave, names, jump)
                yield _branch(head, node.cond, node, jump)
            case Loop():
                yield from _loop(node, names, jump)
            case Break():
                if leave is None:
                    raise fail("syntax", node.span, "break outside a `loop`", trail=node.trail)
                yield _branch(leave, node.cond, node, jump)
            case When():
                yield from _choice(node, leave, names, jump)
            case Then():
                yield from node.body
            case _:
                yield node


def _loop(node: Loop, names: Iterator[str], jump: Jump) -> Iterator[Item]:
    """A break at the very end makes the closing branch conditional."""
    head, end = next(names), next(names)
    last = node.body[-1] if node.body else None
    yield Label(head, node.limit)
    if isinstance(last, Break):
        yield from _linear(node.body[:-1], end, names, jump)
        yield _branch(head, isa.inverse(last.cond), last, jump)
    else:
        yield from _linear(node.body, end, names, jump)
        yield _branch(head, None, node, jump)
    yield Label(end)


def _choice(node: When, leave: str | None, names: Iterator[str], jump: Jump) -> Iterator[Item]:
    other, end = next(names), next(names)
    yield _branch(other if node.other else end, isa.inverse(node.cond), node, jump)
    yield from _linear(node.then, leave, names, jump)
    if node.other:
        yield _branch(end, None, node, jump)
        yield Label(other)
        yield from _linear(node.other, leave, names, jump)
    yield Label(end)


def _branch(label: str, cond: str | None, node: Do | Loop | Break | When, jump: Jump) -> Item:
    return replace(jump(label, cond), span=node.span, trail=node.trail)
