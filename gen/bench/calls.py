# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The arguments of a typical call: random values within the bounds of a routine's params."""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping

from gen.emu.abi import Buffer
from gen.emu.machine import Machine, Wide
from gen.ir.ir import Param, Routine

UNSIZED = 4096  # bytes for a pointer of which neither the prototype nor the params tell a length


class CallError(Exception):
    """A routine cannot be called by what its params say."""


def arguments(
    routine: Routine, machine: Machine, source: random.Random
) -> tuple[list[int | Wide], list[Buffer]]:
    """Values for the parameters of `routine` in order, and the RAM they point to.

    A scalar gets the greatest value it is said to have. A pointer to a table gets the table of the
    image; a buffer stands at an address of the promised alignment and no greater one.
    """
    scalars = {p.name: _scalar(p) for p in routine.params if not p.ctype.pointer}
    values: list[int | Wide] = []
    buffers: list[Buffer] = []
    for param in routine.params:
        if not param.ctype.pointer:
            value = scalars[param.name]
            values.append(Wide(value) if param.ctype.bits == 64 else value)
        elif param.table is not None:
            values.append(machine.image[param.table.symbol].address)
        else:
            content = _content(param, _length(param, scalars), source)
            address = machine.alloc(content, 2 * param.align, param.align)
            buffers.append(Buffer(address, len(content), param.role != "in"))
            values.append(address)
    return values, buffers


def _scalar(param: Param) -> int:
    if param.lengths:
        return max(param.lengths)
    if not param.pre:
        raise CallError(f"nothing says what values {param.name} may have")
    return min(bound.hi for bound in param.pre)


def _length(param: Param, scalars: Mapping[str, int]) -> int:
    """Elements of a buffer."""
    if param.ctype.count is not None:
        return param.ctype.count
    if param.length is None:
        return UNSIZED * 8 // param.ctype.bits
    node = param.length.node
    if isinstance(node, ast.Compare):
        node = node.comparators[0]
    code = compile(ast.fix_missing_locations(ast.Expression(node)), param.name, "eval")
    return int(eval(code, {"__builtins__": {}}, dict(scalars)))  # the front end let only sums pass


def _content(param: Param, length: int, source: random.Random) -> bytes:
    ctype = param.ctype
    low, high = (-(1 << ctype.bits - 1), (1 << ctype.bits - 1) - 1) if ctype.signed else (0, -1)
    if not ctype.signed:
        high = (1 << ctype.bits) - 1
    for bound in param.pre:
        if bound.kind == "each":
            low, high = max(low, bound.lo), min(high, bound.hi)
    size = ctype.bits // 8
    return b"".join(
        source.randint(low, high).to_bytes(size, "little", signed=ctype.signed)
        for _ in range(length)
    )
