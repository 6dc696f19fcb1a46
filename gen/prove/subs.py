# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Proves what a sub ensures, on its own: for all words behind its pointers, apart or equal in every way.

Callers take calls by it: so it may also write nothing else than the numbers that it speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NoReturn

from gen.diag import Bag, fail
from gen.ir.domains.identity import Exact
from gen.ir.ir import CType, Insn, Param, Routine
from gen.passes.contracts import extents, made_by, usable
from gen.passes.finished import Start
from gen.passes.identity import judge

POINTER = CType("uint32_t", 32, signed=False, pointer=True)
NUMBER = CType("uint32_t", 32, signed=False, pointer=False)


def prove(sub: Routine) -> int:
    """Runs made. `sub` has its `code`. Raises `Failed`: ensures-refuted, bad-call, and what is wrong with accesses."""
    routine = alone(sub)
    pointers = [param.name for param in routine.params if param.ctype.pointer]
    bag, count = Bag(), 0
    for same in partitions(pointers):
        judge(bag, routine, {}, same, Strict)
        count += 1
    bag.close()
    return count


class Strict(Start[Exact]):
    """Any access that the conditions do not speak of is an error."""

    def bad_access(self, insn: Insn, code: str, message: str, help: str = "") -> NoReturn:
        raise fail(
            code,
            insn.span,
            f"the sub ensures what memory it changes, and {message}",
            trail=insn.trail,
            help="name all of it in `ensures`",
        )


def alone(sub: Routine) -> Routine:
    """The sub as a routine whose parameters are its inputs."""
    contract = sub.contract
    assert contract is not None
    if not usable(sub):
        raise fail(
            "bad-call",
            sub.span,
            f"what {sub.name} ensures is of no use to its callers",
            help="value(r[0:8]) % P == (old(value(a[0:8])) + old(value(b[0:8]))) % P",
        )
    sizes, made = extents(sub), _made(sub)
    params = []
    for var in contract.ins:
        size = sizes.get(var.name)
        if size is None:
            params.append(Param(var.name, NUMBER, var))
            continue
        written = made.get(var.name, set())
        if written and written != set(range(size)):
            text = f"{sub.name} ensures a part of what it writes to `{var.name}` only"
            raise fail("bad-call", sub.span, text)
        role: Literal["in", "inout"] = "inout" if written else "in"
        params.append(Param(var.name, replace(POINTER, count=size), var, role=role, align=4))
    return replace(sub, params=tuple(params), contract=None)


def _made(sub: Routine) -> Mapping[str, set[int]]:
    """The words behind each pointer that are said to be results."""
    found: dict[str, set[int]] = {}
    for one in sub.ensures:
        digits = made_by(one)
        found.setdefault(digits.param, set()).update(range(digits.first, digits.last))
    return found


def partitions(names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Ways in which pointers can be equal: later name -> the first of its group."""
    if not names:
        yield {}
        return
    *rest, last = names
    for smaller in partitions(rest):
        yield smaller
        for first in rest:
            if first not in smaller:
                yield {**smaller, last: first}
