# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Moves between core registers, FP registers and memory, one entry a form (Arm DDI 0403, A7.7).

FP registers hold bits here, a d register 64 of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gen.isa.form import Form

Vfp = partial(Form, isa="vfp", needs="fpregs")


def moves() -> Iterator[Form]:
    """VMOV between registers."""
    yield Vfp("vmov", "d:reg:s, n", "d = n", "vmov")
    yield Vfp("vmov", "d, n:reg:s", "d = n", "vmov")
    yield Vfp("vmov", "d:reg:s, n:reg:s", "d = n", "vmov", "vmov.f32")
    both = (("d", "e"),)
    yield Vfp("vmov", "d, e, n:reg:d", "d = n; e = u64(n) >> 32", "vmov", distinct=both)
    yield Vfp("vmov", "d:reg:d, n, m", "d = u32(n) | u32(m) << 32", "vmov")


def _load(at: str, size: int) -> str:
    return f"load({at}, 4)" + (f" | load({at} + 4, 4) << 32" if size == 8 else "")


def _store(at: str, size: int, value: str) -> str:
    high = f"; store({at} + 4, 4, u64({value}) >> 32)"
    return f"store({at}, 4, {value})" + (high if size == 8 else "")


def memory() -> Iterator[Form]:
    """VLDR VSTR VLDM VSTM VPUSH VPOP; the registers of a list are consecutive."""
    for bank, size in (("s", 4), ("d", 8)):
        one, many = f"d:reg:{bank}, a:mem:vfp", f"r:list:{bank}"
        yield Vfp("vldr", one, f"d = {_load('ea', size)}", "vload", align=4)
        yield Vfp("vstr", one, _store("ea", size, "d"), "vstore", align=4)
        up, down = f"p + {size} * len(r)", f"p - {size} * len(r)"
        for way, start, after in (("", "p", up), ("db", down, down)):
            at, syntax = f"{start} + {size} * i", f"p:base{':must' if way else ''}, {many}"
            means = f"r[i] = {_load(at, size)}; p = {after}"
            text = way or "ia"
            yield Vfp(f"vldm{way}", syntax, means, "vloadmulti", f"vldm{text}", align=4)
            means = f"{_store(at, size, 'r[i]')}; p = {after}"
            yield Vfp(f"vstm{way}", syntax, means, "vstoremulti", f"vstm{text}", align=4)
        down = f"sp - {size} * len(r)"
        means = f"{_store(f'{down} + {size} * i', size, 'r[i]')}; sp = {down}"
        yield Vfp("vpush", many, means, "vstoremulti", align=4)
        means = f"r[i] = {_load(f'sp + {size} * i', size)}; sp = sp + {size} * len(r)"
        yield Vfp("vpop", many, means, "vloadmulti", align=4)


def forms() -> Iterator[Form]:
    """The table."""
    yield from moves()
    yield from memory()
