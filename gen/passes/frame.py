# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""From webs to registers, with everything around: saves, slots, arguments, initial values, return.

The frame, from the caller's SP down: saved core registers (LR highest), saved FP registers,
stack objects, slots. Only subs are called from here, so SP is kept a multiple of 4 and no more.
A sub saves LR alone, if it uses it or calls; its registers are its contract's. Entry: saves, room
for slots, initial values, arguments from the stack. In the body `spill` and `fill` become one
store or load, or a move where the core parks values in FP registers, and IT stands before
conditional instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gen import isa
from gen.diag import fail
from gen.ir.interp.abi import places as argument_places
from gen.ir.interp.entry import vars_of
from gen.ir.ir import (
    Call,
    Comment,
    FrameInfo,
    Imm,
    Insn,
    Item,
    Mark,
    Mem,
    Move,
    Operand,
    Reg,
    Routine,
    Save,
    Var,
    physical,
)
from gen.ir.rename import everywhere, operand
from gen.isa.builder import Builder
from gen.passes.calls import spoilt
from gen.passes.dataflow import Flow, conditional_insn
from gen.passes.fp import KEPT
from gen.passes.liveness import results

SP = physical("sp")
MOST_IT = 4
ADDEND = "k"  # the role beside the address of a stack object (see select)
MOST_ROOM = (
    3072  # bytes of slots and objects; arguments beyond them are in reach of LDR too (12 bits)
)


def frame(routine: Routine) -> Routine:
    """The pass. Raises `Failed`: no-colouring, out-of-range (too many parked values, slots)."""
    layout = _layout(routine)
    body = tuple(_with_it(_Body(routine, layout).items(), layout.make))
    final = (
        *_entry(routine, layout),
        *body,
        *layout.make.leave(layout.saved, layout.saved_fp, layout.room),
    )
    info = FrameInfo(
        saved=tuple(_saves(layout)),
        slots=layout.slots,
        parks=layout.parks,
        stack=layout.stack,
        slot_bytes=layout.room,
        objects=layout.objects,
        below=_below(routine),
    )
    return replace(routine, final=final, frame=info)


@dataclass(frozen=True)
class _Layout:
    """Where everything is. Offsets count from SP in the body."""

    make: Builder

    saved: tuple[Var, ...]  # core registers of the push, ascending
    saved_fp: tuple[Var, ...]
    room: int  # bytes below the saved registers
    slots: dict[Var, int]
    parks: dict[Var, str]
    objects: dict[Var, int]

    @property
    def stack(self) -> int:
        return self.make.stack_bytes(self.saved, self.saved_fp, self.room)


def _layout(routine: Routine) -> _Layout:
    moved = [item.var for item in routine.code if isinstance(item, Move)]
    parks = _parks(routine, [var for var in moved if var.home == "park"])
    slots = _slots([var for var in moved if var not in parks], routine.core.abi.bytes)
    _check_room(routine, slots)
    abi = routine.core.abi
    objects, room = _objects(routine, max(slots.values(), default=-abi.bytes) + abi.bytes)
    touched = spoilt(routine) | set(routine.places.values())
    saved = [physical(name) for name in abi.kept if name in touched and routine.contract is None]
    if abi.link in touched or (saved and abi.returns_by_restoring):
        saved.append(physical(abi.link))
    saved_fp = () if routine.contract is not None else _saved_fp(routine, parks)
    make = isa.builder(abi)
    return _Layout(make, tuple(saved), saved_fp, room, slots, parks, objects)


def _saved_fp(routine: Routine, parks: dict[Var, str]) -> tuple[Var, ...]:
    """FP registers of the caller that are overwritten here or in a sub, as one list."""
    if routine.core.abi.vectors:
        touched = spoilt(routine) | set(routine.places.values())
        return tuple(physical(name) for name in routine.core.abi.kept_fp if name in touched)
    most = max((int(name[1:]) for name in (*routine.fp, *parks.values())), default=0)
    return tuple(physical(f"s{n}") for n in range(KEPT, most + 1))


def _objects(routine: Routine, start: int) -> tuple[dict[Var, int], int]:
    """Offsets of the stack objects from SP, and the bytes up to their end."""
    found: dict[Var, int] = {}
    for one in routine.objects:
        found[one.var] = start if one.over is None else found[one.over.var]
        start += one.bytes if one.over is None else 0
        if start > MOST_ROOM:
            text = f"{one.var.name} would end {start} bytes from SP, and {MOST_ROOM} are in reach"
            raise fail("out-of-range", one.var.span, text, help="use a buffer of the caller")
    return found, start


def _below(routine: Routine) -> int:
    """The deepest stack of what is called."""
    depth = {sub.name: sub.frame.depth for sub in routine.subs}
    calls = [item.contract.name for item in routine.code if isinstance(item, Call)]
    return max((depth[name] for name in calls), default=0)


def _slots(moved: Sequence[Var], size: int) -> dict[Var, int]:
    """A word for each name that goes to the stack, in the order they come."""
    names = list(dict.fromkeys(var.name for var in moved))
    return {var: size * names.index(var.name) for var in moved}


def _check_room(routine: Routine, slots: dict[Var, int]) -> None:
    """Slots are in reach of LDR and STR from SP."""
    for item in routine.code:
        if isinstance(item, Move) and slots.get(item.var, 0) >= MOST_ROOM:
            raise fail(
                "out-of-range",
                item.span,
                f"the slot of {item.var.name} would be {slots[item.var]} bytes from SP, "
                f"and {MOST_ROOM} bytes of slots are in reach",
                trail=item.trail,
                help="use fewer slots, or a buffer of the caller",
            )


def _parks(routine: Routine, moved: Sequence[Var]) -> dict[Var, str]:
    """An FP register for each parked name, where the core has any."""
    have = tuple(name for name in routine.core.fp_registers if name not in routine.fp)
    below = {name for sub in routine.subs for name in sub.fp}
    for var, name in routine.places.items():
        if name in below:
            text = f"{var.name} is in {name}, which a sub needs: too many values are in the FP unit"
            raise fail("no-colouring", var.span, text, help=f"reg {var.name} : {var.type} slot")
    names = list(dict.fromkeys(var.name for var in moved)) if have else []
    if len(names) > len(have):
        raise fail(
            "no-colouring",
            moved[0].span,
            f"{len(names)} values are parked, {routine.core.key} has {len(have)} FP registers",
            help=f"give some of them a slot: reg {names[-1]} : {moved[-1].type} slot",
        )
    return {var: have[names.index(var.name)] for var in moved if var.name in names}


def _saves(layout: _Layout) -> Iterator[Save]:
    """Where callee-saved registers are."""
    for var, below in layout.make.places(layout.saved, layout.saved_fp, layout.room):
        yield Save(var.name, below)


# --- entry ---------------------------------------------------------------------------------------


def _entry(routine: Routine, layout: _Layout) -> Iterator[Insn]:
    make, abi = layout.make, routine.core.abi
    yield from make.enter(layout.saved, layout.saved_fp, layout.room)
    for var, name in sorted(routine.places.items(), key=lambda pair: isa.number(physical(pair[1]))):
        if var.init is not None:
            yield from _constant(var, name, make)
    for param, where in zip(routine.params, argument_places(routine.params, abi), strict=True):
        for var, place in zip(vars_of(param), where, strict=True):
            if place.stack is not None and var in routine.places:
                register = physical(routine.places[var])
                yield make.load_word(
                    register, SP, layout.stack + place.stack, part="entry", comment=var.name
                )


def _constant(var: Var, name: str, make: Builder) -> Iterator[Insn]:
    """The initial value, named in the comment."""
    assert var.init is not None
    text = f"{var.name} = {var.init_text or var.init}"
    for insn in make.constant(physical(name), var.init):
        yield replace(insn, comment=text)


# --- body ----------------------------------------------------------------------------------------


class _Body:
    """The items of the code over registers."""

    def __init__(self, routine: Routine, layout: _Layout) -> None:
        self.routine, self.layout = routine, layout

    def items(self) -> Iterator[Item]:
        gone = self._declassified_in_vain()
        for item in self.routine.issued:
            match item:
                case Insn():
                    yield self._placed(everywhere(item, self.register))
                case Call():
                    yield self._call(item)
                case Move():
                    yield self._move(item)
                case Mark():
                    if item.kind == "public" and item not in gone:
                        yield self._public(item)
                case _:
                    yield item

    def register(self, var: Var) -> Var:
        """The register of a web; a Var without a place is only named by a mark."""
        return physical(self.routine.places[var]) if var in self.routine.places else var

    def _placed(self, insn: Insn) -> Insn:
        """The instruction with SP and an offset in the place of a stack object."""
        objects = self.layout.objects
        roles: dict[str, Operand] = {}
        for name, op in insn.roles.items():  # in the order of the operands
            if isinstance(op, Mem) and op.base in objects:
                moved = Imm(op.offset.value + objects[op.base], op.offset.text)
                roles[name] = replace(op, base=SP, offset=moved)
            elif isinstance(op, Reg) and op.var in objects:
                k = insn.roles[ADDEND]
                assert isinstance(k, Imm)
                roles |= {name: Reg(SP), ADDEND: Imm(k.value + objects[op.var])}
            else:
                roles.setdefault(name, op)
        if all(roles[name] is op for name, op in insn.roles.items()):
            return insn
        assert insn.form is not None
        for form in (insn.form, *isa.forms_named(insn.form.name)):
            made = isa.match(form, tuple(roles.values()))
            if form.isa != insn.form.isa:
                continue
            if not isinstance(made, isa.Mismatch):
                return replace(insn, form=form, ops=tuple(made.values()), roles=made)
        raise fail(
            "out-of-range",
            insn.span,
            f"this object is too far from SP for {insn.mnemonic}",
            trail=insn.trail,
            help="declare it before the others",
        )

    def _call(self, call: Call) -> Insn:
        given = dict.fromkeys(var.name for var in (*call.ins, *call.outs))
        text = f"{call.contract.name}({', '.join(given)})"
        source = Insn("call", (), call.span, call.trail)
        comment = "; ".join(filter(None, (text, call.comment)))
        made = self.layout.make.call(call.contract.name)
        return replace(made, span=call.span, trail=call.trail, origin=source, comment=comment)

    def _public(self, mark: Mark) -> Mark:
        """The one mark that stays: conditions speak of values that may be gone by then."""
        assert mark.operand is not None
        return replace(mark, operand=operand(mark.operand, self.register, self.register))

    def _move(self, move: Move) -> Insn:
        register = self.register(move.var)
        source = Insn(move.kind, (Reg(move.var),), move.span, move.trail)
        if move.var in self.layout.parks:
            fp = physical(self.layout.parks[move.var])
            pair = (fp, register) if move.kind == "spill" else (register, fp)
            made = self.layout.make.move(*pair)
        else:
            make = self.layout.make
            how = make.store_word if move.kind == "spill" else make.load_word
            made = how(register, SP, self.layout.slots[move.var])
        return replace(made, span=move.span, trail=move.trail, origin=source)

    def _declassified_in_vain(self) -> set[Mark]:
        """`public` of a value nobody reads again: its register may hold another by then."""
        flow = Flow(self.routine.code, results(self.routine))
        found = set()
        for block in range(len(flow.blocks)):
            for at, live in flow.backwards(block):
                item = flow.items[at]
                if isinstance(item, Mark) and item.kind == "public":
                    var = getattr(item.operand, "var", None)
                    if var not in flow.number or not live >> flow.number[var] & 1:
                        found.add(item)
        return found


def _with_it(items: Iterator[Item], make: Builder) -> Iterator[Item]:
    """Puts IT before conditional instructions, as many to one as stand together (four at most)."""
    group: list[Item] = []
    for item in items:
        fits = isinstance(item, Insn) and conditional_insn(item) and _joins(group, item)
        if fits or (group and isinstance(item, Comment | Mark)):
            group.append(item)
            continue
        yield from _block(group, make)
        group = [item] if isinstance(item, Insn) and conditional_insn(item) else []
        if not group:
            yield item
    yield from _block(group, make)


def _joins(group: Sequence[Item], insn: Insn) -> bool:
    """Whether an instruction fits behind those of an IT block."""
    inside = [item for item in group if isinstance(item, Insn)]
    if not inside or len(inside) == MOST_IT:
        return not inside
    first = inside[0].cond
    assert first is not None
    return insn.cond in (first, isa.inverse(first))


def _block(group: Sequence[Item], make: Builder) -> Iterator[Item]:
    inside = [item for item in group if isinstance(item, Insn)]
    if inside:
        for made in make.conditional([item.cond or "" for item in inside]):
            yield replace(made, span=inside[0].span, trail=inside[0].trail)
    yield from group
