# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Ranges through a whole computation: each step's result is what the next one's precondition must
allow.

A chain is data beside the routines (`chain.toml`): values that come from outside the routines, and
steps. A step runs the interval proof of one routine on the ranges its arguments have at that place,
after it has checked that its stated precondition allows them; what it proves about its result is
the range of the step.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gen.diag import Bag, fail
from gen.ir.ir import Bound, Param, Routine
from gen.passes.ranges import ranges
from gen.passes.running import promised
from gen.read.source import Source, Span

FILE = "chain.toml"
Pair = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """One call, or a sum that C code forms.

    `name` stands for the result; `inputs` are parameter -> name of a value or an earlier step,
    `result` is the parameter whose buffer is the result. A sum has `terms` and no routine.
    """

    name: str
    routine: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    result: str = ""
    terms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chain:
    """A computation, as its file states it."""

    source: Source
    values: Mapping[str, Pair]
    steps: tuple[Step, ...]

    def at(self, text: str) -> Span:
        """The first place in the file where `text` stands."""
        start = max(0, self.source.text.find(f'"{text}"'))
        return Span(self.source, start, start + len(text) + 2)


def read(path: Path, shown: str) -> Chain:
    """The chain in a file. Errors: `syntax`."""
    source = Source(shown, path.read_text(encoding="utf-8"))
    try:
        table = tomllib.loads(source.text)
        values = {name: (int(lo), int(hi)) for name, (lo, hi) in table.pop("values").items()}
        steps = tuple(_step(entry) for entry in table.pop("step"))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise fail("syntax", Span(source, 0, 1), f"not a chain: {error}") from error
    if table:
        raise fail("syntax", Span(source, 0, 1), f"unknown key in a chain: {', '.join(table)}")
    return Chain(source, values, steps)


def _step(entry: dict[str, Any]) -> Step:
    """`to`, `call`, `result` and a key for each argument; or `to` and `sum`."""
    name = entry.pop("to")
    if "sum" in entry:
        terms = tuple(map(str, entry.pop("sum")))
        if entry:
            raise ValueError(f"a sum has no {', '.join(entry)}")
        return Step(name, terms=terms)
    routine, result = entry.pop("call"), entry.pop("result")
    return Step(name, routine, {key: str(value) for key, value in entry.items()}, result)


def check(
    chain: Chain, routine_of: Callable[[str], Routine], expected: Collection[str] = ()
) -> dict[str, Pair]:
    """The proved range of every step. `routine_of` gives a routine with its `code`.

    Raises `Failed`: an argument outside its precondition (assert-failed), names that do not exist
    (undefined), what the interval proof finds, and an `expected` routine that no step calls
    (unused).
    """
    known = dict(chain.values)
    for step in chain.steps:
        if step.terms:
            known[step.name] = _sum(chain, step, known)
        else:
            known[step.name] = _run(chain, step, known, routine_of(step.routine))
    left = sorted(set(expected) - {step.routine for step in chain.steps})
    if left:
        raise fail("unused", Span(chain.source, 0, 1), f"no step calls {', '.join(left)}")
    return known


def _sum(chain: Chain, step: Step, known: Mapping[str, Pair]) -> Pair:
    """The range of a sum of 16-bit values, which must be one."""
    for term in step.terms:
        if term not in known:
            raise fail("undefined", chain.at(term), f"no {term} at step {step.name}")
    lo, hi = sum(known[t][0] for t in step.terms), sum(known[t][1] for t in step.terms)
    if lo < -(1 << 15) or hi >= 1 << 15:
        raise fail("overflow", chain.at(step.name), f"{step.name} is in [{lo}, {hi}]")
    return lo, hi


def _run(chain: Chain, step: Step, known: Mapping[str, Pair], routine: Routine) -> Pair:
    """One step's result, after its arguments were found within the precondition."""
    params = {param.name: param for param in routine.params}
    for name, value in step.inputs.items():
        for missing, where in ((name, params), (value, known)):
            if missing not in where:
                raise fail("undefined", chain.at(missing), f"no {missing} at step {step.name}")
    bag = Bag()
    given = tuple(_given(chain, step, param, known, bag) for param in routine.params)
    bag.close()
    found = ranges(replace(routine, params=given)).bounds
    if step.result not in found:
        raise fail(
            "undefined", chain.at(step.name), f"{step.routine} leaves nothing in {step.result}"
        )
    return found[step.result]


def _given(chain: Chain, step: Step, param: Param, known: Mapping[str, Pair], bag: Bag) -> Param:
    """The parameter with the range of its argument as precondition."""
    if not param.ctype.pointer or param.role == "out" or param.table is not None:
        return param
    value = step.inputs.get(param.name)
    if value is None:
        bag.error("undefined", chain.at(step.name), f"step {step.name} gives no {param.name}")
        return param
    (lo, hi), (least, most) = known[value], promised(param)
    if lo < least or hi > most:
        bag.error(
            "assert-failed",
            chain.at(step.name),
            f"{step.routine} wants {param.name} in [{least}, {most}], {value} is in [{lo}, {hi}]",
            help="reduce it before, or widen the precondition: param " + param.name,
        )
    text = f"{lo} <= {param.name}[i] <= {hi}"
    return replace(param, pre=(Bound("each", lo, hi, text),))
