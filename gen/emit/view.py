# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a template may see: strings and lists, already formatted and aligned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gen.cores.core import Core
from gen.ir.ir import (
    Base,
    Half,
    Imm,
    Insn,
    LabelRef,
    Mem,
    Operand,
    Reg,
    RegList,
    Routine,
    Shift,
    StackObject,
    Table,
    Var,
)
from gen.isa import render

COLUMN = 44  # where trailing comments start
WIDTH = 100  # of wrapped comments


@dataclass(frozen=True, eq=False)
class Piece:
    """What goes into one output file: a routine with the tables of its source, or a source of tables alone."""

    stem: str  # "mlkem_ntt"
    source: str  # "asm-src/mlkem/ntt.rasm"
    core: Core
    routine: Routine | None
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a body: an instruction, a label or a remark, and the comment behind it."""

    text: str = ""
    comment: str = ""
    label: bool = False
    data: bytes = b""


def plain(text: str) -> str:
    """`text` as it may stand between /* and */."""
    return text.replace("*/", "* /").replace("/*", "/ *").strip()


def offset_text(constant: Imm) -> str:
    return f"#{constant.text or constant.value}"


def memory_text(mem: Mem) -> str:
    """An address in the words of the source: "[p, #64*i]", "[b], #4"."""
    if mem.index is not None:
        shift = f", lsl #{mem.shift}" if mem.shift else ""
        return f"[{mem.base.name}, {mem.index.name}{shift}]"
    if mem.mode == "post":
        return f"[{mem.base.name}], {offset_text(mem.offset)}"
    plus = f", {offset_text(mem.offset)}" if mem.offset.value or mem.offset.text else ""
    return f"[{mem.base.name}{plus}]" + ("!" if mem.mode == "pre" else "")


def operand_text(operand: Operand) -> str:
    """An operand in the words of the source."""
    match operand:
        case Reg(var):
            return var.name
        case Half(var, which):
            return f"{var.name}.{which}"
        case Imm():
            return offset_text(operand)
        case Shift(kind, amount):
            return f"{kind} #{amount}"
        case Mem():
            return memory_text(operand)
        case RegList(names):
            return "{" + ", ".join(var.name for var in names) + "}"
        case Base(var, writeback):
            return var.name + ("!" if writeback else "")
        case LabelRef():
            return ""


def names_of(insn: Insn) -> str:
    """The author's operands of an instruction, for the comment behind it; plain numbers say nothing new."""
    source = insn.origin if insn.origin is not None else insn
    if source.part != "body" or insn.part != "body":
        return ""
    shown = [op for op in source.ops if not (isinstance(op, Imm) and not op.text)]
    return ", ".join(filter(None, map(operand_text, shown)))


def comment_of(insn: Insn) -> str:
    """Operand names, then the author's own words."""
    return plain("; ".join(filter(None, (names_of(insn), insn.comment))))


def aligned(text: str) -> str:
    """An instruction with its operands in a column of their own."""
    mnemonic, _, operands = text.partition("\t")
    return f"{mnemonic:<7} {operands}".rstrip()


def targets(insn: Insn) -> tuple[str, ...]:
    """Roles that name a label."""
    assert insn.form is not None
    kinds = insn.form.roles
    return tuple(role.name for role in kinds if role.kind == "label" and role.enc != "cond")


def relabel(insn: Insn, stem: str, end: str = "") -> Insn:
    """The instruction with the labels it names put between `stem` and `end`."""
    roles = dict(insn.roles)
    for name in targets(insn):
        label = roles[name]
        assert isinstance(label, LabelRef)
        roles[name] = LabelRef(f"{stem}{label.name}{end}")
    return replace(insn, roles=roles)


def instruction(insn: Insn, stem: str = "", end: str = "", array: Var | None = None) -> str:
    """UAL text of an instruction over physical registers; `array` prints as the operand `args`."""
    text = render(relabel(insn, stem, end), name=lambda v: "%[args]" if v is array else v.name)
    return aligned(text)


def with_comment(text: str, comment: str, column: int = COLUMN) -> str:
    """`text`, and the comment from `column` on (or a space behind a longer text)."""
    return f"{text:<{column}} /* {comment} */" if comment else text.rstrip()


_SIZES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "u64": 8}


def element_bytes(table: Table | StackObject) -> int:
    return _SIZES[table.type]


def c_type(table: Table | StackObject) -> str:
    """The C type of an element: "int16_t"."""
    return ("int" if table.type[0] == "i" else "uint") + f"{8 * element_bytes(table)}_t"


def table_align(table: Table, routine: Routine | None) -> int:
    """A table stands on a word, an element, or where a routine of its file was promised more."""
    params = routine.params if routine is not None else ()
    return max(
        element_bytes(table),
        *(p.align for p in params if p.table is not None and p.table.symbol == table.symbol),
        4,
    )


def c_number(value: int, table: Table) -> str:
    """An element as a C constant of its type, in every C standard."""
    if table.type[0] == "u":
        return f"{value}u" if element_bytes(table) < 8 else f"0x{value:016x}u"
    return f"({value + 1} - 1)" if value == -(2**31) else str(value)


def _plain_number(value: int, table: Table) -> str:
    return str(value) if element_bytes(table) < 8 else f"0x{value:016x}"


def number_rows(table: Table, c: bool = False) -> Iterator[str]:
    """The elements in columns, comma-separated, as many a row as fit; with `c` as C constants."""
    texts = [c_number(value, table) if c else _plain_number(value, table) for value in table.values]
    width = max(map(len, texts))
    count = 1 << ((WIDTH - 12) // (width + 2)).bit_length() - 1
    for start in range(0, len(texts), count):
        yield ", ".join(f"{text:>{width}}" for text in texts[start : start + count])


def as_comment(lines: Iterable[str]) -> list[str]:
    """Rows of a block comment, the stars included, without its first and last line."""
    return [f" * {plain(line)}" if line.strip() else " *" for line in lines]


def var_of(operand: Operand) -> Var | None:
    """The register of an operand that is one register."""
    return operand.var if isinstance(operand, Reg | Half | Base) else None
