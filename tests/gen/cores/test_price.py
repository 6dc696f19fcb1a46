# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The pricer against every sequence whose cost is known; and every price against the sequences."""

from dataclasses import fields, replace

import pytest

from gen.cores.core import Core, Price, Rules, load_core
from gen.cores.price import Event, Pricer, canonical, data_price
from tests.gen.cores.sequences import measure, sequences

M3, M4 = load_core("cortex-m3"), load_core("cortex-m4")


@pytest.mark.parametrize("core", [M3, M4], ids=lambda core: core.key)
def test_each_sequence_costs_what_it_must(core: Core) -> None:
    wrong = [
        f"{row.name}: {row.body}: {got} instead of {(row.instructions, row.cycles)}"
        for row, *got in measure(core)
        if tuple(got) != (row.instructions, row.cycles)
    ]
    assert not wrong, "\n".join(wrong)


def test_there_are_sequences() -> None:
    assert len(sequences("cortex-m4")) > 80
    assert len(sequences("cortex-m3")) > 50


def noticed(core: Core) -> bool:
    return any(cycles != row.cycles for row, _, cycles in measure(core))


@pytest.mark.parametrize("kind", sorted(M4.cycles))
def test_a_changed_price_is_noticed(kind: str) -> None:
    price = M4.cycles[kind]
    changed = replace(M4, cycles={**M4.cycles, kind: Price(price.low + 1, price.high + 1)})
    assert noticed(changed)


@pytest.mark.parametrize("rule", [field.name for field in fields(Rules)])
def test_a_changed_rule_is_noticed(rule: str) -> None:
    core = M3 if rule == "early_bits" else M4
    change = {"early_bits": -15, "bus_boundary": -0x1FFF_F000}.get(rule, 1)
    changed = replace(core.rules, **{rule: getattr(core.rules, rule) + change})
    assert noticed(replace(core, rules=changed))


def test_unknown_facts_leave_their_rule_out() -> None:
    pricer = Pricer(M4)
    assert pricer.step(Event("load", 4, mem=None)) == 2
    assert pricer.step(Event("load", 4, mem=0x2000_0001)) == 3
    assert pricer.step(Event("branch", 2, taken=True)) == 2


def test_a_load_of_its_own_base_does_not_pipeline() -> None:
    pricer = Pricer(M4)
    pricer.step(Event("load", 2, writes=("r4",), address_regs=("r0",)))
    assert pricer.step(Event("load", 2, writes=("r5",), address_regs=("r4",))) == 2


def test_state_can_be_put_back() -> None:
    pricer = Pricer(M4)
    pricer.step(Event("load", 2))
    before = pricer.before
    assert pricer.step(Event("load", 2)) == 1
    pricer.step(Event("alu", 2))
    pricer.before = before
    assert pricer.step(Event("load", 2)) == 1


@pytest.mark.parametrize("kind", ["mul64", "mac64", "div"])
def test_data_dependent_prices_stay_within_their_pair(kind: str) -> None:
    price = M3.cycles[kind]
    values = (0, 1, 7, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
    costs = {data_price(M3, kind, (a, b)) for a in values for b in values}
    assert min(costs) == price.low
    assert max(costs) == price.high == data_price(M3, kind, None)


@pytest.mark.parametrize("kind", ["mul64", "mac64", "div"])
def test_canonical_operands_cost_the_same(kind: str) -> None:
    for pair in [(0, 5), (7, 7), (0x7FFF_FFFF, 3), (0xFFFF_FFFE, 0xFFFF_FFFD), (1 << 31, 0)]:
        assert data_price(M3, kind, canonical(M3, kind, pair)) == data_price(M3, kind, pair)
