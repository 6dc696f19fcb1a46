# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The count of what is proved: each routine once, nothing that failed, names within the line."""

from __future__ import annotations

from gen.prove.job import Job, Proof
from gen.prove.program import MOST_CASES
from gen.prove.summary import WIDTH, methods


def proof(
    kind: str, name: str, core: str = "cortex-m4", errors: str = "", **facts: object
) -> Proof:
    return Proof(Job(kind, name, core, "asm-src/t/r.rasm", name + core), dict(facts), errors)


def test_macros_by_the_number_of_their_inputs() -> None:
    rows = (("a", 5), ("b", MOST_CASES), ("c", MOST_CASES + 1))
    made = [proof("macro", name, cases=cases) for name, cases in rows]
    assert list(methods(made)) == ["macros: 2 by trying every input, 1 as polynomials"]


def test_a_routine_counts_once_and_by_all_its_methods() -> None:
    both = {"identity": 1, "smt": 3}
    made = [proof("routine", "a", core, ensures=both) for core in ("cortex-m3", "cortex-m4")]
    made += [proof("routine", "b", ensures={"smt": 1}), proof("smt", "b", conditions=1)]
    assert list(methods(made)) == [
        "routines, what they compute: 1 by identity and by smt, 1 by smt"
    ]


def test_what_failed_is_not_counted() -> None:
    made = [proof("routine", "a", ensures={"smt": 1}), proof("smt", "a", errors="refuted")]
    assert list(methods(made)) == []


def test_those_without_ensures_are_named() -> None:
    names = [f"t_{k:020}" for k in range(9)]
    lines = list(methods([proof("routine", name, ensures={}) for name in names]))
    assert lines[0].endswith("proved: 9 routines")
    assert " ".join(lines[1:]).split() == names and len(lines) > 2
    assert max(map(len, lines)) <= WIDTH
