# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a domain is: the operations that the meanings of instructions are made of.

A meaning computes with mathematical integers. A register read gives a raw word; `u` and `s` choose
the view; a register write keeps the low 32 bits. A domain may keep any integer that is congruent to
the word modulo 2**32 (see intervals).
"""

from __future__ import annotations

from typing import Protocol, TypeVar

V = TypeVar("V")


class Domain(Protocol[V]):
    """Values of type V and the operations on them; bit counts are plain ints."""

    def const(self, value: int) -> V: ...
    def add(self, x: V, y: V) -> V: ...
    def sub(self, x: V, y: V) -> V: ...
    def mul(self, x: V, y: V) -> V: ...
    def div(self, x: V, y: V) -> V:
        """Quotient rounded towards zero; zero when y is zero (UDIV, SDIV)."""
        ...

    def and_(self, x: V, y: V) -> V: ...
    def or_(self, x: V, y: V) -> V: ...
    def xor(self, x: V, y: V) -> V: ...
    def inv(self, x: V) -> V:
        """Bitwise complement: -x - 1."""
        ...

    def shl(self, x: V, n: V) -> V: ...
    def shr(self, x: V, n: V) -> V:
        """Floor of x / 2**n."""
        ...

    def u(self, x: V, bits: int) -> V:
        """x modulo 2**bits, in [0, 2**bits)."""
        ...

    def s(self, x: V, bits: int) -> V:
        """x modulo 2**bits, in [-2**(bits-1), 2**(bits-1))."""
        ...

    def half(self, x: V, top: bool) -> V:
        """A half-word of a word as a signed number."""
        ...

    def pack(self, bottom: V, top: V) -> V:
        """The word with these half-words (each modulo 2**16)."""
        ...

    def eq(self, x: V, y: V) -> V: ...
    def lt(self, x: V, y: V) -> V: ...
    def ite(self, cond: V, x: V, y: V) -> V: ...
    def truth(self, x: V) -> bool | None:
        """Whether x is non-zero; None when the domain cannot tell."""
        ...


class Lattice(Domain[V], Protocol[V]):
    """A domain whose runs may meet: what the machine needs beyond the meanings' operations."""

    def join(self, x: V, y: V) -> V:
        """The least value that stands for everything x and y stand for."""
        ...

    def unknown(self, lo: int, hi: int) -> V:
        """Any integer from lo to hi, inclusive."""
        ...

    def exactly(self, x: V) -> int | None:
        """The integer x stands for, if it is only one."""
        ...

    def word(self, x: V, bits: int = 32) -> V:
        """x as a register of so many bits keeps it: congruent modulo 2**bits, of bounded size."""
        ...

    def bounds(self, x: V) -> tuple[int, int, int] | None:
        """Least and greatest integer x stands for, and the step between them; None when it has none
        to tell."""
        ...

    def clip(self, x: V, lo: int, hi: int) -> V:
        """What is left of x between lo and hi; some of it is."""
        ...

    def public(self, x: V) -> V:
        """x, no longer a secret."""
        ...
