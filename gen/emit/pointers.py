# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""How wide the elements are that each pointer walks over: C reads memory by the type it is declared with."""

from __future__ import annotations

from collections.abc import Iterator

from gen.diag import fail
from gen.emit.cnames import leaves
from gen.emit.kept import kept
from gen.emit.view import element_bytes
from gen.ir.interp.entry import vars_of
from gen.ir.ir import Call, Insn, Routine, Var
from gen.isa import reads, writes

Places = dict[tuple[Var, int], Var]  # a word of a stack object that keeps a pointer
Step = tuple[Insn | Call, Var, set[Var]]  # a pointer is made from others


def elements(routine: Routine) -> dict[Var, int]:
    """Bytes of the elements behind each pointer of a routine and its subs: parameters, objects, and what
    is made from them."""
    subs = {sub.name: sub for sub in routine.subs}
    sizes = {
        var: param.ctype.bits // 8
        for param in routine.params
        for var in vars_of(param)
        if param.ctype.pointer
    }
    for one in (routine, *routine.subs):
        sizes |= {made.var: element_bytes(made) for made in one.objects}
    places: Places = {}
    steps = [step for one in (routine, *routine.subs) for step in _steps(one, subs, places)]
    changed = True
    while changed:
        changed = False
        for where, var, sources in steps:
            known = {sizes[source] for source in sources if source in sizes}
            if not known:
                continue
            if len(known | {sizes.get(var, min(known))}) > 1:
                both = " and ".join(map(str, sorted(known | {sizes.get(var, min(known))})))
                message = f"{var.name} points to elements of {both} bytes"
                raise fail("bad-operands", where.span, message, trail=where.trail)
            changed |= var not in sizes
            sizes.setdefault(var, min(known))
    return sizes


def _steps(routine: Routine, subs: dict[str, Routine], places: Places) -> Iterator[Step]:
    for node in leaves(routine.body):
        if isinstance(node, Insn) and (moved := kept(node)) is not None:
            key = moved.object, moved.offset
            place = places.setdefault(key, Var(moved.object.name, "ptr"))
            pair = (moved.pointer, place) if moved.loads else (place, moved.pointer)
            yield node, pair[0], {pair[1]}
        elif isinstance(node, Insn):
            for var in writes(node):
                if var.type == "ptr":
                    yield node, var, set(reads(node))
        elif isinstance(node, Call):
            contract = subs[node.contract.name].contract
            assert contract is not None
            for var, formal in zip(node.ins, node.contract.ins, strict=True):
                if formal.type == "ptr":
                    yield node, formal, {var}
            for var, formal in zip(node.outs, node.contract.outs, strict=True):
                if formal.type == "ptr":
                    yield node, var, {formal}
