# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A named carry is read while its flag still holds it, or not at all."""

from __future__ import annotations

import pytest

from tests.gen.passes.make import complaints

HEAD = "reg x, y, n : u32\nmov n, #4\nldr x, [k]\nldr y, [k, #4]\n"
END = "\nstr x, [r]\nstr y, [r]\nstr n, [r]"


def codes(lines: str) -> list[str]:
    return [item.code for item in complaints(HEAD + lines + END, "liveness")]


@pytest.mark.parametrize(
    "between",
    ["", "eor y, y, x", "eors y, y, x", "ldr y, [k]", "teq y, x"],
)
def test_carry_survives(between: str) -> None:
    assert codes(f"adds x, x, y -> c\n{between}\nadcs x, x, y, c -> c") == []


@pytest.mark.parametrize(
    "between",
    ["subs n, n, #1", "cmp x, y", "adds y, y, y", "lsls y, y, #1", "eors y, y, x, lsl #3"],
)
def test_carry_is_lost(between: str) -> None:
    assert codes(f"adds x, x, y -> c\n{between}\nadcs x, x, y, c -> c") == ["carry-lost"]


def test_other_name() -> None:
    lines = "adds x, x, y -> c\nadds x, x, y -> d\nadcs x, x, y, c -> c"
    assert codes(lines) == ["carry-lost"]


def test_one_way_loses_it() -> None:
    lines = "adds x, x, y -> c\nwhen mi:\n    cmp x, y\nadcs x, x, y, c -> c"
    assert codes(lines) == ["carry-lost"]


def test_around_a_loop() -> None:
    good = "adds x, x, y -> c\ndo:\n    sub n, n, #1\n    adcs x, x, y, c -> c\n"
    good += "    teq n, #0\nwhile ne"
    assert codes(good) == []
    assert codes(good.replace("teq", "cmp")) == ["carry-lost"]
