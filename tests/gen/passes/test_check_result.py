# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The checker is content with what the passes make, and finds every fault planted in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from gen import isa
from gen.diag import Failed
from gen.ir.interp import execute
from gen.ir.ir import Imm, Insn, Item, Label, Mem, RegList, Routine, physical
from gen.ir.rename import everywhere
from gen.passes.check_result import check_result
from tests.gen.passes.make import HEAD, routine, shipped

Fault = Callable[[Routine], Iterator[Routine]]

LINES = """
reg a[6] : u32
reg s, n : u32 slot
reg q : u32 = 12345*7
mov n, #3
spill n
for i in range(6):
    ldr a[i], [k, #4*i]
mov s, #0
do:
    spill s
    adds a[0], a[0], a[1] -> c
    adcs a[2], a[2], a[3], c -> c
    umlal a[4], a[5], a[0], a[2]
    fill s
    eor s, s, a[4], ror #3
    cmp s, a[5]
    then lo:
        add s, s, q
    str s, [r], #4
    str a[5], [r], #4
    fill n
    subs n, n, #1
    spill n
while ne
str s, [r]
"""


def sample() -> Routine:
    return routine(LINES, "reach", core="cortex-m4f", head=HEAD)


def found(made: Routine) -> bool:
    """Whether the checker refutes it."""
    try:
        check_result(made)
    except Failed as failed:
        assert {item.code for item in failed.bag.items} == {"bad-check"}
        return True
    return False


def changed(made: Routine, at: int, *items: Item) -> Routine:
    return replace(made, final=(*made.final[:at], *items, *made.final[at + 1 :]))


def insns(made: Routine, part: str = "body") -> Iterator[tuple[int, Insn]]:
    for at, item in enumerate(made.final):
        if isinstance(item, Insn) and item.part == part:
            yield at, item


def wrong_register(made: Routine) -> Iterator[Routine]:
    """Each register of each instruction in turn is another one."""
    for part in ("entry", "body", "exit"):
        for at, item in insns(made, part):
            for var in dict.fromkeys((*isa.reads(item), *isa.writes(item))):
                if var.name in ("sp", "pc") or any(isinstance(op, RegList) for op in item.ops):
                    continue
                other = physical("r8" if var.name != "r8" else "r9")
                changing = everywhere(item, lambda v, a=var, b=other: b if v is a else v)  # type: ignore[misc]
                yield changed(made, at, changing)


def missing_instruction(made: Routine) -> Iterator[Routine]:
    for part in ("entry", "body", "exit"):
        for at, item in insns(made, part):
            assert item.form is not None
            if item.form.kind != "nop":
                yield changed(made, at)


def swapped(made: Routine) -> Iterator[Routine]:
    """Neighbours of which one needs the other."""
    rows = list(insns(made))
    for (at, first), (after, second) in zip(rows, rows[1:], strict=False):
        if after != at + 1 or not _ordered(first, second):
            continue
        final = list(made.final)
        final[at], final[after] = second, first
        yield replace(made, final=tuple(final))


def _ordered(first: Insn, second: Insn) -> bool:
    assert first.form is not None and second.form is not None
    if second.form.kind in ("branch", "it") or first.form.kind == "it":
        return True
    stores = first.form.stores and second.form.stores
    needs = set(isa.writes(first)) & set(isa.reads(second))
    flags = isa.flags_set(first) & isa.flags_used(second)
    return bool(stores or needs or flags)


def wrong_constant(made: Routine) -> Iterator[Routine]:
    for part in ("entry", "body", "exit"):
        for at, item in insns(made, part):
            for name, op in item.roles.items():
                if isinstance(op, Imm):
                    other = replace(op, value=op.value + 4)
                    yield changed(made, at, replace(item, roles={**item.roles, name: other}))


def wrong_offset(made: Routine) -> Iterator[Routine]:
    """Slots among them."""
    for part in ("entry", "body"):
        for at, item in insns(made, part):
            for name, op in item.roles.items():
                if isinstance(op, Mem):
                    other = replace(op, offset=Imm(op.offset.value ^ 4))
                    yield changed(made, at, replace(item, roles={**item.roles, name: other}))


def lost_save(made: Routine) -> Iterator[Routine]:
    """One register is taken out of the push and the pop, and nothing else changed."""
    pushes = [
        at
        for at, item in enumerate(made.final)
        if isinstance(item, Insn)
        and any(isinstance(op, RegList) for op in item.ops)
        and item.part != "body"
    ]
    first = made.final[pushes[0]]
    assert isinstance(first, Insn)
    listed = next(op for op in first.ops if isinstance(op, RegList)).vars
    for lost in listed:
        gone = {lost.name, "pc" if lost.name == "lr" else lost.name}
        final = list(made.final)
        for at in pushes:
            final[at] = _without(final[at], gone)
        yield replace(made, final=tuple(final))


def _without(item: Item, gone: set[str]) -> Item:
    assert isinstance(item, Insn)
    roles = {
        name: RegList(tuple(v for v in op.vars if v.name not in gone))
        if isinstance(op, RegList)
        else op
        for name, op in item.roles.items()
    }
    return replace(item, roles=roles, ops=tuple(roles.values()))


def wrong_branch(made: Routine) -> Iterator[Routine]:
    for at, item in insns(made):
        if item.cond is not None:
            yield changed(made, at, replace(item, cond=isa.inverse(item.cond)))


def wrong_claim(made: Routine) -> Iterator[Routine]:
    """`places` says something else than the instructions do."""
    for var in made.places:
        for other in ("r8", "r9"):
            if made.places[var] != other and any(made.places[v] == other for v in made.places):
                yield replace(made, places={**made.places, var: other})
                break


def lost_label(made: Routine) -> Iterator[Routine]:
    for at, item in enumerate(made.final):
        if isinstance(item, Label):
            yield changed(made, at)


FAULTS: tuple[Fault, ...] = (
    wrong_register,
    missing_instruction,
    swapped,
    wrong_constant,
    wrong_offset,
    lost_save,
    wrong_branch,
)


@pytest.mark.parametrize("core", ["cortex-m4", "cortex-m4f", "cortex-m3"])
def test_content_with_what_is_right(core: str) -> None:
    for made in shipped(core, "reach") if core != "cortex-m3" else ():
        assert not found(made), made.symbol
    assert not found(routine(LINES, "reach", core=core))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_every_planted_fault_is_found(fault: Fault) -> None:
    made = sample()
    spoilt = list(fault(made))
    assert len(spoilt) > 1
    silent = [one for one in spoilt if not found(one)]
    assert len(silent) <= 1
    assert all(harmless(made, one) for one in silent)


def harmless(made: Routine, other: Routine) -> bool:
    """Whether the change shows in nothing: a fill into the register that holds the value still."""
    given = {"r": [0] * 64, "k": [(n + 3) ** 9 % 2**32 for n in range(8)]}
    before, after = (execute(one, given, "final") for one in (made, other))
    return before.buffers == after.buffers


def test_wrong_claims_are_found() -> None:
    """A claim about a value that is not live at the edge of a block claims nothing."""
    spoilt = list(wrong_claim(sample()))
    assert sum(map(found, spoilt)) >= len(spoilt) // 3


def test_two_values_in_one_register() -> None:
    """As if the allocator had forgotten that two webs are live together."""
    made = sample()
    a, b = [var for var in made.places if var.name in ("a[1]", "a[3]")][:2]
    places = {**made.places, b: made.places[a]}
    old, new = physical(made.places[b]), physical(made.places[a])
    final = tuple(
        everywhere(item, lambda var: new if var is old else var)
        if isinstance(item, Insn) and item.part == "body"
        else item
        for item in made.final
    )
    assert found(replace(made, places=places, final=final))


def test_missing_it() -> None:
    made = sample()
    (at,) = [at for at, item in insns(made) if item.form is not None and item.form.kind == "it"]
    assert found(changed(made, at))


def test_lost_label() -> None:
    for one in lost_label(sample()):
        with pytest.raises((Failed, KeyError)):
            check_result(one)
