# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A claim is open unless the proof of an `ensures` goes through it."""

from __future__ import annotations

import ast

from gen.ir.claims import open_claims
from gen.ir.ir import Mark, Pred
from gen.read.source import NOWHERE


def mark(kind: str, text: str = "", number: int = 0) -> Mark:
    pred = Pred(ast.Compare(ast.Constant(1), [ast.Eq()], [ast.Constant(1)]), {}, text)
    return Mark(kind, NOWHERE, pred=pred, number=number)  # type: ignore[arg-type]


def test_claims_under_an_ensures_are_discharged() -> None:
    marks = [
        mark("claim", "a"),
        mark("ensures-begin", number=1),
        mark("claim", "b"),
        mark("ensures-begin", number=2),
        mark("ensures", number=2),
        mark("claim", "c"),
        mark("ensures", number=1),
        mark("claim", "d"),
        mark("claim", "a"),
        mark("assert", "e"),
    ]
    assert open_claims(marks) == ("a", "d")
