# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What timing leaves out decides nothing: leaving nothing out gives the same figures, leaving out more does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.cores.core import Core, load_core
from gen.diag import Failed
from gen.ir.ir import Insn, Routine
from gen.ir.program import Program, program
from gen.passes import BUILD, run, timing
from gen.passes.elaborate import elaborate
from gen.passes.idle import idle
from gen.read.load import choose, index, load

ROOT = Path(__file__).resolve().parents[3]
# A counted loop, slots with pointers in them, subs, public data that decides.
SYMBOLS = ("mlkem_ntt", "fe25519_cmov_table", "x25519_scalarmult", "mldsa_rej_uniform")


def built(symbol: str) -> Routine:
    core = load_core("cortex-m4")
    ref = choose(index(ROOT), symbol, core.features)
    assert ref is not None
    return run(elaborate(load(ROOT, ref.path), symbol, core), BUILD)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_nothing_left_out_costs_the_same(symbol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    routine = built(symbol)
    quick = timing.timing(routine).cost
    monkeypatch.setattr(timing, "idle", lambda *_: frozenset())
    assert timing.timing(routine).cost == quick


def test_most_of_a_transform_is_left_out() -> None:
    whole = program(built("mlkem_ntt"), "final")
    insns = [item for item in whole.items if isinstance(item, Insn)]
    left = idle(whole, load_core("cortex-m4"))
    computing = [i for i in insns if i.form and not (i.form.loads or i.form.stores)]
    assert len(left) > 0.9 * len(computing)
    assert not any(i.form.loads or i.form.stores for i in left if i.form)


def test_a_loop_counter_taken_for_unknown_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    routine = built("mlkem_add")
    honest = timing.timing(routine).cost
    assert honest is not None and honest.cycles[0] == honest.cycles[1]

    def too_much(whole: Program, core: Core) -> frozenset[Insn]:
        counting = [i for i in whole.items if isinstance(i, Insn) and i.mnemonic == "subs"]
        assert counting
        return idle(whole, core).union(counting)

    monkeypatch.setattr(timing, "idle", too_much)
    try:
        cost = timing.timing(routine).cost
    except Failed:
        return  # it does not end
    assert cost is not None and cost.cycles != honest.cycles
