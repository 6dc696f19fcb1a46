# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The form `inline`: C with one asm statement that takes the address of an array of arguments.

Inside the statement the registers of the `.S` file are saved, loaded and restored, so the body between is the same
machine code, no compiler option reserves a register that it needs, and the number of operands is one.

The array holds the words of the call: those of registers, then the caller's stack. Its address arrives in a register
that the statement does not list as changed; the frame gives that register back, so the result can be stored through it
at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from gen.cores.abi import Abi
from gen.emit.aapcs import Word, words
from gen.emit.backend import guard
from gen.emit.contract import banner, sub_rows
from gen.emit.dialect import dialect
from gen.emit.render import render
from gen.emit.view import (
    Piece,
    as_comment,
    c_type,
    comment_of,
    instruction,
    number_rows,
    plain,
    table_align,
    targets,
    with_comment,
)
from gen.ir.interp.abi import words_of
from gen.ir.ir import (
    Align,
    Comment,
    CType,
    Imm,
    Insn,
    Item,
    Label,
    Mem,
    Operand,
    Reg,
    RegList,
    Routine,
    Var,
    physical,
)
from gen.isa import bank, builder, size, writes

COLUMN = 56
UNIQUE = '" ARMSCRIBE_ASM_ID "'  # leaves the string, and comes back
LONG = 64
END = "end."  # no sub is called so, and no label in one


# --- the frame around the body -------------------------------------------------------------------


@cache
def array_of(abi: Abi) -> Var:
    """What stands for the operand; a compiler may choose any register."""
    return Var("args", "ptr", pin=abi.kept[-1], bits=abi.bits)


def _replaced(insn: Insn, change: dict[Operand, Operand]) -> Insn:
    roles = {role: change.get(op, op) for role, op in insn.roles.items()}
    return replace(insn, ops=tuple(change.get(op, op) for op in insn.ops), roles=roles)


def _stacked(insn: Insn, routine: Routine) -> tuple[Mem, int] | None:
    """The address and the argument word that an instruction of the entry loads from the caller."""
    memory = next((op for op in insn.ops if isinstance(op, Mem)), None)
    if insn.form is None or not insn.form.loads or memory is None or insn.part != "entry":
        return None
    beyond = memory.offset.value - routine.frame.stack
    if memory.base is not physical("sp") or beyond < 0:
        return None
    abi = routine.core.abi
    return memory, len(abi.arguments) + beyond // abi.bytes


def _carried(routine: Routine) -> list[int]:
    """Numbers of the argument registers that carry something."""
    abi = routine.core.abi
    row = words(routine.params, abi)[: len(abi.arguments)]
    return [number for number, word in enumerate(row) if word.param is not None]


def array(routine: Routine) -> list[Word]:
    """The words of the call as the array holds them: no holes among those of registers."""
    abi = routine.core.abi
    row = words(routine.params, abi)
    return [*(row[number] for number in _carried(routine)), *row[len(abi.arguments) :]]


def _arguments(routine: Routine) -> Iterator[Insn]:
    """Loads of all arguments from the array, whose register may be among those that are loaded."""
    entry = [item for item in routine.final if isinstance(item, Insn) and item.part == "entry"]
    stacked = [(insn, found) for insn in entry if (found := _stacked(insn, routine)) is not None]
    carried, abi = _carried(routine), routine.core.abi
    make, base = builder(abi), array_of(abi)
    if stacked:
        taken = {var.name for insn, _ in stacked for var in writes(insn)}
        base = physical(next(name for name in reversed(abi.scratch) if name not in taken))
        yield make.move(base, array_of(abi), part="entry")
    for insn, (memory, number) in stacked:
        place = number - len(abi.arguments) + len(carried)
        yield _replaced(insn, {memory: Mem(base, Imm(abi.bytes * place))})
    yield from make.load_words([physical(abi.arguments[n]) for n in carried], base, part="entry")


def _opening(routine: Routine) -> list[Insn]:
    """The entry: saves and stack first, then arguments, then what the author's registers start with."""
    entry = [item for item in routine.final if isinstance(item, Insn) and item.part == "entry"]
    own = [insn for insn in entry if _stacked(insn, routine) is None]
    stack = physical("sp")
    frame = [insn for insn in own if stack in writes(insn) or _saves(insn)]
    frame = [insn for insn in frame if not _compilers(insn)]
    return [*frame, *_arguments(routine), *(insn for insn in own if insn not in frame)]


def _saves(insn: Insn) -> bool:
    """Whether it stores a register in the frame."""
    assert insn.form is not None
    return insn.form.stores


def _compilers(insn: Insn) -> bool:
    """Whether it saves or restores vector registers: the compiler does, since the statement lists them as changed, and
    they have upper halves that no frame here keeps."""
    held = [op.var for op in insn.ops if isinstance(op, Reg)]
    return any(bank(var) == "v" for var in held)


def _closing(routine: Routine) -> Iterator[Insn]:
    """The exit without the return: a popped PC goes to LR; then the result goes into the array."""
    for insn in routine.final:
        if not isinstance(insn, Insn) or insn.part != "exit":
            continue
        change: dict[Operand, Operand] = {}
        for op in insn.ops:
            if isinstance(op, RegList) and physical("pc") in op.vars:
                change[op] = RegList(
                    tuple(physical("lr") if var.name == "pc" else var for var in op.vars)
                )
        if (change or insn.form is None or insn.form.kind != "return") and not _compilers(insn):
            yield _replaced(insn, change)
    abi = routine.core.abi
    for number in range(_result_words(routine)):
        word, at = physical(abi.arguments[number]), abi.bytes * number
        yield builder(abi).store_word(word, array_of(abi), at, part="exit")


def _result_words(routine: Routine) -> int:
    if routine.result is None:
        return 0
    return words_of(routine.result[0], routine.core.abi)


# --- text ----------------------------------------------------------------------------------------


def _string(text: str, comment: str = "") -> str:
    return with_comment(f'        "{text}\\n\\t"', comment, COLUMN)


def _lines(item: Item, stem: str, array: Var) -> Iterator[str]:
    match item:
        case Insn():
            end = f"_{UNIQUE}" if targets(item) else ""
            yield _string(instruction(item, stem, end, array), comment_of(item))
        case Label():
            yield _string(f"{stem}{item.name}_{UNIQUE}:")
        case Comment():
            yield f"        /* {plain(item.text)} */"
        case Align():
            yield f"        ARMSCRIBE_ASM_ALIGN({item.bytes})"
        case _:
            pass


def asm_lines(routine: Routine) -> Iterator[str]:
    """The strings of the asm statement. The body stands as the `.S` file's does, relative to a word."""
    stem, abi = f".L{routine.symbol}_", routine.core.abi
    array = array_of(abi)
    entry = [item for item in routine.final if isinstance(item, Insn) and item.part == "entry"]
    yield "        ARMSCRIBE_ASM_ALIGN(4)"
    if dialect(abi).timing:
        yield "        ARMSCRIBE_ASM_DIT"
    for insn in _opening(routine):
        yield from _lines(insn, stem, array)
    yield "        ARMSCRIBE_ASM_ALIGN(4)"
    if sum(map(size, entry)) % 4:
        yield from _lines(builder(abi).nop(), stem, array)
    for item in routine.final:
        if not isinstance(item, Insn) or item.part == "body":
            yield from _lines(item, stem, array)
    for insn in _closing(routine):
        yield from _lines(insn, stem, array)
    if routine.subs:
        yield from _subs(routine, stem, array)


def _subs(routine: Routine, stem: str, array: Var) -> Iterator[str]:
    """What is called from the body, behind the end and passed over there."""
    yield from _lines(replace(builder(routine.core.abi).branch(END), width=".w"), stem, array)
    for sub in routine.subs:
        yield "        /*"
        yield from (f"        {row}" for row in as_comment(sub_rows(sub)))
        yield "         */"
        yield "        ARMSCRIBE_ASM_ALIGN(4)"
        yield from _lines(Label(sub.name), stem, array)
        for item in sub.final:
            yield from _lines(item, stem, array)
    yield from _lines(Label(END), stem, array)


def _value(word: Word, abi: Abi) -> str:
    """A word of the call as an element of the array."""
    if word.param is None:
        return "0"
    name, ctype = word.param.name, word.param.ctype
    if ctype.pointer:
        return name
    if words_of(ctype, abi) == 2:
        whole = name if not ctype.signed else f"(uint64_t){name}"
        return f"(const void *)(uintptr_t)({whole}{' >> 32' if word.part else ' & 0xffffffffu'})"
    return f"(const void *)(uintptr_t){name}"


def returned(ctype: CType, abi: Abi) -> str:
    """The result, from the array, as its type."""
    if ctype.bits == abi.bits == LONG:
        return f"return ({ctype.text})(uintptr_t)args[0];"
    low = "(uint32_t)(uintptr_t)args[0]"
    if ctype.bits == 64 and not ctype.pointer:
        low = f"((uint64_t)(uint32_t)(uintptr_t)args[1] << 32 | {low})"
    return f"return {low};" if ctype.text == "uint32_t" else f"return ({ctype.text}){low};"


def clobbers(routine: Routine) -> str:
    """Registers that come back changed: the call-clobbered ones, and FP registers that hold parked values."""
    saved = {save.register for save in routine.frame.saved}
    parked = [name for name in routine.fp if name not in saved]
    abi = routine.core.abi
    changed = {*routine.places.values()} | {n for sub in routine.subs for n in sub.places.values()}
    vectors = [name for name in abi.vectors if name in changed]
    names = [*abi.scratch, *parked, *vectors, "cc", "memory"]
    reserved = "ARMSCRIBE_ASM_PLATFORM " * bool(abi.platform)
    return reserved + ", ".join(f'"{name}"' for name in names)


def _routine(routine: Routine | None) -> dict[str, object] | None:
    if routine is None:
        return None
    row = array(routine)
    return {
        "symbol": routine.symbol,
        "prototype": routine.prototype.rstrip("; "),
        "count": max(1, len(row), _result_words(routine)),
        "values": [_value(word, routine.core.abi) for word in row],
        "lines": list(asm_lines(routine)),
        "clobbers": clobbers(routine),
        "result": returned(routine.result[0], routine.core.abi)
        if routine.result is not None
        else "",
    }


def emit(piece: Piece) -> dict[str, str]:
    """Path below generated/ -> text."""
    text = render(
        "inline.c.j2",
        banner=banner(piece),
        guard=guard(piece.core.key, "inline"),
        stem=piece.stem,
        routine=_routine(piece.routine),
        tables=[
            {
                "declaration": f"const {c_type(table)} {table.symbol}[{len(table.values)}]",
                "comment": plain(table.comment),
                "align": table_align(table, piece.routine),
                "rows": list(number_rows(table, c=True)),
            }
            for table in piece.tables
        ],
    )
    return {f"{piece.core.key}/{piece.stem}_inline.c": text}
