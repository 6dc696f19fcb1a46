# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The DSP extension of Armv7E-M, one entry a form (Arm DDI 0403, A7.7). Regular families are loops.

`exact` marks the sums that set Q in hardware when they leave 32 bits: a proof must show they do
not. SADD16 and its kin are exact in each half (the U forms wrap on purpose), which only the
proofs look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gen.isa.form import Form

Dsp = partial(Form, isa="dsp", needs="dsp")

_Q = "Q |= (t + 2**31 >> 32) != 0"


def _long(value: str) -> str:
    """l and h, as one number, plus `value`."""
    return f"t = u32(l) + (u32(h) << 32) + {value}; l = t; h = t >> 32"


def _sum(value: str) -> str:
    """`value`, which sets Q where it leaves 32 bits."""
    return f"t = {value}; d = exact(t, 32); {_Q}"


def half_multiplies() -> Iterator[Form]:
    """SMULxy SMLAxy SMULWy SMLAWy SMLALxy."""
    wide, xy, y = "(s32(n) * m >> 16)", "{n.half}{m.half}", "{m.half}"
    lh = (("l", "h"),)
    for name, syntax, means, kind, text in (
        ("smulxy", "d, n:half, m:half", "d = n * m", "dsp", f"smul{xy}"),
        ("smlaxy", "d, n:half, m:half, a", _sum("n * m + s32(a)"), "dspmac", f"smla{xy}"),
        ("smulwy", "d, n, m:half", f"d = {wide}", "dsp", f"smulw{y}"),
        ("smlawy", "d, n, m:half, a", _sum(f"{wide} + s32(a)"), "dspmac", f"smlaw{y}"),
    ):
        yield Dsp(name, syntax, means, kind, text, acle=f"__{text}")
    yield Dsp(
        "smlalxy", "l, h, n:half, m:half", _long("n * m"), "dspmac", f"smlal{xy}", distinct=lh
    )


def dual_multiplies() -> Iterator[Form]:
    """SMUAD SMUSD SMLAD SMLSD SMLALD SMLSLD, each also with the halves of m exchanged (X)."""
    for x, low, high in (("", "sb(m)", "st(m)"), ("x", "st(m)", "sb(m)")):
        for sign, letter, long in (("+", "a", "al"), ("-", "s", "sl")):
            total = f"sb(n) * {low} {sign} st(n) * {high}"
            # two products of -2**15 are the only sum that leaves 32 bits, and only a sum can
            means = _sum(total) if sign == "+" else f"d = {total}"
            name = f"smu{letter}d{x}"
            yield Dsp(name, "d, n, m", means, "dsp", acle=f"__{name}")
            name = f"sml{letter}d{x}"
            yield Dsp(name, "d, n, m, a", _sum(f"{total} + s32(a)"), "dspmac", acle=f"__{name}")
            name, distinct = f"sml{long}d{x}", (("l", "h"),)
            yield Dsp(name, "l, h, n, m", _long(total), "dspmac", distinct=distinct)


def top_multiplies() -> Iterator[Form]:
    """SMMUL SMMLA SMMLS, each also rounding (R); UMAAL."""
    product = "s32(n) * s32(m)"
    for r, half in (("", ""), ("r", " + 2**31")):
        yield Dsp(f"smmul{r}", "d, n, m", f"d = {product}{half} >> 32", "dsp")
        for name, sign in ((f"smmla{r}", "+"), (f"smmls{r}", "-")):
            means = f"d = wrap((s32(a) << 32) {sign} {product}{half} >> 32)"
            yield Dsp(name, "d, n, m, a", means, "dspmac")
    means = "t = u32(n) * u32(m) + u32(l) + u32(h); l = t; h = t >> 32"
    yield Dsp("umaal", "l, h, n, m", means, "mac64", needs="umaal", distinct=(("l", "h"),))


def _halves(sign: str) -> dict[str, tuple[str, ...]]:
    """Suffix of a parallel operation on halves -> its results, bottom first; `sign` s or u."""
    n, m = (f"{sign}b(n)", f"{sign}t(n)"), (f"{sign}b(m)", f"{sign}t(m)")
    return {
        "add16": (f"{n[0]} + {m[0]}", f"{n[1]} + {m[1]}"),
        "sub16": (f"{n[0]} - {m[0]}", f"{n[1]} - {m[1]}"),
        "asx": (f"{n[0]} - {m[1]}", f"{n[1]} + {m[0]}"),
        "sax": (f"{n[0]} + {m[1]}", f"{n[1]} - {m[0]}"),
    }


def _quarters(sign: str) -> dict[str, tuple[str, ...]]:
    """The same on bytes."""
    lane = f"{sign}8({{0}} >> {{1}})"
    return {
        name: tuple(f"{lane.format('n', i)} {op} {lane.format('m', i)}" for i in (0, 8, 16, 24))
        for name, op in (("add8", "+"), ("sub8", "-"))
    }


def _joined(lanes: list[str]) -> str:
    """The word with these lanes, bottom first."""
    if len(lanes) == 2:
        return f"pack({lanes[0]}, {lanes[1]})"
    return " | ".join(f"u8({lane}) << {8 * i}" for i, lane in enumerate(lanes))


def _ge(sign: str, lanes: tuple[str, ...]) -> str:
    """GE: a signed lane is not negative; an unsigned sum carries, a difference does not borrow."""
    size = 4 // len(lanes)
    parts = []
    for i, lane in enumerate(lanes):
        least = 1 << 8 * size if sign == "u" and "+" in lane else 0
        parts.append(f"({lane} >= {least}) * {(1 << size) - 1 << size * i}")
    return " + ".join(parts)


def parallel() -> Iterator[Form]:
    """S Q SH U UQ UH with ADD16 SUB16 ASX SAX ADD8 SUB8."""
    for sign in "su":
        for suffix, lanes in {**_halves(sign), **_quarters(sign)}.items():
            bits = 16 if len(lanes) == 2 else 8
            plain = [f"exact({x}, {bits})" if sign == "s" else x for x in lanes]
            clamp = "sat" if sign == "s" else "usat"
            for prefix, results, flags in (
                (sign, plain, f"; GE = {_ge(sign, lanes)}"),
                ("q" if sign == "s" else "uq", [f"{clamp}({x}, {bits})" for x in lanes], ""),
                (f"{sign}h", [f"({x} >> 1)" for x in lanes], ""),
            ):
                name, means = prefix + suffix, f"d = {_joined(results)}{flags}"
                yield Dsp(name, "d, n, m", means, "simd", acle=f"__{name}")


def packing() -> Iterator[Form]:
    """PKHBT PKHTB SEL."""
    yield Dsp("pkhbt", "d, n, m", "d = pack(sb(n), st(m))", "simd")
    yield Dsp("pkhbt", "d, n, m, sh:shift:lsl", "d = pack(sb(n), st(shift(m, sh)))", "simd")
    # without a shift the encoding is that of PKHBT
    yield Dsp("pkhtb", "d, n, m", "d = pack(sb(m), st(n))", "simd", "pkhbt {d}, {m}, {n}")
    yield Dsp("pkhtb", "d, n, m, sh:shift:asr", "d = pack(shift(m, sh), st(n))", "simd")
    lanes = [f"(n if GE & {1 << i} else m) & {0xFF << 8 * i}" for i in range(4)]
    # a half whose two flags agree is chosen as a whole: then the range proof keeps its range
    bottom = f"sb(n) if (GE & 3) == 3 else sb(m) if (GE & 3) == 0 else {lanes[0]} | {lanes[1]}"
    mixed = f"({lanes[2]} | {lanes[3]}) >> 16"
    top = f"st(n) if (GE & 12) == 12 else st(m) if (GE & 12) == 0 else {mixed}"
    yield Dsp("sel", "d, n, m", f"d = pack({bottom}, {top})", "simd", acle="__sel")


def extensions() -> Iterator[Form]:
    """SXTAB SXTAH SXTAB16 SXTB16 and the unsigned ones, of a rotated or plain register."""
    for sign in "us":
        for more, x in (("", "m"), (", sh:shift:rot", "shift(m, sh)")):
            low, high = f"{sign}8({x})", f"{sign}8({x} >> 16)"
            both = f"pack(sb(n) + {low}, st(n) + {high})"
            yield Dsp(f"{sign}xtab", f"d, n, m{more}", f"d = n + {low}", "simd")
            yield Dsp(f"{sign}xtah", f"d, n, m{more}", f"d = n + {sign}16({x})", "simd")
            yield Dsp(f"{sign}xtab16", f"d, n, m{more}", f"d = {both}", "simd")
            yield Dsp(f"{sign}xtb16", f"d, m{more}", f"d = pack({low}, {high})", "simd")
        name = f"{sign}xtah"
        text = f"{name} {{d}}, {{n}}, {{m}}{{m.ror}}"
        yield Dsp(name, "d, n, m:half", f"d = n + {sign}16(m)", "simd", text)


def _distances() -> str:
    """Sum of the distances between the bytes of n and m."""
    parts = []
    for i in range(0, 32, 8):
        n, m = f"u8(n >> {i})", f"u8(m >> {i})"
        parts.append(f"({m} - {n} if {n} < {m} else {n} - {m})")
    return " + ".join(parts)


def saturating() -> Iterator[Form]:
    """QADD QSUB QDADD QDSUB SSAT16 USAT16 USAD8 USADA8."""
    # operands are written m, n: the second is the one doubled or subtracted
    for letters, op in (("add", "+"), ("sub", "-")):
        means = f"t = s32(m) {op} s32(n); d = sat(t, 32); {_Q}"
        yield Dsp(f"q{letters}", "d, m, n", means, "simd", acle=f"__q{letters}")
        means = f"w = s32(n) * 2; t = s32(m) {op} sat(w, 32); d = sat(t, 32); "
        yield Dsp(f"qd{letters}", "d, m, n", means + "Q |= (w != s32(w)) | (t != s32(t))", "simd")
    for name, span, clamp in (("ssat16", "1..16", "sat"), ("usat16", "0..15", "usat")):
        means = f"b = {clamp}(sb(n), k); t = {clamp}(st(n), k); d = pack(b, t); "
        means += "Q |= (b != sb(n)) | (t != st(n))"
        yield Dsp(name, f"d, k:imm:{span}, n", means, "simd")
    yield Dsp("usad8", "d, n, m", f"d = {_distances()}", "simd", acle="__usad8")
    yield Dsp("usada8", "d, n, m, a", f"d = {_distances()} + a", "dspmac", acle="__usada8")


def forms() -> Iterator[Form]:
    """The table."""
    families = (half_multiplies, dual_multiplies, top_multiplies, parallel, packing, extensions)
    for family in (*families, saturating):
        yield from family()
