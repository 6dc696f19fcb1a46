# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Thumb-2 loads, stores, branches and hints, one entry a form (Arm DDI 0403, A7.7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gen.isa.form import Form


def singles() -> Iterator[Form]:
    """LDR, STR and their kin. A written-back base is never the transferred register (access.py)."""
    for name, size, value in (
        ("ldr", 4, "t"),
        ("ldrh", 2, "t"),
        ("ldrb", 1, "t"),
        ("ldrsh", 2, "s16(t)"),
        ("ldrsb", 1, "s8(t)"),
    ):
        narrow = f"low(d) and {'indexed(a)' if 's' in name else f'offset{size}(a)'}"
        yield Form(
            name,
            "d, a:mem:single",
            f"{name} {{d}}, {{a}}",
            f"t = load(ea, {size}); d = {value}",
            "load",
            narrow=narrow,
        )
    for name, size in (("str", 4), ("strh", 2), ("strb", 1)):
        yield Form(
            name,
            "d, a:mem:single",
            f"{name} {{d}}, {{a}}",
            f"store(ea, {size}, d)",
            "store",
            narrow=f"low(d) and offset{size}(a)",
        )


def multiples() -> Iterator[Form]:
    """LDRD STRD LDM STM PUSH POP."""
    yield Form(
        "ldrd",
        "d, e, a:mem:pair",
        "ldrd {d}, {e}, {a}",
        "d = load(ea, 4); e = load(ea + 4, 4)",
        "loadpair",
        distinct=(("d", "e"),),
        align=4,
    )
    yield Form(
        "strd",
        "d, e, a:mem:pair",
        "strd {d}, {e}, {a}",
        "store(ea, 4, d); store(ea + 4, 4, e)",
        "storepair",
        align=4,
    )
    for way, start, after, pop, push in (
        ("", "p + 4 * i", "p + 4 * len(r)", "pops(p, r)", "writes(p) and lows(r)"),
        ("db", "p - 4 * len(r) + 4 * i", "p - 4 * len(r)", "", ""),
    ):
        yield Form(
            f"ldm{way}",
            "p:base, r:list:core",
            f"ldm{way} {{p}}, {{r}}",
            f"r[i] = load({start}, 4); p = {after}",
            "loadmulti",
            narrow=pop,
            align=4,
        )
        yield Form(
            f"stm{way}",
            "p:base, r:list:core",
            f"stm{way} {{p}}, {{r}}",
            f"store({start}, 4, r[i]); p = {after}",
            "storemulti",
            narrow=push,
            align=4,
        )
    yield Form(
        "push",
        "r:list:core",
        "push {r}",
        "store(sp - 4 * len(r) + 4 * i, 4, r[i]); sp = sp - 4 * len(r)",
        "storemulti",
        narrow="lows(r, 14)",
        align=4,
    )
    yield Form(
        "pop",
        "r:list:core",
        "pop {r}",
        "r[i] = load(sp + 4 * i, 4); sp = sp + 4 * len(r)",
        "loadmulti",
        narrow="lows(r, 15)",
        align=4,
    )


def branches() -> Iterator[Form]:
    """Branches have no effect on data: the interpreter follows them. `bc` is B with a condition."""
    yield Form("b", "t:label:always", "b {t}", "", "branch", narrow="True")
    yield Form("bc", "t:label:when", "b {t}", "", "branch", narrow="True")
    yield Form("cbz", "n, t:label:zero", "cbz {n}, {t}", "", "branch", narrow="True", wide=False)
    yield Form("cbnz", "n, t:label:zero", "cbnz {n}, {t}", "", "branch", narrow="True", wide=False)
    yield Form("bl", "t:label:call", "bl {t}", "", "call")
    yield Form("bx", "n", "bx {n}", "", "return", narrow="True", wide=False)
    for letters in ("", *(a for n in (1, 2, 3) for a in map("".join, product("te", repeat=n)))):
        yield Form(
            f"it{letters}",
            "c:label:cond",
            f"it{letters} {{c}}",
            "",
            "it",
            narrow="True",
            wide=False,
        )
    yield Form("nop", "", "nop", "", "nop", narrow="True")


def forms() -> Iterator[Form]:
    """The table."""
    for family in (singles, multiples, branches):
        yield from family()
