# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A committed order is applied and proved; without one the author's stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from gen.diag import Failed, render_all
from gen.ir.ir import Comment, Insn, Routine
from gen.ir.order import Order, Row
from gen.orders.depend import Node, nodes_of
from gen.passes import run
from gen.passes.allocate import allocate
from gen.passes.check_result import check_result
from gen.passes.dataflow import Flow
from gen.passes.liveness import results
from gen.passes.schedule import applied, digest, schedule, webs_of
from gen.read.source import NOWHERE
from tests.gen.passes.make import routine, text, upto

REST = upto("reach")[upto("reach").index("allocate") :]
LINES = """
reg a, b, c, d, e : u32
reg s : u32 slot
ldr a, [k]
ldr b, [k, #4]
str a, [r]
ldr c, [r, #4]
str b, [r, #8]
ldr d, [r, #8]
adds a, a, b -> f
adc e, c, d, f
mov s, d
spill s
eor a, a, c
ldr b, [k, #8]!
strh a, [r, #2]
add b, b, a
fill s
str s, [r], #4
str e, [r, #4]
str b, [r]
"""


def order(made: Routine, items: Sequence[int], core: str = "cortex-m4", **more: str) -> Routine:
    """The routine with this order, places as the allocator finds them."""
    ordered = applied(made.code, items)
    assert ordered is not None
    found = allocate(replace(made, ordered=ordered)).places
    places = tuple(found[web] for web in webs_of(made.code))
    row = Row(more.get("code", digest(made.code)), tuple(items), places, NOWHERE)
    return replace(made, order=Order(core, {made.name: row}))


def sample() -> Routine:
    return routine(LINES, "liveness")


def nodes(made: Routine) -> list[Node]:
    found = nodes_of(Flow(made.code, results(made)), 0, 0)
    assert found is not None
    return found


def swaps(made: Routine) -> Iterator[tuple[int, list[int]]]:
    """Each pair of neighbours exchanged."""
    count = len(nodes(made))
    for at in range(count - 1):
        items = list(range(count))
        items[at : at + 2] = [at + 1, at]
        yield at, items


def holds(made: Routine) -> bool:
    try:
        check_result(run(made, REST))
    except Failed as failed:
        assert {item.code for item in failed.bag.items} == {"bad-check"}
        return False
    return True


def test_order_is_the_authors() -> None:
    made = routine("reg x : u32\nldr x, [k]\nstr x, [r]", "liveness")
    assert schedule(made).code == made.code and schedule(made).issued == made.code


def test_an_order_is_written_out_and_code_stays() -> None:
    made = sample()
    items = [1, 0, *range(2, len(nodes(made)))]
    done = run(schedule(order(made, items)), REST)
    assert done.code == made.code and text(done.issued)[:2] == ["ldr b, [k, #4]", "ldr a, [k]"]
    assert holds(done)


def test_what_depends_is_refuted_and_what_does_not_holds() -> None:
    """Two that know nothing of each other, the scheduler's graph and the checker, agree on each pair."""
    made = sample()
    graph, free, bound = nodes(made), 0, 0
    for at, items in swaps(made):
        apart = at not in graph[at + 1].before
        try:
            ordered = schedule(order(made, items))
        except Failed:
            assert not apart  # a value is used before it is there: no registers
            continue
        assert holds(ordered) == apart, text(ordered.issued)[at : at + 2]
        free, bound = free + apart, bound + (not apart)
    assert free >= 5 and bound >= 5


def test_registers_of_an_order_are_proved_too() -> None:
    made = order(sample(), range(len(nodes(sample()))))
    assert made.order is not None and holds(schedule(made))
    row = made.order.rows[made.name]
    wrong = 0
    for at, place in enumerate(row.places):
        other = next(name for name in row.places if name != place)
        spoilt = replace(row, places=(*row.places[:at], other, *row.places[at + 1 :]))
        wrong += not holds(schedule(replace(made, order=Order("cortex-m4", {made.name: spoilt}))))
    assert wrong >= len(row.places) - 2


def test_stale_orders() -> None:
    made, count = sample(), len(nodes(sample()))
    for bad in (order(made, range(count), code="0" * 16), _short(order(made, range(count)))):
        with pytest.raises(Failed) as failed:
            schedule(bad)
        assert "optimise t/f --core cortex-m4" in render_all(failed.value.bag)


def _short(made: Routine) -> Routine:
    assert made.order is not None
    row = made.order.rows[made.name]
    return replace(made, order=Order("cortex-m4", {made.name: replace(row, items=row.items[1:])}))


def test_an_order_of_another_core_holds_where_it_fits() -> None:
    made, count = sample(), len(nodes(sample()))
    items = [1, 0, *range(2, count)]
    fits = order(made, items, "cortex-m3")
    assert schedule(fits).ordered
    assert not schedule(order(made, items, "cortex-m3", code="0" * 16)).ordered
    few = replace(made.core, registers=made.core.registers[:2])
    assert not schedule(replace(fits, core=few)).ordered


def test_comments_go_with_their_instruction() -> None:
    made = routine(
        "reg x, y : u32\nldr x, [k]\n// of y\nldr y, [k, #4]\nstrd x, y, [r]", "liveness"
    )
    found = applied(made.code, [1, 0, 2])
    assert found is not None
    kinds = [type(item) for item in found if isinstance(item, Comment | Insn)]
    assert kinds == [Comment, Insn, Insn, Insn]


def test_a_permutation_across_blocks_is_no_order() -> None:
    lines = "reg x : u32\nmov x, #3\ndo:\n    subs x, x, #1\nwhile ne\nstr x, [r]"
    made = routine(lines, "liveness")
    assert applied(made.code, [0, 1, 2, 3]) is not None
    assert applied(made.code, [1, 0, 2, 3]) is None
    assert applied(made.code, [0, 1, 2]) is None
