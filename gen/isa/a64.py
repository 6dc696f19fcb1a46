# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A64 instructions on general registers, one entry a form (Arm DDI 0487, C6.2). Registers are 64 bits wide.

What is written has the family's name; a register prints as x or, where the encoding says so, as w.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gen.isa.form import Form

A64 = partial(Form, isa="aarch64")

NZ = "N = s64(d) < 0; Z = u64(d) == 0"
_SUM = "C = u64(n) + u64({x}) >= 2**64; V = (s64(n) + s64({x}) + 2**63 >> 64) != 0"
_DIFFERENCE = "C = u64(n) >= u64({x}); V = (s64(n) - s64({x}) + 2**63 >> 64) != 0"
_SHORT = "k:imm:0..4095|4096..16773120/4096"

# the second operand of sums and of logic: syntax, value
SUMS = (("m", "m"), ("m, sh:shift:a64sum", "shift64(m, sh)"), (_SHORT, "k"))
BITS = (("m", "m"), ("m, sh:shift:a64", "shift64(m, sh)"), ("k:imm:bm64", "k"))
LOGIC = {"and": "n & {x}", "orr": "n | {x}", "eor": "n ^ {x}"}
INVERTED = {"bic": "n & ~{x}", "orn": "n | ~{x}", "eon": "n ^ ~{x}"}


def sums() -> Iterator[Form]:
    """ADD SUB with and without flags, CMP CMN; with the carry ADC SBC."""
    for syntax, x in SUMS:
        for name, op, flags in (("add", "+", _SUM), ("sub", "-", _DIFFERENCE)):
            means = f"d = wrap(n {op} {{x}})".format(x=x)
            yield A64(name, f"d, n, {syntax}", means, "alu")
            yield A64(f"{name}s", f"d, n, {syntax}", f"{means}; {NZ}; {flags}".format(x=x), "alu")
            compare = f"t = n {op} {{x}}; {NZ}; {flags}".replace("(d)", "(t)").format(x=x)
            yield A64({"add": "cmn", "sub": "cmp"}[name], f"n, {syntax}", compare, "alu")
    for name, total, carry, signed in (
        ("adc", "n + m + C", "u64(n) + u64(m) + C >= 2**64", "s64(n) + s64(m) + C"),
        ("sbc", "n - m - 1 + C", "u64(n) >= u64(m) + 1 - C", "s64(n) - s64(m) - 1 + C"),
    ):
        yield A64(name, "d, n, m", f"d = {total}", "alu")
        means = f"t = {signed}; c = {carry}; d = {total}; {NZ}; C = c; V = t != s64(d)"
        yield A64(f"{name}s", "d, n, m", means, "alu")


def logic() -> Iterator[Form]:
    """AND ORR EOR, BIC ORN EON; ANDS BICS TST."""
    clear = f"{NZ}; C = 0; V = 0"
    for syntax, x in BITS:
        for name, value in (*LOGIC.items(), *(INVERTED.items() if x != "k" else ())):
            yield A64(name, f"d, n, {syntax}", f"d = {value}".format(x=x), "alu")
        yield A64("ands", f"d, n, {syntax}", f"d = n & {x}; {clear}", "alu")
        yield A64("tst", f"n, {syntax}", f"t = n & {x}; {clear}".replace("(d)", "(t)"), "alu")
        if x != "k":
            yield A64("bics", f"d, n, {syntax}", f"d = n & ~{x}; {clear}", "alu")


def moves() -> Iterator[Form]:
    """MOV MVN, MOVZ MOVK."""
    yield A64("mov", "d, m", "d = m", "alu")
    yield A64("mov", "d, k:imm:0..65535|bm64", "d = k", "alu")
    for syntax, x in BITS[:2]:
        yield A64("mvn", f"d, {syntax}", f"d = ~{x}", "alu")
    for at in range(0, 64, 16):
        tail = f", lsl #{at}"
        kept = ((1 << 64) - 1) ^ (0xFFFF << at)
        for name, means in (("movz", f"d = k << {at}"), ("movk", f"d = d & {kept} | k << {at}")):
            text = f"{name} {{d}}, {{k}}" + tail * bool(at)
            yield A64(f"{name}{at or ''}", "d, k:imm:0..65535", means, "alu", text=text)


def shifts() -> Iterator[Form]:
    """LSL LSR ASR ROR by a constant and by a register, EXTR."""
    for name, result in (
        ("lsl", "u64(n) << {k}"),
        ("lsr", "u64(n) >> {k}"),
        ("asr", "s64(n) >> {k}"),
        ("ror", "ror64(n, {k})"),
    ):
        yield A64(name, "d, n, k:imm:1..63", f"d = {result}".format(k="k"), "alu")
        yield A64(name, "d, n, m", f"t = m & 63; d = {result}".format(k="t"), "alu")
    means = "d = u64(m) >> k | u64(n) << 64 - k"
    yield A64("extr", "d, n, m, k:imm:1..63", means, "alu")


def multiplies() -> Iterator[Form]:
    """MUL MADD MSUB UMULH SMULH."""
    yield A64("mul", "d, n, m", "d = n * m", "mul")
    yield A64("madd", "d, n, m, a", "d = wrap(n * m + a)", "mac")
    yield A64("msub", "d, n, m, a", "d = wrap(a - n * m)", "mac")
    for sign in "us":
        yield A64(f"{sign}mulh", "d, n, m", f"d = {sign}64(n) * {sign}64(m) >> 64", "mul64")


def memory() -> Iterator[Form]:
    """LDR STR and their kin, LDP STP."""
    for name, size, value, view in (
        ("ldr", 8, "t", ""),
        ("ldrsw", 4, "s32(t)", ""),
        ("ldrh", 2, "t", ".w"),
        ("ldrb", 1, "t", ".w"),
    ):
        means = f"t = load(ea, {size}); d = {value}"
        text = f"{name} {{d{view}}}, {{a}}"
        yield A64(name, f"d, a:mem:a64x{size}", means, "load", text=text)
    for name, size, view in (("str", 8, ""), ("strh", 2, ".w"), ("strb", 1, ".w")):
        text = f"{name} {{d{view}}}, {{a}}"
        yield A64(name, f"d, a:mem:a64x{size}", f"store(ea, {size}, d)", "store", text=text)
    two = "d, e, a:mem:a64pair8"
    means = "d = load(ea, 8); e = load(ea + 8, 8)"
    yield A64("ldp", two, means, "loadpair", distinct=(("d", "e"),))
    yield A64("stp", two, "store(ea, 8, d); store(ea + 8, 8, e)", "storepair")


def branches() -> Iterator[Form]:
    """Branches have no effect on data: the interpreter follows them. `bc` is B with a condition."""
    yield A64("b", "t:label:a64always", "", "branch")
    yield A64("bc", "t:label:a64when", "", "branch", "b.")
    yield A64("bl", "t:label:a64always", "", "call")
    yield A64("ret", "", "", "return")
    yield A64("nop", "", "", "nop")


def forms() -> Iterator[Form]:
    """The table."""
    for family in (sums, logic, moves, shifts, multiplies, memory, branches):
        yield from family()
