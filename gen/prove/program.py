# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A C program that runs a macro on every input that its asserts allow and tests every condition in
it.

Called with two numbers it covers that part of the outermost axis. It prints nothing and returns 0
when all hold, else prints the set of failed conditions and the words of the first input, and
returns 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from gen.diag import fail
from gen.emit.cmeaning import Naming, flags_read, helpers, statements
from gen.ir.ir import Comment, Half, Insn, Mark, Node, Old, Pred, Reg, RegList, Routine, Then, Var
from gen.prove.cpred import PRELUDE, Writer
from gen.prove.inputs import Axis, axes, preconditions, used_parts

MOST_CASES = 1 << 33
CHUNK = 1 << 16  # cases of the innermost loop between two looks at the outcome
_CHECKED = ("assert", "claim", "ensures")


@dataclass(frozen=True)
class Program:
    """What to compile, and how to read what it prints."""

    text: str
    axes: tuple[Axis, ...]  # outermost first
    inputs: tuple[Var, ...]  # printed in this order
    marks: tuple[Mark, ...]  # bit number -> condition
    cases: int


def flat(nodes: Sequence[Node], macro: Routine) -> list[Insn | Mark]:
    """The instructions and marks of a straight-line macro."""
    out: list[Insn | Mark] = []
    for node in nodes:
        if isinstance(node, Insn | Mark):
            if isinstance(node, Insn) and node.form is not None and node.form.loads:
                raise fail(
                    "bad-arguments", macro.span, f"`ensures` of {macro.name}: it reads memory"
                )
            out.append(node)
        elif isinstance(node, Then):
            out += node.body
        elif not isinstance(node, Comment):
            raise fail(
                "bad-arguments", macro.span, f"`ensures` of {macro.name}: it has a loop or a branch"
            )
    return out


def _vars(item: Insn | Mark) -> list[Var]:
    """Every register an item mentions."""
    found: list[Var] = []
    if isinstance(item, Insn):
        for op in item.ops:
            if isinstance(op, RegList):
                found += op.vars
            elif isinstance(var := getattr(op, "var", None), Var):
                found.append(var)
    elif item.pred is not None:
        for subject in item.pred.env.values():
            inner = subject.operand if isinstance(subject, Old) else subject
            if isinstance(inner, Reg | Half):
                found.append(inner.var)
    return found


def build(macro: Routine) -> Program:
    """The program for a macro whose instructions have forms. Errors: too many cases, loops."""
    items = flat(macro.body, macro)
    return _Builder(macro, items).program()


class _Builder:
    def __init__(self, macro: Routine, items: list[Insn | Mark]) -> None:
        # no condition can name what is stored
        items = [i for i in items if not (isinstance(i, Insn) and i.form and i.form.stores)]
        self.macro, self.items = macro, items
        found = dict.fromkeys(var for item in items for var in _vars(item))
        self.names = {var: _c_name(var, number) for number, var in enumerate(found)}
        self.marks = tuple(
            item for item in items if isinstance(item, Mark) and item.kind in _CHECKED and item.pred
        )
        self.pre = preconditions(items)
        self.insns = [item for item in items if isinstance(item, Insn)]
        self.writer = Writer(self._subject)

    def _subject(self, subject: Reg | Half | Old) -> str:
        if isinstance(subject, Old):
            assert isinstance(subject.operand, Reg | Half)
            return f"old{subject.mark}_{self.names[subject.operand.var]}"
        return self.names[subject.var]

    # --- inputs ---

    def _axes(self) -> tuple[Axis, ...]:
        preds = [mark.pred for mark in self.marks if mark.pred is not None]
        out: list[Axis] = []
        for param in self.macro.params:
            var = param.var
            assert isinstance(var, Var)
            if param.role != "out" and var in self.names:
                parts = used_parts(var, self.insns, preds)
                out += axes(var, parts, self.pre)
        return tuple(sorted(out, key=lambda axis: (not axis.listed, axis.count)))

    def program(self) -> Program:
        found = self._axes()
        fixed = tuple(axis for axis in found if axis.count == 1)
        order = tuple(axis for axis in found if axis.count != 1) or (Axis(Var("none"), "", 0, 0),)
        cases = prod(axis.count for axis in order)
        inputs = tuple(dict.fromkeys(axis.var for axis in found if axis.var in self.names))
        driver = _Driver(order, fixed, inputs, self.names).text()
        text = "\n".join([helpers(), PRELUDE, self._check(inputs), driver])
        return Program(text, order, inputs, self.marks, cases)

    # --- the macro itself ---

    def _check(self, inputs: tuple[Var, ...]) -> str:
        """The function `check`: bit k of its result says that condition k fails."""
        flags = sorted({name for insn in self.insns for name in flags_read(insn)})
        naming = Naming(lambda var: self.names[var])
        lines = [f"uint32_t {name} = 0;" for name in flags]
        lines += [f"uint32_t {n} = 0;" for var, n in self.names.items() if var not in inputs]
        lines += ["uint32_t failed = 0;", f"const int meant = {self._conjunction(self.pre)};"]
        for item in self.items:
            if isinstance(item, Insn):
                lines += statements(item, naming, frozenset(flags))
            elif item.kind == "ensures-begin":
                lines += self._snapshot(item.number)
            elif item.pred is not None and item.pred not in self.pre:
                bit = self.marks.index(item)
                lines.append(f"failed |= (uint32_t)!{self.writer.condition(item.pred)} << {bit};")
        lines.append("return meant ? failed : 0;")
        head = ", ".join(f"uint32_t {self.names[var]}" for var in inputs) or "void"
        body = "\n".join(f"    {line}" for line in lines)
        return f"static inline uint32_t check({head})\n{{\n{body}\n}}"

    def _conjunction(self, preds: tuple[Pred, ...]) -> str:
        return " && ".join(self.writer.condition(pred) for pred in preds) or "1"

    def _snapshot(self, number: int) -> list[str]:
        """What `old` refers to at the end of this expansion."""
        needed = {
            subject.operand.var: None
            for mark in self.marks
            if mark.pred is not None
            for subject in mark.pred.env.values()
            if isinstance(subject, Old)
            and subject.mark == number
            and isinstance(subject.operand, Reg | Half)
        }
        return [f"const uint32_t old{number}_{self.names[v]} = {self.names[v]};" for v in needed]


def _c_name(var: Var, number: int) -> str:
    return f"x{number}_" + re.sub(r"\W", "_", var.name)


def start_of(axis: Axis) -> int:
    """Where the loop over an axis begins: an index of its list, or its least value."""
    return 0 if axis.listed else axis.lo


class _Driver:
    """The loops around `check`: the last axis is the innermost, in chunks."""

    def __init__(
        self,
        order: tuple[Axis, ...],
        fixed: tuple[Axis, ...],
        inputs: tuple[Var, ...],
        names: Mapping[Var, str],
    ) -> None:
        self.order, self.fixed, self.names = order, fixed, names
        self.words = [f"        const uint32_t {names[v]} = {self._word(v)};" for v in inputs]
        self.shown = [names[v] for v in inputs]
        self.outer = [f"k{k}" for k in range(len(order) - 1)]

    def text(self) -> str:
        lists = [
            f"static const int64_t list{k}[] = {{{', '.join(map(str, axis.listed))}}};"
            for k, axis in enumerate(self.order)
            if axis.listed
        ]
        lines = [*lists, *self._sweep(), *self._tell(), *self._main()]
        return "\n".join(
            ["#include <inttypes.h>", "#include <stdio.h>", "#include <stdlib.h>", *lines, ""]
        )

    def _word(self, var: Var) -> str:
        """The word of a register out of its axes."""
        parts = []
        for axis in (*self.order, *self.fixed):
            if axis.var is not var:
                continue
            if axis.count == 1:
                value = str((axis.listed or (axis.lo,))[0])
            else:
                k = self.order.index(axis)
                value = f"list{k}[k{k}]" if axis.listed else f"k{k}"
            word = f"(uint32_t)({value})"
            if axis.part:
                word = f"({word} & 0xffffu)" + (" << 16" if axis.part == "t" else "")
            parts.append(f"({word})")
        return " | ".join(parts)

    def _function(self, kind: str, body: list[str], result: str) -> list[str]:
        """A loop over a chunk of the last axis."""
        last = f"k{len(self.outer)}"
        head = ", ".join(f"int64_t {name}" for name in (*self.outer, "from", "to"))
        loop = f"    for (int64_t {last} = from; {last} < to; {last}++) {{"
        return [
            f"static {kind}({head})",
            "{",
            *body,
            loop,
            *self.words,
            *self._body(result),
            "    }",
        ]

    def _body(self, result: str) -> list[str]:
        call = f"check({', '.join(self.shown)})"
        if result == "failed":
            return [f"        failed |= {call};"]
        shown = ", ".join(["failed", *self.shown])
        form = " ".join(["%" + "u"] * (len(self.shown) + 1))
        return [
            f"        const uint32_t failed = {call};",
            "        if (failed) {",
            f'            printf("{form}\\n", {shown});',
            "            return 1;",
            "        }",
        ]

    def _sweep(self) -> list[str]:
        made = self._function("uint32_t sweep", ["    uint32_t failed = 0;"], "failed")
        return [*made, "    return failed;", "}"]

    def _tell(self) -> list[str]:
        return [*self._function("int tell", [], "0"), "    return 0;", "}"]

    def _main(self) -> list[str]:
        begin = start_of(self.order[0])
        end = begin + self.order[0].count
        lines = [
            "int main(int argc, char **argv)",
            "{",
            f"    const int64_t begin = argc > 1 ? strtoll(argv[1], 0, 10) : {begin};",
            f"    const int64_t end = argc > 2 ? strtoll(argv[2], 0, 10) : {end};",
        ]
        for k, axis in enumerate(self.order[:-1]):
            lo, hi = self._ends(k, axis)
            lines.append(f"    for (int64_t k{k} = {lo}; k{k} < {hi}; k{k}++)")
        lo, hi = self._ends(len(self.outer), self.order[-1])
        given = ", ".join((*self.outer, "c", "to"))
        return [
            *lines,
            f"    for (int64_t c = {lo}; c < {hi}; c += {CHUNK}) {{",
            f"        const int64_t to = c + {CHUNK} < {hi} ? c + {CHUNK} : {hi};",
            f"        if (sweep({given}))",
            f"            return tell({given});",
            "    }",
            "    return 0;",
            "}",
        ]

    def _ends(self, k: int, axis: Axis) -> tuple[str, str]:
        if k == 0:
            return "begin", "end"
        return str(start_of(axis)), str(start_of(axis) + axis.count)
