# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a routine or a sub ensures: conditions on numbers that stand in its buffers before and after the call.

Users import this from gen.ir.ir.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gen.read.source import Span

Method = Literal["identity", "smt"]


@dataclass(frozen=True, slots=True)
class Digits:
    """Elements `first` to `last` - 1 behind a pointer parameter, the least significant first.

    At return; at entry if `old`, or if the parameter is `in`.
    """

    param: str
    first: int
    last: int
    old: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter that is a number."""

    param: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The result, as its type says."""


Number = Digits | Argument | Returned


@dataclass(frozen=True, eq=False)
class Ensured:
    """One condition. `node`: as in a Pred, its Names are keys of `env`; IfExp and `**` by constants occur, too.

    Of method `identity` are equations of two polynomials, or of their residues by one constant, and beside them that
    one polynomial is less than another. `stated`: as written, which several share that `all` stands for.
    """

    node: ast.expr
    env: Mapping[str, Number]
    text: str
    stated: str
    span: Span
    method: Method


def residue(node: ast.expr) -> tuple[ast.expr, int]:
    """x, m of `x % m`; 0 as modulus: the number itself."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        assert isinstance(node.right, ast.Constant)
        return node.left, int(node.right.value)  # type: ignore[arg-type]
    return node, 0


def less(node: ast.expr) -> bool:
    """Whether a condition of method `identity` is LEFT < RIGHT."""
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt)
