# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Thumb-2 data processing, one entry a form (Arm DDI 0403, A7.7). Regular families are loops.

Flag-setting forms are 16-bit outside an IT block, the others inside one: `it` in `narrow` tells
which.
"""

from __future__ import annotations

from collections.abc import Iterator

from gen.isa.form import Form

NZ = "N = s32(d) < 0; Z = u32(d) == 0"

# the flexible second operand: syntax, value
SECOND = (("m", "m"), ("m, sh:shift:any", "shift(m, sh)"), ("k:imm:t2", "k"))

# V: the signed result leaves its range; said so that ranges can tell that it does not
_SUM = "C = u32(n) + u32({x}) >= 2**32; V = (s32(n) + s32({x}) + 2**31 >> 32) != 0"
_DIFFERENCE = "C = u32(n) >= u32({x}); V = (s32(n) - s32({x}) + 2**31 >> 32) != 0"
_REVERSE = "C = u32({x}) >= u32(n); V = (s32({x}) - s32(n) + 2**31 >> 32) != 0"

# name -> result, flags after NZ
ARITHMETIC = {
    "add": ("wrap(n + {x})", _SUM),
    "sub": ("wrap(n - {x})", _DIFFERENCE),
    "rsb": ("wrap({x} - n)", _REVERSE),
}
# name -> result, carry, signed result; they are formed before C changes
WITH_CARRY = {
    "adc": ("n + {x} + C", "u32(n) + u32({x}) + C >= 2**32", "s32(n) + s32({x}) + C"),
    "sbc": ("n - {x} - 1 + C", "u32(n) >= u32({x}) + 1 - C", "s32(n) - s32({x}) - 1 + C"),
}
LOGIC = {"and": "n & {x}", "orr": "n | {x}", "eor": "n ^ {x}", "bic": "n & ~{x}", "orn": "n | ~{x}"}
# C after a logical operation, by value of the second operand
_CARRY = {"m": "", "shift(m, sh)": "; C = shift_c(m, sh)", "k": "; C = imm_c(k)"}


def _outer(s: str) -> str:
    return "not it" if s else "it"


def _sum_narrow(name: str, s: str, value: str) -> str:
    """16-bit ADD, SUB and RSB."""
    if name == "rsb":
        return f"{_outer(s)} and low(d, n) and k == 0" if value == "k" else ""
    if value == "m":
        low = f"{_outer(s)} and low(d, n, m)"
        return f"{low} or d == n or d == m" if name == "add" and not s else low
    if value != "k":
        return ""
    low = f"{_outer(s)} and low(d, n) and (0 <= k <= 7 or d == n and 0 <= k <= 255)"
    stack = "d == 13 and k <= 508" + (" or low(d) and k <= 1020" if name == "add" else "")
    return low if s else f"{low} or n == 13 and k % 4 == 0 and 0 <= k and ({stack})"


def arithmetic() -> Iterator[Form]:
    """ADD SUB RSB with and without flags."""
    for name, (result, flags) in ARITHMETIC.items():
        for s in ("", "s"):
            for syntax, x in SECOND:
                means = f"d = {result}" + (f"; {NZ}; {flags}" if s else "")
                # -1 is not added: clang writes the short opposite for it, GNU as does not
                holds = "k != 4294967295" if x == "k" and name != "rsb" else ""
                yield Form(
                    name + s,
                    f"d, n, {syntax}",
                    means.format(x=x),
                    "alu",
                    narrow=_sum_narrow(name, s, x),
                    holds=holds,
                )
    for name, op in (("add", "+"), ("sub", "-")):
        # constants that no modified immediate holds; in an IT block GNU as wants it spelt so
        yield Form(name, "d, n, k:imm:0..4095", f"d = wrap(n {op} k)", "alu", f"{name}w")


def with_carry() -> Iterator[Form]:
    """ADC SBC with and without flags."""
    for name, (result, carry, signed) in WITH_CARRY.items():
        both = "d == n or d == m" if name == "adc" else "d == n"
        for s in ("", "s"):
            for syntax, x in SECOND:
                means = f"d = {result}"
                if s:
                    means = f"t = {signed}; c = {carry}; {means}; {NZ}; C = c; V = t != s32(d)"
                means = means.format(x=x)
                narrow = f"{_outer(s)} and low(d, n, m) and ({both})" if x == "m" else ""
                yield Form(name + s, f"d, n, {syntax}", means, "alu", narrow=narrow)


def logic() -> Iterator[Form]:
    """AND ORR EOR BIC ORN with and without flags."""
    for name, result in LOGIC.items():
        both = "d == n" if name == "bic" else "d == n or d == m"
        for s in ("", "s"):
            for syntax, x in SECOND:
                means = (f"d = {result}" + (f"; {NZ}{_CARRY[x]}" if s else "")).format(x=x)
                narrow = f"{_outer(s)} and low(d, n, m) and ({both})"
                short = x == "m" and name != "orn"
                yield Form(name + s, f"d, n, {syntax}", means, "alu", narrow=narrow * short)


def moves() -> Iterator[Form]:
    """MOV and MVN with and without flags, MOVW, MOVT."""
    for s in ("", "s"):
        flags = f"; {NZ}" * bool(s)
        narrow = "not it and low(d, m)" if s else "True"
        yield Form(f"mov{s}", "d, m", f"d = m{flags}", "alu", narrow=narrow)
        enc, carry = ("t2", "; C = imm_c(k)") if s else ("t2|0..65535", "")
        narrow = f"{_outer(s)} and low(d) and 0 <= k <= 255"
        yield Form(f"mov{s}", f"d, k:imm:{enc}", f"d = k{flags}{carry}", "alu", narrow=narrow)
        for syntax, x in SECOND:
            means = f"d = ~{x}{flags}{_CARRY[x] * bool(s)}"
            narrow = f"{_outer(s)} and low(d, m)" if x == "m" else ""
            yield Form(f"mvn{s}", f"d, {syntax}", means, "alu", narrow=narrow)
    yield Form("movw", "d, k:imm:0..65535", "d = k", "alu")
    yield Form("movt", "d, k:imm:0..65535", "d = pack(sb(d), k)", "alu")


def compares() -> Iterator[Form]:
    """CMP CMN TST TEQ."""
    pair = {"m": "low(n, m)"}
    narrow = {
        "cmp": {"m": "True", "k": "low(n) and 0 <= k <= 255"},
        "cmn": pair,
        "tst": pair,
        "teq": {},
    }
    for syntax, x in SECOND:
        for name, result, flags in (
            ("cmp", "n - {x}", f"; {_DIFFERENCE}"),
            ("cmn", "n + {x}", f"; {_SUM}"),
            ("tst", "n & {x}", _CARRY[x]),
            ("teq", "n ^ {x}", _CARRY[x]),
        ):
            means = f"t = {result}; {NZ}{flags}".replace("(d)", "(t)").format(x=x)
            yield Form(name, f"n, {syntax}", means, "alu", narrow=narrow[name].get(x, ""))


# name -> most by a constant, result, carry; and for t, the low byte of a register, result, carry
_SHIFTS = {
    "lsl": (31, "n << k", "u32(n) >> 32 - k & 1", "u32(n) << t", "(u32(n) << t >> 32 & 1)"),
    "lsr": (32, "u32(n) >> k", "u32(n) >> k - 1 & 1", "u32(n) >> t", "(u32(n) * 2 >> t & 1)"),
    "asr": (32, "s32(n) >> k", "u32(n) >> k - 1 & 1", "s32(n) >> t", "(s32(n) * 2 >> t & 1)"),
    "ror": (31, "ror(n, k)", "u32(n) >> k - 1 & 1", "ror(n, t & 31)", "(ror(n, t & 31) >> 31 & 1)"),
}


def shifts() -> Iterator[Form]:
    """LSL LSR ASR ROR by a constant and by a register, RRX."""
    for name, (most, result, last, by_register, carry) in _SHIFTS.items():
        for s in ("", "s"):
            means = f"d = {result}" + f"; {NZ}; C = {last}" * bool(s)
            narrow = "" if name == "ror" else f"{_outer(s)} and low(d, n)"
            yield Form(name + s, f"d, n, k:imm:1..{most}", means, "alu", narrow=narrow)
            means = f"t = m & 255; d = {by_register}"
            means += f"; {NZ}; C = {carry} if t > 0 else C" * bool(s)
            narrow = f"{_outer(s)} and low(d, m) and d == n"
            yield Form(name + s, "d, n, m", means, "alu", narrow=narrow)
    yield Form("rrx", "d, n", "d = u32(n) >> 1 | C << 31", "alu")
    yield Form("rrxs", "d, n", f"d = u32(n) >> 1 | C << 31; {NZ}; C = n & 1", "alu")


def multiplies() -> Iterator[Form]:
    """MUL MLA MLS, long multiplies, division."""
    narrow = "it and low(d, n, m) and (d == n or d == m)"
    yield Form("mul", "d, n, m", "d = n * m", "mul", narrow=narrow, wide=False)
    yield Form("mla", "d, n, m, a", "d = wrap(n * m + a)", "mac")
    yield Form("mls", "d, n, m, a", "d = wrap(a - n * m)", "mac")
    lh = (("l", "h"),)
    for sign in "us":
        product = f"{sign}32(n) * {sign}32(m)"
        means = f"t = {product}; l = t; h = t >> 32"
        yield Form(f"{sign}mull", "l, h, n, m", means, "mul64", distinct=lh)
        means = f"t = u32(l) + ({sign}32(h) << 32) + {product}; l = t; h = t >> 32"
        yield Form(f"{sign}mlal", "l, h, n, m", means, "mac64", distinct=lh)
        yield Form(f"{sign}div", "d, n, m", f"d = div({sign}32(n), {sign}32(m))", "div")


def fields() -> Iterator[Form]:
    """Bit fields, saturation."""
    span, inside, mask = "b:imm:0..31, w:imm:1..32", "b + w <= 32", "((1 << w) - 1 << b)"
    for sign in "us":
        means = f"d = {sign}(u32(n) >> b, w)"
        yield Form(f"{sign}bfx", f"d, n, {span}", means, "bits", holds=inside)
    means = f"d = d & ~{mask} | u(n, w) << b"
    yield Form("bfi", f"d, n, {span}", means, "bits", holds=inside)
    yield Form("bfc", f"d, {span}", f"d = d & ~{mask}", "bits", holds=inside)
    for name, span, clamp in (("ssat", "1..32", "sat"), ("usat", "0..31", "usat")):
        for more, x in (("", "s32(n)"), (", sh:shift:sat", "s32(shift(n, sh))")):
            means = f"t = {x}; d = {clamp}(t, k); Q |= s32(d) != t"
            yield Form(name, f"d, k:imm:{span}, n{more}", means, "bits")


def extensions() -> Iterator[Form]:
    """SXTB SXTH UXTB UXTH, of a register, a rotated one, or a half-word."""
    for sign in "us":
        for letter, width in (("b", 8), ("h", 16)):
            name, view = f"{sign}xt{letter}", f"{sign}{width}"
            yield Form(name, "d, n", f"d = {view}(n)", "bits", narrow="low(d, n)")
            yield Form(name, "d, n, sh:shift:rot", f"d = {view}(shift(n, sh))", "bits")
        text = f"{sign}xth {{d}}, {{n}}{{n.ror}}"
        narrow = "low(d) and bottom(n)"
        yield Form(f"{sign}xth", "d, n:half", f"d = {sign}16(n)", "bits", text, narrow=narrow)


def _swapped(*steps: tuple[int, int]) -> str:
    """n with neighbouring groups of bits exchanged: (width of a group, mask of the lower ones)."""
    swaps = "; ".join(f"t = t >> {w} & {mask} | (t & {mask}) << {w}" for w, mask in steps)
    return f"t = u32(n); {swaps}; d = t"


_BYTES, _HALVES = (8, 0x00FF00FF), (16, 0xFFFF)
_BITS = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F))


def reversals() -> Iterator[Form]:
    """REV REV16 REVSH RBIT CLZ."""
    for name, means in (
        ("rev", _swapped(_BYTES, _HALVES)),
        ("rev16", _swapped(_BYTES)),
        ("revsh", "d = s16(n << 8 & 65280 | n >> 8 & 255)"),
    ):
        yield Form(name, "d, n", means, "bits", narrow="low(d, n)")
    yield Form("rbit", "d, n", _swapped(*_BITS, _BYTES, _HALVES), "bits")
    zeros = " + ".join(f"(u32(n) < {1 << i})" for i in range(32))
    yield Form("clz", "d, n", f"d = {zeros}", "bits")


def forms() -> Iterator[Form]:
    """The table."""
    for family in (arithmetic, with_carry, logic, moves, compares, shifts, multiplies):
        yield from family()
    for family in (fields, extensions, reversals):
        yield from family()
