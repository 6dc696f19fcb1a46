# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which claims remain assumed."""

from __future__ import annotations

from collections.abc import Iterable

from gen.ir.ir import Mark


def open_claims(marks: Iterable[Mark]) -> tuple[str, ...]:
    """The claims, in order, that stand in no expansion of a macro with `ensures`.

    The proof of an `ensures` goes through the macro on every input and tests the claims in it.
    `marks` are those of the routine, in their order.
    """
    found: dict[str, None] = {}
    around: set[int] = set()
    for mark in marks:
        if mark.kind == "ensures-begin":
            around.add(mark.number)
        elif mark.kind == "ensures":
            around.discard(mark.number)
        elif mark.kind == "claim" and not around:
            found[mark.pred.text if mark.pred else mark.text] = None
    return tuple(found)
