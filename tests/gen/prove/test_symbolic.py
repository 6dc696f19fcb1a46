# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Proofs by polynomials: the products of ML-DSA are proved, and each planted fault is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.passes.elaborate import macro_routine
from gen.passes.select import select
from gen.prove.symbolic import unproved
from gen.read.load import load
from tests.gen.passes.trees import LICENCE, ROOT

M4 = load_core("cortex-m4")
SOURCE = "asm-src/mldsa/modular.rasm"
MACROS = ("butterfly", "butterfly_store", "mont_mul", "mont_acc")
# In a macro: what to change, and into what; the condition is then false, or no longer follows.
FAULTS = (
    ("butterfly", "smmulr  t, y, wq", "smmulr  t, x, wq"),
    ("butterfly", "mls     y, t, q, y", "mls     y, t, w, y"),
    ("butterfly", "rsb     x, y, x, lsl #1", "rsb     x, y, x, lsl #2"),
    ("butterfly", "assert  abs(y) <= 2**27", "assert  abs(y) <= 2**30"),
    ("butterfly", "assert  abs(x) <= 2**30", "assert  abs(x) <= 2**31"),
    ("butterfly", "wq * Q) <= HALF", "wq * Q) <= 2**30"),
    ("butterfly", "assert  q == Q", "assert  q == Q + 2"),
    ("butterfly_store", "x + PRODUCT         //", "x + HALF         //"),
    ("mont_mul", "negqinv == NEGQINV", "negqinv == NEGQINV + 2"),
    ("mont_mul", "mul     m, low, negqinv", "mul     m, z, negqinv"),
    ("mont_mul", "smlal   low, z, m, q", "smlal   low, z, m, y"),
    ("mont_mul", "(z * 2**32 - x * y)", "(z * 2**31 - x * y)"),
    ("mont_acc", "assert  zero == 0", "assert  zero == 1"),
    ("mont_acc", "assert  abs(sum) <= 2**29", "assert  abs(sum) <= 2**31"),
)


def refusal(root: Path, text: str, name: str) -> str:
    path = root / SOURCE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LICENCE + text, encoding="utf-8", newline="\n")
    return unproved(select(macro_routine(load(root, SOURCE), name, M4)))


def source() -> str:
    return (ROOT / SOURCE).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MACROS)
def test_products_are_proved(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path, source(), name) == ""


@pytest.mark.parametrize(("name", "good", "bad"), FAULTS)
def test_a_fault_is_refused(tmp_path: Path, name: str, good: str, bad: str) -> None:
    before, macro = source().split(f"macro {name}(")
    assert good in macro
    changed = macro.replace(good, bad, 1)
    assert refusal(tmp_path, f"{before}macro {name}({changed}", name) != ""


def test_what_is_not_arithmetic_is_no_proof(tmp_path: Path) -> None:
    text = "macro m(inout x : u32, in y : u32) ensures x == x:\n    eor     x, x, y\n"
    assert "beyond polynomials" in refusal(tmp_path, text, "m")
