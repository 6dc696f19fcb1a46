# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The list scheduler and the exchanges: better orders, within the registers, always the same."""

from __future__ import annotations

import pytest

from gen.orders.search import tasks
from gen.orders.walk import Pressure, Task, cost, orders
from tests.gen.passes.make import routine

CHAINS = """
reg a[4] : u32
reg b[4] : u32
for i in range(4):
    ldr  a[i], [k, #4*i]
    umull a[i], b[i], a[i], a[i]
    eor  a[i], a[i], b[i], ror #3
for i in range(4):
    str  a[i], [r, #4*i]
"""
LOADS = """
reg a, b, c, d : u32
ldr a, [k]
eor a, a, a, ror #1
ldr b, [k, #4]
eor b, b, b, ror #1
ldr c, [k, #8]
eor c, c, c, ror #1
ldr d, [k, #12]
eor d, d, d, ror #1
str a, [r]
str b, [r, #4]
str c, [r, #8]
str d, [r, #12]
"""


def task(lines: str, core: str) -> Task:
    ((_, found),) = tasks(routine(lines, "liveness", core))
    return found


@pytest.mark.parametrize(("lines", "core"), [(CHAINS, "cortex-m7"), (LOADS, "cortex-m4")])
def test_a_better_order_is_found(lines: str, core: str) -> None:
    made = task(lines, core)
    author = cost(made, range(len(made.nodes)))
    best = orders(made, 400)
    assert cost(made, best[0]) <= author - 3
    assert best == orders(made, 400)  # always the same
    for order in best:
        assert sorted(order) == list(range(len(made.nodes)))
        assert all(order.index(b) < order.index(n) for n in order for b in made.nodes[n].before)


def test_never_past_the_register_limit() -> None:
    made = task(CHAINS, "cortex-m7")
    pressure = Pressure(made)
    wide = pressure.needed(orders(made, 400)[0])
    made.limit = pressure.needed(range(len(made.nodes)))
    assert made.limit < wide
    assert all(Pressure(made).fits(order) for order in orders(made, 400))
