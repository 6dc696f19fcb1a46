# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Whatever is computed, a term has the value that the integers have, and fits in its interval."""

from __future__ import annotations

import random
from typing import Any

import pytest
import z3

from gen.ir.domains.bitvector import Beyond, Bits, BitVectors, width
from gen.ir.domains.halves import Range
from gen.ir.domains.ints import Ints
from tests.gen.ir.test_identity import OPERATIONS, WORDS, apply

INTS = Ints()
MORE = ("or", "xor", "and", "eq", "shift", "back", "divided", "mod")


def more(d: Any, name: str, x: Any, y: Any, bits: int) -> Any:
    """Operations that polynomials do not follow."""
    if name == "mod":  # by a number whose quotients are few, then by one whose are many
        few, many = (1 << 31) - 1, 3329
        if isinstance(d, Ints):
            return d.add(x % few, y % many)
        return d.add(d.mod(x, few), d.mod(y, many))
    low = d.u(y, 3)
    return {
        "or": lambda: d.or_(x, y),
        "xor": lambda: d.xor(x, y),
        "and": lambda: d.and_(x, y),
        "eq": lambda: d.eq(d.u(x, 1), d.u(y, 1)),
        "shift": lambda: d.shl(x, low),
        "back": lambda: d.shr(x, low),
        "divided": lambda: d.div(d.u(x, 32), d.const(bits)),
    }[name]()


class Pairs:
    """Values of both domains, side by side."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.dom = rng, BitVectors()
        self.given: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        self.known: list[tuple[Bits, int]] = []
        for number in range(4):
            word = rng.choice((*WORDS, rng.randrange(1 << 32)))
            made = self.dom.name(f"x{number}", 0, 0xFFFFFFFF)
            assert made.term is not None
            self.given.append((made.term, z3.BitVecVal(word, 32)))
            self.known.append((made, word))

    def value(self, x: Bits) -> int:
        if x.term is None:
            return x.range.lo
        assert x.term.size() == width(x.range)
        found = z3.simplify(z3.substitute(x.term, *self.given))
        return int(found.as_long() if x.range.lo >= 0 else found.as_signed_long())

    def step(self) -> None:
        (x, a), (y, b) = (self.rng.choice(self.known[-12:]) for _ in "xy")
        name, bits = self.rng.choice(OPERATIONS + MORE), self.rng.choice((1, 8, 16, 31, 32))
        do = more if name in MORE else apply
        made, wanted = do(self.dom, name, x, y, bits), do(INTS, name, a, b, bits)
        assert made.range.lo <= wanted <= made.range.hi
        assert self.value(made) == wanted, name
        self.known.append((self.dom.u(made, 32), INTS.u(wanted, 32)))


@pytest.mark.parametrize("seed", range(60))
def test_terms_have_the_value_of_the_integers(seed: int) -> None:
    pairs = Pairs(random.Random(seed))
    for _ in range(25):
        pairs.step()


@pytest.mark.parametrize(("lo", "hi"), [(0, 5), (-3, 3), (100, 200), (-(1 << 31), (1 << 31) - 1)])
def test_a_name_keeps_to_its_bounds_and_reaches_them(lo: int, hi: int) -> None:
    dom = BitVectors()
    x = dom.name("x", lo, hi)
    for value, answer in ((lo, z3.sat), (hi, z3.sat), (lo - 1, z3.unsat), (hi + 1, z3.unsat)):
        solver = z3.Solver()
        solver.add(*dom.assumed, dom.equal(dom.add(x, dom.const(0)), dom.const(value)))
        assert solver.check() == answer, value


def test_no_bit_more_than_the_interval_needs() -> None:
    rows = {(0, 0): 1, (0, 1): 1, (0, 255): 8, (0, 256): 9, (-1, 0): 1, (-1, 1): 2, (-128, 127): 8}
    assert {pair: width(Range(*pair)) for pair in rows} == rows


def test_what_is_not_expressed_is_said() -> None:
    dom = BitVectors()
    x, y = (dom.name(text, 0, 9) for text in "xy")
    for broken in (lambda: dom.div(x, y), lambda: dom.join(x, y)):
        with pytest.raises(Beyond):
            broken()


def test_what_is_assumed_of_names_that_do_not_occur_is_left_out() -> None:
    dom = BitVectors()
    x, y, z = (dom.name(text, 1, 5) for text in "xyz")
    dom.assume(dom.add(x, z), 0, 6)
    question = dom.less(dom.add(x, y), dom.const(9))
    assert len(dom.known_of(question)) == 2 * 3  # bounds of x, of y, and of what x is a part of
