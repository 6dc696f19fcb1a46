# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What the registers of a routine are called in C: as the author called them, where that is possible.

Each expansion of a macro has locals of its own; those whose uses do not overlap share a C variable, so a routine with a
thousand expansions has a dozen variables.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count

from gen.emit.cmeaning import helpers
from gen.ir.ir import Call, Do, Insn, Loop, Move, Node, Var, When
from gen.isa import reads, writes

_KEYWORDS = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "and or not xor asm typeof errno stdin stdout stderr main linux unix i386 arm near far N Z C V Q GE"
)
# what <stdint.h> and <stddef.h> define, apart from capitals, which no register has
_HEADER_NAME = re.compile(r"u?int(_least|_fast)?(8|16|32|64)_t|u?int(max|ptr)_t|size_t")


@cache
def _reserved() -> frozenset[str]:
    """Words that are something else in C, or in the helpers."""
    return frozenset((*_KEYWORDS.split(), *re.findall(r"\b(\w+)\(", helpers())))


def identifier(name: str) -> str:
    """A register's name as a C identifier: "a[3]" is a3. It never ends in `_`: names made inside a block do."""
    return re.sub(r"\W+", "_", re.sub(r"\[(\d+)\]$", r"\1", name)).strip("_") or "x"


class Names:
    """The identifiers of one C function; none is given out twice."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)

    def new(self, base: str, endings: Iterable[str] = ()) -> str:
        """`base`, or with a number; what is called so with each of the endings has its name, too."""
        for number in count(1):
            name = base if number == 1 else f"{base}_{number}"
            group = [name, *(name + ending for ending in endings)]
            if not any(self._is_taken(one) for one in group):
                self.taken.update(group)
                return name
        raise AssertionError

    def take(self, name: str) -> bool:
        """Gives out exactly this name; False where it has another meaning."""
        good = not self._is_taken(name)
        self.taken.add(name)
        return good

    def _is_taken(self, name: str) -> bool:
        return name in self.taken or name in _reserved() or bool(_HEADER_NAME.fullmatch(name))


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
    body: tuple[Node, ...],
    fixed: Mapping[Var, str],
    kept: Iterable[Var],
    free: Names,
    endings: Mapping[Var, tuple[str, ...]],
) -> dict[Var, str]:
    """C names of all registers of a body. `fixed` has names already; `kept` must have one for itself, from which
    with `endings` the names of others are made."""
    spans = Spans()
    spans.walk(body)
    ends = dict.fromkeys(kept, (0, spans.clock + 1))
    found = dict(fixed)
    busy: dict[tuple[str, bool], list[tuple[int, str]]] = defaultdict(
        list
    )  # end and name of each copy
    ordered = sorted(spans.spans, key=lambda var: (ends.get(var, spans.spans[var])[0], var.name))
    for var in ordered:
        if var in found:
            continue
        first, last = ends.get(var, spans.spans[var])
        points = var.type == "ptr"
        copies = busy[var.name, points]
        at = next((n for n, (end, _) in enumerate(copies) if end < first), len(copies))
        if at == len(copies):
            base = identifier(var.name) + "_at" * (points and (var.name, False) in busy)
            copies.append((0, free.new(base, endings.get(var, ()))))
        found[var] = copies[at][1]
        copies[at] = (last, found[var])
    return found
