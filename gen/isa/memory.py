# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Thumb-2 loads, stores, branches and hints, one entry a form (Arm DDI 0403, A7.7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gen.isa.form import Form


def singles() -> Iterator[Form]:
    """LDR, STR and their kin. A written-back base is never the transferred register (access.py)."""
    one = "d, a:mem:single"
    for name, size, value in (
        ("ldr", 4, "t"),
        ("ldrh", 2, "t"),
        ("ldrb", 1, "t"),
        ("ldrsh", 2, "s16(t)"),
        ("ldrsb", 1, "s8(t)"),
    ):
        narrow = f"low(d) and {'indexed(a)' if 's' in name else f'offset{size}(a)'}"
        yield Form(name, one, f"t = load(ea, {size}); d = {value}", "load", narrow=narrow)
    for name, size in (("str", 4), ("strh", 2), ("strb", 1)):
        narrow = f"low(d) and offset{size}(a)"
        yield Form(name, one, f"store(ea, {size}, d)", "store", narrow=narrow)


def multiples() -> Iterator[Form]:
    """LDRD STRD LDM STM PUSH POP."""
    two, many, both = "d, e, a:mem:pair", "p:base, r:list:core", (("d", "e"),)
    means = "d = load(ea, 4); e = load(ea + 4, 4)"
    yield Form("ldrd", two, means, "loadpair", distinct=both, align=4)
    yield Form("strd", two, "store(ea, 4, d); store(ea + 4, 4, e)", "storepair", align=4)
    for way, at, after, pop, push in (
        ("", "p + 4 * i", "p + 4 * len(r)", "pops(p, r)", "writes(p) and lows(r)"),
        ("db", "p - 4 * len(r) + 4 * i", "p - 4 * len(r)", "", ""),
    ):
        means = f"r[i] = load({at}, 4); p = {after}"
        yield Form(f"ldm{way}", many, means, "loadmulti", narrow=pop, align=4)
        means = f"store({at}, 4, r[i]); p = {after}"
        yield Form(f"stm{way}", many, means, "storemulti", narrow=push, align=4)
    means = "store(sp - 4 * len(r) + 4 * i, 4, r[i]); sp = sp - 4 * len(r)"
    yield Form("push", "r:list:core", means, "storemulti", narrow="lows(r, 14)", align=4)
    means = "r[i] = load(sp + 4 * i, 4); sp = sp + 4 * len(r)"
    yield Form("pop", "r:list:core", means, "loadmulti", narrow="lows(r, 15)", align=4)


def branches() -> Iterator[Form]:
    """Branches have no effect on data: the interpreter follows them. `bc` is B with a condition."""
    yield Form("b", "t:label:always", "", "branch", narrow="True")
    yield Form("bc", "t:label:when", "", "branch", "b", narrow="True")
    yield Form("cbz", "n, t:label:zero", "", "branch", narrow="True", wide=False)
    yield Form("cbnz", "n, t:label:zero", "", "branch", narrow="True", wide=False)
    yield Form("bl", "t:label:call", "", "call")
    yield Form("bx", "n", "", "return", narrow="True", wide=False)
    yield Form("nop", "", "", "nop", narrow="True")
    for count in range(4):
        for letters in product("te", repeat=count):
            name = "it" + "".join(letters)
            yield Form(name, "c:label:cond", "", "it", narrow="True", wide=False)


def forms() -> Iterator[Form]:
    """The table."""
    for family in (singles, multiples, branches):
        yield from family()
