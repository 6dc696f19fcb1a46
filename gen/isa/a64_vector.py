# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Vector instructions of A64, one entry a form (Arm DDI 0487, C7.2): moves, logic, lanes, and the SHA-3 extension.

A vector register is a number of 128 bits; the arrangement belongs to the form. A register of type u64x1 is loaded and
stored as its low 64 bits (`reg:v1`), one of u64x2 whole (`reg:v2`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gen.isa.form import Form

Vector = partial(Form, isa="aarch64")
Sha3 = partial(Form, isa="sha3", needs="sha3", kind="sha3")
HALF = 2**64 - 1


def _arranged(name: str, roles: str, arrangement: str) -> str:
    """Text of a form whose registers all have one arrangement; constants have none."""
    return f"{name} " + ", ".join(
        f"{{{role}}}" + f".{arrangement}" * (role != "k") for role in roles.split()
    )


def _registers(roles: str) -> str:
    return ", ".join("k:imm:0..63" if role == "k" else f"{role}:reg:v" for role in roles.split())


def _lanes(low: str, high: str) -> str:
    """The register with these lanes."""
    return f"d = u64({low}) | u64({high}) << 64"


def logic() -> Iterator[Form]:
    """AND ORR EOR BIC, MOV."""
    for name, means, acle in (
        ("and", "d = n & m", "vandq_u64"),
        ("orr", "d = n | m", "vorrq_u64"),
        ("eor", "d = n ^ m", "veorq_u64"),
        ("bic", "d = n & ~m", "vbicq_u64"),
    ):
        text = _arranged(name, "d n m", "16b")
        yield Vector(name, _registers("d n m"), means, "vector", text=text, acle=acle)
    yield Vector("mov", _registers("d n"), "d = n", "vector", text=_arranged("mov", "d n", "16b"))


def lanes() -> Iterator[Form]:
    """TRN1 TRN2 on 64-bit lanes, DUP."""
    for name, means in (
        ("trn1", _lanes("n", "m")),
        ("trn2", _lanes("u128(n) >> 64", "u128(m) >> 64")),
    ):
        text = _arranged(name, "d n m", "2d")
        syntax, acle = _registers("d n m"), f"v{name}q_u64"
        yield Vector(name, syntax, means, "vector", text=text, acle=acle)
    syntax, text = "d:reg:v, n", "dup {d}.2d, {n}"
    yield Vector("dup", syntax, _lanes("n", "n"), "vector", text=text, acle="vdupq_n_u64")


def memory() -> Iterator[Form]:
    """LDR STR LDP STP of d and q registers, LD1R. Forms in `save` are the frame's."""
    for bank, size, view in (("v1", 8, "d"), ("v2", 16, "q")):
        one, two = f"d:reg:{bank}, a:mem:a64x{size}", f"d:reg:{bank}, e:reg:{bank}"
        pair = f"{two}, a:mem:a64pair{size}"
        single, double = f"{{d.{view}}}, {{a}}", f"{{d.{view}}}, {{e.{view}}}, {{a}}"
        loads = f"d = load(ea, {size}); e = load(ea + {size}, {size})"
        stores = f"store(ea, {size}, d); store(ea + {size}, {size}, e)"
        both = (("d", "e"),)
        yield Vector("ldr", one, f"d = load(ea, {size})", "vload", text=f"ldr {single}")
        yield Vector("str", one, f"store(ea, {size}, d)", "vstore", text=f"str {single}")
        yield Vector("ldp", pair, loads, "vload", text=f"ldp {double}", distinct=both)
        yield Vector("stp", pair, stores, "vstore", text=f"stp {double}")
    means = f"t = load(ea, 8); {_lanes('t', 't')}"
    text = "ld1r {d.one}, {a}"
    yield Vector("ld1r", "d:reg:v, a:mem:a64one8", means, "vload", text=text, acle="vld1q_dup_u64")


def sha3() -> Iterator[Form]:
    """EOR3 BCAX RAX1 XAR."""
    yield Sha3(
        "eor3",
        _registers("d n m a"),
        "d = n ^ m ^ a",
        text=_arranged("eor3", "d n m a", "16b"),
        acle="veor3q_u64",
    )
    yield Sha3(
        "bcax",
        _registers("d n m a"),
        "d = n ^ m & ~a",
        text=_arranged("bcax", "d n m a", "16b"),
        acle="vbcaxq_u64",
    )
    low, high = "u64(n) ^ ror64(m, 63)", "u64(n >> 64) ^ ror64(m >> 64, 63)"
    text = _arranged("rax1", "d n m", "2d")
    yield Sha3("rax1", _registers("d n m"), _lanes(low, high), text=text, acle="vrax1q_u64")
    low, high = "ror64(n ^ m, k)", "ror64((n ^ m) >> 64, k)"
    text = _arranged("xar", "d n m k", "2d")
    yield Sha3("xar", _registers("d n m k"), _lanes(low, high), text=text, acle="vxarq_u64")


def forms() -> Iterator[Form]:
    """The table."""
    for family in (logic, lanes, memory, sha3):
        yield from family()
