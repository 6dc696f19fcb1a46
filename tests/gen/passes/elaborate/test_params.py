# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""param, result, tables."""

from __future__ import annotations

from gen.ir import ir
from gen.passes.elaborate import tables
from tests.gen.passes.elaborate.lab import evaluated, made, unit


def test_promises() -> None:
    text = """\
const Q = 3329
table zs : i16[4] = [1, 2, 3, 4]
fn void demo_x(int16_t p[8], const uint8_t *b, uint32_t n, const int16_t z[4], uint32_t e[4]):
    param p : secret inout, align 4, noalias, |p[i]| < Q -> 0 <= p[i] < Q, public p[0:2]
    param b : public in, len(b) = 3*n + 1, in flash
    param n : public in, n <= 100, lengths [0, 7, 100]
    param z : public in = zs
    param e : secret out, -> value(e) < 2**100
    nop
"""
    p, b, n, z, e = made(text).params
    assert (p.align, p.noalias, p.secret, p.role, p.public_ranges) == (
        4,
        True,
        True,
        "inout",
        ((0, 2),),
    )
    assert p.pre == (ir.Bound("each", -3328, 3328, "|p[i]| < Q"),)
    assert p.post == (ir.Bound("each", 0, 3328, "0 <= p[i] < Q"),)
    assert (b.flash, b.align, b.ctype.const, b.ctype.count) == (True, 1, True, None)
    assert b.length is not None and evaluated(b.length, {"n": 5}) == 16
    assert (n.lengths, n.pre) == ((0, 7, 100), (ir.Bound("each", 0, 100, "n <= 100"),))
    assert z.table is not None and z.table.symbol == "demo_zs" and z.align == 2
    assert e.post == (ir.Bound("value", 0, 2**100 - 1, "value(e) < 2**100"),)


def test_tables() -> None:
    text = "const Q = 17\n// Powers.\ntable zs : i16[3] = [powmod(3, i, Q) for i in range(3)]\n"
    (table,) = tables(unit(text))
    assert (table.symbol, table.type, table.values) == ("demo_zs", "i16", (1, 3, 9))
    assert table.comment == "Powers."
