# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The plan covers every pair that goes together, and says what it leaves out."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tests.matrix import plan as module
from tests.matrix.plan import Plan, pairs

TEXT = """
[least]
pairs = {pairs}
rows = 4
[compilers]
one = {{ kind = "gcc", bare = "sh" }}
two = {{ kind = "clang", bare = "sh" }}
gone = {{ kind = "gcc", bare = "no-such-compiler-anywhere" }}
[targets]
a = {{ family = "bare", core = "a", options = "-a" }}
b = {{ family = "bare", core = "b", options = "-b" }}
[axes.x]
x0 = ""
x1 = "-x1"
x2 = {{ gcc = "-x2" }}
[axes.y]
y0 = ""
y1 = "-y1"
y2 = "-refused"
[axes.z]
z0 = ""
z1 = "-z1"
[[apart]]
values = ["x:x1", "y:y1"]
why = "they fight"
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Two compilers, of which the second does not know target b."""

    def fake(command: list[str], flags: tuple[str, ...]) -> bool:
        return "-refused" not in flags

    path = tmp_path / "axes.toml"
    path.write_text(TEXT.format(pairs=30))
    monkeypatch.setattr(module, "accepts", fake)
    return Plan(path)


def test_every_pair_that_goes_together(plan: Plan) -> None:
    covered = pairs(plan.rows())
    values = {
        "compiler": ["one", "two"],
        "target": ["a", "b"],
        "x": ["x0", "x1", "x2"],
        "y": ["y0", "y1"],
        "z": ["z0", "z1"],
    }
    never = [{("x", "x1"), ("y", "y1")}, {("compiler", "two"), ("x", "x2")}]
    for one, other in combinations(values, 2):
        for v in values[one]:
            for w in values[other]:
                pair = frozenset(((one, v), (other, w)))
                assert (pair in covered) == (set(pair) not in never), pair


def test_no_row_holds_what_a_compiler_refuses(plan: Plan) -> None:
    for row in plan.rows():
        assert row.values["y"] != "y2"
        assert row.compiler.name != "two" or row.values["x"] != "x2"
        assert (row.values["x"], row.values["y"]) != ("x1", "y1")


def test_what_is_not_tried_is_said(plan: Plan) -> None:
    plan.rows()
    assert "gone for bare: not installed" in plan.absent
    assert "one for a: y y2" in plan.absent
    assert "two for a: x x2, y y2" in plan.absent


def test_too_little_is_said(plan: Plan) -> None:
    rows = plan.rows()
    assert plan.short_of(rows) == []
    few = rows[:2]
    assert plan.short_of(few) == [f"{len(pairs(few))} pairs of at least 30", "2 rows of at least 4"]


def test_rows_are_the_same_each_time(plan: Plan) -> None:
    again = Plan(plan.path)
    assert list(map(str, plan.rows())) == list(map(str, again.rows()))
