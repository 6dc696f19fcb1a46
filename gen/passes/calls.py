# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What calls and a sub's contract ask of the allocation: pins, and registers that a call spoils."""

from __future__ import annotations

from collections.abc import Iterator

from gen import isa
from gen.diag import fail
from gen.ir.ir import Call, Routine, Var, physical
from gen.passes.colour import Rule
from gen.passes.pressure import natural
from gen.passes.segments import Segments

Pin = tuple[Var, str, str]  # web, register, why


def open_registers(routine: Routine, bank: str = "core") -> tuple[str, ...]:
    """The registers of a bank (core or v) that a routine may use: of a sub those of its contract."""
    contract = routine.contract
    every = routine.core.registers if bank == "core" else routine.core.abi.vectors
    if contract is None:
        return every
    own = contract.clobbers | {var.pin for var in (*contract.ins, *contract.outs)}
    return tuple(name for name in every if name in own)


def spoilt(routine: Routine) -> set[str]:
    """Registers that the calls of a routine do not keep, and those they pass."""
    found: set[str] = set()
    for item in routine.code:
        if isinstance(item, Call):
            found |= item.contract.spoils | {var.pin or "" for var in item.contract.ins}
    return found


def call_pins(segments: Segments) -> Iterator[Pin]:
    """Arguments and results are where the contract says."""
    for item in segments.flow.items:
        if isinstance(item, Call):
            given = zip(item.ins, item.contract.ins, strict=True)
            for var, formal in (*given, *zip(item.outs, item.contract.outs, strict=True)):
                assert formal.pin is not None
                yield var, formal.pin, f"{formal.name} of {item.contract.name}"


def call_rules(routine: Routine, segments: Segments, bank: str) -> Iterator[Rule]:
    """What is alive across a call is in a register that the sub keeps. Errors: reg-pressure."""
    for at, item in enumerate(segments.flow.items):
        if not isinstance(item, Call):
            continue
        left = [name for name in open_registers(routine, bank) if name not in item.contract.spoils]
        across = list(_across(segments, item, at))
        if len(across) > len(left):
            names = sorted(
                {segments.flow.vars[segments.rows[n].web].name for n in across}, key=natural
            )
            raise fail(
                "reg-pressure",
                item.span,
                f"{len(across)} registers live across the call, {item.contract.name} keeps {len(left)}",
                trail=item.trail,
                details=("live: " + " ".join(names), "kept: " + " ".join(left)),
                help="`spill` one of them before, and `fill` it where it is needed",
            )
        mask = sum(1 << isa.number(physical(name)) for name in left)
        yield from (Rule("among", number, mask=mask) for number in across)


def _across(segments: Segments, item: Call, at: int) -> Iterator[int]:
    """The segments that go on behind a call and do not come from it."""
    position = 3 * at + 2
    for number, row in enumerate(segments.rows):
        if row.start <= position <= row.end and segments.flow.vars[row.web] not in item.outs:
            yield number
