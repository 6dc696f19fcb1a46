# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a run knows at one place of the code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from gen.ir.domains.base import Lattice
from gen.ir.ir import Insn, Var
from gen.ir.memory import Memory

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Setter(Generic[V]):
    """The instruction that set the flags last: register values before it and what it wrote."""

    insn: Insn
    before: Mapping[Var, V]
    after: Mapping[Var, V]


@dataclass(slots=True)
class State(Generic[V]):
    """Registers, flags, memory and what the way here assumed."""

    pc: int
    regs: dict[Var, V]
    flags: dict[str, V]
    memory: Memory[V]
    homes: dict[str, V] = field(default_factory=dict)  # in `code`: what `spill` kept
    olds: dict[int, dict[Var, V]] = field(default_factory=dict)  # registers at ensures-begin
    known: dict[str, bool] = field(default_factory=dict)  # conditions assumed since the last flags
    setter: Setter[V] | None = None
    trips: dict[int, int] = field(default_factory=dict)  # loop head -> rounds begun
    extra: Any = None  # a pass's own; joined by its observer

    def copy(self) -> State[V]:
        return State(
            self.pc,
            dict(self.regs),
            dict(self.flags),
            self.memory.copy(),
            dict(self.homes),
            dict(self.olds),
            dict(self.known),
            self.setter,
            dict(self.trips),
            self.extra,
        )


def join_maps(dom: Lattice[V], x: Mapping[Any, V], y: Mapping[Any, V]) -> dict[Any, V]:
    """Keys that both know."""
    return {k: v if v is y[k] else dom.join(v, y[k]) for k, v in x.items() if k in y}


def join(dom: Lattice[V], x: State[V], y: State[V]) -> State[V]:
    """What holds on either way to the same place. `extra` is left to the caller."""
    return State(
        x.pc,
        join_maps(dom, x.regs, y.regs),
        join_maps(dom, x.flags, y.flags),
        x.memory.join(y.memory),
        join_maps(dom, x.homes, y.homes),
        {k: join_maps(dom, v, y.olds[k]) for k, v in x.olds.items() if k in y.olds},
        {k: v for k, v in x.known.items() if y.known.get(k) is v},
        x.setter if x.setter is y.setter else None,
        {k: max(x.trips.get(k, 0), y.trips.get(k, 0)) for k in x.trips | y.trips},
        x.extra,
    )
