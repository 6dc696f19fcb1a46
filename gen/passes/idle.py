# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which instructions a run may leave out when it asks where a routine goes and what it touches, not what it
computes: those whose results reach no condition, no address and no operand that a price depends on.

Liveness backwards over the final code, where a result counts as read only if the reader's own result does. A run
that leaves an instruction out must take what it writes for unknown, so that an error here costs knowledge, not truth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gen import isa
from gen.cores.core import Core
from gen.ir.interp.frame_only import Row
from gen.ir.ir import Insn, Mem, Reg, Var, physical
from gen.ir.program import Piece, Program
from gen.passes.dataflow import FLAGS, Homes, blocks, effects

SP = physical("sp")
Slot = tuple[str, int]  # routine or sub, word from SP
WORD = 4
_PAIRS = frozenset({"loadpair", "storepair"})
_GOING = frozenset({"branch", "call", "return"})


@dataclass(frozen=True, slots=True)
class _Line:
    """One instruction as sets of Vars (bit masks)."""

    insn: Insn
    used: int
    written: int
    killed: int  # written whatever the condition
    always: int  # read whether or not a result is
    stays: bool  # executed in any case


def idle(whole: Program, core: Core) -> frozenset[Insn]:
    """The instructions that may be left out."""
    slots: frozenset[Slot] = frozenset()
    while not (found := _Needs(whole, core, slots)).slots <= slots:
        slots |= found.slots
    return frozenset(line.insn for line in found.spare)


def rows(whole: Program, left_out: Collection[Insn]) -> Mapping[int, Row]:
    """Instructions that are left out one behind the other, by the index of the first."""
    out: dict[int, Row] = {}
    numbered = enumerate(whole.items)
    for spare, group in groupby(numbered, lambda one: one[1] in left_out):
        if spare:
            members = [(at, item) for at, item in group if isinstance(item, Insn)]
            out[members[0][0]] = _row([insn for _, insn in members])
    return out


def _row(insns: Sequence[Insn]) -> Row:
    regs = dict.fromkeys(var for insn in insns for var in isa.writes(insn))
    flags = {flag for insn in insns for flag in isa.flags_set(insn)}
    return Row(len(insns), tuple(regs), tuple(sorted(flags)))


class _Needs:
    """One solution, where what is stored in the frame counts in `asked` slots; `slots`: those that ask for it."""

    def __init__(self, whole: Program, core: Core, asked: frozenset[Slot]) -> None:
        self.whole, self.core, self.asked = whole, core, asked
        self.numbers: dict[Var, int] = {}
        self.entry: dict[str, int] = {}  # what a sub needs of its caller
        self.spare: list[_Line] = []
        self.slots: set[Slot] = set()
        for piece in (*whole.subs.values(), whole.main):  # a sub calls those before it
            self._solve(piece)

    def mask(self, group: Iterable[Var]) -> int:
        out = 0
        for var in group:
            out |= 1 << self.numbers.setdefault(var, len(self.numbers))
        return out

    def _solve(self, piece: Piece) -> None:
        items = self.whole.items[piece.start : piece.end]
        name = piece.routine.name
        lines = [self._line(item, name) if isinstance(item, Insn) else None for item in items]
        flow = blocks(items)
        contract = piece.routine.contract
        at_exit = self.mask([SP] if contract is None else [SP, *_pinned(contract.outs)])
        live = [0] * (len(flow) + 1)
        changed = True
        while changed:
            changed = False
            for number in range(len(flow) - 1, -1, -1):
                out = self._behind(live, flow[number].after, at_exit)
                for line in _back(lines, flow[number].start, flow[number].end):
                    out = _before(line, out)
                changed |= out != live[number]
                live[number] = out
        for one in flow:
            out = self._behind(live, one.after, at_exit)
            for line in _back(lines, one.start, one.end):
                self._judge(line, out, name)
                out = _before(line, out)
        self.entry[name] = live[0]

    @staticmethod
    def _behind(live: list[int], after: Iterable[int], at_exit: int) -> int:
        out = 0
        for other in after:
            out |= live[other]
        return out or at_exit

    def _judge(self, line: _Line, out: int, piece: str) -> None:
        form, counts = line.insn.form, bool(line.written & out)
        assert form is not None
        if not line.stays and not counts:
            self.spare.append(line)
        if counts and form.loads:
            self.slots |= _slots(line.insn, piece)

    def _line(self, insn: Insn, piece: str) -> _Line:
        reads, writes = effects(insn, Homes())
        written = self.mask(writes)
        name = isa.callee(insn)
        if name is not None:
            return self._call(insn, name, written)
        form = insn.form
        assert form is not None
        memory = form.loads or form.stores
        going = form.kind in _GOING or insn.cond is not None or SP in writes
        whole = going and not memory or form.stores and self.asked & _slots(insn, piece)
        wanted = list(reads) if whole else list(isa.address_vars(insn))
        if insn.cond is not None:
            wanted += [FLAGS[flag] for flag in isa.flags_used(insn)]
        unsteady = self.core.cycles[form.kind].data_dependent
        if unsteady:
            wanted += [op.var for op in map(insn.roles.get, ("n", "m")) if isinstance(op, Reg)]
        killed, always = written if insn.cond is None else 0, self.mask(wanted)
        used = always if memory else self.mask(reads)
        return _Line(insn, used, written, killed, always, memory or going or unsteady)

    def _call(self, insn: Insn, name: str, written: int) -> _Line:
        contract = self.whole.subs[name].routine.contract
        assert contract is not None
        spoilt = written | self.mask(physical(one) for one in contract.spoils)
        need = self.entry[name] | self.mask([SP])
        return _Line(insn, need, spoilt, spoilt, need, True)


def _slots(insn: Insn, piece: str) -> frozenset[Slot]:
    """The words of the frame at constant places from SP that are accessed."""
    places = [
        op.offset.value // WORD
        for op in insn.roles.values()
        if isinstance(op, Mem) and op.base == SP and op.index is None
    ]
    assert insn.form is not None
    words = max(1, insn.form.size_bytes // WORD) * (2 if insn.form.kind in _PAIRS else 1)
    return frozenset((piece, at + more) for at in places for more in range(words))


def _back(lines: list[_Line | None], start: int, end: int) -> Iterator[_Line]:
    for at in range(end - 1, start - 1, -1):
        line = lines[at]
        if line is not None:
            yield line


def _before(line: _Line, out: int) -> int:
    """What counts before an instruction, given what does behind it."""
    used = line.used | line.always if line.written & out else line.always
    return out & ~line.killed | used


def _pinned(outs: Iterable[Var]) -> Iterator[Var]:
    return (physical(var.pin or "") for var in outs)
