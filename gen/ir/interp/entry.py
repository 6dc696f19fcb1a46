# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is known when a routine is called: where its buffers lie, what they and registers hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from gen.diag import fail
from gen.ir.domains.base import Lattice
from gen.ir.domains.ints import Ints
from gen.ir.interp.abi import places, stack_bytes
from gen.ir.interp.preds import Judge
from gen.ir.interp.state import State
from gen.ir.ir import Insn, Item, Param, Pred, Reg, RegList, Routine, Var, physical
from gen.ir.memory import Memory, Region
from gen.ir.program import Stage
from gen.read.proto import MOST_ELEMENTS

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)
RAM = 0x20001000  # parameters
FLASH = 0x08040000  # parameters that are `in flash`
STACK = 0x20060000  # SP at the call, without stack arguments
STACK_ROOM = 4096
BETWEEN = 16  # bytes that keep stack objects apart
RETURN = 0x08000001  # what LR holds at entry


class Filling(Protocol[V_co]):
    """What a domain knows of the arguments."""

    def scalar(self, param: Param) -> V_co: ...

    def element(self, param: Param, index: int) -> V_co | None:
        """Element `index` of a buffer as a signed or unsigned number of its type; None: not yet
        written."""
        ...


@dataclass(frozen=True)
class Call(Generic[V]):
    """A routine about to run."""

    regions: tuple[Region, ...]
    state: State[V]
    buffers: Mapping[str, Region]  # parameter -> its bytes
    objects: Mapping[Var, Region]  # stack objects, where `code` runs


def element_bytes(param: Param) -> int:
    return max(1, param.ctype.bits // 8)


def size_of(param: Param, scalars: Mapping[str, int]) -> int:
    """Bytes of a buffer: of the array in the prototype, or by `len(p) = ...` of the scalars.

    Errors: `bad-expression` for a length that no proof could run with.
    """
    if param.table is not None:
        return len(param.table.values) * element_bytes(param)
    if param.ctype.count is not None:
        return param.ctype.count * element_bytes(param)
    if param.length is None:
        return 0
    count = length_of(param.length, scalars)
    if not 0 <= count <= MOST_ELEMENTS:
        raise fail(
            "bad-expression",
            param.span,
            f"a proof with {count} elements of {param.name}; 0 to {MOST_ELEMENTS} go",
            help="bound the number that says the length, or name lengths: lengths [0, 3, 504]",
        )
    return count * element_bytes(param)


def length_of(pred: Pred, scalars: Mapping[str, int]) -> int:
    """The value of `len(p) = EXPR` for these scalars."""
    import ast

    judge = Judge(Ints(), State(0, {}, {}, Memory(Ints())))
    judge.value = lambda subject: scalars[_param_name(subject)]  # type: ignore[method-assign]
    node = pred.node
    return judge.expr(node.comparators[0] if isinstance(node, ast.Compare) else node, pred.env)


def _param_name(subject: object) -> str:
    assert isinstance(subject, Reg)
    return subject.var.name


def lay_out(
    params: tuple[Param, ...],
    scalars: Mapping[str, int],
    exact_alignment: bool,
    same: Mapping[str, str] | None = None,
) -> dict[str, Region]:
    """A place for each buffer; `exact_alignment`: aligned as promised and never more. `same`:
    aliases."""
    ram, flash = RAM, FLASH
    out: dict[str, Region] = {}
    for param in params:
        if not param.ctype.pointer:
            continue
        size = size_of(param, scalars)
        at = flash if param.flash else ram
        base = at + (param.align if exact_alignment and param.align < 16 else 0)
        if same and param.name in same:
            base = out[same[param.name]].base
        else:
            step = -(-(size + 128) // 64) * 64
            ram, flash = (ram, flash + step) if param.flash else (ram + step, flash)
        writable = not param.ctype.const and param.role != "in"
        out[param.name] = Region(param.name, base, size, writable)
    return out


def begin(
    routine: Routine,
    dom: Lattice[V],
    stage: Stage,
    filling: Filling[V],
    buffers: Mapping[str, Region],
    partly: bool = False,
) -> Call[V]:
    """The state in which the routine's `code` or `final` starts; `partly` as Memory has it."""
    memory = Memory(dom, partly=partly)
    for param in sorted(routine.params, key=_weight):
        if param.name in buffers:
            _fill(memory, param, buffers[param.name], filling)
    state = State(0, {}, {"Q": dom.unknown(0, 1)}, memory)  # the one flag that is sticky
    regions = sorted(dict.fromkeys(buffers.values()), key=lambda region: not region.writable)
    objects = objects_of(routine) if stage == "code" else {}
    regions += dict.fromkeys(objects.values())
    for one in routine.objects if objects else ():
        state.regs[one.var] = dom.const(objects[one.var].base)
    if stage == "code":
        _code_registers(routine, dom, filling, buffers, state)
    else:
        _final_registers(routine, dom, filling, buffers, state)
        regions.append(Region("the stack", STACK - STACK_ROOM, STACK_ROOM))
        if bytes_ := stack_bytes(routine.params, routine.core.abi):
            regions.append(Region("the stack arguments", STACK, bytes_))
    return Call(tuple(regions), state, buffers, objects)


def _weight(param: Param) -> tuple[bool, bool, int]:
    """Who decides about a shared buffer comes last: what is read, what is secret, the tightest promise. Each promise
    holds for the one buffer, so any of them may be taken."""
    widths = [bound.hi - bound.lo for bound in param.pre if bound.kind == "each"]
    return param.role != "out", param.secret, -min(widths, default=1 << param.ctype.bits)


def objects_of(routine: Routine) -> dict[Var, Region]:
    """A place in the stack for each object of the routine and its subs, as runs of `code` see them."""
    found: dict[Var, Region] = {}
    at = STACK
    for owner in (routine, *routine.subs):
        for one in owner.objects:
            if one.over is None:
                at -= one.bytes + BETWEEN
                found[one.var] = Region(one.var.name, at, one.bytes)
            else:
                found[one.var] = found[one.over.var]
    return found


def _fill(memory: Memory[V], param: Param, region: Region, filling: Filling[V]) -> None:
    size = element_bytes(param)
    for index in range(region.size // size):
        value = filling.element(param, index)
        if value is not None:
            memory.store(region.base + size * index, size, value)


def _argument(
    dom: Lattice[V], param: Param, filling: Filling[V], buffers: Mapping[str, Region]
) -> list[V]:
    """The words of an argument, low first."""
    if param.name in buffers:
        return [dom.const(buffers[param.name].base)]
    value = filling.scalar(param)
    if param.ctype.bits <= vars_of(param)[0].bits:
        return [value]
    return [dom.u(value, 32), dom.u(dom.shr(value, dom.const(32)), 32)]


def _code_registers(
    routine: Routine,
    dom: Lattice[V],
    filling: Filling[V],
    buffers: Mapping[str, Region],
    state: State[V],
) -> None:
    for var in initialised(routine.code):
        assert var.init is not None
        state.regs[var] = dom.word(dom.const(var.init), var.bits)
    for param in routine.params:
        words = _argument(dom, param, filling, buffers)
        for var, word in zip(vars_of(param), words, strict=True):
            state.regs[var] = dom.word(word, var.bits)


def _final_registers(
    routine: Routine,
    dom: Lattice[V],
    filling: Filling[V],
    buffers: Mapping[str, Region],
    state: State[V],
) -> None:
    abi = routine.core.abi
    for name in (*abi.kept, *abi.kept_fp):
        state.regs[physical(name)] = dom.unknown(0, (1 << physical(name).bits) - 1)
    state.regs[physical(abi.link)] = dom.const(RETURN)
    state.regs[physical("sp")] = dom.const(STACK)
    for param, where in zip(routine.params, places(routine.params, abi), strict=True):
        words = _argument(dom, param, filling, buffers)
        for place, word in zip(where, words, strict=True):
            if place.register is not None:
                state.regs[physical(place.register)] = dom.word(word, abi.bits)
            else:
                assert place.stack is not None
                state.memory.store(STACK + place.stack, abi.bytes, dom.word(word, abi.bits))


def vars_of(param: Param) -> tuple[Var, ...]:
    """The registers a parameter arrives in, low word first."""
    return param.var if isinstance(param.var, tuple) else (param.var,)


def initialised(items: tuple[Item, ...]) -> list[Var]:
    """Registers of the code that hold a constant from the start."""
    found: dict[Var, None] = {}
    for item in items:
        if isinstance(item, Insn):
            for op in item.ops:
                for var in op.vars if isinstance(op, RegList) else (_var_of(op), _index_of(op)):
                    if var is not None and var.init is not None:
                        found[var] = None
    return list(found)


def _var_of(op: object) -> Var | None:
    for name in ("var", "base"):
        value = getattr(op, name, None)
        if isinstance(value, Var):
            return value
    return None


def _index_of(op: object) -> Var | None:
    value = getattr(op, "index", None)
    return value if isinstance(value, Var) else None
