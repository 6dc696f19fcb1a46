# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs the final instructions through the core's pricer: cycles and instructions of one call, and
bytes of code.

Parameters lie in RAM, those `in flash` below the bus boundary, all at least 4-aligned. Where public
data decides, the figures are the least and the most over all paths and lengths run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gen import isa
from gen.cores.issue import ACCUMULATE, ARITHMETIC, FLAGS
from gen.cores.price import STORES, Event, Neighbour, Pricer
from gen.ir.domains.halves import Range
from gen.ir.domains.taint import SECRET, Taint
from gen.ir.interp.entry import Call
from gen.ir.interp.frame_only import FrameOnly, bare
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.state import State
from gen.ir.ir import (
    Base,
    Cost,
    Half,
    Insn,
    Mem,
    Operand,
    Reg,
    RegList,
    Routine,
    Shift,
    Table,
    physical,
)
from gen.ir.ir import (
    Call as SubCall,
)
from gen.ir.program import Program, program
from gen.passes.idle import idle, rows
from gen.passes.running import cases, run
from gen.passes.secrecy import Secrets

DOM = Taint()
CODE = 0x08000000
WORD = 4
PC = physical("pc")
_BYTES = {"u8": 1, "i8": 1, "i16": 2, "u16": 2, "u64": 8}


class Tally(NamedTuple):
    """Cycles and instructions so far, each least and most, and the instruction before."""

    cycles: tuple[int, int] = (0, 0)
    instructions: tuple[int, int] = (0, 0)
    before: Neighbour = Neighbour()

    def plus(self, least: int, most: int, before: Neighbour, count: int = 1) -> Tally:
        (a, b), (c, d) = self.cycles, self.instructions
        return Tally((a + least, b + most), (c + count, d + count), before)


def hull(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
    return min(x[0], y[0]), max(x[1], y[1])


class Clock(Observer[Range]):
    """Prices what is executed; the tally travels in `state.extra`."""

    def __init__(self, routine: Routine) -> None:
        self.routine, self.core = routine, routine.core
        self.pricer = Pricer(routine.core)
        self.program = program(routine, "final")
        self.items = self.program.items
        self.addresses = _addresses(self.program)
        self.rows = rows(self.program, idle(self.program, self.core))
        self.known: dict[tuple[int, Neighbour], tuple[int, Neighbour]] = {}  # what rows cost
        self.events: dict[Insn, Event] = {}
        self.mem: int | None = None
        self.operands: tuple[int, int] | None = None
        self.machine: Machine[Range] | None = None

    def watching(self, call: Call[Range]) -> Machine[Range]:
        self.machine = FrameOnly(DOM, call.regions, self, SECRET, self.rows)
        bare(self.routine, call)
        call.state.extra = Tally()
        return self.machine

    def begins(self, state: State[Range], insn: Insn) -> None:
        self.mem, self.operands = None, None
        price = self.core.cycles[self._event(insn).kind]
        if price.data_dependent:
            self.operands = _operands(state, insn)

    def access(self, insn: Insn, address: Range, size: int, stored: bool) -> None:
        if self.mem is None:
            self.mem = DOM.exactly(address)

    def executed(self, state: State[Range], insn: Insn) -> None:
        event = self._event(insn)
        event.executed, event.mem, event.operands = True, self.mem, self.operands
        event.taken = event.kind == "return"
        self._step(state, event)

    def left_out(self, state: State[Range], count: int) -> None:
        tally: Tally = state.extra
        key = state.pc, tally.before
        if key not in self.known:
            self.known[key] = self._row(state.pc, count, tally.before)
        cycles, before = self.known[key]
        state.extra = tally.plus(cycles, cycles, before, count)

    def _row(self, start: int, count: int, before: Neighbour) -> tuple[int, Neighbour]:
        """Cycles of instructions that nothing but what came before them decides about; the last of them."""
        self.pricer.before = before
        insns = [item for item in self.items[start : start + count] if isinstance(item, Insn)]
        cycles = sum(self.pricer.step(self._event(insn)) for insn in insns)
        return cycles, self.pricer.before

    def skipped(self, state: State[Range], insn: Insn) -> None:
        event = self._event(insn)
        event.executed, event.taken = False, False
        self._step(state, event)

    def branch(self, state: State[Range], insn: Insn, target: int | None) -> None:
        event = self._event(insn)
        event.executed, event.taken = True, target is not None
        if target is not None:
            event.target_address, event.target_size = self._landing(target)
        self._step(state, event)

    def calls(self, state: State[Range], item: SubCall | Insn) -> tuple[Neighbour, Tally]:
        """The call itself is priced here; the sub starts from nothing but what came before it."""
        name = isa.callee(item) if isinstance(item, Insn) else None
        assert isinstance(item, Insn) and name is not None
        self.branch(state, item, self.program.subs[name].start)
        tally: Tally = state.extra
        return tally.before, Tally(before=tally.before)

    def returned(self, state: State[Range], item: SubCall | Insn, extra: Tally) -> None:
        """Adds what the sub took, and what it costs to arrive behind the call."""
        landing = self.pricer.landing(*self._landing(state.pc))
        tally: Tally = state.extra
        (a, b), (c, d) = tally.cycles, tally.instructions
        (e, f), (g, h) = extra.cycles, extra.instructions
        cycles, instructions = (a + e + landing, b + f + landing), (c + g, d + h)
        state.extra = Tally(cycles, instructions, extra.before)

    def met(self, x: State[Range], y: State[Range]) -> Tally:
        a: Tally = x.extra
        b: Tally = y.extra
        before = a.before if a.before == b.before else Neighbour()
        return Tally(hull(a.cycles, b.cycles), hull(a.instructions, b.instructions), before)

    def _step(self, state: State[Range], event: Event) -> None:
        tally: Tally = state.extra
        self.pricer.before = tally.before
        most = self.pricer.step(event)
        price = self.core.cycles[event.kind]
        unsure = event.executed and price.data_dependent and event.operands is None
        least = most - (price.high - price.low) if unsure else most
        state.extra = tally.plus(least, most, self.pricer.before)

    def _landing(self, target: int) -> tuple[int | None, int]:
        for at in range(target, len(self.items)):
            item = self.items[at]
            if isinstance(item, Insn):
                return self.addresses[item], isa.size(item)
        return None, 2

    def _event(self, insn: Insn) -> Event:
        if insn not in self.events:
            self.events[insn] = event_of(insn, self.addresses[insn])
        return self.events[insn]


def _addresses(whole: Program) -> dict[Insn, int]:
    """Where each instruction stands; `reach` has made all alignment into instructions.

    Each piece begins at a word.
    """
    out, at = {}, CODE
    for piece in whole.pieces:
        at += -at % WORD
        for item in whole.items[piece.start : piece.end]:
            if isinstance(item, Insn):
                out[item] = at
                at += isa.size(item)
    return out


def _moved_bases(insn: Insn) -> set[str]:
    """Bases that are written back: known early, they are no results to wait for."""
    found = set()
    for op in insn.roles.values():
        if isinstance(op, Mem) and op.mode != "offset":
            found.add(op.base.name)
        elif isinstance(op, Base) and op.writeback:
            found.add(op.var.name)
    assert insn.form is not None
    if "sp" in insn.form.effects.writes and _lists(insn):
        found.add("sp")
    return found


def _flags(names: frozenset[str]) -> set[str]:
    """All flags are one name; those that only ever add up wait for nothing."""
    return {FLAGS} if names & ARITHMETIC else set()


def _shifted(insn: Insn) -> tuple[str, ...]:
    """The operand that goes through the shifter."""
    found = any(isinstance(op, Shift) for op in insn.roles.values())
    second = insn.roles.get("m")
    return (second.var.name,) if found and isinstance(second, Reg) else ()


def _late(insn: Insn) -> tuple[str, ...]:
    """What is stored; what is added to a product."""
    assert insn.form is not None
    roles = insn.form.roles
    held = {r.name: insn.roles[r.name] for r in roles}
    names = {name: op.var.name for name, op in held.items() if isinstance(op, Reg | Half)}
    if insn.form.kind in STORES:
        lists = [var.name for op in _lists(insn) for var in op.vars]
        return tuple(sorted({*names.values(), *lists}))
    if insn.form.kind not in ACCUMULATE:
        return ()
    added = {names[r.name] for r in roles if r.access == "rw" or r.name == "a"}
    return tuple(sorted(added - {names[name] for name in ("n", "m")}))


def _lists(insn: Insn) -> list[RegList]:
    return [op for op in insn.roles.values() if isinstance(op, RegList)]


def _fp_words(name: str) -> int:
    return 2 if name.startswith("d") else 1


def event_of(insn: Insn, address: int, size: int = 0) -> Event:
    """The event of an instruction, as far as it does not depend on the execution. `size`: 0 if it is decided."""
    form = insn.form
    assert form is not None
    mems = [op for op in insn.roles.values() if isinstance(op, Mem)]
    lists = _lists(insn)
    written = {var.name for var in isa.writes(insn)} - _moved_bases(insn) - {"pc"}
    read = {var.name for var in isa.reads(insn)}
    stack = "sp" in form.effects.writes and bool(lists)
    address_regs = () if stack else tuple(var.name for var in isa.address_vars(insn))
    kind = form.kind
    if PC in isa.writes(insn) and form.loads:
        kind = "return"
    return Event(
        kind,
        size or isa.size(insn),
        address,
        reads=tuple(sorted(read | _flags(isa.flags_used(insn)))),
        writes=tuple(sorted(written | _flags(isa.flags_set(insn)))),
        address_regs=address_regs if form.loads or form.stores else (),
        shifted=_shifted(insn) if kind == "alu" else (),
        late=_late(insn),
        words=_words(insn, form.kind, lists),
        bytes=form.size_bytes if form.kind in ("load", "store") else 4,
        regoffset=any(mem.index is not None for mem in mems),
    )


def _words(insn: Insn, kind: str, lists: list[RegList]) -> int:
    if lists:
        return sum(_fp_words(var.name) for var in lists[0].vars)
    if kind in ("loadpair", "storepair"):
        return 2
    if kind in ("vload", "vstore"):
        first: Operand = next(iter(insn.roles.values()))
        return _fp_words(first.var.name) if isinstance(first, Reg) else 1
    return 0


def _operands(state: State[Range], insn: Insn) -> tuple[int, int] | None:
    """The two source values of a multiplication or division, where they are known."""
    values = []
    for name in ("n", "m"):
        op = insn.roles.get(name)
        word = state.regs.get(op.var) if isinstance(op, Reg) else None
        value = None if word is None else DOM.exactly(word)
        if value is None:
            return None
        values.append(value % (1 << 32))
    return values[0], values[1]


def code_bytes(routine: Routine) -> int:
    """Bytes of the instructions, those of subs and what aligns them included."""
    addresses = _addresses(program(routine, "final"))
    last = max(addresses, key=lambda insn: addresses[insn])
    return addresses[last] + isa.size(last) - CODE


def rodata_bytes(routine: Routine) -> int:
    """Bytes of the tables that come with the routine."""
    return sum(map(table_bytes, routine.tables))


def table_bytes(table: Table) -> int:
    return _BYTES.get(table.type, 4) * len(table.values)


def timing(routine: Routine) -> Routine:
    """The pass: fills `cost`."""
    cycles: list[tuple[int, int]] = []
    instructions: list[tuple[int, int]] = []
    clock = Clock(routine)
    for scalars in cases(routine):
        ending = run(
            routine, clock.watching, DOM, Secrets(scalars), "final", scalars, exact_alignment=False
        )
        if ending.state is not None:
            tally: Tally = ending.state.extra
            cycles.append(tally.cycles)
            instructions.append(tally.instructions)
    cost = Cost(_all(cycles), _all(instructions), code_bytes(routine), rodata_bytes(routine))
    return replace(routine, cost=cost)


def _all(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    return min(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
