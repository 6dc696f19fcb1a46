# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What an ELF file tells beside the program: source lines (DWARF), and where secrets end.

The marks stand in a section that linkers take for debugging information, and keep as such.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any

from elftools.elf.elffile import ELFFile

from gen.emu.taint import Mark

_MARKS = ".debug_armscribe"
_NAMES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}


class Debug:
    """The file of a linked program, built with -g where lines are asked for."""

    def __init__(self, path: Path) -> None:
        self._elf = ELFFile(BytesIO(path.read_bytes()))
        self._lines: list[tuple[int, str]] | None = None

    def marks(self) -> Iterator[Mark]:
        """The entries of lib/common/declassify.h whose code was linked."""
        section = self._elf.get_section_by_name(_MARKS)
        content: bytes = section.data() if section is not None else b""
        at = 0
        while at < len(content):
            address = int.from_bytes(content[at : at + 4], "little") & ~1
            *texts, _ = content[at + 4 :].split(b"\0", 3)
            at += 4 + sum(len(text) + 1 for text in texts)
            name, register, size = (text.decode("ascii") for text in texts)
            if address:
                number = int(size[1:], 0) if size.startswith("#") else _register(size)
                yield Mark(address, name, _register(register), number)

    def line(self, address: int) -> str:
        """`file:line` of the instruction at an address, or "" where the file does not say."""
        if self._lines is None:
            self._lines = sorted(self._rows())
        found = bisect_right(self._lines, address, key=lambda row: row[0]) - 1
        return self._lines[found][1] if found >= 0 else ""

    def _rows(self) -> Iterator[tuple[int, str]]:
        if not self._elf.has_dwarf_info():
            return
        dwarf = self._elf.get_dwarf_info()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            for entry in program.get_entries() if program else ():
                state = entry.state
                if state is not None and state.address:
                    file = _file(program, state.file)
                    yield state.address, "" if state.end_sequence else f"{file}:{state.line}"


def _file(program: Any, number: int) -> str:
    """The file of a row; numbers start at 1 up to DWARF 4, at 0 from DWARF 5 on."""
    header = program.header
    files = header["file_entry"]
    entry = files[number if header["version"] >= 5 else number - 1]
    folders = header["include_directory"]
    index = entry["dir_index"] - (0 if header["version"] >= 5 else 1)
    folder = folders[index] if 0 <= index < len(folders) else b""
    folder = getattr(folder, "name", folder)
    return str(PurePosixPath(folder.decode(), entry["name"].decode()))


def _register(name: str) -> str:
    return _NAMES.get(name, name)
