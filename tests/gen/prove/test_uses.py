# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A register that a macro uses is an input that only the asserts restrict, whatever it begins with."""

from __future__ import annotations

from pathlib import Path

from gen.prove.ensures import refute
from tests.gen.prove.test_ensures import text_program

ROUTINE = """
fn void t_m(uint32_t r[1]):
    param r : secret inout
    reg   x : u32
    reg   k : u32 = 5

    ldr     x, [r]
    m(x)
    str     x, [r]
"""
MACRO = """
macro m(inout x : u32) uses k ensures x == old(x) + {sum}:
    assert  x < 2**8
    assert  {known}
    add     x, x, k
"""


def found(folder: Path, known: str, total: str) -> tuple[int, tuple[int, ...]] | None:
    text = MACRO.format(known=known, sum=total) + ROUTINE
    return refute(text_program(folder, text), folder / "build", "m")


def test_what_is_asserted_is_proved(tmp_path: Path) -> None:
    assert found(tmp_path, "k == 5", "5") is None
    assert found(tmp_path, "k < 2**4", "k") is None


def test_the_initial_value_is_no_assumption(tmp_path: Path) -> None:
    assert found(tmp_path, "k < 2**4", "5") is not None


def test_a_wrong_condition_is_refuted(tmp_path: Path) -> None:
    assert found(tmp_path, "k == 5", "6") is not None
