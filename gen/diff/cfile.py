# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Portable C, compared as text: the same tokens, the same but for names of locals, or changed lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from gen.diff.align import Beside, Left, anchored
from gen.diff.text import Line, Unit
from gen.diff.words import counted, renaming

_TOKEN = re.compile(r"[A-Za-z_]\w*|0[xX][0-9a-fA-F]+\w*|\d+\w*|<<|>>|[-+*/%&|^=<>!]=?|\S")
_DECLARED = re.compile(r"^(?:const )?(?:u?int\d+_t|uintptr_t) (.*);$")


def tokens(rows: Sequence[str]) -> list[str]:
    return [token for row in rows if not condition(row) for token in _TOKEN.findall(row)]


def compare_c(old: Unit, new: Unit) -> tuple[str, str, Left]:
    """How two C files differ: the verdict, one line, what is left to look at."""
    before, after = tokens(old.statements), tokens(new.statements)
    if before == after:
        return "identical", "", Left()
    names = _renamed(before, after, locals_of(old), locals_of(new))
    if names is not None:
        return "renamed", renaming(names).replace("registers", "names", 1), Left()
    here, there = ([row for row in unit.statements if not condition(row)] for unit in (old, new))
    left = Left(_beside(here, there, anchored(here, there)))
    return "changed", f"{counted(len(left.rows), 'line')} of C differ", left


def condition(row: str) -> bool:
    """Whether a line says only for which builds the file is."""
    return row.startswith(("#", "defined("))


def locals_of(unit: Unit) -> frozenset[str]:
    """Names that the functions of a file declare for themselves."""
    inside = unit.statements[unit.statements.index("{") :] if "{" in unit.statements else []
    found: set[str] = set()
    for row in inside:
        if declared := _DECLARED.match(row):
            found |= set(re.findall(r"[A-Za-z_]\w*", declared[1].split(" = ")[0]))
    return frozenset(found)


def _renamed(
    old: list[str], new: list[str], here: frozenset[str], there: frozenset[str]
) -> Counter[tuple[str, str]] | None:
    """Pairs of names, when local names are all that differs and each stands for one other throughout."""
    if len(old) != len(new):
        return None
    forth: dict[str, str] = {}
    back: dict[str, str] = {}
    found: Counter[tuple[str, str]] = Counter()
    for a, b in zip(old, new, strict=True):
        if (a in here) != (b in there) or (a != b and a not in here):
            return None
        if a in here and (forth.setdefault(a, b) != b or back.setdefault(b, a) != a):
            return None
        if a != b:
            found[a, b] += 1
    return found


def _beside(old: list[str], new: list[str], pairs: list[tuple[int, int]]) -> list[Beside]:
    rows: list[Beside] = []
    x = y = 0
    for p, q in [*pairs, (len(old), len(new))]:
        for i in range(max(p - x, q - y)):
            left = Line(old[x + i]) if x + i < p else None
            right = Line(new[y + i]) if y + i < q else None
            rows.append(Beside(left, right))
        x, y = p + 1, q + 1
    return rows
