# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Proves what a routine ensures by an SMT solver: z3 is asked for inputs for which it does not hold.

The code is run over bit-vector terms with the meanings of its instructions; loops are followed round by round, so what
decides a branch or an address must be known. The solver's effort is limited by its own count of steps, so that the
outcome is the same on every machine. Only an answer that there are no such inputs is a proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

import z3

from gen import isa
from gen.diag import Bag
from gen.ir.domains.bitvector import Beyond, Bits, BitVectors
from gen.ir.interp.entry import Call
from gen.ir.interp.machine import Machine
from gen.ir.interp.state import State
from gen.ir.ir import Digits, Ensured, Insn, Mark, Param, Routine
from gen.passes.finished import Finished, Start, finished
from gen.passes.running import aliases, cases, promised, run
from gen.prove.formula import Formula

EFFORT = 100_000_000  # z3's resource units for one condition: some 30 s
SHOWN = 8  # elements of a buffer in a counterexample
LONGEST = 512  # bits of a buffer that is shown as one number


class Inputs:
    """Every input word is a name."""

    def __init__(self, dom: BitVectors, scalars: Mapping[str, int]) -> None:
        self.dom, self.scalars = dom, scalars
        self.words: dict[str, Bits] = {}

    def scalar(self, param: Param) -> Bits:
        if param.name in self.scalars:
            return self.dom.const(self.scalars[param.name])
        return self._named(param.name, param)

    def element(self, param: Param, index: int) -> Bits | None:
        if param.table is not None:
            return self.dom.const(param.table.values[index])
        return None if param.role == "out" else self._named(f"{param.name}[{index}]", param)

    def _named(self, text: str, param: Param) -> Bits:
        if text not in self.words:
            self.words[text] = self.dom.name(text, *promised(param))
        return self.words[text]


class Watch(Start[Bits]):
    """Makes one state of the outcomes of a conditional instruction; stops at branches that it cannot follow."""

    def __init__(self, dom: BitVectors) -> None:
        super().__init__(dom)
        self.bits = dom
        self.condition: Bits | None = None

    def watching(self, call: Call[Bits]) -> Machine[Bits]:
        self.machine = super().watching(call)
        return self.machine

    def begins(self, state: State[Bits], insn: Insn) -> None:
        self.bits.choice = None

    def blends(self, state: State[Bits], insn: Insn, branch: bool) -> bool:
        assert insn.cond is not None
        self.condition = isa.condition_value(insn.cond, self.machine)
        if self.bits.truth(self.condition) is not None:
            return False
        if branch:
            raise Beyond("a branch that depends on the inputs")
        return True

    def met(self, x: State[Bits], y: State[Bits]) -> object:
        self.bits.choice = self.condition
        return x.extra


@dataclass(frozen=True)
class Case:
    """One finished run: scalars that lengths depend on, pointers that are equal."""

    routine: Routine
    inputs: Inputs
    end: Finished[Bits]
    scalars: Mapping[str, int]
    same: Mapping[str, str]


def prove(routine: Routine, effort: int = EFFORT) -> int:
    """Questions asked, none of which has an answer. `routine` has its `code`.

    Raises `Failed`: ensures-refuted with the inputs, or undecided.
    """
    wanted = [one for one in routine.ensures if one.method == "smt"]
    routine = without_marks(routine)
    bag = Bag()
    count = 0
    for scalars, same in product(cases(routine), tuple(aliases(routine))):
        try:
            case = _finish(routine, scalars, same)
            for one in wanted if case is not None else ():
                assert case is not None
                _ask(bag, case, one, effort)
                count += 1
        except Beyond as beyond:
            text = f"what {routine.symbol} ensures is beyond the solver: {beyond}"
            bag.error("undecided", wanted[0].span, text)
        bag.close()
    return count


def without_marks(routine: Routine) -> Routine:
    """The routine without what is said for other analyses: nothing is believed, nothing split."""
    code = tuple(item for item in routine.code if not isinstance(item, Mark))
    return replace(routine, code=code, subs=tuple(map(without_marks, routine.subs)))


def _finish(routine: Routine, scalars: Mapping[str, int], same: Mapping[str, str]) -> Case | None:
    dom = BitVectors()
    inputs, watch = Inputs(dom, scalars), Watch(dom)
    ending = run(routine, watch.watching, dom, inputs, "code", scalars, same=same)
    if ending.state is None:
        return None
    end = finished(routine, dom, watch.memory, ending, inputs)
    for param in routine.params:
        for bound in param.pre:
            if bound.kind == "value" and param.ctype.count is not None:
                value = end.number(Digits(param.name, 0, param.ctype.count, old=True))
                inputs.dom.assume(value, bound.lo, bound.hi)
    return Case(routine, inputs, end, scalars, same)


def _ask(bag: Bag, case: Case, one: Ensured, effort: int) -> None:
    """One error if there are inputs for which the condition does not hold, or if that is not found out."""
    dom = case.inputs.dom
    solver = z3.SolverFor("QF_BV")
    solver.set("rlimit", effort)
    question = z3.Not(Formula(dom, case.end).of(one))
    solver.add(*dom.known_of(question), question)
    answer = solver.check()
    if answer == z3.unsat:
        return
    equal = "".join(f" where {x} is {y}" for x, y in case.same.items())
    if answer == z3.sat:
        shown = ", ".join(_inputs(case, solver.model()))
        text = f"`{one.text}` does not hold for every input{equal}"
        bag.error("ensures-refuted", one.span, text, details=(f"counterexample: {shown}",))
        return
    bag.error(
        "undecided",
        one.span,
        f"the solver gives up on `{one.text}`{equal}",
        details=(f"it says: {solver.reason_unknown()}",),
        help="split it into parts with `and`, or say it as an equation of polynomials",
    )


def _inputs(case: Case, model: z3.ModelRef) -> Iterator[str]:
    """`a = 0x7f...`, `b = 1`: what the arguments are; of long buffers the first elements that are not zero."""
    for param in case.routine.params:
        if not param.ctype.pointer:
            yield f"{param.name} = {_value(model, case.inputs.scalar(param))}"
        elif param.role != "out" and param.table is None and param.name not in case.same:
            yield from _elements(case, param, model)


def _elements(case: Case, param: Param, model: z3.ModelRef) -> Iterator[str]:
    rows: list[int] = []
    while (key := f"{param.name}[{len(rows)}]") in case.inputs.words:
        rows.append(_value(model, case.inputs.words[key]))
    bits = param.ctype.bits
    if not param.ctype.signed and bits * len(rows) <= LONGEST:
        yield f"{param.name} = {sum(x << bits * at for at, x in enumerate(rows)):#x}"
        return
    shown = [f"{param.name}[{at}] = {x}" for at, x in enumerate(rows) if x]
    yield from shown[:SHOWN]
    yield (
        f"{len(shown) - SHOWN} more of {param.name}"
        if len(shown) > SHOWN
        else f"all else of {param.name} = 0"
    )


def _value(model: z3.ModelRef, x: Bits) -> int:
    if x.term is None:
        return x.range.lo
    found = model.eval(x.term, model_completion=True)
    assert isinstance(found, z3.BitVecNumRef)
    return int(found.as_long() if x.range.lo >= 0 else found.as_signed_long())
