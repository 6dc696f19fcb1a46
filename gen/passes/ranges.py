# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs `code` over intervals: nothing leaves an exact range, every access is in bounds and aligned,
every assertion follows, and the postconditions hold for each element.

Fills `bounds` (the proved range of what each buffer holds at return) and `open_claims` (claims no
`ensures` covers).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from gen.ir.claims import open_claims
from gen.ir.domains.halves import Range
from gen.ir.domains.interval import Intervals
from gen.ir.interp.entry import element_bytes
from gen.ir.interp.machine import Machine
from gen.ir.interp.preds import Judge, Unreadable, believe
from gen.ir.interp.state import State
from gen.ir.ir import Half, Insn, Label, Mark, Param, Reg, Routine
from gen.ir.program import program
from gen.passes.running import Ending, Reporter, aliases, cases, promised, run, shown, type_range

DOM = Intervals()
Pair = tuple[int, int]


class Promises:
    """Arguments as the preconditions promise them; `out` buffers hold nothing yet."""

    def __init__(self, scalars: Mapping[str, int]) -> None:
        self.scalars = scalars

    def scalar(self, param: Param) -> Range:
        if param.name in self.scalars:
            return DOM.const(self.scalars[param.name])
        return DOM.unknown(*promised(param))

    def element(self, param: Param, index: int) -> Range | None:
        if param.table is not None:
            return DOM.const(param.table.values[index])
        if param.role == "out":
            return None
        return DOM.unknown(*promised(param))


class Watch(Reporter[Range]):
    """Errors of the interval run."""

    def __init__(self) -> None:
        super().__init__()
        self.before: dict[str, Range] = {}

    def begins(self, state: State[Range], insn: Insn) -> None:
        self.state = state

    def overflow(self, insn: Insn, value: Range, bits: int) -> None:
        limit = 1 << (bits - 1)
        self.error(
            "overflow",
            insn,
            f"`{shown(insn)}` can give {value}, outside [{-limit}, {limit - 1}]",
            details=self._operands(insn),
            help="reduce an operand before, or state a tighter bound where it comes from",
        )

    def _operands(self, insn: Insn) -> tuple[str, ...]:
        """What the operands can be."""
        rows: dict[str, None] = {}
        source = (insn.origin or insn).ops
        for op, written in zip(insn.ops, source, strict=False):
            if (
                isinstance(op, Reg | Half)
                and isinstance(written, Reg | Half)
                and op.var in self.state.regs
            ):
                rows[described(written, self.state.regs[op.var])] = None
        return tuple(rows)

    def bad_access(self, insn: Insn, code: str, message: str, help: str = "") -> None:
        if code != "uninitialised":  # another pass's
            self.error(code, insn, message, help=help)

    def endless(self, label: Label) -> None:
        self.bag.error(
            "assert-failed",
            label.span if hasattr(label, "span") else Insn("", ()).span,
            f"the loop can begin round {label.loop + 1}, it promises at most {label.loop}",
        )


def described(operand: Reg | Half, word: Range) -> str:
    """`x.b in [-5, 5]`."""
    if isinstance(operand, Half):
        value = DOM.half(word, operand.which == "t")
        return f"{operand.var.name}.{operand.which} in {value}"
    if operand.var.type == "i16x2":
        halves = (DOM.half(word, top) for top in (False, True))
        return ", ".join(
            f"{operand.var.name}.{which} in {half}"
            for which, half in zip("bt", halves, strict=True)
        )
    value = DOM.s(word, 32) if operand.var.type in ("i32", "i16") else DOM.u(word, 32)
    return f"{operand.var.name} in {value}"


class Marks:
    """Asserts are proved; claims and `ensures` are believed, the latter because the prover refutes
    wrong ones."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def __call__(self, state: State[Range], mark: Mark) -> None:
        if mark.pred is None:
            return
        verdict = Judge(DOM, state).holds(mark.pred)
        if mark.kind == "assert" and verdict is not True:
            self._failed("assert-failed", state, mark, verdict)
        elif verdict is False:
            code = "ensures-refuted" if mark.kind == "ensures" else "assert-failed"
            self._failed(code, state, mark, verdict)
        believe(DOM, state, mark.pred)

    def _failed(self, code: str, state: State[Range], mark: Mark, verdict: bool | None) -> None:
        assert mark.pred is not None
        how = "is false here" if verdict is False else "does not follow from the ranges here"
        self.watch.bag.error(
            code,
            mark.span,
            f"`{mark.pred.text}` {how}",
            trail=mark.trail,
            details=_facts(state, mark),
            help="tighten a bound before, or distinguish cases: split x at 0"
            if verdict is None
            else "",
        )


def _facts(state: State[Range], mark: Mark) -> tuple[str, ...]:
    """What is known of the names in a condition."""
    assert mark.pred is not None
    judge, rows = Judge(DOM, state), []
    names = {node.id for node in ast.walk(mark.pred.node) if isinstance(node, ast.Name)}
    for name in sorted(names & mark.pred.env.keys()):
        subject = mark.pred.env[name]
        try:
            if isinstance(subject, Reg) and subject.var.type == "i16x2":
                rows.append(described(subject, state.regs[subject.var]))
            else:
                rows.append(f"{name} in {judge.value(subject)}")
        except (Unreadable, KeyError):
            rows.append(f"{name} has no value here")
    return tuple(rows)


# --- postconditions ---


def contents(ending: Ending[Range], param: Param) -> list[Range | None]:
    """The elements of a buffer at return; None where nothing was written."""
    assert ending.state is not None
    region, size = ending.call.buffers[param.name], element_bytes(param)
    out: list[Range | None] = []
    for address in range(region.base, region.end - size + 1, size):
        value = ending.state.memory.load(address, size)
        bits = param.ctype.bits
        if value is not None:
            value = DOM.s(value, bits) if param.ctype.signed else DOM.u(value, bits)
        out.append(value)
    return out


def _check_post(watch: Watch, param: Param, elements: list[Range | None]) -> Pair | None:
    """Compares each element with the postcondition; the hull of all."""
    known = [(index, value) for index, value in enumerate(elements) if value is not None]
    if not known:
        return None
    for bound in param.post:
        bad = [(i, v) for i, v in known if v.lo < bound.lo or v.hi > bound.hi]
        if bound.kind == "each" and bad:
            worst = max(bad, key=lambda item: max(bound.lo - item[1].lo, item[1].hi - bound.hi))
            watch.bag.error(
                "post-failed",
                param.span,
                f"`{bound.text}` does not follow for {len(bad)} of {len(elements)} elements",
                details=(f"{param.name}[{worst[0]}] in {worst[1]} at return",),
            )
    return min(v.lo for _, v in known), max(v.hi for _, v in known)


def assumed(routine: Routine) -> tuple[str, ...]:
    """What remains assumed: open claims, and bounds of limbs as one number, which no interval shows."""
    claims = open_claims(
        item
        for piece in program(routine, "code").pieces
        for item in piece.routine.code
        if isinstance(item, Mark)
    )
    values = (b.text for param in routine.params for b in param.post if b.kind == "value")
    return tuple(dict.fromkeys((*claims, *values)))


def ranges(routine: Routine) -> Routine:
    """The pass. Raises `Failed` with overflow, assert-failed, post-failed, out-of-bounds,
    misaligned."""
    watch = Watch()
    bounds: dict[str, Pair] = {}
    for scalars, same in product(cases(routine), tuple(aliases(routine))):
        ending = run(
            routine,
            lambda call: Machine(DOM, call.regions, watch),
            DOM,
            Promises(scalars),
            "code",
            scalars,
            Marks(watch),
            same=same,
        )
        if ending.state is None:
            continue
        for param in routine.params:
            if param.ctype.pointer and param.role != "in":
                hull = _check_post(watch, param, contents(ending, param))
                if hull is not None:
                    old = bounds.get(param.name, hull)
                    bounds[param.name] = min(old[0], hull[0]), max(old[1], hull[1])
    watch.bag.close()
    return replace(routine, bounds=bounds, open_claims=assumed(routine))


__all__ = ["contents", "ranges", "type_range"]
