# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A linked program: what is loaded where, its symbols, and which bytes are code."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function or object: address (without the Thumb bit), bytes, and what it is."""

    name: str
    address: int
    size: int
    kind: str  # "func", "object", "notype"


@dataclass(frozen=True)
class Image:
    """Everything the machine and the benchmark need of an ELF file."""

    path: Path
    segments: tuple[tuple[int, bytes], ...]  # address, content (zero-filled to memory size)
    symbols: dict[str, Symbol]
    code: tuple[tuple[int, int], ...]  # [start, end) of instructions, literal pools left out
    sections: dict[str, tuple[int, int]]  # name -> address, size

    @classmethod
    def load(cls, path: Path) -> Image:
        """The image of a linked ELF file. `ValueError` when it is not linked for Arm."""
        elf = ELFFile(BytesIO(path.read_bytes()))
        if elf["e_machine"] not in ("EM_ARM", "EM_AARCH64") or elf["e_type"] != "ET_EXEC":
            raise ValueError(f"{path}: not a linked program for Arm")
        segments = tuple(
            (part["p_vaddr"], part.data().ljust(part["p_memsz"], b"\0"))
            for part in elf.iter_segments("PT_LOAD")
            if part["p_memsz"]
        )
        sections = {part.name: (part["sh_addr"], part["sh_size"]) for part in elf.iter_sections()}
        return cls(path, segments, dict(_symbols(elf)), tuple(_code(elf)), sections)

    @cached_property
    def functions(self) -> tuple[Symbol, ...]:
        """Functions by address."""
        return tuple(sorted(self._of("func"), key=lambda symbol: symbol.address))

    def function_at(self, address: int) -> Symbol | None:
        """The function that holds an address; one of unknown size reaches to the next."""
        index = bisect_right(self.functions, address, key=lambda symbol: symbol.address) - 1
        if index < 0:
            return None
        found = self.functions[index]
        return found if not found.size or address < found.address + found.size else None

    def _of(self, kind: str) -> Iterator[Symbol]:
        return (symbol for symbol in self.symbols.values() if symbol.kind == kind)

    def __getitem__(self, name: str) -> Symbol:
        """The symbol called `name`; `KeyError` naming the file when there is none."""
        if name not in self.symbols:
            raise KeyError(f"{self.path} has no symbol {name}")
        return self.symbols[name]


def _symbols(elf: Any) -> Iterator[tuple[str, Symbol]]:
    kinds = {"STT_FUNC": "func", "STT_OBJECT": "object", "STT_NOTYPE": "notype"}
    for symbol in elf.get_section_by_name(".symtab").iter_symbols():
        kind = kinds.get(symbol["st_info"]["type"])
        if kind and symbol.name and not symbol.name.startswith("$"):
            address = symbol["st_value"] & ~1 if kind == "func" else symbol["st_value"]
            yield symbol.name, Symbol(symbol.name, address, symbol["st_size"], kind)


def _code(elf: Any) -> Iterator[tuple[int, int]]:
    """Runs of Thumb or A64 instructions, from the mapping symbols of each executable section."""
    executable, flag = {}, 4
    for index, section in enumerate(elf.iter_sections()):
        if section["sh_flags"] & flag and section["sh_size"]:
            executable[index] = section["sh_addr"], section["sh_addr"] + section["sh_size"]
    marks = sorted(
        (symbol["st_value"], symbol.name[:2], symbol["st_shndx"])
        for symbol in elf.get_section_by_name(".symtab").iter_symbols()
        if symbol.name[:2] in ("$t", "$d", "$a", "$x") and symbol["st_shndx"] in executable
    )
    for number, (start, mark, index) in enumerate(marks):
        later = [address for address, _, other in marks[number + 1 :] if other == index]
        end = later[0] if later else executable[index][1]
        if mark in ("$t", "$x") and end > start:
            yield start, end
