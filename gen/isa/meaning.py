# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The language of meanings: what a Form's `means` may say, what it reads and writes, and its
compilation.

Statements are separated by ";" and written as Python expressions over mathematical integers:

    d = EXPR          role, flag (N Z C V Q GE), `sp` or temporary; roles read as they were before
    Q |= EXPR         a sticky flag
    r[i] = EXPR       for each i of list role `r`, as any statement with `i`; `len(r)` is its length
    store(ea, B, x)   the low B bytes of x

A register reads as a raw word (any integer congruent to it), a half as a signed 16-bit number, a
constant as itself; `ea` is the address of the memory role, its write-back included. Assigning to
a base role happens only under `!`. Operators: + - * & | ^ ~ << >> (floor) and one comparison,
which is 0 or 1; `x if c else y`. Functions: BUILTINS.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

FLAGS = ("N", "Z", "C", "V", "Q", "GE")

# condition -> its value as a meaning over the flags
CONDITIONS: dict[str, str] = {
    "eq": "Z",
    "ne": "1 - Z",
    "cs": "C",
    "cc": "1 - C",
    "hs": "C",
    "lo": "1 - C",
    "mi": "N",
    "pl": "1 - N",
    "vs": "V",
    "vc": "1 - V",
    "hi": "C & (1 - Z)",
    "ls": "(1 - C) | Z",
    "ge": "N == V",
    "lt": "N ^ V",
    "gt": "(N == V) & (1 - Z)",
    "le": "(N ^ V) | Z",
}

BUILTINS: dict[str, str] = {
    **{f"u{n}": f"modulo 2**{n}, from 0" for n in (8, 16, 32, 64, 128)},
    **{f"s{n}": f"modulo 2**{n}, signed" for n in (8, 16, 32, 64)},
    "u": "u(x, n): modulo 2**n, from 0",
    "s": "s(x, n): modulo 2**n, signed",
    "sb": "bottom half, signed",
    "st": "top half, signed",
    "ub": "bottom half, from 0",
    "ut": "top half, from 0",
    "pack": "pack(b, t): the word with these halves, each modulo 2**16",
    "ror": "ror(x, n): x rotated right by n, 0 to 31",
    "ror64": "ror64(x, n): 64 bits of x rotated right by n, 0 to 63",
    "shift": "shift(x, sh): x shifted as role sh says",
    "shift64": "shift64(x, sh): the same of 64 bits",
    "shift_c": "shift_c(x, sh): the last bit shifted out",
    "imm_c": "imm_c(k): carry from a modified immediate; where it gives none, the flag stays",
    "sat": "sat(x, n): nearest signed n-bit number",
    "usat": "usat(x, n): nearest unsigned n-bit number",
    "div": "div(x, y): quotient towards zero, 0 for y == 0",
    "load": "load(address, bytes): unsigned",
    "store": "store(address, bytes, x)",
    "exact": "exact(x, n): x, which the range proof keeps within n signed bits",
    "wrap": "wrap(x): modulo the register; the range proof keeps it exact when the destination is signed",
    "len": "len(r): registers in list role r",
}


def parse(means: str) -> tuple[ast.stmt, ...]:
    """The statements of a meaning."""
    return tuple(ast.parse("\n".join(part.strip() for part in means.split(";"))).body)


@dataclass
class Effects:
    """What a meaning touches, in terms of roles and flags."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)  # flags
    sets: set[str] = field(default_factory=set)
    load_bytes: int = 0  # of each access
    store_bytes: int = 0


def target_of(statement: ast.stmt) -> str | None:
    """The name a statement assigns to; None for a store."""
    if isinstance(statement, ast.Expr):
        return None
    target: ast.expr | None = statement.target if isinstance(statement, ast.AugAssign) else None
    if isinstance(statement, ast.Assign):
        target = statement.targets[0]
    if isinstance(target, ast.Subscript):
        target = target.value
    assert isinstance(target, ast.Name), ast.dump(statement)
    return target.id


def value_of(statement: ast.stmt) -> ast.expr:
    """The expression a statement evaluates."""
    assert isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr), ast.dump(statement)
    return statement.value


def _names(node: ast.AST) -> Iterator[str]:
    """Names whose value `node` reads."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id != "len":
            for argument in node.args:
                yield from _names(argument)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _names(child)


def effects(statements: tuple[ast.stmt, ...], roles: frozenset[str]) -> Effects:
    """What is read before it is written, and what is written."""
    found = Effects()
    done: set[str] = set()
    for statement in statements:
        for name in _names(value_of(statement)):
            if name in done:
                continue
            if name in FLAGS:
                found.uses.add(name)
            elif name in roles:
                found.reads.add(name)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "load":
                    found.load_bytes = ast.literal_eval(node.args[1])
                elif node.func.id == "store":
                    found.store_bytes = ast.literal_eval(node.args[1])
        target = target_of(statement)
        if target is None:
            continue
        done.add(target)
        if target in FLAGS:
            found.sets.add(target)
        elif target in roles:
            found.writes.add(target)
    return found
