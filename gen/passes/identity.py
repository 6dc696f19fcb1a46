# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs `code` over exact integer identities: what a routine `ensures` of the numbers in its buffers holds for all
inputs.

Both sides become polynomials over the input words and the carries; they are equal modulo m when every coefficient of
their difference is a multiple of m. A carry that is dropped without being shown to be none stays in the difference. One
is less than the other when an upper bound of the difference is below zero.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import product

from gen.diag import Bag
from gen.ir.domains.identity import Exact, Identity
from gen.ir.domains.names import Terms, number, plus
from gen.ir.domains.names import product as times
from gen.ir.domains.powers import TooLarge
from gen.ir.interp.preds import believe
from gen.ir.interp.state import State
from gen.ir.ir import Digits, Ensured, Mark, Param, Routine, Var, less, residue
from gen.ir.memory import Region
from gen.ir.program import Program
from gen.passes.contracts import Contracted, Elements, usable
from gen.passes.finished import Finished, Start, finished
from gen.passes.running import aliases, cases, promised, run

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


def sides(one: Ensured, end: Finished[Exact]) -> tuple[Terms, Terms, int]:
    """The polynomials of an equation, and the modulus that it is meant up to (0: none)."""
    assert isinstance(one.node, ast.Compare)
    left, modulus = residue(one.node.left)
    right, _ = residue(one.node.comparators[0])
    return _polynomial(left, one, end), _polynomial(right, one, end), modulus


def _polynomial(node: ast.expr, one: Ensured, end: Finished[Exact]) -> Terms:
    match node:
        case ast.Constant():
            return number(int(node.value))  # type: ignore[arg-type]
        case ast.Name():
            return end.number(one.env[node.id]).terms
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int(exponent))):
            base = _polynomial(node.left, one, end)
            return reduce(times, [base] * exponent)
        case ast.BinOp():
            x, y = _polynomial(node.left, one, end), _polynomial(node.right, one, end)
            if isinstance(node.op, ast.Mult):
                return times(x, y)
            return plus(x, y, 1 if isinstance(node.op, ast.Add) else -1)
    raise AssertionError(ast.dump(node))


def identity(routine: Routine) -> Routine:
    """The pass. Raises `Failed` with ensures-refuted."""
    bag = Bag()
    wanted = any(one.method == "identity" for one in routine.ensures)
    for scalars, same in product(cases(routine), tuple(aliases(routine))) if wanted else ():
        judge(bag, routine, scalars, same)
    bag.close()
    return routine


def judge(
    bag: Bag,
    routine: Routine,
    scalars: Mapping[str, int],
    same: Mapping[str, str],
    watch: type[Start[Exact]] = Start,
) -> None:
    """One call; calls within it by what the subs ensure, where they do."""
    dom = Identity()
    inputs, start = Inputs(dom, scalars), watch(dom, dom.at)
    made: list[Contracted] = []

    def calls(whole: Program, places: Mapping[Var, Region]) -> Contracted:
        made.append(Contracted(dom, whole, places))
        return made[0]

    ending = run(
        routine,
        start.watching,
        dom,
        inputs,
        "code",
        scalars,
        _marks(dom),
        same=same,
        calls_of=calls if any(map(usable, routine.subs)) else None,
    )
    if ending.state is None:
        return
    end = finished(routine, dom, start.memory, ending, inputs)
    equal = "".join(f" where {x} is {y}" for x, y in same.items())
    for one in routine.ensures:
        if one.method == "identity" and (details := _missing(dom, end, one, made)):
            text = f"`{one.text}` does not follow{equal}"
            bag.error("ensures-refuted", one.span, text, details=(details,))


def _marks(dom: Identity) -> Callable[[State[Exact], Mark], None]:
    """Assertions and claims are believed: the interval run proves the ones and counts the others."""

    def mark(state: State[Exact], item: Mark) -> None:
        if item.pred is not None:
            believe(dom, state, item.pred)

    return mark


def _missing(dom: Identity, end: Finished[Exact], one: Ensured, made: Sequence[Contracted]) -> str:
    """What stands against a condition; "" if it follows."""
    assert isinstance(one.node, ast.Compare)
    modulus = residue(one.node.left)[1]
    if made and made[0].moduli and modulus:
        return _over_elements(made[0].elements(modulus), end, one)
    left, right, modulus = sides(one, end)
    difference = plus(left, right, -1)
    if less(one.node):
        most = dom.most(dom.settled(difference))
        if most < 0:
            return ""
        return f"the left side is shown to be below the right one + {_size(most + 1)} only"
    rest = _left_over(dom, difference, modulus)
    if not rest:
        return ""
    shown = dom.shown({name: _near(factor, modulus) for name, factor in rest.items()})
    return f"left over: {_listed(shown)}"


def _listed(shown: Sequence[str]) -> str:
    more = f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
    return f"{' + '.join(shown[:SHOWN])}{more}"


def _over_elements(elements: Elements, end: Finished[Exact], one: Ensured) -> str:
    assert isinstance(one.node, ast.Compare)
    sides_ = (one.node.left, one.node.comparators[0])
    try:
        for which in one.env.values():
            if isinstance(which, Digits):
                elements.number(end, which)  # so that all elements are known
        left, right = (elements.side(residue(side)[0], one, end) for side in sides_)
    except TooLarge:
        return "it has more terms than are written down"
    rest = elements.ring.plus(left, right, -1)
    shown = elements.shown({m: _near(x, elements.ring.modulus) for m, x in rest.items()})
    return f"left over: {_listed(shown)}" if rest else ""


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
