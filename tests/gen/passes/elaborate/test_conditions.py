# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""assert, claim, split, public, ensures."""

from __future__ import annotations

import pytest

from gen.ir import ir
from tests.gen.passes.elaborate.lab import ENSURED, body, evaluated


def mark(lines: str, before: str = "") -> ir.Mark:
    found = [node for node in body(lines, before) if isinstance(node, ir.Mark)]
    return found[-1]


@pytest.mark.parametrize(
    ("condition", "values", "holds"),
    [
        ("|a.b| < 4*Q", {"a.b": -13315}, True),
        ("|a.b| < 4*Q", {"a.b": -13316}, False),
        ("0 <= a < Q and b in T", {"a": 1, "b": 5}, True),
        ("0 <= a < Q and b in T", {"a": 1, "b": 4}, False),
        ("b not in T", {"b": 4}, True),
        ("r[3] == twice(a) + 1", {"r[3]": 7, "a": 3}, True),
        ("smod(a, 2**16) == -1", {"a": 2**16 - 1}, True),
        ("div(a, 2) == 3", {"a": 7}, True),
        ("not (a - b) % Q == 0", {"a": 3330, "b": 1}, False),
        ("has(dsp) == 1", {}, True),
    ],
)
def test_conditions(condition: str, values: dict[str, int], holds: bool) -> None:
    before = "const Q = 3329\ntable T : u8[2] = [3, 5]\nconst twice(x) = x + x\n"
    found = mark(f"assert {condition}", before)
    assert found.pred is not None and set(found.pred.env) == set(values)
    assert bool(evaluated(found.pred, values)) == holds


def test_what_a_name_stands_for() -> None:
    found = mark("assert a.t < b and r[2] < a")
    assert found.pred is not None
    env = found.pred.env
    assert isinstance(env["a.t"], ir.Half) and isinstance(env["b"], ir.Reg)
    assert env["r[2]"] == ir.Element("r", 2)


def test_a_register_seen_with_another_sign() -> None:
    found = mark("m(a)", "macro m(in x : i32):\n    assert x == -1\n    nop\n")
    assert found.pred is not None
    assert evaluated(found.pred, {"x": 2**32 - 1})


def test_other_marks() -> None:
    lines = "claim a == 0  // because\nsplit a.b by 16\nsplit a at -3\npublic r  // told"
    claim, by, at, public = (node for node in body(lines) if isinstance(node, ir.Mark))
    assert (claim.kind, claim.text) == ("claim", "because")
    assert (by.text, by.number, isinstance(by.operand, ir.Half)) == ("by", 16, True)
    assert (at.text, at.number) == ("at", -3)
    assert (public.kind, public.text) == ("public", "told")


def test_ensures_stands_around_every_expansion() -> None:
    marks = [
        node for node in body("inc(a, b.t)\ninc(b, a.b)", ENSURED) if isinstance(node, ir.Mark)
    ]
    assert [m.kind for m in marks] == ["ensures-begin", "assert", "ensures"] * 2
    assert marks[0].number == marks[2].number != marks[3].number == marks[5].number
    pred = marks[2].pred
    assert pred is not None and set(pred.env) == {"x", "old(x)", "old(w)"}
    old = pred.env["old(w)"]
    assert isinstance(old, ir.Old) and isinstance(old.operand, ir.Half)
    assert old.mark == marks[0].number
