# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A register for each web: pins, parameters and register lists first, then a colouring.

Parameters in registers stay where the caller puts them, as long as they are needed; the result
ends in r0. Nothing is moved: what cannot be placed is an error. Few callee-saved registers are
used, low ones where that makes encodings short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from gen import isa
from gen.diag import fail
from gen.ir.interp.abi import places as argument_places
from gen.ir.interp.entry import vars_of
from gen.ir.ir import Insn, RegList, Routine, Var, physical
from gen.passes.calls import call_pins, call_rules, open_registers, spoilt
from gen.passes.colour import STEPS, Colouring, Rule
from gen.passes.dataflow import FLAGS, Flow
from gen.passes.fp import fp_places
from gen.passes.liveness import results
from gen.passes.pressure import check_pressure
from gen.passes.segments import Segments

BANKS = ("core", "v")  # register files, each coloured on its own
LOW = 8  # registers below are the low ones
LONGEST, MOST_TRIED = 40, 500  # segments of a chain, and chains, that _shorten looks at
FIRST_TRY = 300  # exchanges before one more callee-saved register is taken


def allocate(routine: Routine) -> Routine:
    """The pass. Raises `Failed`: reg-pressure, no-colouring."""
    if routine.places:  # they come with an order
        return routine
    flow = Flow(routine.issued, results(routine))
    found = fp_places(routine, flow)
    none = (*FLAGS.values(), *flow.homes.values(), *found)
    for bank in BANKS:
        others = (var for var in flow.vars if isa.bank(var) != bank)
        found |= _file(routine, Segments(flow, (*none, *others)), bank)
    return replace(routine, places=found)


def _file(routine: Routine, segments: Segments, bank: str) -> dict[Var, str]:
    """Registers of one file for the webs that live in it."""
    if not segments.rows:
        return {}
    check_pressure(routine, segments, len(open_registers(routine, bank)))
    task = _task(routine, segments, bank)
    _check_pins(task)
    _check_lists(task)
    colouring = _coloured(routine, task)
    _shorten(task, colouring)
    webs = segments.flow.vars
    return {
        webs[row.web]: task.names[colouring.colour[number]]
        for number, row in enumerate(segments.rows)
    }


@dataclass(frozen=True)
class _Task:
    """What `Colouring` is to solve. Colours are register numbers."""

    bank: str  # the register file
    segments: Segments
    rules: tuple[Rule, ...]
    pins: Mapping[Var, tuple[str, str]]  # web -> register it must have, and why
    names: Mapping[int, str]  # colour -> register
    gain: tuple[int, ...]  # per segment: instructions that a low register may shorten


def _task(routine: Routine, segments: Segments, bank: str) -> _Task:
    every = routine.core.registers if bank == "core" else routine.core.abi.vectors
    pins = _pins(routine, segments, every)
    names = {isa.number(physical(name)): name for name in every}
    rules = [
        *(Rule("same", a, b) for row in segments.of.values() for a, b in pairwise(row)),
        *_listed(segments, bank),
        *call_rules(routine, segments, bank),
    ]
    for var, (name, _) in pins.items():
        mask = 1 << isa.number(physical(name))
        rules += [Rule("among", number, mask=mask) for number in segments.of[var]]
    return _Task(bank, segments, tuple(rules), pins, names, _gains(segments))


def _pins(
    routine: Routine, segments: Segments, every: tuple[str, ...]
) -> dict[Var, tuple[str, str]]:
    """Registers that are given: by the author, by the calling convention."""
    pins: dict[Var, tuple[str, str]] = {}

    def pin(var: Var, name: str, why: str) -> None:
        if var not in segments.of:
            return
        if name not in every:
            text = f"{var.name} is to be in {name}, which is not open to routines here"
            raise fail("no-colouring", var.span, text)
        if pins.get(var, (name, ""))[0] != name:
            other, reason = pins[var]
            raise fail(
                "no-colouring",
                var.span,
                f"{var.name} must be in {other} ({reason}) and in {name} ({why})",
                help=_copy(var),
            )
        pins[var] = (name, why)

    abi = routine.core.abi
    for param, where in zip(routine.params, argument_places(routine.params, abi), strict=True):
        for var, place in zip(vars_of(param), where, strict=True):
            if place.register is not None:
                pin(var, place.register, f"parameter {param.name}")
    for var in results(routine) if routine.contract is None else ():
        pin(var, abi.result, "the result")
    for var, name, why in call_pins(segments):
        pin(var, name, why)
    for var in segments.of:
        if var.pin is not None:
            pin(var, var.pin, f"@ {var.pin}")
    return pins


def _copy(var: Var) -> str:
    """The help that ends a conflict of pins."""
    copy = isa.render(isa.build.move(Var("NAME"), Var(var.name)), lambda one: one.name)
    return f"copy {var.name} into another register: {copy}".replace("\t", " ")


def _listed(segments: Segments, bank: str) -> Iterator[Rule]:
    """Ascending lists, and registers of one instruction that must differ."""
    for at, item in enumerate(segments.flow.items):
        if not isinstance(item, Insn) or item.form is None:
            continue
        for role in item.form.roles:
            op = item.roles[role.name]
            if isinstance(op, RegList) and role.enc == bank:
                position = 3 * at + (2 if "w" in role.access else 1)
                row = [_need(segments, var, position) for var in op.vars]
                yield from (Rule("below", a, b) for a, b in pairwise(row))
        for x, y in isa.distinct(item):
            if {isa.bank(x), isa.bank(y)} != {bank}:
                continue
            found = [_either(segments, var, at) for var in (x, y)]
            yield Rule("differ", found[0], found[1])


def _need(segments: Segments, var: Var, position: int) -> int:
    number = segments.at(var, position)
    assert number is not None, var
    return number


def _either(segments: Segments, var: Var, at: int) -> int:
    """The segment that an instruction reads or, if it does not, writes."""
    number = segments.at(var, 3 * at + 1)
    return _need(segments, var, 3 * at + 2) if number is None else number


def _gains(segments: Segments) -> tuple[int, ...]:
    """For each segment the instructions with a short form for low registers that use it."""
    count: dict[Var, int] = {}
    for item in segments.flow.items:
        if isinstance(item, Insn) and item.form is not None and "low" in item.form.narrow:
            for var in {*isa.reads(item), *isa.writes(item)}:
                count[var] = count.get(var, 0) + 1
    return tuple(count.get(segments.flow.vars[row.web], 0) for row in segments.rows)


def _check_pins(task: _Task) -> None:
    """Two webs that need one register at the same time are named without a search."""
    owner: dict[str, list[tuple[int, int, Var]]] = {}
    for var, (name, _) in task.pins.items():
        rows = [task.segments.rows[n] for n in task.segments.of[var]]
        owner.setdefault(name, []).extend((row.start, row.end, var) for row in rows)
    for name, rows_of in owner.items():
        spans = sorted(rows_of, key=lambda row: row[:2])
        for (_, end, first), (start, _, second) in pairwise(spans):
            if start <= end and first is not second:
                raise fail(
                    "no-colouring",
                    second.span,
                    f"{name} is needed for {first.name} ({task.pins[first][1]}) and "
                    f"{second.name} ({task.pins[second][1]}) at the same time",
                    help=_copy(first),
                )


def _check_lists(task: _Task) -> None:
    """Lists that no numbering can meet are named without a search: lower bounds grow too high."""
    rows, names = task.segments.rows, task.segments.flow.vars
    orders = [
        (names[rows[rule.first].web], names[rows[rule.second].web])
        for rule in task.rules
        if rule.kind == "below"
    ]
    colours = sorted(task.names)
    least = {var: colours[0] for pair in orders for var in pair}
    most = dict.fromkeys(least, colours[-1])
    for var in least:
        if var in task.pins:
            least[var] = most[var] = isa.number(physical(task.pins[var][0]))
    changed = True
    while changed:
        changed = False
        for low, high in orders:
            if least[high] <= least[low]:
                least[high] = least[low] + 1
                changed = True
            if least[high] > most[high]:
                raise fail(
                    "no-colouring",
                    high.span,
                    f"{low.name} cannot be below {high.name} in every register list and meet "
                    "the pins",
                    help="write the lists in one order, or unpin one of the registers",
                )


# --- the search ----------------------------------------------------------------------------------


def _coloured(routine: Routine, task: _Task) -> Colouring:
    """The colouring with the fewest callee-saved registers that is found."""
    levels = list(_levels(routine, task, open_registers(routine, task.bank)))
    for place, allowed in enumerate(levels):
        colours = sorted(isa.number(physical(name)) for name in allowed)
        high_first = sorted(colours, key=lambda c: (c < LOW, -c))
        liked = [colours if gain else high_first for gain in task.gain]
        colouring = Colouring(task.segments.rows, task.rules, liked)
        colouring.sweep()
        if colouring.repair(STEPS if place + 1 == len(levels) else FIRST_TRY):
            return colouring
    raise _none(routine, task, colouring)


def _levels(routine: Routine, task: _Task, core: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Sets of registers to try: caller-saved ones, then callee-saved ones two by two.

    LR is saved with any of the others, and then as good as they are.
    """
    abi = routine.core.abi
    pinned = {name for name, _ in task.pins.values()} | spoilt(routine)
    most = task.segments.fullest()[1]
    if routine.contract is not None:
        # LR costs a push, the others nothing
        yield from (
            level for level in (core[:-1] if abi.link in core else (), core) if len(level) >= most
        )
        return
    base = [name for name in core if name not in (*abi.kept, *abi.kept_fp, abi.link)]
    rest = [name for name in core if name not in base]
    rest.sort(key=lambda name: (name not in pinned, name != abi.link, isa.number(physical(name))))
    for count in (0, *range(2, len(rest) + 1, 2), len(rest)):
        level = (*base, *rest[:count])
        if len(level) >= most and pinned & set(core) <= set(level):
            yield level


def _none(routine: Routine, task: _Task, colouring: Colouring) -> Exception:
    """The error when no colouring was found: which constraints were left over."""
    rows, names = task.segments.rows, task.segments.flow.vars
    details = []
    for number in sorted(colouring.broken):
        rule = task.rules[number]
        first = names[rows[rule.first].web]
        second = names[rows[rule.second].web] if rule.second >= 0 else None
        details.append(_sentence(task, rule, first, second))
    culprit = names[rows[task.rules[min(colouring.broken)].first].web]
    span = culprit.span if culprit.span.source.path == routine.source else routine.span
    return fail(
        "no-colouring",
        span,
        f"the registers suffice for all {task.segments.fullest()[1]} live values, "
        "but no assignment meets the constraints",
        details=tuple(dict.fromkeys(details))[:5],
        help="unpin one of them, copy it to another register, or split the register list",
    )


def _sentence(task: _Task, rule: Rule, first: Var, second: Var | None) -> str:
    if second is None:
        name, why = task.pins[first]
        return f"{first.name} could not be in {name} ({why})"
    return {
        "same": f"{first.name} could not keep one register around a loop or choice",
        "differ": f"{first.name} and {second.name} could not differ",
        "below": f"{first.name} could not be below {second.name} in a register list",
    }[rule.kind]


def _shorten(task: _Task, colouring: Colouring) -> None:
    """Exchanges high registers for low ones where more short encodings come out of it.

    First everywhere, then on short chains.
    """
    lows = [colour for colour in colouring.lanes if colour < LOW]
    for high in (colour for colour in colouring.lanes if colour >= LOW):
        for low in lows:
            both = [number for c in (high, low) for number in colouring.members(c)]
            _exchange_if_shorter(task, colouring, sorted(both), high, low)
    for number in sorted(range(len(task.gain)), key=lambda n: -task.gain[n])[:MOST_TRIED]:
        high = colouring.colour[number]
        if high >= LOW and task.gain[number]:
            for low in lows:
                chain = colouring.chain(number, high, low, LONGEST)
                if _exchange_if_shorter(task, colouring, chain, high, low):
                    break


def _exchange_if_shorter(
    task: _Task, colouring: Colouring, chain: list[int], high: int, low: int
) -> bool:
    better = sum(task.gain[s] if colouring.colour[s] == high else -task.gain[s] for s in chain)
    if better > 0 and colouring.gain(chain, high, low) == 0:
        colouring.exchange(chain, high, low)
        return True
    return False
