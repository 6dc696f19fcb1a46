# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""From names to webs: each live range of a name becomes a Var of its own; what nobody reads is
an error.

A web is a set of writes and reads that must share a register: a read belongs with every write
that reaches it. Parameters and initial values are written at entry, if the code reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gen import isa
from gen.diag import Bag, Trail
from gen.ir.interp.entry import vars_of
from gen.ir.ir import (
    Base,
    Call,
    Element,
    Insn,
    Item,
    Mark,
    Mem,
    Move,
    Old,
    Operand,
    Param,
    Routine,
    Var,
)
from gen.ir.rename import insn as renamed
from gen.ir.rename import operand as renamed_operand
from gen.passes.carries import check_carries
from gen.passes.dataflow import FLAGS, Flow
from gen.read.source import Span

Subject = Operand | Element | Old


def liveness(routine: Routine) -> Routine:
    """The pass. Raises `Failed`: uninitialised, unused, carry-lost."""
    bag = Bag()
    flow = Flow(routine.code, results(routine))
    _check_entry(routine, flow, bag)
    _check_unused(flow, bag)
    _check_kept(routine, flow, bag)
    check_carries(flow, bag)
    bag.close()
    return _Webs(routine, flow).routine()


def results(routine: Routine) -> tuple[Var, ...]:
    """The registers that are read at return."""
    if routine.contract is not None:
        return (*routine.contract.outs, *routine.contract.kept)
    return () if routine.result is None else (routine.result[1],)


def arguments(routine: Routine) -> tuple[Var, ...]:
    """The registers that have a value at entry."""
    if routine.contract is not None:
        return routine.contract.ins
    return tuple(var for param in routine.params for var in vars_of(param))


# --- errors --------------------------------------------------------------------------------------


def _check_entry(routine: Routine, flow: Flow, bag: Bag) -> None:
    """What is live at entry without having a value there."""
    given = set(arguments(routine))
    for var in flow.names(flow.live_in[0]):
        if var in given or var.init is not None:
            continue
        at = _first_read(flow, var)
        if at is not None and _only_kept(flow.items[at], var):
            continue
        span, trail = (routine.span, ()) if at is None else _place(flow.items[at])
        bag.error(
            "uninitialised",
            span,
            f"{_title(var)} is read before it is written",
            trail=trail,
            help=_remedy(var),
        )


def _only_kept(item: Item, var: Var) -> bool:
    """A flag that an instruction under a condition may leave as it is, which nobody looks at there."""
    named = isinstance(item, Insn) and var.name in isa.flags_used(item)
    return var in FLAGS.values() and isinstance(item, Insn) and not named


def _title(var: Var) -> str:
    return (
        f"flag {var.name}"
        if var in FLAGS.values()
        else f"the {var.name}"
        if (var.type == "home")
        else var.name
    )


def _remedy(var: Var) -> str:
    """What an author can do about a missing value."""
    if var in FLAGS.values():
        return "set it before: with a comparison, or the form of an instruction that ends in s"
    if var.type == "home":
        return f"spill {var.name.removeprefix('home of ')}"
    start = f"reg {var.name} : {var.type} = EXPR"
    return f"write it on every way here, or give it a value at entry: {start}"


def _place(item: Item) -> tuple[Span, Trail]:
    assert isinstance(item, Insn | Move | Call)
    return item.span, item.trail


def _first_read(flow: Flow, var: Var) -> int | None:
    """The first item on a way from the entry that reads `var` before anything writes it."""
    mask = flow.mask([var])
    seen, todo = {0}, [0]
    while todo:
        block = flow.blocks[todo.pop(0)]
        for at in range(block.start, block.end):
            if flow.used[at] & mask:
                return at
            if flow.killed[at] & mask:
                break
        else:
            todo += [after for after in block.after if after not in seen]
            seen.update(block.after)
    return None


def _check_unused(flow: Flow, bag: Bag) -> None:
    """Instructions none of whose results is read: registers, flags, homes."""
    vain = [
        at
        for block in range(len(flow.blocks))
        for at, live in flow.backwards(block)
        if flow.killed[at] and not flow.killed[at] & live and _results(flow.items[at])
    ]
    for at in sorted(vain):
        item = flow.items[at]
        names = [var.name for var in _results(item)]
        span, trail = _place(item)
        home = isinstance(item, Move) and item.kind == "spill"
        what = f"the home of {names[0]}" if home else " and ".join(names)
        bag.error(
            "unused",
            span,
            f"{what} is written here and never read",
            trail=trail,
            help="take the instruction out, or use its result",
        )


def _check_kept(routine: Routine, flow: Flow, bag: Bag) -> None:
    """A sub writes no input that its contract keeps."""
    if routine.contract is None:
        return
    for var in routine.contract.kept:
        for at, written in enumerate(flow.writes):
            if var in written:
                span, trail = _place(flow.items[at])
                text = f"{var.name} is written, but {var.pin} is not among the clobbers"
                bag.error("bad-call", span, text, trail=trail, help=f"clobbers {var.pin}")


def _results(item: Item) -> list[Var]:
    """Registers an item is there to write: not the bases that it moves, not flags alone."""
    if isinstance(item, Move):
        return [item.var]
    if isinstance(item, Call):
        return []  # most are called for what they do to memory
    assert isinstance(item, Insn) and item.form is not None
    if item.form.stores:
        return []
    found: list[Var] = []
    for role in item.form.roles:
        op = item.roles[role.name]
        if "w" in role.access and not isinstance(op, Base | Mem):
            found += op.vars if hasattr(op, "vars") else [op.var]  # type: ignore[union-attr]
    return found


# --- webs ----------------------------------------------------------------------------------------


class _Webs:
    """Numbers writes, and names live at the top of a block; joins what must be one web."""

    def __init__(self, routine: Routine, flow: Flow) -> None:
        self.given, self.flow = routine, flow
        self.parent: list[int] = []
        self.name: list[Var] = []
        self.entry: list[dict[Var, int]] = []  # per block: node of each name live there
        self.last: dict[Var, int] = {}  # any node of a name, for marks on dead values
        self.begun: dict[int, dict[Var, int]] = {}  # ensures-begin -> nodes of all names there
        self.items: list[Callable[[], Item]] = []
        self.made: dict[int, Var] = {}

    def routine(self) -> Routine:
        flow = self.flow
        for live in flow.live_in:
            self.entry.append({var: self.node(var) for var in flow.names(live) if _register(var)})
        at_exit: dict[Var, int] = {}
        for number in range(len(flow.blocks)):
            now = self.block(number)
            if flow.leaves(number):
                at_exit = now
        items = tuple(make() for make in self.items)
        result = self.given.result
        if result is not None:
            result = (result[0], self.web(at_exit[result[1]]))
        params = tuple(self.param(param) for param in self.given.params)
        contract = self.given.contract
        if contract is not None:
            ins = tuple(self.first(var) for var in contract.ins)
            outs = tuple(self.web(at_exit[var]) for var in contract.outs)
            contract = replace(contract, ins=ins, outs=outs)
        return replace(
            self.given,
            read=self.given,
            code=items,
            params=params,
            result=result,
            contract=contract,
        )

    def node(self, var: Var) -> int:
        self.parent.append(len(self.parent))
        self.name.append(var)
        self.last[var] = len(self.parent) - 1
        return len(self.parent) - 1

    def root(self, node: int) -> int:
        while self.parent[node] != node:
            self.parent[node] = self.parent[self.parent[node]]
            node = self.parent[node]
        return node

    def join(self, a: int, b: int) -> None:
        a, b = sorted((self.root(a), self.root(b)))
        self.parent[b] = a

    def block(self, number: int) -> dict[Var, int]:
        """Walks a block; returns the node of each name at its end."""
        flow, block = self.flow, self.flow.blocks[number]
        now = dict(self.entry[number])
        for at in range(block.start, block.end):
            self.item(flow.items[at], now)
        for after in block.after:
            for var, node in self.entry[after].items():
                self.join(now[var], node)
        return now

    def item(self, item: Item, now: dict[Var, int]) -> None:
        """Notes how to make the item over webs; the webs themselves are known at the end."""
        match item:
            case Insn():
                self.insn(item, now)
            case Move(kind="spill", var=var):
                node = now[var]
                self.items.append(lambda: replace(item, var=self.web(node)))
            case Move(kind="fill", var=var):
                fresh = now[var] = self.node(var)
                self.items.append(lambda: replace(item, var=self.web(fresh)))
            case Call():
                self.call(item, now)
            case Mark():
                seen = self.last | now
                if item.kind == "ensures-begin":
                    self.begun[item.number] = seen
                self.items.append(lambda: self.mark(item, seen))
            case _:
                self.items.append(lambda: item)

    def insn(self, item: Insn, now: dict[Var, int]) -> None:
        before = dict(now)
        fresh: dict[Var, int] = {}

        def write(var: Var) -> Var:
            fresh[var] = self.node(var)
            return var

        renamed(item, _same, write, _same)
        now.update(fresh)

        def old(var: Var) -> Var:
            return self.web(before[var]) if _register(var) else var

        def new(var: Var) -> Var:
            return self.web(fresh[var]) if _register(var) else var

        self.items.append(lambda: replace(renamed(item, old, new, old), origin=item))

    def call(self, item: Call, now: dict[Var, int]) -> None:
        before = tuple(now[var] for var in item.ins)
        after = tuple(self.node(var) for var in item.outs)
        now.update(zip(item.outs, after, strict=True))
        self.items.append(
            lambda: replace(
                item,
                ins=tuple(self.web(node) for node in before),
                outs=tuple(self.web(node) for node in after),
            )
        )

    def web(self, node: int) -> Var:
        """The Var of a web. It has an initial value only if that reaches it."""
        root = self.root(node)
        if root not in self.made:
            self.made[root] = replace(self.name[root])
            var = self.name[root]
            if var.init is not None:
                first = self.entry[0].get(var)
                if first is None or self.root(first) != root:
                    self.made[root] = replace(var, init=None, init_text="")
        return self.made[root]

    def mark(self, mark: Mark, seen: dict[Var, int]) -> Mark:
        """A mark over the webs its names belong to there; `old(x)` means the one at the start."""
        pred, operand = mark.pred, mark.operand
        if pred is not None:
            env = {name: self.subject(what, seen) for name, what in pred.env.items()}
            pred = replace(pred, env=env)
        if operand is not None:
            operand = self.seen(operand, seen)
        return replace(mark, pred=pred, operand=operand)

    def subject(self, what: Subject, seen: dict[Var, int]) -> Subject:
        if isinstance(what, Old):
            return replace(what, operand=self.seen(what.operand, self.begun[what.mark]))
        return what if isinstance(what, Element) else self.seen(what, seen)

    def seen(self, operand: Operand, seen: dict[Var, int]) -> Operand:
        """An operand of a mark; a name that nobody wrote stays."""

        def web(var: Var) -> Var:
            return self.web(seen[var]) if var in seen else var

        return renamed_operand(operand, web, web)

    def param(self, param: Param) -> Param:
        """The parameter with the webs it arrives in; a word that nobody reads keeps its name."""
        made = tuple(self.first(var) for var in vars_of(param))
        return replace(param, var=(made[0], made[1]) if len(made) == 2 else made[0])

    def first(self, var: Var) -> Var:
        """The web of an argument; of one that nobody reads the name itself."""
        return self.web(self.entry[0][var]) if var in self.entry[0] else var


def _same(var: Var) -> Var:
    return var


def _register(var: Var) -> bool:
    """Not a flag, not a home, not a place in the frame."""
    return var.type not in ("flag", "home", "stack")
