# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Two assemblers and a disassembler, and texts of theirs that can be compared."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import capstone
from elftools.elf.elffile import ELFFile

from gen import isa
from gen.ir.ir import Insn

SLOT = 8  # bytes an instruction gets, an IT before it included
GAS = ("arm-none-eabi-as", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mthumb")
CLANG = (
    "clang",
    "--target=thumbv7em-none-eabi",
    "-mcpu=cortex-m4",
    "-mfpu=fpv4-sp-d16",
    "-mfloat-abi=hard",
    "-c",
)
HEAD = ".syntax unified\n.thumb\n.text\n"


def listing(insns: Sequence[Insn]) -> str:
    """One slot for each instruction, inside its IT block if it has a condition."""
    lines = [HEAD]
    for insn in insns:
        lines.append(f".balign {SLOT}\n")
        if insn.cond is not None and insn.form is not None and insn.form.kind != "branch":
            lines.append(f"\t{isa.it_text([insn.cond])}\n")
        lines.append(f"\t{isa.render(insn)}\n")
    lines.append(f".balign {SLOT}\n")
    return "".join(lines)


def assemble(tool: Sequence[str], text: str, folder: Path) -> bytes:
    """The code that an assembler makes of `text`. Raises AssertionError with its messages."""
    source, target = folder / "t.s", folder / f"{Path(tool[0]).name}.o"
    source.write_text(text, encoding="utf-8", newline="\n")
    done = subprocess.run([*tool, "-o", str(target), str(source)], capture_output=True, text=True)
    assert done.returncode == 0 and "arning" not in done.stderr, done.stderr[:4000]
    with target.open("rb") as stream:
        section = ELFFile(stream).get_section_by_name(".text")
        return bytes(section.data())


def encodings(code: bytes, insns: Sequence[Insn]) -> list[bytes]:
    """The bytes of each instruction of a listing, without its IT."""
    found = []
    for number, insn in enumerate(insns):
        at = number * SLOT + (2 if insn.cond is not None else 0)
        wide = code[at + 1] >> 3 >= 0b11101
        found.append(code[at : at + (4 if wide else 2)])
    return found


def disassembler() -> Any:
    return capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)


_ALSO = {"ip": "r12", "sb": "r9", "sl": "r10", "fp": "r11"}
_COMMUTE = ("add", "adc", "and", "orr", "eor", "mul")


def normal(text: str, cond: str = "") -> str:
    """A line with one spelling for registers, numbers, widths, conditions, repeated operands."""
    mnemonic, _, operands = text.replace("\t", " ").partition(" ")
    mnemonic = re.sub(r"\.[wn]$", "", mnemonic)
    mnemonic = re.sub("^(mov|add|sub)w", r"\1", mnemonic)  # told by the constant
    if cond:
        for other, name in (("hs", "cs"), ("lo", "cc")):
            mnemonic = re.sub(rf"{other}(\.f32)?$", rf"{name}\1", mnemonic)
    operands = re.sub(r"\b(ip|sb|sl|fp)\b", lambda found: _ALSO[found[1]], operands)
    operands = re.sub(r"#(-?\w+)", lambda found: f"#{int(found[1], 0) & 0xFFFFFFFF}", operands)
    parts = operands.split(", ")
    if len(parts) == 3 and parts[0] == parts[1]:
        del parts[1]
    elif len(parts) == 3 and parts[0] == parts[2] and mnemonic.startswith(_COMMUTE):
        del parts[2]
    line = f"{mnemonic} {', '.join(parts)}".strip()
    line = re.sub(r"^str(\w*) (\w+), \[sp, #4294967292\]!$", r"push\1 {\2}", line)
    return re.sub(r"^ldr(\w*) (\w+), \[sp\], #4$", r"pop\1 {\2}", line)


def same_but_for_encoding(left: bytes, right: bytes) -> bool:
    """One instruction in two encodings of one size, as ADDS r1, r1, #7 and MOV r1, #512 have."""
    texts = []
    for code in (left, right):
        texts.append([normal(f"{x.mnemonic} {x.op_str}") for x in disassembler().disasm(code, 0)])
    return len(left) == len(right) and texts[0] == texts[1] and len(texts[0]) == 1
