# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Named carries: an instruction that reads one finds the flag as the instruction that named it
left it."""

from __future__ import annotations

from gen import isa
from gen.diag import Bag
from gen.ir.ir import Call, Insn, Var
from gen.passes.dataflow import SPOILT, Flow

Holders = dict[str, Var | None]  # flag -> the name it holds; None: something else set it


def check_carries(flow: Flow, bag: Bag) -> None:
    """Adds a carry-lost error for each read of a name that its flag may not hold any more."""
    entry: dict[int, Holders] = {0: {}}
    todo = [0]
    while todo:
        number = todo.pop()
        now = dict(entry[number])
        for item in _items(flow, number):
            _step(item, now)
        for after in flow.blocks[number].after:
            met = _met(entry[after], now) if after in entry else now
            if after not in entry or met != entry[after]:
                entry[after] = met
                todo.append(after)
    for number in sorted(entry):
        now = dict(entry[number])
        for item in _items(flow, number):
            if isinstance(item, Insn):
                _check(item, now, bag)
            _step(item, now)


def _items(flow: Flow, number: int) -> list[Insn | Call]:
    block = flow.blocks[number]
    return [item for item in flow.items[block.start : block.end] if isinstance(item, Insn | Call)]


def _step(insn: Insn | Call, now: Holders) -> None:
    if isinstance(insn, Call):
        now.update(dict.fromkeys(SPOILT))
        return
    for flag in isa.flags_set(insn):
        now[flag] = insn.flag_out if insn.cond is None else None


def _met(x: Holders, y: Holders) -> Holders:
    """What holds on either way; a flag that only one way knows is lost."""
    return {flag: x.get(flag) if x.get(flag) is y.get(flag) else None for flag in x | y}


def _check(insn: Insn, now: Holders, bag: Bag) -> None:
    name = insn.flag_in
    if name is None or any(now.get(flag) is name for flag in isa.flags_used(insn)):
        return
    bag.error(
        "carry-lost",
        insn.span,
        f"the carry {name.name} is read here, but something else set the flag",
        trail=insn.trail,
        help=f"move what sets the flag out from between, or name the carry anew: -> {name.name}",
    )
