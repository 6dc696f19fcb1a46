# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Too many live registers: where, which, and what to do."""

from __future__ import annotations

from tests.gen.passes.make import complaints


def lines(count: int) -> str:
    """A loop with r, k, n and `count` more registers live."""
    out = f"reg a[{count}] : u32\nreg n : u32 slot\nmov n, #3\ndo:\n"
    out += f"    for i in range({count}):\n        ldr a[i], [k, #4*i]\n"
    out += f"    for i in range({count}):\n        str a[i], [r, #4*i]\n"
    return out + "    subs n, n, #1\nwhile ne"


def test_all_fourteen_fit() -> None:
    assert complaints(lines(11), "allocate") == []


def test_one_too_many_is_named() -> None:
    (said,) = complaints(lines(12), "allocate")
    assert said.code == "reg-pressure"
    assert said.message == "15 registers live, cortex-m4 has 14"
    assert said.details == ("live: " + " ".join(f"a[{i}]" for i in range(12)) + " k n r",)


def test_what_is_idle_longest_goes() -> None:
    (said,) = complaints(lines(12), "allocate")
    assert said.help.startswith("`spill n` before line")


def test_home_is_proposed() -> None:
    text = lines(12).replace(" slot", "")
    (said,) = complaints(text, "allocate")
    assert "reg n : u32 slot" in said.help


def test_spilling_it_helps() -> None:
    text = (
        lines(12).replace("do:\n", "do:\n    spill n\n").replace("    subs", "    fill n\n    subs")
    )
    assert complaints(text, "allocate") == []
