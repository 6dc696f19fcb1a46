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

from gen.emit.aapcs import IN_REGISTERS, Word, words
from gen.emit.backend import guard
from gen.emit.contract import banner, sub_rows
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
    RegList,
    Routine,
    Var,
    physical,
)
from gen.isa import build, size, writes

COLUMN = 56
ARRAY = Var("args", pin="r11")  # stands for the operand; a compiler may choose any register
UNIQUE = '" ARMSCRIBE_ASM_ID "'  # leaves the string, and comes back
END = "end."  # no sub is called so, and no label in one
SCRATCH = ("r12", "r3", "r2", "r1", "r0")


# --- the frame around the body -------------------------------------------------------------------


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
    return memory, IN_REGISTERS + beyond // 4


def _carried(routine: Routine) -> list[int]:
    """Numbers of the argument registers that carry something."""
    row = words(routine.params)[:IN_REGISTERS]
    return [number for number, word in enumerate(row) if word.param is not None]


def array(routine: Routine) -> list[Word]:
    """The words of the call as the array holds them: no holes among those of registers."""
    row = words(routine.params)
    return [*(row[number] for number in _carried(routine)), *row[IN_REGISTERS:]]


def _arguments(routine: Routine) -> Iterator[Insn]:
    """Loads of all arguments from the array, whose register may be among those that are loaded."""
    entry = [item for item in routine.final if isinstance(item, Insn) and item.part == "entry"]
    stacked = [(insn, found) for insn in entry if (found := _stacked(insn, routine)) is not None]
    carried = _carried(routine)
    base = ARRAY
    if stacked:
        taken = {var.name for insn, _ in stacked for var in writes(insn)}
        base = physical(next(name for name in SCRATCH if name not in taken))
        yield build.move(base, ARRAY, part="entry")
    for insn, (memory, number) in stacked:
        place = number - IN_REGISTERS + len(carried)
        yield _replaced(insn, {memory: Mem(base, Imm(4 * place))})
    if len(carried) == 1:
        yield build.load_word(physical("r0"), base, 0, part="entry")
    elif carried:
        yield build.load_words([physical(f"r{n}") for n in carried], base, part="entry")


def _opening(routine: Routine) -> list[Insn]:
    """The entry: saves and stack first, then arguments, then what the author's registers start with."""
    entry = [item for item in routine.final if isinstance(item, Insn) and item.part == "entry"]
    own = [insn for insn in entry if _stacked(insn, routine) is None]
    frame = [insn for insn in own if physical("sp") in writes(insn)]
    return [*frame, *_arguments(routine), *(insn for insn in own if insn not in frame)]


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
        if change or insn.form is None or insn.form.kind != "return":
            yield _replaced(insn, change)
    for number in range(_result_words(routine)):
        yield build.store_word(physical(f"r{number}"), ARRAY, 4 * number, part="exit")


def _result_words(routine: Routine) -> int:
    if routine.result is None:
        return 0
    return 2 if routine.result[0].bits == 64 and not routine.result[0].pointer else 1


# --- text ----------------------------------------------------------------------------------------


def _string(text: str, comment: str = "") -> str:
    return with_comment(f'        "{text}\\n\\t"', comment, COLUMN)


def _lines(item: Item, stem: str) -> Iterator[str]:
    match item:
        case Insn():
            end = f"_{UNIQUE}" if targets(item) else ""
            yield _string(instruction(item, stem, end, ARRAY), comment_of(item))
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
    stem = f".L{routine.symbol}_"
    entry = [item for item in routine.final if isinstance(item, Insn) and item.part == "entry"]
    yield "        ARMSCRIBE_ASM_ALIGN(4)"
    for insn in _opening(routine):
        yield from _lines(insn, stem)
    yield "        ARMSCRIBE_ASM_ALIGN(4)"
    if sum(map(size, entry)) % 4:
        yield from _lines(build.nop(), stem)
    for item in routine.final:
        if not isinstance(item, Insn) or item.part == "body":
            yield from _lines(item, stem)
    for insn in _closing(routine):
        yield from _lines(insn, stem)
    if routine.subs:
        yield from _subs(routine, stem)


def _subs(routine: Routine, stem: str) -> Iterator[str]:
    """What is called from the body, behind the end and passed over there."""
    yield from _lines(build.branch(END, width=".w"), stem)
    for sub in routine.subs:
        yield "        /*"
        yield from (f"        {row}" for row in as_comment(sub_rows(sub)))
        yield "         */"
        yield "        ARMSCRIBE_ASM_ALIGN(4)"
        yield from _lines(Label(sub.name), stem)
        for item in sub.final:
            yield from _lines(item, stem)
    yield from _lines(Label(END), stem)


def _value(word: Word) -> str:
    """A word of the call as an element of the array."""
    if word.param is None:
        return "0"
    name, ctype = word.param.name, word.param.ctype
    if ctype.pointer:
        return name
    if ctype.bits == 64:
        whole = name if not ctype.signed else f"(uint64_t){name}"
        return f"(const void *)(uintptr_t)({whole}{' >> 32' if word.part else ' & 0xffffffffu'})"
    return f"(const void *)(uintptr_t){name}"


def returned(ctype: CType) -> str:
    """The result, from the array, as its type."""
    low = "(uint32_t)(uintptr_t)args[0]"
    if ctype.bits == 64 and not ctype.pointer:
        low = f"((uint64_t)(uint32_t)(uintptr_t)args[1] << 32 | {low})"
    return f"return {low};" if ctype.text == "uint32_t" else f"return ({ctype.text}){low};"


def clobbers(routine: Routine) -> str:
    """Registers that come back changed: the call-clobbered ones, and FP registers that hold parked values."""
    saved = {save.register for save in routine.frame.saved}
    parked = [name for name in routine.fp if name not in saved]
    names = ["r0", "r1", "r2", "r3", "r12", *parked, "cc", "memory"]
    return ", ".join(f'"{name}"' for name in names)


def _routine(routine: Routine | None) -> dict[str, object] | None:
    if routine is None:
        return None
    row = array(routine)
    return {
        "symbol": routine.symbol,
        "prototype": routine.prototype.rstrip("; "),
        "count": max(1, len(row), _result_words(routine)),
        "values": [_value(word) for word in row],
        "lines": list(asm_lines(routine)),
        "clobbers": clobbers(routine),
        "result": returned(routine.result[0]) if routine.result is not None else "",
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
