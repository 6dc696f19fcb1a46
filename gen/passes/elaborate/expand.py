# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Statements -> nodes: macros expanded, generation-time loops and choices gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gen.diag import Failed, Frame, Trail, fail
from gen.ir import ir
from gen.ir.ir import Half, Node, Reg, StackObject, Var
from gen.passes.elaborate.conditions import condition
from gen.passes.elaborate.declare import registers, stack_object
from gen.passes.elaborate.macros import Variant, bind, choose
from gen.passes.elaborate.mnemonics import exists, no_macro
from gen.passes.elaborate.operands import operand, operands, resolve, single
from gen.passes.elaborate.readonly import check_readonly
from gen.passes.elaborate.scope import Const, Many, One, Scope, World
from gen.passes.elaborate.subs import call
from gen.read import syntax as s
from gen.read.builtins import show
from gen.read.consteval import evaluate, integer
from gen.read.source import Span
from gen.read.syntax import Block, Stmt

DEEPEST = 48  # nested blocks and expansions
MOST_STEPS = 100_000  # statements executed
MOST_DROPPED = 50  # errors after the tenth before giving up


class Stop(Exception):
    """Going on makes no sense; the reason is in the bag."""


class Expander:
    """Walks statements; `out` collects the nodes of the block being made."""

    def __init__(self, world: World, scope: Scope, buffers: frozenset[str] = frozenset()) -> None:
        self.world = world
        self.scope = scope
        self.buffers = buffers  # pointer parameters, whose elements conditions can name
        self.out: list[Node] = []
        self.frames: Trail = ()  # expansions entered
        self.loops: list[str] = []  # loop variables of the innermost expansion: "i = 1"
        self.loop_span: Span | None = None
        self.trail: Trail = ()
        self.depth = self.steps = self.open_loops = self.marks = 0
        self.chosen: dict[tuple[int, str], Variant] = {}
        self.objects: list[StackObject] = []

    # --- walking ---

    def statements(self, block: Block) -> None:
        """Executes a block; errors of a statement go into the bag with how they were reached."""
        self.depth += 1
        if self.depth > DEEPEST:
            span = self.frames[-1].span if self.frames else block[0].span
            self.world.bag.error(
                "unending",
                span,
                "macros expand each other without end",
                trail=self.trail,
                help="end the recursion with `if n > 0:`",
            )
            raise Stop
        for statement in block:
            self.steps += 1
            if self.steps > MOST_STEPS:
                self.world.bag.error(
                    "unending",
                    statement.span,
                    f"more than {MOST_STEPS} statements are generated",
                    trail=self.trail,
                )
                raise Stop
            try:
                _STATEMENTS[type(statement)](self, statement)
            except Failed as failed:
                self.world.bag.take(failed, self.trail)
                if self.world.bag.dropped > MOST_DROPPED:
                    raise Stop from None
        self.depth -= 1

    def inner(self, block: Block) -> tuple[Node, ...]:
        """The nodes of a nested block."""
        saved, self.out = self.out, []
        self.statements(block)
        made, self.out = tuple(self.out), saved
        return made

    def remark(self, statement: Stmt) -> None:
        """The comment of a statement that leaves no line of its own."""
        if statement.comment:
            self.out.append(ir.Comment(statement.comment, statement.span))

    def retrail(self) -> None:
        """Brings `trail` up to date after entering or leaving something."""
        self.trail = self.frames
        if self.loops and self.loop_span is not None:
            self.trail = (*self.frames, Frame("", self.loop_span, ", ".join(self.loops)))

    # --- instructions ---

    def comment(self, statement: s.Remark) -> None:
        self.out.append(ir.Comment(statement.comment, statement.span))

    def instruction(self, statement: s.Instr) -> None:
        no_macro(self.scope, statement.mnemonic)
        try:
            ops, flag_in = operands(self.scope, statement.ops)
        except Failed:
            exists(statement, self.world.core)
            raise
        if self.scope.macro:
            check_readonly(self.scope, statement)
        flag_out = None if statement.carry is None else self.carry(statement.carry)
        self.out.append(
            ir.Insn(
                statement.mnemonic.text,
                ops,
                statement.span,
                self.trail,
                None,
                statement.width,
                flag_in,
                flag_out,
                statement.comment,
            )
        )

    def carry(self, word: s.Word) -> Var:
        """The named carry behind `->`; the first mention declares it."""
        if word.text not in self.scope.names:
            self.scope.declare(
                word.text, word.span, One(Var(word.text, "flag", span=word.span), "flag")
            )
        found = self.scope.names[word.text]
        if not isinstance(found, One) or found.type != "flag" or not isinstance(found.item, Var):
            raise fail(
                "bad-operands",
                word.span,
                f"`{word.text}` is no carry; behind `->` stands a name for one",
            )
        return found.item

    def move(self, statement: s.Move) -> None:
        self.remark(statement)
        for ref in statement.refs:
            found = resolve(self.scope, ref)
            for item in found.items if isinstance(found, Many) else (found.item,):
                if isinstance(item, Half) or found.type == "flag":
                    raise fail("bad-operands", ref.span, f"{statement.kind} takes whole registers")
                if item.home is None:
                    raise fail(
                        "no-home",
                        ref.span,
                        f"`{item.name}` has no home to {statement.kind}",
                        help=item.homed
                        or f"reg {item.name.partition('[')[0]}_kept : {item.type} slot",
                    )
                self.out.append(ir.Move(statement.kind, item, statement.span, self.trail))

    def align(self, statement: s.AlignTo) -> None:
        self.remark(statement)
        value = integer(statement.bytes, self.scope, self.world.budget)
        if value not in (2, 4, 8, 16, 32):
            raise fail(
                "bad-expression",
                statement.bytes.span,
                f"alignment to {show(value)} bytes; 2, 4, 8, 16 or 32 go",
            )
        self.out.append(ir.Align(value, statement.span))

    # --- at generation time ---

    def for_(self, statement: s.For) -> None:
        self.remark(statement)
        values = evaluate(statement.over, self.scope, self.world.budget)
        if isinstance(values, int):
            raise fail(
                "bad-expression",
                statement.over.span,
                "`for` needs a list",
                help=f"range({statement.over.text})",
            )
        names = [word.text for word in statement.names]
        for word in statement.names:
            self.scope.declare(word.text, word.span, Const(0))
        saved_span, self.loop_span = self.loop_span, statement.span
        try:
            for value in values:
                parts = value if isinstance(value, tuple) and len(names) > 1 else (value,)
                if len(parts) != len(names):
                    raise fail(
                        "bad-expression",
                        statement.over.span,
                        f"{len(names)} names for {len(parts)} values",
                    )
                for name, part in zip(names, parts, strict=True):
                    self.scope.names[name] = Const(part)
                texts = [
                    f"{n} = {p if isinstance(p, int) else '[...]'}"
                    for n, p in zip(names, parts, strict=True)
                ]
                self.loops += texts
                self.retrail()
                self.steps += 1
                self.statements(statement.body)
                del self.loops[-len(names) :]
        finally:
            for name in names:
                del self.scope.names[name]
            self.loop_span = saved_span
            self.retrail()

    def if_(self, statement: s.If) -> None:
        self.remark(statement)
        for test, block in statement.branches:
            if test is None or integer(test, self.scope, self.world.budget):
                self.statements(block)
                return

    def macro(self, call: s.MacroCall) -> None:
        self.remark(call)
        key = (id(self.scope.file), call.name.text)
        variant = self.chosen.get(key)
        if variant is None:
            variant = self.chosen[key] = choose(self.scope.file, call.name)
        scope = bind(call, variant, self.scope)
        saved = self.scope, self.frames, self.loops, self.loop_span
        self.frames = (*self.frames, Frame(call.name.text, call.name.span, ", ".join(self.loops)))
        self.scope, self.loops, self.loop_span = scope, [], None
        self.retrail()
        try:
            self.expansion(variant[0])
        finally:
            self.scope, self.frames, self.loops, self.loop_span = saved
            self.retrail()

    def expansion(self, decl: s.MacroDecl) -> None:
        """The body of a macro in its scope, between the marks of its `ensures`."""
        if decl.ensures is None:
            self.statements(decl.body)
            return
        self.marks += 1
        number, span = self.marks, decl.ensures.span
        self.out.append(
            ir.Mark("ensures-begin", span, self.trail, number=number, text=decl.name.text)
        )
        self.statements(decl.body)
        try:
            pred = condition(self.scope, decl.ensures, self.buffers, number)
            self.out.append(
                ir.Mark("ensures", span, self.trail, pred, number=number, text=decl.name.text)
            )
        except Failed as failed:
            self.world.bag.take(failed, self.trail)

    def local(self, statement: s.Registers) -> None:
        registers(statement, self.scope)

    def sub_call(self, statement: s.SubCall) -> None:
        self.out.append(call(statement, self.scope, self.trail, self.apart))

    def apart(self, scope: Scope, block: Block) -> tuple[tuple[Node, ...], tuple[StackObject, ...]]:
        """The nodes and stack objects of a block that has nothing to do with this one."""
        other = Expander(self.world, scope)
        other.statements(block)
        return tuple(other.out), tuple(other.objects)

    def stack(self, statement: s.StackObject) -> None:
        self.objects.append(stack_object(statement, self.scope, self.objects))

    # --- at run time ---

    def do(self, statement: s.Do) -> None:
        self.remark(statement)
        body = self.inner(statement.body)
        self.out.append(ir.Do(body, statement.cond.text, statement.span, self.trail))

    def loop(self, statement: s.LoopAtMost) -> None:
        self.remark(statement)
        limit = integer(statement.limit, self.scope, self.world.budget)
        if not 0 < limit < 2**31:
            raise fail(
                "bad-expression",
                statement.limit.span,
                f"a loop runs at least once, not {show(limit)} times",
            )
        self.open_loops += 1
        body = self.inner(statement.body)
        self.open_loops -= 1
        self.out.append(ir.Loop(body, limit, statement.span, self.trail))

    def break_(self, statement: s.Break) -> None:
        self.remark(statement)
        if not self.open_loops:
            raise fail(
                "syntax", statement.span, "`break` outside of a loop", help="loop at most 16:"
            )
        self.out.append(ir.Break(statement.cond.text, statement.span, self.trail))

    def when(self, statement: s.When) -> None:
        self.remark(statement)
        then = self.inner(statement.then)
        other = self.inner(statement.other) if statement.other else ()
        self.out.append(ir.When(statement.cond.text, then, other, statement.span, self.trail))

    def then(self, statement: s.Then) -> None:
        self.remark(statement)
        body: list[ir.Insn] = []
        for node in self.inner(statement.body):
            if isinstance(node, ir.Comment):
                self.out.append(node)
            elif isinstance(node, ir.Insn):
                body.append(replace(node, cond=statement.cond.text))
            else:
                raise fail("syntax", node.span, "`then` holds instructions only")
        if not 1 <= len(body) <= 4:
            raise fail(
                "syntax",
                statement.span,
                f"`then` holds one to four instructions, not {len(body)}",
                help=f"then {statement.cond.text}:",
            )
        self.out.append(ir.Then(statement.cond.text, tuple(body), statement.span, self.trail))

    # --- for the analyses ---

    def assert_(self, statement: s.Assert) -> None:
        pred = condition(self.scope, statement.cond, self.buffers)
        if statement.kind == "assert":
            self.remark(statement)
        text = statement.comment if statement.kind == "claim" else ""
        self.out.append(ir.Mark(statement.kind, statement.span, self.trail, pred, text=text))

    def split(self, statement: s.Split) -> None:
        self.remark(statement)
        number = integer(statement.number, self.scope, self.world.budget)
        if statement.how == "by" and not 2 <= number <= 2**16:
            raise fail(
                "bad-expression",
                statement.number.span,
                f"a split into {show(number)} parts; 2 to 65536 go",
            )
        found = operand(self.scope, statement.ref)
        self.out.append(
            ir.Mark(
                "split",
                statement.span,
                self.trail,
                operand=found,
                number=number,
                text=statement.how,
            )
        )

    def public(self, statement: s.Public) -> None:
        found = single(self.scope, statement.ref)
        what = found.item if isinstance(found.item, Half) else Reg(found.item)
        self.out.append(
            ir.Mark("public", statement.span, self.trail, operand=what, text=statement.comment)
        )


_STATEMENTS: dict[type, Callable[[Expander, Any], None]] = {
    s.Remark: Expander.comment,
    s.Instr: Expander.instruction,
    s.MacroCall: Expander.macro,
    s.For: Expander.for_,
    s.If: Expander.if_,
    s.Do: Expander.do,
    s.LoopAtMost: Expander.loop,
    s.Break: Expander.break_,
    s.When: Expander.when,
    s.Then: Expander.then,
    s.Move: Expander.move,
    s.AlignTo: Expander.align,
    s.Assert: Expander.assert_,
    s.Split: Expander.split,
    s.Public: Expander.public,
    s.Registers: Expander.local,
    s.SubCall: Expander.sub_call,
    s.StackObject: Expander.stack,
}
