# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs `code` over defined and undefined: every half of a register, every flag, home and byte is
written before it is read, and every byte of an `out` buffer of fixed length is written by the end.
"""

from __future__ import annotations

from collections.abc import Mapping

from gen import isa
from gen.ir.domains.defined import BOTTOM, NOTHING, TOP, Defined, missing_of
from gen.ir.domains.halves import Range
from gen.ir.interp.entry import Call
from gen.ir.interp.machine import Machine
from gen.ir.ir import Insn, Label, Param, Routine, Var
from gen.passes.running import Ending, Reporter, cases, promised, run, shown

_HALVES = {BOTTOM: "the bottom half of ", TOP: "the top half of ", BOTTOM | TOP: ""}


class Arguments:
    """Arguments are defined; `out` buffers are not."""

    def __init__(self, dom: Defined, scalars: Mapping[str, int]) -> None:
        self.dom, self.scalars = dom, scalars

    def scalar(self, param: Param) -> Range:
        if param.name in self.scalars:
            return self.dom.const(self.scalars[param.name])
        return self.dom.unknown(*promised(param))

    def element(self, param: Param, index: int) -> Range | None:
        if param.table is not None:
            return self.dom.const(param.table.values[index])
        return None if param.role == "out" else self.dom.unknown(*promised(param))


class Hollow(Machine[Range]):
    """A machine whose registers are undefined until they are written."""

    def register(self, var: Var) -> Range:
        return self.state.regs.setdefault(var, NOTHING)

    def store(self, address: Range, size: int, value: Range) -> None:
        if missing_of(value) & (BOTTOM if size <= 2 else BOTTOM | TOP):
            value = self.dom.add(value, self.const(0))  # reports it
        super().store(address, size, value if size == 4 else self.dom.u(value, 8 * size))

    def load(self, address: Range, size: int) -> Range:
        if missing_of(address):
            address = self.dom.add(address, self.const(0))
        return super().load(address, size)


class Watch(Reporter[Range]):
    """Errors of the run."""

    def __init__(self) -> None:
        super().__init__()
        self.dom = Defined(self.missing)
        self.machine: Machine[Range] | None = None

    def watching(self, call: Call[Range]) -> Machine[Range]:
        self.machine = Hollow(self.dom, call.regions, self)
        return self.machine

    def missing(self, halves: int) -> None:
        """An undefined half was used by the instruction that is being executed."""
        assert self.machine is not None
        insn, regs = self.machine.insn, self.machine.state.regs
        read = isa.reads(insn) if insn.form is not None else ()
        names = [var.name for var in read if missing_of(regs.get(var, NOTHING)) & halves]
        what = " and ".join(f"{_HALVES[halves]}{name}" for name in names) or "a value"
        self.unset(insn, what)

    def unset(self, insn: Insn, what: str) -> None:
        self.error(
            "uninitialised",
            insn,
            f"{what} is read before it is written" + (f" by `{shown(insn)}`" if insn.form else ""),
        )

    def bad_access(self, insn: Insn, code: str, message: str, help: str = "") -> None:
        if code == "uninitialised":
            self.error(code, insn, message)

    def endless(self, label: Label) -> None:
        """The interval run's business."""


def _check_outputs(watch: Watch, routine: Routine, ending: Ending[Range]) -> None:
    assert ending.state is not None
    for param in routine.params:
        if param.role != "out" or not param.ctype.pointer or param.ctype.count is None:
            continue
        region = ending.call.buffers[param.name]
        memory = ending.state.memory
        for address in range(region.base, region.end):
            if memory.load(address, 1) is None:
                watch.bag.error(
                    "uninitialised",
                    param.span,
                    f"{param.name} is `out`, but its byte {address - region.base} is never written",
                    help=f"declare it `inout`: param {param.name}",
                )
                break


def initialised(routine: Routine) -> Routine:
    """The pass. Raises `Failed` with uninitialised."""
    watch = Watch()
    for scalars in cases(routine):
        filling = Arguments(watch.dom, scalars)
        ending = run(routine, watch.watching, watch.dom, filling, "code", scalars, partly=False)
        if ending.state is not None:
            _check_outputs(watch, routine, ending)
    watch.bag.close()
    return routine
