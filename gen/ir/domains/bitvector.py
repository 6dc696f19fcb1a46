# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Terms of an SMT solver: what a value is as a bit-vector over the inputs, beside its interval.

A value is an integer; its term has as many bits as the interval needs, so that no operation rounds: sums and products
are computed modulo a power of two that the result fits in. The only module that builds terms; z3 is imported by those
who prove with it alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import z3

from gen.ir.domains.halves import Range
from gen.ir.domains.interval import Intervals

RANGES = Intervals()
WORD = 1 << 32
FEW = 16  # quotients that a remainder tells apart by comparisons


class Beyond(Exception):
    """What terms do not express; the text names it."""


@dataclass(frozen=True, eq=False)
class Bits:
    """An integer in `range`: `term` read as unsigned where the range is, else as signed. None: a number."""

    range: Range
    term: z3.BitVecRef | None


def width(range_: Range) -> int:
    """Bits that every integer of the range fits in."""
    if range_.lo >= 0:
        return max(1, range_.hi.bit_length())
    return max((~range_.lo).bit_length(), range_.hi.bit_length()) + 1


def cut(x: Bits, bits: int) -> z3.BitVecRef:
    """x modulo 2**bits."""
    if x.term is None:
        return z3.BitVecVal(x.range.lo, bits)
    more = bits - x.term.size()
    if more < 0:
        return z3.Extract(bits - 1, 0, x.term)
    if not more:
        return x.term
    return z3.ZeroExt(more, x.term) if x.range.lo >= 0 else z3.SignExt(more, x.term)


def names_in(term: z3.ExprRef) -> set[str]:
    """The names that a term is made of."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = [term]
    while waiting:
        node = waiting.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.add(node.decl().name())
        waiting += node.children()
    return found


class BitVectors:
    """The domain. `assumed`: what is known of the names that stand in terms."""

    def __init__(self) -> None:
        self.assumed: list[z3.BoolRef] = []
        self.about: list[set[str]] = []  # the names in each
        self.names = 0
        self.choice: Bits | None = None  # what `join` depends on

    # --- making values ---

    def made(self, range_: Range, term: z3.BitVecRef) -> Bits:
        """A value in the range, which its term has bits enough for."""
        if range_.lo == range_.hi:
            return self.const(range_.lo)
        bits = width(range_)
        return Bits(range_, term if term.size() == bits else z3.Extract(bits - 1, 0, term))

    def name(self, text: str, lo: int, hi: int) -> Bits:
        """A new name for an integer from lo to hi."""
        range_ = Range(lo, hi)
        made = self.made(range_, z3.BitVec(text, width(range_)))
        if (lo, hi) != (0, (1 << width(range_)) - 1):
            self.assume(made, lo, hi)
        return made

    def assume(self, x: Bits, lo: int, hi: int) -> None:
        """x is known to be from lo to hi."""
        bits = width(Range(min(lo, x.range.lo, -1), max(hi, x.range.hi)))
        term = cut(x, bits)
        self.assumed += [term >= z3.BitVecVal(lo, bits), term <= z3.BitVecVal(hi, bits)]
        self.about += [names_in(term)] * 2

    def const(self, value: int) -> Bits:
        return Bits(Range(value, value), None)

    def truth_of(self, condition: z3.BoolRef) -> Bits:
        """1 or 0."""
        if z3.is_true(condition) or z3.is_false(condition):
            return self.const(int(z3.is_true(condition)))
        return Bits(Range(0, 1), z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)))

    def known_of(self, question: z3.BoolRef) -> list[z3.BoolRef]:
        """What is assumed of the names that occur in a question; what is of others it does not need."""
        names = names_in(question)
        pairs = zip(self.assumed, self.about, strict=True)
        return [one for one, about in pairs if names & about]

    # --- sums and products ---

    def _ring(self, op: str, x: Bits, y: Bits) -> Bits:
        range_ = getattr(RANGES, op)(x.range, y.range)
        if range_.lo == range_.hi:
            return self.const(range_.lo)
        bits = width(range_)
        left, right = cut(x, bits), cut(y, bits)
        term = left + right if op == "add" else left - right if op == "sub" else left * right
        return self.made(range_, term)

    def add(self, x: Bits, y: Bits) -> Bits:
        return self._ring("add", x, y)

    def sub(self, x: Bits, y: Bits) -> Bits:
        return self._ring("sub", x, y)

    def mul(self, x: Bits, y: Bits) -> Bits:
        return self._ring("mul", x, y)

    def inv(self, x: Bits) -> Bits:
        return self.sub(self.const(-1), x)

    def div(self, x: Bits, y: Bits) -> Bits:
        if (divisor := self.exactly(y)) is None or divisor <= 0 or x.range.lo < 0:
            raise Beyond("a division by a register")
        bits = width(Range(0, max(x.range.hi, divisor)))
        return self.made(RANGES.div(x.range, y.range), z3.UDiv(cut(x, bits), cut(y, bits)))

    def mod(self, x: Bits, modulus: int) -> Bits:
        """x modulo a number, from 0 on."""
        first, last = x.range.lo // modulus, x.range.hi // modulus
        if last - first > FEW:
            x = self.add(x, self.const(-first * modulus))
            bits = width(Range(0, max(x.range.hi, modulus)))
            rest = z3.URem(cut(x, bits), z3.BitVecVal(modulus, bits))
            return self.made(Range(0, modulus - 1), rest)
        multiple = self.const(first * modulus)
        for one in range(first + 1, last + 1):
            at_least = self.const(one * modulus)
            multiple = self.ite(self.lt(x, at_least), multiple, at_least)
        bits = width(Range(0, modulus - 1))
        return self.made(Range(0, modulus - 1), cut(x, bits) - cut(multiple, bits))

    # --- bits ---

    def _logical(self, op: str, x: Bits, y: Bits) -> Bits:
        range_ = getattr(RANGES, op)(x.range, y.range)
        if range_.lo == range_.hi:
            return self.const(range_.lo)
        bits = max(width(range_), width(x.range), width(y.range))
        left, right = cut(x, bits), cut(y, bits)
        term = left & right if op == "and_" else left | right if op == "or_" else left ^ right
        return self.made(range_, term)

    def and_(self, x: Bits, y: Bits) -> Bits:
        return self._logical("and_", x, y)

    def or_(self, x: Bits, y: Bits) -> Bits:
        return self._logical("or_", x, y)

    def xor(self, x: Bits, y: Bits) -> Bits:
        return self._logical("xor", x, y)

    def shl(self, x: Bits, n: Bits) -> Bits:
        return self._shifted(RANGES.shl(x.range, n.range), x, n, left=True)

    def shr(self, x: Bits, n: Bits) -> Bits:
        return self._shifted(RANGES.shr(x.range, n.range), x, n, left=False)

    def _shifted(self, range_: Range, x: Bits, n: Bits, left: bool) -> Bits:
        if range_.lo == range_.hi:
            return self.const(range_.lo)
        bits = max(width(range_), width(x.range), width(n.range))
        term, amount = cut(x, bits), cut(n, bits)
        if left:
            return self.made(range_, term << amount)
        return self.made(range_, z3.LShR(term, amount) if x.range.lo >= 0 else term >> amount)

    def u(self, x: Bits, bits: int) -> Bits:
        if x.range.lo >= 0 and x.range.hi < 1 << bits:
            return x
        return self.made(RANGES.u(x.range, bits), cut(x, bits))

    def s(self, x: Bits, bits: int) -> Bits:
        half = 1 << (bits - 1)
        if -half <= x.range.lo and x.range.hi < half:
            return x
        return self.made(RANGES.s(x.range, bits), cut(x, bits))

    def half(self, x: Bits, top: bool) -> Bits:
        return self.s(self.shr(x, self.const(16)) if top else x, 16)

    def pack(self, bottom: Bits, top: Bits) -> Bits:
        high = self.shl(self.u(top, 16), self.const(16))
        return self.or_(self.u(bottom, 16), high)

    # --- comparisons ---

    def _sides(self, x: Bits, y: Bits) -> tuple[z3.BitVecRef, z3.BitVecRef]:
        """Both as signed terms of one width."""
        bits = max(width(x.range), width(y.range)) + 1
        return cut(x, bits), cut(y, bits)

    def equal(self, x: Bits, y: Bits) -> z3.BoolRef:
        """x == y as a truth value of the solver's."""
        known = RANGES.eq(x.range, y.range)
        if known.lo == known.hi:
            return z3.BoolVal(bool(known.lo))
        left, right = self._sides(x, y)
        return left == right

    def less(self, x: Bits, y: Bits) -> z3.BoolRef:
        """x < y."""
        known = RANGES.lt(x.range, y.range)
        if known.lo == known.hi:
            return z3.BoolVal(bool(known.lo))
        left, right = self._sides(x, y)
        return left < right

    def eq(self, x: Bits, y: Bits) -> Bits:
        return self.truth_of(self.equal(x, y))

    def lt(self, x: Bits, y: Bits) -> Bits:
        return self.truth_of(self.less(x, y))

    def ite(self, cond: Bits, x: Bits, y: Bits) -> Bits:
        known = self.truth(cond)
        if known is not None:
            return x if known else y
        assert cond.term is not None
        range_ = RANGES.join(x.range, y.range)
        bits = width(range_)
        return self.made(range_, z3.If(cond.term != 0, cut(x, bits), cut(y, bits)))

    def truth(self, x: Bits) -> bool | None:
        return RANGES.truth(x.range)

    # --- runs ---

    def join(self, x: Bits, y: Bits) -> Bits:
        """y where the condition of an instruction holds that leaves y, else x."""
        if self.choice is None:
            raise Beyond("a branch on what is not known")
        return self.ite(self.choice, y, x)

    def unknown(self, lo: int, hi: int) -> Bits:
        self.names += 1
        return self.name(f"unknown {self.names}", lo, hi)

    def exactly(self, x: Bits) -> int | None:
        return RANGES.exactly(x.range)

    def bounds(self, x: Bits) -> tuple[int, int, int] | None:
        return RANGES.bounds(x.range)

    def word(self, x: Bits, bits: int = 32) -> Bits:
        fits = x.range.lo >= -1 << (bits - 1) and x.range.hi < 1 << bits
        return x if fits else self.u(x, bits)

    def clip(self, x: Bits, lo: int, hi: int) -> Bits:
        return x

    def public(self, x: Bits) -> Bits:
        return x
