# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A routine on integers: what it returns and what it leaves in its buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gen.diag import fail
from gen.ir.domains.ints import Ints
from gen.ir.interp.calls import Calls
from gen.ir.interp.entry import begin, element_bytes, lay_out, vars_of
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.paths import Paths
from gen.ir.interp.preds import Judge
from gen.ir.interp.state import State
from gen.ir.ir import Element, Insn, Label, Mark, Param, Routine, physical
from gen.ir.memory import Region
from gen.ir.program import Stage, program

Argument = int | Sequence[int]


@dataclass(frozen=True)
class Outcome:
    """What a call did."""

    result: int | None  # read as the prototype's type says
    buffers: Mapping[str, list[int]]  # parameter -> elements at return
    executed: int  # instructions


class _Arguments:
    """The arguments of the call; elements a caller leaves out are zero."""

    def __init__(self, args: Mapping[str, Argument]) -> None:
        self.args = args

    def scalar(self, param: Param) -> int:
        value = self.args[param.name]
        assert isinstance(value, int)
        return value

    def element(self, param: Param, index: int) -> int | None:
        given = self.args.get(param.name)
        if given is None:
            return param.table.values[index] if param.table else 0
        assert isinstance(given, Sequence)
        return given[index] if index < len(given) else 0


class Strict(Observer[int]):
    """Stops at what no range proof would let pass."""

    def __init__(self) -> None:
        self.count = 0

    def executed(self, state: State[int], insn: Insn) -> None:
        self.count += 1

    def skipped(self, state: State[int], insn: Insn) -> None:
        self.count += 1

    def branch(self, state: State[int], insn: Insn, target: int | None) -> None:
        self.count += 1

    def overflow(self, insn: Insn, value: int, bits: int) -> None:
        message = f"{value} does not fit in {bits} signed bits"
        raise fail("overflow", insn.span, message, trail=insn.trail)

    def bad_access(self, insn: Insn, code: str, message: str, help: str = "") -> None:
        raise fail(code, insn.span, message, trail=insn.trail, help=help)

    def unset(self, insn: Insn, what: str) -> None:
        raise fail(
            "uninitialised", insn.span, f"{what} is read before it is written", trail=insn.trail
        )

    def endless(self, label: Label) -> None:
        raise fail("assert-failed", Insn("", ()).span, f"more than {label.loop} rounds of a loop")

    def mark(self, state: State[int], mark: Mark, verdict: bool | None) -> None:
        if verdict is False:
            assert mark.pred is not None
            code = "ensures-refuted" if mark.kind == "ensures" else "assert-failed"
            raise fail(code, mark.span, f"does not hold: {mark.pred.text}", trail=mark.trail)


def execute(
    routine: Routine,
    args: Mapping[str, Argument],
    stage: Stage = "code",
    same: Mapping[str, str] | None = None,
) -> Outcome:
    """Runs `code` (over webs) or `final` (over physical registers) on integers.

    `args`: parameter -> number, or list of elements; tables default to their values, the rest to
    zeros. `same` maps
    a pointer to an earlier one it is equal to. Raises `Failed` at an overflow, a bad access or a
    broken assertion.
    """
    scalars = {name: value for name, value in args.items() if isinstance(value, int)}
    params = tuple(_sized(param, args) for param in routine.params)
    buffers = lay_out(params, scalars, exact_alignment=True, same=same)
    dom = Ints()
    call = begin(routine, dom, stage, _Arguments(args), buffers)
    watch = Strict()
    machine = Machine(dom, call.regions, watch)

    def mark(state: State[int], item: Mark) -> None:
        if item.pred is not None:
            watch.mark(
                state, item, Judge(dom, state, _elements(state, routine, buffers)).holds(item.pred)
            )

    whole = program(routine, stage)
    calls = Calls(dom, whole, call.objects, remember=False)
    end = Paths(machine, whole.items, mark, calls).run(call.state)
    assert end is not None
    return Outcome(
        _result(routine, end, stage),
        {p.name: _contents(end, p, buffers[p.name]) for p in params if p.name in buffers},
        watch.count,
    )


def _elements(
    state: State[int], routine: Routine, buffers: Mapping[str, Region]
) -> Callable[[Element], int]:
    by_name = {param.name: param for param in routine.params}

    def element(which: Element) -> int:
        return _contents(state, by_name[which.param], buffers[which.param])[which.index]

    return element


def _sized(param: Param, args: Mapping[str, Argument]) -> Param:
    """The parameter with the length of the list given for it, where the prototype has none."""
    from dataclasses import replace

    given = args.get(param.name)
    if not param.ctype.pointer or isinstance(given, int) or given is None:
        return param
    if param.ctype.count is None and param.length is None:
        return replace(param, ctype=replace(param.ctype, count=len(given)))
    return param


def _typed(value: int, bits: int, signed: bool) -> int:
    return Ints().s(value, bits) if signed else Ints().u(value, bits)


def _contents(state: State[int], param: Param, region: Region) -> list[int]:
    size = element_bytes(param)
    out = []
    for address in range(region.base, region.end - size + 1, size):
        value = state.memory.load(address, size)
        out.append(_typed(value or 0, param.ctype.bits, param.ctype.signed))
    return out


def _result(routine: Routine, end: State[int], stage: Stage) -> int | None:
    if routine.result is None:
        return None
    ctype, var = routine.result
    abi = routine.core.abi
    word = end.regs[physical(abi.result) if stage == "final" else var]
    if ctype.bits > abi.bits and stage == "final":
        high = end.regs[physical(abi.arguments[1])]
        word = Ints().u(word, abi.bits) | Ints().u(high, abi.bits) << abi.bits
    return _typed(word, ctype.bits, ctype.signed)


__all__ = ["Outcome", "execute", "vars_of"]
