# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Nothing is read before it is written: half-words, flags, homes, bytes of memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gen.ir.domains.defined import BOTTOM, NOTHING, TOP, Defined, missing_of
from gen.ir.domains.halves import Range, packed
from gen.ir.ir import Half, Imm, Insn, Item, Mem, Move, Reg, Routine, Var
from gen.passes.initialised import initialised
from tests.gen.ir.build import insn
from tests.gen.passes.trees import CODE, codes, errors, made, planted, real

REAL = ["ntt", "invntt", "basemul", "basemul_acc_32_16", "reduce", "rej_uniform", "mulcache"]


@pytest.mark.parametrize("name", REAL)
def test_the_real_routines_read_what_was_written(name: str) -> None:
    assert errors(initialised, real(name, CODE)).items == []


def test_an_output_that_is_not_written_is_seen(tmp_path: Path) -> None:
    tree = planted(tmp_path, "basemul", "mov     n, #64", "mov     n, #63")
    found = errors(initialised, real("basemul", CODE, tree))
    assert "byte 504 is never written" in found.items[0].message


def test_an_output_that_is_read_first_is_seen(tmp_path: Path) -> None:
    right = "param r     : secret inout, align 4, |r[i]| <= 2*ONE ->"
    tree = planted(tmp_path, "basemul_acc_32_32", right, "param r     : secret out, align 4, ->")
    found = errors(initialised, real("basemul_acc_32_32", CODE, tree))
    assert "byte 0 of r is read before it is written" in found.items[0].message


def routine(tmp_path: Path, *items: Item) -> Routine:
    """A routine over a hand-made body; r points to two words."""
    body = "fn void t_r(uint32_t r[2]):\n    param r : secret inout, align 4\n    reg x : u32\n"
    plain = made(tmp_path, body + "    ldr x, [r]\n    str x, [r]\n", CODE)
    return replace(plain, code=tuple(items))


def pointer(plain: Routine) -> Var:
    var = plain.params[0].var
    assert isinstance(var, Var)
    return var


def test_half_words_are_told_apart(tmp_path: Path) -> None:
    r = pointer(routine(tmp_path))
    x, y, d = Var("x"), Var("y", "i32"), Var("d", "i32")

    def body(*items: Insn) -> Routine:
        plain = routine(tmp_path, insn("ldr", Reg(y), Mem(r)), *items)
        return replace(plain, params=(replace(plain.params[0], var=r),))

    bottom = insn("bfi", Reg(x), Reg(y), Imm(0), Imm(16))
    top = insn("bfi", Reg(x), Reg(y), Imm(16), Imm(16))
    use_bottom = insn("smulxy", Reg(d), Half(x, "b"), Half(y, "b"))
    use_top = insn("smulxy", Reg(d), Half(x, "t"), Half(y, "b"))
    whole = insn("add", Reg(d), Reg(x), Reg(y))
    half_store = insn("strh", Reg(x), Mem(r))
    word_store = insn("str", Reg(x), Mem(r))
    assert errors(initialised, body(bottom, use_bottom)).items == []
    assert errors(initialised, body(bottom, half_store)).items == []
    assert errors(initialised, body(bottom, top, use_top, whole, word_store)).items == []
    for bad in ((bottom, use_top), (bottom, whole), (top, use_bottom), (bottom, word_store)):
        found = errors(initialised, body(*bad))
        assert codes(found) == {"uninitialised"}, bad
    message = errors(initialised, body(bottom, use_top)).items[0].message
    assert "the top half of x is read before it is written" in message


def test_homes_and_flags(tmp_path: Path) -> None:
    r = pointer(routine(tmp_path))
    n = Var("n", home="slot")

    def bad(*items: Item) -> set[str]:
        plain = routine(tmp_path, *items)
        return codes(errors(initialised, replace(plain, params=(replace(plain.params[0], var=r),))))

    assert bad(Move("fill", n), insn("str", Reg(n), Mem(r))) == {"uninitialised"}
    stored = (insn("ldr", Reg(n), Mem(r)), Move("spill", n), Move("fill", n))
    assert bad(*stored, insn("str", Reg(n), Mem(r))) == set()
    assert bad(insn("adc", Reg(n), Reg(r), Reg(r))) == {"uninitialised"}


def test_each_use_of_an_undefined_half_is_reported() -> None:
    seen: list[int] = []
    dom = Defined(seen.append)
    low = dom.or_(dom.and_(NOTHING, dom.const(~0xFFFF)), Range(5, 9))
    assert missing_of(low) == TOP and not seen
    assert dom.half(low, False) is not None and not seen
    dom.half(low, True)
    dom.add(low, dom.const(1))
    dom.eq(low, dom.const(1))
    assert seen == [TOP, TOP, TOP]
    high = dom.or_(dom.and_(NOTHING, dom.const(0xFFFF)), packed((0, 0), (5, 9)))
    assert missing_of(high) == BOTTOM
    assert dom.shr(high, dom.const(16)) is not None and seen == [TOP] * 3
    dom.u(high, 8)
    assert seen[-1] == BOTTOM
