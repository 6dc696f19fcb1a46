# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Pointers that wait in a stack object: a variable in C, and an error where C has no place for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen import driver, pieces
from gen.cores.core import load_core
from gen.diag import Failed
from gen.emit import portable_c
from gen.passes import BUILD
from gen.read.load import index

KEEPS = """// Two pointers wait while their registers are used; they walk over elements of different sizes.
fn void demo_keeps(int16_t r[2], const int32_t a[2]):
    param r : secret out, align 4
    param a : secret in, align 4
    stack keep[2] : u32
    reg   p : ptr
    reg   q : ptr
    reg   x : u32

    str     r, [keep, #4]
    str     a, [keep]
    ldr     p, [keep]
    ldr     x, [p]
    ldr     q, [keep, #4]
    str     x, [q]
"""
LOSES = KEEPS.replace("str     a, [keep]", "str     a, [r]")


def portable(root: Path, text: str) -> str:
    folder = root / "asm-src" / "demo"
    folder.mkdir(parents=True)
    (folder / "keeps.rasm").write_text(text)
    (job,) = driver.jobs(root, index(root), load_core("portable"))
    return portable_c.emit(pieces.piece(root, job, BUILD[:1]))["portable/demo_keeps.c"]


def test_each_place_is_a_variable(tmp_path: Path) -> None:
    text = portable(tmp_path, KEEPS)
    for line in ("keep_4 = r_at;", "keep_0 = a_at;", "p = keep_0;", "q = keep_4;"):
        assert f"    {line}\n" in text
    assert "x = load32_32(p);" in text and "store32_16(q, x);" in text


def test_a_pointer_in_a_buffer_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Failed) as caught:
        portable(tmp_path, LOSES)
    (item,) = caught.value.bag.items
    assert item.code == "bad-operands" and item.help == "reg a : ptr slot, and spill and fill"
