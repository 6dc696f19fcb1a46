# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What the registers of a routine are called in C: as the author called them, where that is possible.

Each expansion of a macro has locals of its own; those whose uses do not overlap share a C variable, so a routine with a
thousand expansions has a dozen variables.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gen.emit.cmeaning import helpers
from gen.ir.ir import Call, Do, Insn, Loop, Move, Node, Var, When
from gen.isa import reads, writes

_KEYWORDS = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "and or not xor asm errno stdin main N Z C V Q GE"
)


def _reserved() -> frozenset[str]:
    """Words that are something else in C, or in the helpers."""
    return frozenset((*_KEYWORDS.split(), *re.findall(r"\b(\w+)\(", helpers())))


def identifier(name: str, taken: Iterable[str] = ()) -> str:
    """A register's name as a C identifier: "a[3]" is a3."""
    plain = re.sub(r"\W+", "_", re.sub(r"\[(\d+)\]$", r"\1", name)).strip("_")
    return plain + "_" if plain in taken or plain in _reserved() else plain


def leaves(nodes: Iterable[Node]) -> Iterator[Node]:
    """What is executed, in the order written."""
    for node in nodes:
        match node:
            case Do() | Loop():
                yield from leaves(node.body)
            case When():
                yield from leaves(node.then)
                yield from leaves(node.other)
            case _:
                yield from getattr(node, "body", None) or (node,)


def used(node: Node) -> tuple[Var, ...]:
    """Registers that an instruction, a call or a move names."""
    if isinstance(node, Call):
        return tuple(dict.fromkeys((*node.ins, *node.outs)))
    if isinstance(node, Insn):
        return tuple(dict.fromkeys((*reads(node), *writes(node))))
    return (node.var,) if isinstance(node, Move) else ()


@dataclass
class Spans:
    """First and last use of each register, widened over loops that hold only some of its uses."""

    clock: int = 0
    spans: dict[Var, tuple[int, int]] = field(default_factory=dict)

    def walk(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            match node:
                case Do() | Loop():
                    start = self.clock
                    self.walk(node.body)
                    self._widen(start, self.clock)
                case When():
                    self.walk(node.then)
                    self.walk(node.other)
                case _:
                    for leaf in leaves((node,)):
                        self.clock += 1
                        for var in used(leaf):
                            first, _ = self.spans.get(var, (self.clock, 0))
                            self.spans[var] = (first, self.clock)

    def _widen(self, start: int, end: int) -> None:
        """A register that came into the loop is needed until the loop ends."""
        for var, (first, last) in self.spans.items():
            if first <= start < last:
                self.spans[var] = (first, max(last, end))


def names(
    body: tuple[Node, ...], fixed: dict[Var, str], kept: Iterable[Var], others: Iterable[str] = ()
) -> dict[Var, str]:
    """C names of all registers of a body. `fixed` has names already; `kept` must have one for itself; what is called
    one of `others` is something else."""
    spans = Spans()
    spans.walk(body)
    ends = dict.fromkeys(kept, (0, spans.clock + 1))
    found = dict(fixed)
    busy: dict[tuple[str, str], list[int]] = defaultdict(list)  # name and type -> end of each copy
    taken = {*fixed.values(), *others}
    ordered = sorted(spans.spans, key=lambda var: (ends.get(var, spans.spans[var])[0], var.name))
    for var in ordered:
        if var in found:
            continue
        first, last = ends.get(var, spans.spans[var])
        copies = busy[var.name, var.type == "ptr" and "ptr" or "word"]
        free = next((n for n, end in enumerate(copies) if end < first), len(copies))
        copies[free : free + 1] = [last]
        kind = (
            "_at" if var.type == "ptr" and "word" in [k for n, k in busy if n == var.name] else ""
        )
        base = identifier(var.name, taken) + kind
        found[var] = base if free == 0 else f"{base}_{free + 1}"
    return found
