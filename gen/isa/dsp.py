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

_Q = "Q |= t != s32(t)"


def half_multiplies() -> Iterator[Form]:
    """SMULxy SMLAxy SMULWy SMLAWy SMLALxy."""
    product, wide = "n * m", "(s32(n) * m >> 16)"
    yield Dsp(
        "smulxy",
        "d, n:half, m:half",
        "smul{n.half}{m.half} {d}, {n}, {m}",
        f"d = {product}",
        "dsp",
        acle="__smul{n.half}{m.half}({n}, {m})",
    )
    yield Dsp(
        "smlaxy",
        "d, n:half, m:half, a",
        "smla{n.half}{m.half} {d}, {n}, {m}, {a}",
        f"t = {product} + s32(a); d = exact(t, 32); {_Q}",
        "dspmac",
        acle="__smla{n.half}{m.half}({n}, {m}, {a})",
    )
    yield Dsp(
        "smulwy",
        "d, n, m:half",
        "smulw{m.half} {d}, {n}, {m}",
        f"d = {wide}",
        "dsp",
        acle="__smulw{m.half}({n}, {m})",
    )
    yield Dsp(
        "smlawy",
        "d, n, m:half, a",
        "smlaw{m.half} {d}, {n}, {m}, {a}",
        f"t = {wide} + s32(a); d = exact(t, 32); {_Q}",
        "dspmac",
        acle="__smlaw{m.half}({n}, {m}, {a})",
    )
    yield Dsp(
        "smlalxy",
        "l, h, n:half, m:half",
        "smlal{n.half}{m.half} {l}, {h}, {n}, {m}",
        f"t = u32(l) + (u32(h) << 32) + {product}; l = t; h = t >> 32",
        "dspmac",
        distinct=(("l", "h"),),
    )


def dual_multiplies() -> Iterator[Form]:
    """SMUAD SMUSD SMLAD SMLSD SMLALD SMLSLD, each also with the halves of m exchanged (X)."""
    for x, low, high in (("", "sb(m)", "st(m)"), ("x", "st(m)", "sb(m)")):
        for sign, letter in (("+", "a"), ("-", "s")):
            total = f"sb(n) * {low} {sign} st(n) * {high}"
            name = f"smu{letter}d{x}"
            # two products of -2**15 are the only sum that leaves 32 bits, and only a sum can
            result = f"t = {total}; d = exact(t, 32); {_Q}" if sign == "+" else f"d = {total}"
            yield Dsp(
                name,
                "d, n, m",
                f"{name} {{d}}, {{n}}, {{m}}",
                result,
                "dsp",
                acle=f"__{name}({{n}}, {{m}})",
            )
            name = f"sml{letter}d{x}"
            yield Dsp(
                name,
                "d, n, m, a",
                f"{name} {{d}}, {{n}}, {{m}}, {{a}}",
                f"t = {total} + s32(a); d = exact(t, 32); {_Q}",
                "dspmac",
                acle=f"__{name}({{n}}, {{m}}, {{a}})",
            )
            name = f"sml{'al' if sign == '+' else 'sl'}d{x}"
            yield Dsp(
                name,
                "l, h, n, m",
                f"{name} {{l}}, {{h}}, {{n}}, {{m}}",
                f"t = u32(l) + (u32(h) << 32) + {total}; l = t; h = t >> 32",
                "dspmac",
                distinct=(("l", "h"),),
            )


def top_multiplies() -> Iterator[Form]:
    """SMMUL SMMLA SMMLS, each also rounding (R); UMAAL."""
    product = "s32(n) * s32(m)"
    for r, half in (("", ""), ("r", " + 2**31")):
        yield Dsp(
            f"smmul{r}",
            "d, n, m",
            f"smmul{r} {{d}}, {{n}}, {{m}}",
            f"d = {product}{half} >> 32",
            "dsp",
        )
        for name, sign in ((f"smmla{r}", "+"), (f"smmls{r}", "-")):
            yield Dsp(
                name,
                "d, n, m, a",
                f"{name} {{d}}, {{n}}, {{m}}, {{a}}",
                f"d = wrap((s32(a) << 32) {sign} {product}{half} >> 32)",
                "dspmac",
            )
    yield Dsp(
        "umaal",
        "l, h, n, m",
        "umaal {l}, {h}, {n}, {m}",
        "t = u32(n) * u32(m) + u32(l) + u32(h); l = t; h = t >> 32",
        "mac64",
        needs="umaal",
        distinct=(("l", "h"),),
    )


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
                name = prefix + suffix
                yield Dsp(
                    name,
                    "d, n, m",
                    f"{name} {{d}}, {{n}}, {{m}}",
                    f"d = {_joined(results)}{flags}",
                    "simd",
                    acle=f"__{name}({{n}}, {{m}})",
                )


def packing() -> Iterator[Form]:
    """PKHBT PKHTB SEL, extensions that add or keep two halves."""
    yield Dsp("pkhbt", "d, n, m", "pkhbt {d}, {n}, {m}", "d = pack(sb(n), st(m))", "simd")
    yield Dsp(
        "pkhbt",
        "d, n, m, sh:shift:lsl",
        "pkhbt {d}, {n}, {m}, {sh}",
        "d = pack(sb(n), st(shift(m, sh)))",
        "simd",
    )
    # without a shift the encoding is that of PKHBT
    yield Dsp("pkhtb", "d, n, m", "pkhbt {d}, {m}, {n}", "d = pack(sb(m), st(n))", "simd")
    yield Dsp(
        "pkhtb",
        "d, n, m, sh:shift:asr",
        "pkhtb {d}, {n}, {m}, {sh}",
        "d = pack(shift(m, sh), st(n))",
        "simd",
    )
    lanes = [f"(n if GE & {1 << i} else m) & {0xFF << 8 * i}" for i in range(4)]
    # a half whose two flags agree is chosen as a whole: then the range proof keeps its range
    bottom = f"sb(n) if (GE & 3) == 3 else sb(m) if (GE & 3) == 0 else {lanes[0]} | {lanes[1]}"
    mixed = f"({lanes[2]} | {lanes[3]}) >> 16"
    top = f"st(n) if (GE & 12) == 12 else st(m) if (GE & 12) == 0 else {mixed}"
    yield Dsp(
        "sel",
        "d, n, m",
        "sel {d}, {n}, {m}",
        f"d = pack({bottom}, {top})",
        "simd",
        acle="__sel({n}, {m})",
    )
    for sign in "us":
        for more, text, x in (("", "", "m"), (", sh:shift:rot", ", {sh}", "shift(m, sh)")):
            yield from _extensions(sign, more, text, x)
        name = f"{sign}xtah"
        yield Dsp(
            name,
            "d, n, m:half",
            f"{name} {{d}}, {{n}}, {{m}}{{m.ror}}",
            f"d = n + {sign}16(m)",
            "simd",
        )


def _extensions(sign: str, more: str, text: str, x: str) -> Iterator[Form]:
    low, high = f"{sign}8({x})", f"{sign}8({x} >> 16)"
    for name, result in (
        (f"{sign}xtab", f"n + {low}"),
        (f"{sign}xtah", f"n + {sign}16({x})"),
        (f"{sign}xtab16", f"pack(sb(n) + {low}, st(n) + {high})"),
    ):
        yield Dsp(
            name, f"d, n, m{more}", f"{name} {{d}}, {{n}}, {{m}}{text}", f"d = {result}", "simd"
        )
    name = f"{sign}xtb16"
    yield Dsp(name, f"d, m{more}", f"{name} {{d}}, {{m}}{text}", f"d = pack({low}, {high})", "simd")


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
    for name, op in (("qadd", "+"), ("qsub", "-")):
        yield Dsp(
            name,
            "d, m, n",
            f"{name} {{d}}, {{m}}, {{n}}",
            f"t = s32(m) {op} s32(n); d = sat(t, 32); {_Q}",
            "simd",
        )
        double = name.replace("q", "qd")
        yield Dsp(
            double,
            "d, m, n",
            f"{double} {{d}}, {{m}}, {{n}}",
            f"w = s32(n) * 2; t = s32(m) {op} sat(w, 32); d = sat(t, 32); "
            "Q |= (w != s32(w)) | (t != s32(t))",
            "simd",
        )
    for sign, span, clamp in (("s", "1..16", "sat"), ("u", "0..15", "usat")):
        name = f"{sign}sat16"
        yield Dsp(
            name,
            f"d, k:imm:{span}, n",
            f"{name} {{d}}, {{k}}, {{n}}",
            f"b = {clamp}(sb(n), k); t = {clamp}(st(n), k); d = pack(b, t); "
            "Q |= (b != sb(n)) | (t != st(n))",
            "simd",
        )
    yield Dsp("usad8", "d, n, m", "usad8 {d}, {n}, {m}", f"d = {_distances()}", "simd")
    yield Dsp(
        "usada8", "d, n, m, a", "usada8 {d}, {n}, {m}, {a}", f"d = {_distances()} + a", "dspmac"
    )


def forms() -> Iterator[Form]:
    """The table."""
    for family in (half_multiplies, dual_multiplies, top_multiplies, parallel, packing, saturating):
        yield from family()
