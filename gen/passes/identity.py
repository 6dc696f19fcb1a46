# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs `code` over exact integer identities: what a routine `ensures` of the numbers in its buffers holds for all
inputs.

Both sides become polynomials over the input words and the carries; they are equal modulo m when every coefficient of
their difference is a multiple of m. A carry that is dropped without being shown to be none stays in the difference. One
is less than the other when an upper bound of the difference is below zero.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from itertools import product

from gen.diag import Bag
from gen.ir.domains.identity import Exact, Identity
from gen.ir.domains.names import Terms, number, plus
from gen.ir.domains.names import product as times
from gen.ir.interp.entry import Call, element_bytes
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.preds import believe
from gen.ir.interp.state import State
from gen.ir.ir import Equation, Insn, Mark, Param, Routine
from gen.ir.memory import Memory, Region
from gen.passes.running import aliases, cases, place_of, promised, run

SHOWN = 4  # terms of a difference


class Inputs:
    """Every input word is a name."""

    def __init__(self, dom: Identity, scalars: Mapping[str, int]) -> None:
        self.dom, self.scalars = dom, scalars
        self.words: dict[str, Exact] = {}

    def scalar(self, param: Param) -> Exact:
        if param.name in self.scalars:
            return self.dom.const(self.scalars[param.name])
        return self.named(param.name, param)

    def element(self, param: Param, index: int) -> Exact | None:
        if param.table is not None:
            return self.dom.const(param.table.values[index])
        return None if param.role == "out" else self.named(f"{param.name}[{index}]", param)

    def named(self, text: str, param: Param) -> Exact:
        if text not in self.words:
            self.words[text] = self.dom.name(text, *promised(param))
        return self.words[text]


class Watch(Observer[Exact]):
    """Tells the domain where the run is. Other passes judge what happens there."""

    def __init__(self, dom: Identity) -> None:
        self.dom = dom
        self.before: Memory[Exact] | None = None

    def watching(self, call: Call[Exact]) -> Machine[Exact]:
        self.before = call.state.memory.copy()
        return Machine(self.dom, call.regions, self)

    def begins(self, state: State[Exact], insn: Insn) -> None:
        span = place_of(insn).span
        self.dom.place = f"{span.source.path}:{span.line}" if span.source.text.strip() else ""


class Sides:
    """The values of names in equations, and of the sides."""

    def __init__(
        self,
        params: Mapping[str, Param],
        buffers: Mapping[str, Region],
        before: Memory[Exact],
        after: Memory[Exact],
        inputs: Inputs,
    ) -> None:
        self.params, self.buffers, self.inputs = params, buffers, inputs
        self.before, self.after = before, after

    def side(self, node: ast.expr) -> tuple[Terms, int]:
        """A polynomial, and the modulus that it is meant up to (0: none)."""
        match node:
            case ast.Constant():
                return number(int(node.value)), 0  # type: ignore[arg-type]
            case ast.Name():
                return self.named(node.id), 0
            case ast.BinOp():
                (x, m), (y, n) = self.side(node.left), self.side(node.right)
                modulus = m or n if not (m and n) or m == n else 1
                if isinstance(node.op, ast.Mod):
                    (wanted,) = y.values()
                    return x, wanted if modulus in (0, wanted) else 1
                if isinstance(node.op, ast.Mult):
                    return times(x, y), modulus
                return plus(x, y, 1 if isinstance(node.op, ast.Add) else -1), modulus
        raise AssertionError(ast.dump(node))

    def named(self, name: str) -> Terms:
        old, name = name.startswith("old("), name.removeprefix("old(").removesuffix(")")
        if not name.startswith("value("):
            return self.inputs.scalar(self.params[name]).terms
        param = self.params[name.removeprefix("value(").removesuffix(")")]
        memory = self.before if old or param.role == "in" else self.after
        size = element_bytes(param)
        region = self.buffers[param.name]
        out: Terms = {}
        for at in range(0, region.size, size):
            word = memory.load(region.base + at, size)
            assert word is not None, "initialised sees to it"
            out = plus(out, self.inputs.dom.u(word, 8 * size).terms, 1 << 8 * at)
        return out


def identity(routine: Routine) -> Routine:
    """The pass. Raises `Failed` with ensures-refuted."""
    bag = Bag()
    for scalars, same in (
        product(cases(routine), tuple(aliases(routine))) if routine.ensures else ()
    ):
        dom = Identity()
        inputs, watch = Inputs(dom, scalars), Watch(dom)
        ending = run(routine, watch.watching, dom, inputs, "code", scalars, _marks(dom), same=same)
        if ending.state is None:
            continue
        assert watch.before is not None
        params = {param.name: param for param in routine.params}
        sides = Sides(params, ending.call.buffers, watch.before, ending.state.memory, inputs)
        for one in routine.ensures:
            _judge(bag, dom, sides, one, same)
    bag.close()
    return routine


def _marks(dom: Identity) -> Callable[[State[Exact], Mark], None]:
    """Assertions and claims are believed: the interval run proves the ones and counts the others."""

    def mark(state: State[Exact], item: Mark) -> None:
        if item.pred is not None:
            believe(dom, state, item.pred)

    return mark


def _judge(bag: Bag, dom: Identity, sides: Sides, one: Equation, same: Mapping[str, str]) -> None:
    (left, m), (right, n) = sides.side(one.left), sides.side(one.right)
    modulus = m if m == n else 1 if m and n else 0
    difference = plus(left, right, -1)
    if one.less:
        most = dom.most(dom.settled(difference))
        if most < 0:
            return
        details = (f"the left side is shown to be below the right one + {_size(most + 1)} only",)
    elif modulus == 1:
        details = ("the two sides are residues by different moduli",)
    else:
        rest = _left_over(dom, difference, modulus)
        if not rest:
            return
        shown = dom.shown({name: _near(factor, modulus) for name, factor in rest.items()})
        more = f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
        details = (f"left over: {' + '.join(shown[:SHOWN])}{more}",)
    equal = "".join(f" where {x} is {y}" for x, y in same.items())
    bag.error("ensures-refuted", one.span, f"`{one.text}` does not follow{equal}", details=details)


def _left_over(dom: Identity, difference: Terms, modulus: int) -> Terms:
    """What is not a multiple of the modulus (0: of none)."""

    def rest(terms: Terms) -> Terms:
        left = {name: factor % modulus if modulus else factor for name, factor in terms.items()}
        return {name: factor for name, factor in left.items() if factor}

    return rest(dom.settled(rest(difference)))


def _size(number_: int) -> str:
    """A number, of a large one the size."""
    return str(number_) if number_ < 1 << 16 else f"2**{number_.bit_length()}"


def _near(factor: int, modulus: int) -> int:
    return factor - modulus if modulus and 2 * factor > modulus else factor
