# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Register files and calling conventions: what an instruction set's registers are called, how wide they are, and which
of them belong to whom around a call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True)
class Abi:
    """One procedure call standard. Names are those that the assembler has."""

    name: Literal["aapcs32", "aapcs32-a32", "aapcs64"]
    bits: int  # of a general register and of an address
    general: tuple[str, ...]  # registers that a core file may open to allocation
    arguments: tuple[str, ...]  # the first words of a call; the first of them holds the result
    kept: tuple[str, ...]  # general registers that a callee gives back
    kept_fp: tuple[str, ...]  # FP or vector registers that a callee gives back
    link: str  # where a call leaves the return address
    returns_by_restoring: bool  # the saved return address goes straight to PC, with the rest
    types: tuple[str, ...]  # of the registers that routines may declare
    platform: str = ""  # a register that belongs to the platform: nobody may change it
    feature: str = ""  # what a source must require to be written for these registers
    vectors: tuple[str, ...] = ()  # vector registers, open to allocation

    @property
    def bytes(self) -> int:
        """Of a general register."""
        return self.bits // 8

    @property
    def result(self) -> str:
        return self.arguments[0]

    @property
    def scratch(self) -> tuple[str, ...]:
        """General registers that a call spoils, without that of the return address."""
        return tuple(name for name in self.general if name not in (*self.kept, self.link))


def _row(letter: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(first, last + 1))


# Arm IHI 0042 (AAPCS32), 6.1.1, 6.1.2; SP is a multiple of eight at public interfaces only (6.2.1.2).
AAPCS32 = Abi(
    name="aapcs32",
    bits=32,
    general=(*_row("r", 0, 12), "lr"),
    arguments=_row("r", 0, 3),
    kept=_row("r", 4, 11),
    kept_fp=_row("s", 16, 31),
    link="lr",
    returns_by_restoring=True,
    types=("u32", "i32", "i16", "i16x2", "u8x4", "ptr", "flag"),
)
# The same convention for code in A32.
AAPCS32_A32 = replace(AAPCS32, name="aapcs32-a32")
# Arm IHI 0055 (AAPCS64), 6.1.1, 6.1.2: x18 is the platform's, x29 the frame pointer; of v8-v15 the low halves are kept.
AAPCS64 = Abi(
    name="aapcs64",
    bits=64,
    general=(*_row("x", 0, 17), *_row("x", 19, 28), "x30"),
    arguments=_row("x", 0, 7),
    kept=_row("x", 19, 28),
    kept_fp=_row("v", 8, 15),
    link="x30",
    returns_by_restoring=False,
    types=("u64", "i64", "u64x1", "u64x2", "ptr", "flag"),
    platform="x18",
    feature="aarch64",
    vectors=_row("v", 0, 31),
)
BY_TABLE = {
    "a32": AAPCS32_A32,
    "aarch64": AAPCS64,
}  # instruction table -> its convention; AAPCS32 for all others
VECTOR_TYPES = frozenset({"u64x1", "u64x2"})  # in a vector register


def width(type_: str, abi: Abi) -> int:
    """Bits of the register that holds a value of this type."""
    return 128 if type_ in VECTOR_TYPES else abi.bits


_WIDTHS = {"x": 64, "v": 128, "d": 64}


def register_bits(name: str) -> int:
    """Bits of a physical register."""
    return _WIDTHS.get(name[:1], 32) if name[1:].isdigit() else 32
