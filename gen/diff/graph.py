# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Code as a graph: what each instruction does, blocks, and which values reach each operand.

All of it follows from the instruction tables. An instruction that no table has is opaque: it is taken to read and
write everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from gen.diff.text import END, Line, called
from gen.ir.ir import Base, Half, Imm, Insn, LabelRef, Mem, Operand, Reg, RegList, Shift
from gen.isa import flags_set, flags_used, inverse, meaningless

Def = tuple[object, ...]  # (node, slot, unit) or ("entry", unit)
Slots = tuple[tuple[str, str], ...]  # (slot, unit), a unit a register or a part of one


@cache
def units_of(name: str) -> tuple[str, ...]:
    """The parts of a register that others share: d1 is s2 and s3."""
    found = re.fullmatch(r"([dq])(\d+)", name)
    if found is None:
        return (name,)
    parts, number = {"d": 2, "q": 4}[found[1]], int(found[2])
    return tuple(f"s{parts * number + i}" for i in range(parts))


@dataclass(frozen=True, eq=False)
class Node:
    """One instruction. `shape` is all of it but its registers; slots are its registers by role."""

    line: Line
    shape: tuple[object, ...]
    reads: Slots = ()
    writes: Slots = ()
    memory: str = ""  # "" load store all
    names: tuple[tuple[str, str], ...] = ()  # slot -> register as written


def _operand_slots(role: str, operand: Operand) -> Iterator[tuple[str, str]]:
    """(slot, register) of an operand, without addresses."""
    if isinstance(operand, (Reg | Half, Base)):
        yield role, operand.var.name
    elif isinstance(operand, RegList):
        for number, var in enumerate(operand.vars):
            yield f"{role}[{number}]", var.name


def _constant(operand: Operand) -> object:
    match operand:
        case Imm(value):
            return value
        case Half(_, which):
            return which
        case Shift(kind, amount):
            return kind, amount
        case Mem():
            return operand.offset.value, operand.index is not None, operand.shift, operand.mode
        case RegList(listed):
            return len(listed)
        case Base(_, writeback):
            return writeback
        case LabelRef():
            return "label"
    return None


def _registers(insn: Insn) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Slots read and written, with the registers as written."""
    assert insn.form is not None
    reads: list[tuple[str, str]] = []
    writes: list[tuple[str, str]] = []
    for role in insn.form.roles:
        operand = insn.roles[role.name]
        slots = list(_operand_slots(role.name, operand))
        if isinstance(operand, Mem):
            reads.append((f"{role.name}.base", operand.base.name))
            if operand.index is not None:
                reads.append((f"{role.name}.index", operand.index.name))
            if operand.mode != "offset":
                writes.append((f"{role.name}.base", operand.base.name))
        elif isinstance(operand, Base):
            reads += slots
            writes += slots if operand.writeback else []
        else:
            reads += slots if "r" in role.access else []
            writes += slots if "w" in role.access else []
    if {"sp"} & {*insn.form.effects.reads, *insn.form.effects.writes}:
        reads.append(("sp", "sp"))
        writes += [("sp", "sp")] if "sp" in insn.form.effects.writes else []
    if insn.cond is not None:  # what is not done leaves what was there
        reads += [(f"{slot}.old", name) for slot, name in writes]
    return reads, writes


def _spread(slots: Iterable[tuple[str, str]]) -> Slots:
    return tuple(
        (f"{slot}/{i}", unit) for slot, name in slots for i, unit in enumerate(units_of(name))
    )


def _flag_slots(flags: Iterable[str]) -> Slots:
    return tuple((flag, flag) for flag in sorted(flags))


def node_of(line: Line, calls: Mapping[str, tuple[frozenset[str], frozenset[str]]]) -> Node:
    """The node of a line; `calls`: sub -> units that it reads and writes."""
    insn = line.insn
    if insn is None or insn.form is None:
        return Node(line, ("opaque", line.text), memory="all")
    form, target = insn.form, called(line)
    if target:
        if target not in calls:
            return Node(line, ("opaque", line.text), memory="all")
        takes, gives = calls[target]
        return Node(
            line,
            ("call", target),
            tuple((f"in {unit}", unit) for unit in sorted(takes)),
            tuple((f"out {unit}", unit) for unit in sorted(gives)),
            "all",
        )
    reads, writes = _registers(insn)
    constants = tuple(_constant(insn.roles[role.name]) for role in form.roles)
    used, set_ = flags_used(insn), flags_set(insn)
    if insn.cond is not None and not _branches(insn):
        used |= set_
    memory = "store" if form.stores else "load" if form.loads else ""
    return Node(
        line,
        (form.name, form.syntax, insn.cond, constants),
        (*_spread(reads), *_flag_slots(used)),
        (*_spread(writes), *_flag_slots(set_)),
        memory,
        (*reads, *writes),
    )


def _branches(insn: Insn) -> bool:
    return insn.form is not None and insn.form.kind in ("branch", "return")


# --- blocks -----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Block:
    """Straight code. `next`: where it goes; of two the first is taken when the last node's condition holds."""

    nodes: list[Node] = field(default_factory=list)
    next: list[Block] = field(default_factory=list)
    leaves: bool = False  # returns, or runs off the end
    branch: bool = False  # the last node decides where it goes


@dataclass
class Graph:
    """A stream as blocks, entry first, all of them reached."""

    blocks: list[Block]
    uses: dict[Node, dict[str, frozenset[Def]]] = field(default_factory=dict)
    exits: list[dict[str, frozenset[Def]]] = field(default_factory=list)  # unit -> what it holds
    opaque: bool = False

    @property
    def nodes(self) -> list[Node]:
        return [node for block in self.blocks for node in block.nodes]


def _silent(insn: Insn | None) -> bool:
    """IT says what the conditions behind it say again; NOP says nothing."""
    return (
        insn is not None
        and insn.form is not None
        and (insn.form.kind == "it" or (insn.form.kind == "nop" and not meaningless(insn.form)))
    )


def _target(line: Line) -> str:
    """The label a branch goes to."""
    assert line.insn is not None
    return next(op.name for op in line.insn.ops if isinstance(op, LabelRef)).removeprefix(".")


def graph(
    lines: Iterable[Line], calls: Mapping[str, tuple[frozenset[str], frozenset[str]]]
) -> Graph:
    """Blocks of a stream and what reaches what. Errors: `ValueError`, a branch to nowhere."""
    made = _Builder(calls)
    for line in lines:
        made.take(line)
    found = Graph(_merged(made.finish()))
    found.opaque = any(node.shape[0] == "opaque" for node in found.nodes)
    _reach(found)
    return found


class _Builder:
    """Cuts lines into blocks."""

    def __init__(self, calls: Mapping[str, tuple[frozenset[str], frozenset[str]]]) -> None:
        self.calls = calls
        self.now = self.first = Block()
        self.labels: dict[str, Block] = {}
        self.jumps: list[tuple[Block, str]] = []  # in the order of the block's exits
        self.falls: list[tuple[Block, Block]] = []

    def take(self, line: Line) -> None:
        insn = line.insn
        if line.label:
            fresh = Block()
            self.falls.append((self.now, fresh))
            self.labels[line.label] = self.now = fresh
        elif line.align or _silent(insn):
            return
        elif insn is not None and insn.form is not None and insn.form.kind == "branch":
            self._branch(line, insn)
        else:
            self.now.nodes.append(node_of(line, self.calls))
            if insn is not None and insn.form is not None and _returns(insn):
                if insn.cond is not None:
                    raise ValueError(f"{line.text} returns on a condition")
                self.now.leaves = True
                self.now = Block()

    def _branch(self, line: Line, insn: Insn) -> None:
        block = self.now
        self.jumps.append((block, _target(line)))
        fresh = Block()
        if insn.cond is not None or _reads_register(insn):
            block.nodes.append(node_of(line, self.calls))
            block.branch = True
            self.falls.append((block, fresh))
        self.now = fresh

    def finish(self) -> Block:
        end = Block(leaves=True)
        self.falls.append((self.now, end))
        self.labels.setdefault(END, end)
        for block, name in self.jumps:
            if name not in self.labels:
                raise ValueError(f"a branch goes to {name}, which is not there")
            block.next.append(self.labels[name])
        for block, after in self.falls:
            if not block.leaves and (not block.next or block.branch):
                block.next.append(after)
        for block, _ in self.jumps:
            _straighten(block)
        return self.first


def _straighten(block: Block) -> None:
    """Of a condition and its inverse one is written, the ways change places accordingly."""
    if not block.branch or len(block.next) != 2:
        return
    node = block.nodes[-1]
    cond = node.shape[2]
    if isinstance(cond, str) and inverse(cond) < cond:
        shape = (*node.shape[:2], inverse(cond), *node.shape[3:])
        block.nodes[-1] = replace(node, shape=shape)
        block.next.reverse()


def _returns(insn: Insn) -> bool:
    """BX, or a load into PC."""
    assert insn.form is not None
    loaded = any(
        isinstance(op, RegList) and any(v.name == "pc" for v in op.vars) for op in insn.ops
    )
    return insn.form.kind == "return" or (insn.form.loads and loaded)


def _reads_register(insn: Insn) -> bool:
    return any(isinstance(op, Reg) for op in insn.ops)


def _reached(first: Block) -> list[Block]:
    """Blocks in the order of a walk that takes the way straight on first."""
    found: dict[Block, None] = {}
    waiting = [first]
    while waiting:
        block = waiting.pop()
        if block not in found:
            found[block] = None
            waiting += block.next
    return list(found)


def _merged(first: Block) -> list[Block]:
    """Blocks that only the layout divides become one."""
    while any(_skips_empty(block) for block in _reached(first)):
        pass
    blocks = _reached(first)
    before: dict[Block, int] = {first: 1}
    for block in blocks:
        for after in block.next:
            before[after] = before.get(after, 0) + 1
    for block in blocks:
        while len(block.next) == 1 and before[block.next[0]] == 1 and block.next[0] is not block:
            after = block.next[0]
            block.nodes += after.nodes
            block.next, block.leaves, block.branch = after.next, after.leaves, after.branch
    return _reached(first)


def _skips_empty(block: Block) -> bool:
    """Leads past a block that only branches on."""
    changed = False
    for number, after in enumerate(block.next):
        if not after.nodes and len(after.next) == 1 and after.next[0] is not after:
            block.next[number] = after.next[0]
            changed = True
    return changed


# --- what reaches what ------------------------------------------------------------------------------------


def _reach(found: Graph) -> None:
    """Fills `uses` and `exits` (reaching definitions, by register part)."""
    units = {unit for node in found.nodes for _, unit in (*node.reads, *node.writes)}
    entry = {unit: frozenset({("entry", unit)}) for unit in units}
    into: dict[Block, dict[str, frozenset[Def]]] = {found.blocks[0]: dict(entry)}
    waiting = [found.blocks[0]]
    while waiting:
        block = waiting.pop()
        out = _through(block, into[block], None)
        for after in block.next:
            old = into.get(after)
            new = out if old is None else {u: old[u] | out[u] for u in units}
            if new != old:
                into[after] = new
                waiting.append(after)
    for block in found.blocks:
        out = _through(block, into[block], found.uses)
        if block.leaves:
            found.exits.append(out)


def _through(
    block: Block,
    state: Mapping[str, frozenset[Def]],
    uses: dict[Node, dict[str, frozenset[Def]]] | None,
) -> dict[str, frozenset[Def]]:
    """The state behind a block."""
    now = dict(state)
    for node in block.nodes:
        if uses is not None:
            uses[node] = {slot: now[unit] for slot, unit in node.reads}
        if node.shape[0] == "opaque":
            now = {unit: frozenset({(node, "any", unit)}) for unit in now}
        for slot, unit in node.writes:
            now[unit] = frozenset({(node, slot, unit)})
    return now


__all__ = ["Block", "Def", "Graph", "Node", "graph", "units_of"]
