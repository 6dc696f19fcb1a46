# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What the proof passes share: the calls of a routine that a proof runs, and errors at
instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeVar

from gen import isa
from gen.diag import Bag
from gen.ir.domains.base import Lattice
from gen.ir.interp.calls import Calls
from gen.ir.interp.entry import Call, Filling, begin, lay_out
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.paths import Paths
from gen.ir.interp.state import State
from gen.ir.ir import CType, Insn, Label, Mark, Param, Reg, Routine, Var
from gen.ir.memory import Region
from gen.ir.program import Program, Stage, program

V = TypeVar("V")
Marks = Callable[[State[V], Mark], None]
CallsOf = Callable[[Program, Mapping[Var, Region]], Calls[V]]


def type_range(ctype: CType) -> tuple[int, int]:
    """The numbers that a C type holds."""
    if ctype.signed:
        return -(1 << (ctype.bits - 1)), (1 << (ctype.bits - 1)) - 1
    return 0, (1 << ctype.bits) - 1


def promised(param: Param) -> tuple[int, int]:
    """What the precondition says of the scalar, or of every element."""
    lo, hi = type_range(param.ctype)
    for bound in param.pre:
        if bound.kind == "each":
            lo, hi = max(lo, bound.lo), min(hi, bound.hi)
    return lo, hi


def aliases(routine: Routine) -> Iterator[dict[str, str]]:
    """Ways in which pointers may be equal: none, then each pair that is not `noalias` and whose
    elements have one type, as later parameter -> earlier one. A pair that nobody writes is left
    out."""
    yield {}
    pointers = [p for p in routine.params if p.ctype.pointer and p.table is None]
    for number, first in enumerate(pointers):
        for second in pointers[number + 1 :]:
            same = (first.ctype.bits, first.ctype.signed) == (
                second.ctype.bits,
                second.ctype.signed,
            )
            free = not (first.noalias or second.noalias)
            if same and free and (first.role, second.role) != ("in", "in"):
                yield {second.name: first.name}


def cases(routine: Routine) -> Iterator[dict[str, int]]:
    """Values of the scalars that lengths depend on: the `lengths` listed, else the ends of their
    bounds."""
    asked = {
        subject.var.name
        for param in routine.params
        if param.length is not None
        for subject in param.length.env.values()
        if isinstance(subject, Reg)
    }
    names, choices = [], []
    for param in routine.params:
        if param.ctype.pointer or not (param.lengths or param.name in asked):
            continue
        names.append(param.name)
        choices.append(param.lengths or tuple(dict.fromkeys(promised(param))))
    for values in product(*choices):
        yield dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class Ending(Generic[V]):
    """One finished run: the call it started from, and the state at its return (None: no path gets
    there)."""

    call: Call[V]
    state: State[V] | None
    scalars: Mapping[str, int]


def run(
    routine: Routine,
    machine_of: Callable[[Call[V]], Machine[V]],
    dom: Lattice[V],
    filling: Filling[V],
    stage: Stage,
    scalars: Mapping[str, int],
    marks: Marks[V] | None = None,
    exact_alignment: bool = True,
    partly: bool = True,
    same: Mapping[str, str] | None = None,
    calls_of: CallsOf[V] | None = None,
) -> Ending[V]:
    """Runs one call of the routine; `calls_of` makes what executes its calls."""
    buffers = lay_out(routine.params, scalars, exact_alignment, same)
    call = begin(routine, dom, stage, filling, buffers, partly)
    whole = program(routine, stage)
    calls = Calls(dom, whole, call.objects) if calls_of is None else calls_of(whole, call.objects)
    end = Paths(machine_of(call), whole.items, marks, calls).run(call.state)
    return Ending(call, end, scalars)


def place_of(insn: Insn) -> Insn:
    """The instruction of the author that `insn` stands for."""
    return insn.origin if insn.origin is not None else insn


def shown(insn: Insn) -> str:
    """An instruction as a message quotes it, with the author's names."""
    source = place_of(insn)
    if source.form is None:
        return source.mnemonic
    return isa.render(source, lambda var: var.name).replace("\t", " ")


class Reporter(Observer[V]):
    """An observer that collects errors at instructions."""

    def __init__(self) -> None:
        self.bag = Bag()

    def error(
        self, code: str, insn: Insn, message: str, details: tuple[str, ...] = (), help: str = ""
    ) -> None:
        """One error at the source of `insn`."""
        at = place_of(insn)
        self.bag.error(code, at.span, message, trail=at.trail, details=details, help=help)

    def endless(self, label: Label) -> None:
        raise AssertionError("overridden where loops are judged")
