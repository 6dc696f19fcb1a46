# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Moves between core and FP registers and memory, one entry a form (Arm DDI 0403, A7.7). FP
registers hold bits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gen.isa.form import Form

Vfp = partial(Form, isa="vfp", needs="fpregs")


def forms() -> Iterator[Form]:
    """The table."""
    yield Vfp("vmov", "d:reg:s, n", "vmov {d}, {n}", "d = n", "vmov")
    yield Vfp("vmov", "d, n:reg:s", "vmov {d}, {n}", "d = n", "vmov")
    yield Vfp("vmov", "d:reg:s, n:reg:s", "vmov.f32 {d}, {n}", "d = n", "vmov")
    yield Vfp(
        "vmov",
        "d, e, n:reg:d",
        "vmov {d}, {e}, {n}",
        "d = n; e = u64(n) >> 32",
        "vmov",
        distinct=(("d", "e"),),
    )
    yield Vfp("vmov", "d:reg:d, n, m", "vmov {d}, {n}, {m}", "d = u32(n) | u32(m) << 32", "vmov")
    yield Vfp("vldr", "d:reg:s, a:mem:vfp", "vldr {d}, {a}", "d = load(ea, 4)", "vload", align=4)
    yield Vfp("vstr", "d:reg:s, a:mem:vfp", "vstr {d}, {a}", "store(ea, 4, d)", "vstore", align=4)
    yield Vfp(
        "vldr",
        "d:reg:d, a:mem:vfp",
        "vldr {d}, {a}",
        "d = load(ea, 4) | load(ea + 4, 4) << 32",
        "vload",
        align=4,
    )
    yield Vfp(
        "vstr",
        "d:reg:d, a:mem:vfp",
        "vstr {d}, {a}",
        "store(ea, 4, d); store(ea + 4, 4, u64(d) >> 32)",
        "vstore",
        align=4,
    )
    for bank, size in (("s", 4), ("d", 8)):
        yield from _lists(bank, size)


def _lists(bank: str, size: int) -> Iterator[Form]:
    """VLDM VSTM VPUSH VPOP of one register bank; the registers of a list are consecutive."""
    for way, start, after in (
        ("", "p", f"p + {size} * len(r)"),
        ("db", f"p - {size} * len(r)", f"p - {size} * len(r)"),
    ):
        at = f"{start} + {size} * i"
        names = f"p:base{':must' if way else ''}, r:list:{bank}"
        suffix = way or "ia"
        yield Vfp(
            f"vldm{way}",
            names,
            f"vldm{suffix} {{p}}, {{r}}",
            f"r[i] = {_load(at, size)}; p = {after}",
            "vloadmulti",
            align=4,
        )
        yield Vfp(
            f"vstm{way}",
            names,
            f"vstm{suffix} {{p}}, {{r}}",
            f"{_store(at, size)}; p = {after}",
            "vstoremulti",
            align=4,
        )
    down = f"sp - {size} * len(r)"
    yield Vfp(
        "vpush",
        f"r:list:{bank}",
        "vpush {r}",
        f"{_store(f'{down} + {size} * i', size)}; sp = {down}",
        "vstoremulti",
        align=4,
    )
    yield Vfp(
        "vpop",
        f"r:list:{bank}",
        "vpop {r}",
        f"r[i] = {_load(f'sp + {size} * i', size)}; sp = sp + {size} * len(r)",
        "vloadmulti",
        align=4,
    )


def _load(at: str, size: int) -> str:
    return f"load({at}, 4)" + (f" | load({at} + 4, 4) << 32" if size == 8 else "")


def _store(at: str, size: int) -> str:
    return f"store({at}, 4, r[i])" + (f"; store({at} + 4, 4, u64(r[i]) >> 32)" if size == 8 else "")
