# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Calls by what the sub ensures instead of by what it does: results are polynomials over elements.

An element is the number that some words hold, modulo m: of words at entry, or of the result of a call. In a run over
identities the words of a result are new names of which one thing is known, what their number is modulo m; it takes the
place of the first of them. So a chain of squarings is a power with its exponent, however large, and what code between
the calls does to single words is still followed.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping
from functools import reduce
from typing import Any

from gen.ir.domains.identity import Exact, Identity
from gen.ir.domains.names import Terms, power
from gen.ir.domains.powers import Powers, Ring
from gen.ir.interp.calls import Calls, Run
from gen.ir.interp.state import State
from gen.ir.ir import Call, Digits, Ensured, Insn, Routine, Var, residue
from gen.ir.memory import Memory, Region
from gen.ir.program import Piece, Program
from gen.passes.finished import Buffer, Finished

WORD = 1 << 32


def usable(sub: Routine) -> bool:
    """Whether calls of a sub can be taken by what it ensures: all of it says what a number is by numbers at entry."""
    assert sub.contract is not None
    return bool(sub.ensures) and not sub.contract.outs and all(map(_says, sub.ensures))


def _says(one: Ensured) -> bool:
    assert isinstance(one.node, ast.Compare)
    left, modulus = residue(one.node.left)
    names = {part.id for part in ast.walk(one.node.comparators[0]) if isinstance(part, ast.Name)}
    before = all(isinstance(d := one.env[name], Digits) and d.old for name in names)
    made = one.env[left.id] if isinstance(left, ast.Name) else None
    return bool(modulus) and before and isinstance(made, Digits) and not made.old


def made_by(one: Ensured) -> Digits:
    """The number on the left of what a usable sub ensures."""
    assert isinstance(one.node, ast.Compare)
    left, _ = residue(one.node.left)
    assert isinstance(left, ast.Name)
    digits = one.env[left.id]
    assert isinstance(digits, Digits)
    return digits


class Elements:
    """Polynomials modulo one number, and what stands for the first word of an element."""

    def __init__(self, dom: Identity, modulus: int) -> None:
        self.dom, self.ring = dom, Ring(modulus)
        self.rules: dict[int, Powers] = {}  # name of a word -> an equal of it modulo `modulus`

    def of(self, terms: Terms) -> Powers:
        """A polynomial over names, as one over elements."""
        ring, out = self.ring, self.ring.number(0)
        for monomial, factor in terms.items():
            parts = (self.rules.get(name) or ring.element(name) for name in monomial)
            out = ring.plus(out, reduce(ring.product, parts, ring.number(factor)))
        return out

    def number(self, end: Finished[Exact], which: Digits) -> Powers:
        """The number of these words; an element of its own if they are just names."""
        words = end.words(which)
        names = [next(iter(word.terms)) for word in words if len(word.terms) == 1]
        plain = [m[0] for m in names if len(m) == 1]
        single = all(word.terms.get((name,)) == 1 for word, name in zip(words, plain, strict=False))
        if len(plain) == len(words) and single and plain[0] not in self.rules:
            text = f"{which.param}[{which.first}:{which.last}]"
            whole = self.dom.name(text, 0, (1 << 32 * len(words)) - 1)
            self.rule(plain, self.of(whole.terms))
        return self.of(end.number(which).terms)

    def rule(self, words: list[int], value: Powers) -> None:
        """The number of words that are names is `value`."""
        for index, word in enumerate(words[1:], 1):
            value = self.ring.plus(value, self.ring.element(word), -(WORD**index))
        self.rules[words[0]] = value

    def side(self, node: ast.expr, one: Ensured, end: Finished[Exact]) -> Powers:
        """A side of an equation without its modulus."""
        ring = self.ring
        match node:
            case ast.Constant(value=int(value)):
                return ring.number(value)
            case ast.Name():
                which = one.env[node.id]
                if isinstance(which, Digits):
                    return self.number(end, which)
                return self.of(end.number(which).terms)
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int(exponent))):
                return ring.power(self.side(node.left, one, end), exponent)
            case ast.BinOp():
                x, y = self.side(node.left, one, end), self.side(node.right, one, end)
                if isinstance(node.op, ast.Mult):
                    return ring.product(x, y)
                return ring.plus(x, y, 1 if isinstance(node.op, ast.Add) else -1)
        raise AssertionError(ast.dump(node))

    def shown(self, x: Powers) -> list[str]:
        """The terms for people."""
        return [
            " * ".join([power(factor), *(self._raised(*part) for part in monomial)])
            for monomial, factor in sorted(x.items())
        ]

    def _raised(self, element: int, exponent: int) -> str:
        return self.dom.names[element] + (f" ** {exponent}" if exponent > 1 else "")


class Contracted(Calls[Exact]):
    """Calls in a run over identities, by what usable subs ensure."""

    def __init__(self, dom: Identity, program: Program, places: Mapping[Var, Region]) -> None:
        super().__init__(dom, program, places)
        self.identity = dom
        self.moduli: dict[int, Elements] = {}

    def elements(self, modulus: int) -> Elements:
        if modulus not in self.moduli:
            self.moduli[modulus] = Elements(self.identity, modulus)
        return self.moduli[modulus]

    def run(
        self,
        state: State[Exact],
        item: Call | Insn,
        name: str,
        run: Run[Exact],
        told: tuple[Hashable, Any],
    ) -> State[Exact] | None:
        piece = self.program.subs[name]
        if usable(piece.routine):
            inner = self._entered(state, item, piece)
            inner.extra = told[1]
            buffers = self._buffers(inner, piece)
            if _apart_or_equal(buffers):
                self._take(inner, piece.routine, buffers)
                return inner
        return super().run(state, item, name, run, told)

    def _buffers(self, inner: State[Exact], piece: Piece) -> dict[str, Buffer]:
        contract = piece.routine.contract
        assert contract is not None
        found = {}
        for name, count in extents(piece.routine).items():
            [formal] = [var for var in contract.ins if var.name == name]
            base = self.dom.exactly(inner.regs[formal])
            assert base is not None, "ranges sees to it"
            found[name] = Buffer(Region(name, base, 4 * count), False, 4, False)
        return found

    def _take(self, inner: State[Exact], sub: Routine, buffers: Mapping[str, Buffer]) -> None:
        """Puts into memory what the sub ensures."""
        before = inner.memory.copy()
        end = Finished(self.identity, buffers, before, before, {})
        made: list[tuple[Digits, Elements, Powers]] = []
        for one in sub.ensures:
            assert isinstance(one.node, ast.Compare)
            value, modulus = residue(one.node.comparators[0])
            elements = self.elements(modulus)
            made.append((made_by(one), elements, elements.side(value, one, end)))
        for digits, elements, result in made:
            elements.rule(self._fresh_words(inner.memory, sub, digits, buffers), result)
        inner.flags = {"Q": self.dom.unknown(0, 1)}

    def _fresh_words(
        self, memory: Memory[Exact], sub: Routine, digits: Digits, buffers: Mapping[str, Buffer]
    ) -> list[int]:
        """New names in the memory of a result."""
        names = []
        for index in range(digits.first, digits.last):
            word = self.identity.name(f"a word of {sub.name}", 0, WORD - 1)
            memory.store(buffers[digits.param].region.base + 4 * index, 4, word)
            [[name]] = word.terms
            names.append(name)
        return names


def extents(sub: Routine) -> dict[str, int]:
    """Words behind each pointer that a sub's conditions speak of."""
    found: dict[str, int] = {}
    for one in sub.ensures:
        for number in one.env.values():
            assert isinstance(number, Digits)
            found[number.param] = max(found.get(number.param, 0), number.last)
    return found


def _apart_or_equal(buffers: Mapping[str, Buffer]) -> bool:
    """Whether no two of the buffers share a part: that is what is proved of a sub."""
    regions = [buffer.region for buffer in buffers.values()]
    return all(
        (x.base, x.size) == (y.base, y.size) or x.end <= y.base or y.end <= x.base
        for x in regions
        for y in regions
    )
