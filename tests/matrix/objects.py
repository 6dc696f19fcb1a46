# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What every object file must be like, whoever compiled it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

# Run-time helpers that divide (Arm IHI 0043, 4.3.1; libgcc): their time tells the operands.
DIVIDES = ("__aeabi_idiv", "__aeabi_uidiv", "__aeabi_ldivmod", "__aeabi_uldivmod", "__udivmoddi4")
ABSOLUTE = {"EM_ARM": 2, "EM_AARCH64": 257}  # R_ARM_ABS32, R_AARCH64_ABS64


def _code(section: Any) -> bool:
    return bool(section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR)


def _symbols(elf: ELFFile) -> list[Any]:
    table = elf.get_section_by_name(".symtab")
    return [] if table is None else list(table.iter_symbols())


def _sections(elf: ELFFile, joined: bool) -> Iterator[str]:
    for section in elf.iter_sections():
        if _code(section) and section["sh_flags"] & SH_FLAGS.SHF_WRITE:
            yield f"{section.name} can be written and executed"
        if section.name == ".note.GNU-stack" and _code(section) and not joined:
            yield "asks for an executable stack"


def _one_symbol(elf: ELFFile, symbol: Any, thumb: bool) -> Iterator[str]:
    name, kind = symbol.name, symbol["st_info"]["type"]
    if symbol["st_shndx"] == "SHN_UNDEF":
        if name.startswith(DIVIDES):
            yield f"calls {name}"
        return
    if symbol["st_info"]["bind"] != "STB_GLOBAL" or not isinstance(symbol["st_shndx"], int):
        return
    if kind not in ("STT_FUNC", "STT_OBJECT"):
        yield f"{name} is neither a function nor an object"
    elif symbol["st_size"] == 0:
        yield f"{name} has no size"
    if kind == "STT_FUNC" and thumb and not symbol["st_value"] & 1:
        yield f"{name} is not marked as Thumb code"
    if kind == "STT_FUNC" and not _code(elf.get_section(symbol["st_shndx"])):
        yield f"{name} is a function outside code"


def _data_in_code(elf: ELFFile) -> Iterator[str]:
    """Mapping symbols `$d` (Arm IHI 0044, 5.5.5) that stand before something in a code section."""
    for symbol in _symbols(elf):
        if not symbol.name.startswith("$d") or not isinstance(symbol["st_shndx"], int):
            continue
        section = elf.get_section(symbol["st_shndx"])
        if _code(section) and symbol["st_value"] < section["sh_size"]:
            yield f"{section.name} holds data at {symbol['st_value']:#x}"


def _fixed_addresses(elf: ELFFile) -> Iterator[str]:
    """Relocations that would write an address into code."""
    for section in elf.iter_sections():
        if not isinstance(section, RelocationSection):
            continue
        target = elf.get_section(section["sh_info"])
        if _code(target) and any(
            one["r_info_type"] == ABSOLUTE.get(elf["e_machine"])
            for one in section.iter_relocations()
        ):
            yield f"{target.name} holds an absolute address"


def faults(
    paths: Iterable[Path],
    *,
    thumb: bool,
    movable: bool = False,
    execute_only: bool = False,
    joined: bool = False,
) -> list[str]:
    """What is wrong, a line each. `movable`: no address may stand in code; `execute_only`: no data. `joined` by a
    linker, a file asks for an executable stack when one part says nothing of it, as what C for bare metal gives."""
    found: list[str] = []
    defined: Counter[str] = Counter()
    for path in paths:
        with path.open("rb") as file:
            elf = ELFFile(file)
            wrong = list(_sections(elf, joined))
            for symbol in _symbols(elf):
                wrong += _one_symbol(elf, symbol, thumb)
                if symbol["st_info"]["bind"] == "STB_GLOBAL" and symbol["st_shndx"] != "SHN_UNDEF":
                    defined[symbol.name] += 1
            wrong += _data_in_code(elf) if execute_only else ()
            wrong += _fixed_addresses(elf) if movable else ()
            found += [f"{path.stem}: {one}" for one in wrong]
    return [*found, *(f"{name} is defined {n} times" for name, n in defined.items() if n > 1)]
