# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""All that a proof of what a routine ensures rests on, as text: the same code on two cores is proved once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from gen.ir.ir import Call, Insn, Item, Label, Move, Param, Routine, Var
from gen.ir.program import program


def content(routine: Routine) -> str:
    """Code, contract and conditions; registers by their number, as two of them may share a name."""
    return "\n".join(_Text().lines(routine))


class _Text:
    def __init__(self) -> None:
        self.numbers: dict[Var, int] = {}

    def lines(self, routine: Routine) -> Iterator[str]:
        yield from (self.param(param) for param in routine.params)
        yield self.of(routine.result)
        for one in routine.ensures:
            yield f"{one.method} {ast.dump(one.node)} {sorted(map(str, one.env.items()))}"
        called = set(_called(routine))
        for piece in program(routine, "code").pieces:
            if piece.routine is not routine and piece.routine.name not in called:
                continue
            yield f"{piece.routine.name} {self.of(piece.routine.contract)}"
            yield from (self.of(one) for one in piece.routine.objects)
            yield from self.items(piece.routine.code)

    def param(self, param: Param) -> str:
        parts = (param.name, param.ctype, param.var, param.role, param.align, param.noalias)
        length = "" if param.length is None else ast.dump(param.length.node)
        table = () if param.table is None else param.table.values
        return self.of((*parts, param.flash, param.pre, length, param.lengths, table))

    def items(self, items: Iterable[Item]) -> Iterator[str]:
        """What a run executes: marks are nothing to it."""
        for item in items:
            if isinstance(item, Insn):
                assert item.form is not None
                head = (item.form.name, item.form.syntax, item.form.means, item.cond)
                yield self.of((*head, *item.roles.items(), item.flag_in, item.flag_out))
            elif isinstance(item, Move):
                yield self.of((item.kind, item.var.name, item.var))
            elif isinstance(item, Call):
                yield self.of((item.contract.name, item.ins, item.outs))
            elif isinstance(item, Label):
                yield self.of(item)

    def of(self, thing: object) -> str:
        if isinstance(thing, Var):
            if thing not in self.numbers:
                self.numbers[thing] = len(self.numbers)
                return f"r{self.numbers[thing]}:{thing.type}:{thing.init}"
            return f"r{self.numbers[thing]}"
        if isinstance(thing, tuple):
            return f"({', '.join(map(self.of, thing))})"
        if is_dataclass(thing):
            rows = (self.of(getattr(thing, one.name)) for one in fields(thing))
            return f"{type(thing).__name__}({', '.join(rows)})"
        if isinstance(thing, frozenset):
            return repr(sorted(thing))
        return repr(thing)


def _called(routine: Routine) -> Iterator[str]:
    """Subs that a call can get to."""
    subs = {sub.name: sub for sub in routine.subs}
    for item in routine.code:
        if isinstance(item, Call):
            yield item.contract.name
            yield from _called(subs[item.contract.name])
