# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Thumb-2 data processing, one entry a form (Arm DDI 0403, A7.7). Regular families are loops.

Flag-setting forms are 16-bit outside an IT block, the others inside one: `it` in `narrow` tells
which.
"""

from __future__ import annotations

from collections.abc import Iterator

from gen.isa.form import Form

NZ = "N = s32(d) < 0; Z = u32(d) == 0"

# The flexible second operand: syntax, text, value
REGISTER = ("m", "{m}", "m")
SHIFTED = ("m, sh:shift:any", "{m}, {sh}", "shift(m, sh)")
CONSTANT = ("k:imm:t2", "{k}", "k")
SECOND = (REGISTER, SHIFTED, CONSTANT)

_SUM = "C = u32(n) + u32({x}) >= 2**32; V = s32(n) + s32({x}) != s32(d)"
_DIFFERENCE = "C = u32(n) >= u32({x}); V = s32(n) - s32({x}) != s32(d)"
_REVERSE = "C = u32({x}) >= u32(n); V = s32({x}) - s32(n) != s32(d)"

# name -> result, flags after NZ
ARITHMETIC = {
    "add": ("wrap(n + {x})", _SUM),
    "sub": ("wrap(n - {x})", _DIFFERENCE),
    "rsb": ("wrap({x} - n)", _REVERSE),
}
# the carry in is the flag: unsigned and signed sums are formed before C changes
WITH_CARRY = {
    "adc": ("n + {x} + C", "u32(n) + u32({x}) + C >= 2**32", "s32(n) + s32({x}) + C"),
    "sbc": ("n - {x} - 1 + C", "u32(n) >= u32({x}) + 1 - C", "s32(n) - s32({x}) - 1 + C"),
}
LOGIC = {
    "and": "n & {x}",
    "orr": "n | {x}",
    "eor": "n ^ {x}",
    "bic": "n & ~{x}",
    "orn": "n | ~{x}",
}
# C after a logical operation, by value of the second operand
_CARRY = {"m": "", "shift(m, sh)": "; C = shift_c(m, sh)", "k": "; C = imm_c(k)"}


def _outer(s: str) -> str:
    return "not it" if s else "it"


def _sum_narrow(name: str, s: str, value: str) -> str:
    """16-bit ADD and SUB."""
    if value == "k":
        low = f"{_outer(s)} and low(d, n) and (0 <= k <= 7 or d == n and 0 <= k <= 255)"
        if s:
            return low
        stack = "n == 13 and k % 4 == 0 and 0 <= k and "
        if name == "add":
            return f"{low} or {stack}(d == 13 and k <= 508 or low(d) and k <= 1020)"
        return f"{low} or {stack}d == 13 and k <= 508"
    if value != "m":
        return ""
    low = f"{_outer(s)} and low(d, n, m)"
    return f"{low} or d == n or d == m" if name == "add" and not s else low


def arithmetic() -> Iterator[Form]:
    """ADD SUB RSB ADC SBC with and without flags."""
    for name, (result, flags) in ARITHMETIC.items():
        for s in ("", "s"):
            for syntax, text, x in SECOND:
                if name == "rsb":
                    narrow = f"{_outer(s)} and low(d, n) and k == 0" if x == "k" else ""
                else:
                    narrow = _sum_narrow(name, s, x)
                means = f"d = {result}" + (f"; {NZ}; {flags}" if s else "")
                # -1 is not added: clang writes the short opposite for it, GNU as does not
                plain = x != "k" or name == "rsb"
                yield Form(
                    name + s,
                    f"d, n, {syntax}",
                    f"{name}{s} {{d}}, {{n}}, {text}",
                    means.format(x=x),
                    "alu",
                    narrow=narrow,
                    holds="" if plain else "k != 4294967295",
                )
    for name, op in (("add", "+"), ("sub", "-")):
        # constants that no modified immediate holds; in an IT block GNU as wants it spelt so
        yield Form(
            name,
            "d, n, k:imm:0..4095",
            f"{name}w {{d}}, {{n}}, {{k}}",
            f"d = wrap(n {op} k)",
            "alu",
        )
    for name, (result, carry, signed) in WITH_CARRY.items():
        for s in ("", "s"):
            for syntax, text, x in SECOND:
                means = f"d = {result}"
                if s:
                    means = f"t = {signed}; c = {carry}; {means}; {NZ}; C = c; V = t != s32(d)"
                both = "d == n or d == m" if name == "adc" else "d == n"
                narrow = f"{_outer(s)} and low(d, n, m) and ({both})" if x == "m" else ""
                yield Form(
                    name + s,
                    f"d, n, {syntax}",
                    f"{name}{s} {{d}}, {{n}}, {text}",
                    means.format(x=x),
                    "alu",
                    narrow=narrow,
                )


def logic() -> Iterator[Form]:
    """AND ORR EOR BIC ORN, MOV and MVN with and without flags."""
    for name, result in LOGIC.items():
        for s in ("", "s"):
            for syntax, text, x in SECOND:
                means = f"d = {result}" + (f"; {NZ}{_CARRY[x]}" if s else "")
                both = "d == n" if name == "bic" else "d == n or d == m"
                short = x == "m" and name != "orn"
                yield Form(
                    name + s,
                    f"d, n, {syntax}",
                    f"{name}{s} {{d}}, {{n}}, {text}",
                    means.format(x=x),
                    "alu",
                    narrow=f"{_outer(s)} and low(d, n, m) and ({both})" if short else "",
                )
    for s in ("", "s"):
        flags = f"; {NZ}" if s else ""
        yield Form(
            f"mov{s}",
            "d, m",
            f"mov{s} {{d}}, {{m}}",
            f"d = m{flags}",
            "alu",
            narrow="not it and low(d, m)" if s else "True",
        )
        yield Form(
            f"mov{s}",
            "d, k:imm:t2" + ("" if s else "|0..65535"),
            f"mov{s} {{d}}, {{k}}",
            f"d = k{flags}" + ("; C = imm_c(k)" if s else ""),
            "alu",
            narrow=f"{_outer(s)} and low(d) and 0 <= k <= 255",
        )
        for syntax, text, x in SECOND:
            yield Form(
                f"mvn{s}",
                f"d, {syntax}",
                f"mvn{s} {{d}}, {text}",
                f"d = ~{x}" + (flags + _CARRY[x] if s else ""),
                "alu",
                narrow=f"{_outer(s)} and low(d, m)" if x == "m" else "",
            )
    yield Form("movw", "d, k:imm:0..65535", "movw {d}, {k}", "d = k", "alu")
    yield Form("movt", "d, k:imm:0..65535", "movt {d}, {k}", "d = pack(sb(d), k)", "alu")


def compares() -> Iterator[Form]:
    """CMP CMN TST TEQ."""
    small = {"m": "True", "k": "low(n) and 0 <= k <= 255"}
    for syntax, text, x in SECOND:
        for name, result, flags in (("cmp", "n - {x}", _DIFFERENCE), ("cmn", "n + {x}", _SUM)):
            means = f"t = {result}; {NZ}; {flags}".replace("(d)", "(t)").format(x=x)
            narrow = small.get(x, "") if name == "cmp" else "low(n, m)" if x == "m" else ""
            yield Form(name, f"n, {syntax}", f"{name} {{n}}, {text}", means, "alu", narrow=narrow)
        for name, result in (("tst", "n & {x}"), ("teq", "n ^ {x}")):
            means = f"t = {result}; {NZ}".replace("(d)", "(t)").format(x=x) + _CARRY[x]
            narrow = "low(n, m)" if name == "tst" and x == "m" else ""
            yield Form(name, f"n, {syntax}", f"{name} {{n}}, {text}", means, "alu", narrow=narrow)


_BY_REGISTER = {
    # value of the result and of the carry for amount t = m & 255, 0 < t
    "lsl": ("u32(n) << t", "u32(n) << t >> 32 & 1"),
    "lsr": ("u32(n) >> t", "u32(n) * 2 >> t & 1"),
    "asr": ("s32(n) >> t", "s32(n) * 2 >> t & 1"),
    "ror": ("ror(n, t & 31)", "ror(n, t & 31) >> 31 & 1"),
}


def shifts() -> Iterator[Form]:
    """LSL LSR ASR ROR by a constant and by a register (its low byte), RRX."""
    for name, (result, carry) in _BY_REGISTER.items():
        most = {"lsl": 31, "lsr": 32, "asr": 32, "ror": 31}[name]
        by = {"lsl": "n << k", "lsr": "u32(n) >> k", "asr": "s32(n) >> k", "ror": "ror(n, k)"}[name]
        last = "u32(n) >> 32 - k & 1" if name == "lsl" else "u32(n) >> k - 1 & 1"
        for s in ("", "s"):
            flags = f"; {NZ}; C = {last}" if s else ""
            yield Form(
                name + s,
                f"d, n, k:imm:1..{most}",
                f"{name}{s} {{d}}, {{n}}, {{k}}",
                f"d = {by}{flags}",
                "alu",
                narrow="" if name == "ror" else f"{_outer(s)} and low(d, n)",
            )
            flags = f"; {NZ}; C = {carry} if t > 0 else C" if s else ""
            flags = flags.replace(f"{carry} if", f"({carry}) if")
            yield Form(
                name + s,
                "d, n, m",
                f"{name}{s} {{d}}, {{n}}, {{m}}",
                f"t = m & 255; d = {result}{flags}",
                "alu",
                narrow=f"{_outer(s)} and low(d, m) and d == n",
            )
    yield Form("rrx", "d, n", "rrx {d}, {n}", "d = u32(n) >> 1 | C << 31", "alu")
    yield Form(
        "rrxs", "d, n", "rrxs {d}, {n}", f"d = u32(n) >> 1 | C << 31; {NZ}; C = n & 1", "alu"
    )


def multiplies() -> Iterator[Form]:
    """MUL MLA MLS, long multiplies, division."""
    yield Form(
        "mul",
        "d, n, m",
        "mul {d}, {n}, {m}",
        "d = n * m",
        "mul",
        narrow="it and low(d, n, m) and (d == n or d == m)",
    )
    yield Form("mla", "d, n, m, a", "mla {d}, {n}, {m}, {a}", "d = wrap(n * m + a)", "mac")
    yield Form("mls", "d, n, m, a", "mls {d}, {n}, {m}, {a}", "d = wrap(a - n * m)", "mac")
    for sign in "us":
        product = f"{sign}32(n) * {sign}32(m)"
        total = f"u32(l) + (u32(h) << 32) + {product}"
        yield Form(
            f"{sign}mull",
            "l, h, n, m",
            f"{sign}mull {{l}}, {{h}}, {{n}}, {{m}}",
            f"t = {product}; l = t; h = t >> 32",
            "mul64",
            distinct=(("l", "h"),),
        )
        yield Form(
            f"{sign}mlal",
            "l, h, n, m",
            f"{sign}mlal {{l}}, {{h}}, {{n}}, {{m}}",
            f"t = {total}; l = t; h = t >> 32",
            "mac64",
            distinct=(("l", "h"),),
        )
        yield Form(
            f"{sign}div",
            "d, n, m",
            f"{sign}div {{d}}, {{n}}, {{m}}",
            f"d = div({sign}32(n), {sign}32(m))",
            "div",
        )


def _rev(*steps: tuple[int, int]) -> str:
    """Swaps neighbouring groups of bits: (width of a group, mask of the lower ones)."""
    return "; ".join(f"t = t >> {w} & {mask} | (t & {mask}) << {w}" for w, mask in steps)


_BYTES, _WORDS = (8, 0x00FF00FF), (16, 0xFFFF)
_BITS = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F))


def bits() -> Iterator[Form]:
    """Bit fields, extension, reversal, counting, saturation."""
    for sign in "us":
        yield Form(
            f"{sign}bfx",
            "d, n, b:imm:0..31, w:imm:1..32",
            f"{sign}bfx {{d}}, {{n}}, {{b}}, {{w}}",
            f"d = {sign}(u32(n) >> b, w)",
            "bits",
            holds="b + w <= 32",
        )
    field = "((1 << w) - 1 << b)"
    yield Form(
        "bfi",
        "d, n, b:imm:0..31, w:imm:1..32",
        "bfi {d}, {n}, {b}, {w}",
        f"d = d & ~{field} | u(n, w) << b",
        "bits",
        holds="b + w <= 32",
    )
    yield Form(
        "bfc",
        "d, b:imm:0..31, w:imm:1..32",
        "bfc {d}, {b}, {w}",
        f"d = d & ~{field}",
        "bits",
        holds="b + w <= 32",
    )
    for sign in "us":
        for name, width in (("b", 8), ("h", 16)):
            word = f"{sign}xt{name}"
            yield Form(
                word,
                "d, n",
                f"{word} {{d}}, {{n}}",
                f"d = {sign}{width}(n)",
                "bits",
                narrow="low(d, n)",
            )
            yield Form(
                word,
                "d, n, sh:shift:rot",
                f"{word} {{d}}, {{n}}, {{sh}}",
                f"d = {sign}{width}(shift(n, sh))",
                "bits",
            )
        yield Form(
            f"{sign}xth",
            "d, n:half",
            f"{sign}xth {{d}}, {{n}}{{n.ror}}",
            f"d = {sign}16(n)",
            "bits",
            narrow="low(d) and bottom(n)",
        )
    yield Form(
        "rev",
        "d, n",
        "rev {d}, {n}",
        f"t = u32(n); {_rev(_BYTES, _WORDS)}; d = t",
        "bits",
        narrow="low(d, n)",
    )
    yield Form(
        "rev16",
        "d, n",
        "rev16 {d}, {n}",
        f"t = u32(n); {_rev(_BYTES)}; d = t",
        "bits",
        narrow="low(d, n)",
    )
    yield Form(
        "revsh",
        "d, n",
        "revsh {d}, {n}",
        "d = s16(n << 8 & 65280 | n >> 8 & 255)",
        "bits",
        narrow="low(d, n)",
    )
    yield Form(
        "rbit",
        "d, n",
        "rbit {d}, {n}",
        f"t = u32(n); {_rev(*_BITS, _BYTES, _WORDS)}; d = t",
        "bits",
    )
    yield Form(
        "clz",
        "d, n",
        "clz {d}, {n}",
        "d = " + " + ".join(f"(u32(n) < {1 << i})" for i in range(32)),
        "bits",
    )
    for sign, span, sat in (("s", "1..32", "sat"), ("u", "0..31", "usat")):
        name = f"{sign}sat"
        for more, text, x in (
            ("", "", "s32(n)"),
            (", sh:shift:sat", ", {sh}", "s32(shift(n, sh))"),
        ):
            yield Form(
                name,
                f"d, k:imm:{span}, n{more}",
                f"{name} {{d}}, {{k}}, {{n}}{text}",
                f"t = {x}; d = {sat}(t, k); Q |= s32(d) != t",
                "bits",
            )


def forms() -> Iterator[Form]:
    """The table."""
    for family in (arithmetic, logic, compares, shifts, multiplies, bits):
        yield from family()
