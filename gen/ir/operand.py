# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Registers and operands of instructions. Users import them from gen.ir.ir."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gen.cores.abi import register_bits
from gen.read.source import NOWHERE, Span

Home = Literal["slot", "park", "fp"]


@dataclass(frozen=True, eq=False)
class Var:
    """A named register. After `liveness` a web of it; after `allocate` a physical register (see `physical`)."""

    name: str  # as written: "a[3]", "lo"; a physical register: "r4", "sp", "s0"
    type: str = (
        "u32"  # u32 i32 i16 i16x2 u8x4 ptr u64 i64 u64x2 | flag | stack: the address of an object
    )
    pin: str | None = None  # physical register demanded by `@`
    home: Home | None = None  # where spill and fill go
    init: int | None = None  # constant put in at entry if the code uses it
    init_text: str = ""  # the formula of `init`, for comments
    span: Span = NOWHERE
    homed: str = ""  # the declaration that would give it a home; "" where there is none such
    bits: int = 32  # of the register that holds it

    @property
    def points(self) -> bool:
        """Whether it holds an address, or stands for that of a stack object."""
        return self.type in ("ptr", "stack")

    def __repr__(self) -> str:
        return f"Var({self.name})"


_PHYSICAL: dict[str, Var] = {}
TYPES = {64: "u64", 128: "u64x2"}  # of a physical register, by its width


def physical(name: str) -> Var:
    """The one Var that stands for physical register `name`."""
    if name not in _PHYSICAL:
        bits = register_bits(name)
        _PHYSICAL[name] = Var(name, TYPES.get(bits, "u32"), pin=name, bits=bits)
    return _PHYSICAL[name]


@dataclass(frozen=True, slots=True)
class Reg:
    """A whole register."""

    var: Var


@dataclass(frozen=True, slots=True)
class Half:
    """The bottom ("b") or top ("t") half-word of a register, read as a signed 16-bit number."""

    var: Var
    which: Literal["b", "t"]


@dataclass(frozen=True, slots=True)
class Imm:
    """A constant. `text` is the formula as written, or "" when it is just the number."""

    value: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Shift:
    """`lsl #3` after a register operand; amount 0 is never built (it prints nothing)."""

    kind: str  # lsl lsr asr ror
    amount: int


@dataclass(frozen=True, slots=True)
class Mem:
    """`[base, #offset]`, `[base, index, lsl #shift]`, `[base, #offset]!`, `[base], #offset`."""

    base: Var
    offset: Imm = Imm(0)
    index: Var | None = None
    shift: int = 0
    mode: Literal["offset", "pre", "post"] = "offset"


@dataclass(frozen=True, slots=True)
class RegList:
    """`{a[0..3]}`: registers in the order written; the encoding wants ascending physical numbers."""

    vars: tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class Base:
    """The base of LDM and STM: `p` or `p!`."""

    var: Var
    writeback: bool


@dataclass(frozen=True, slots=True)
class LabelRef:
    """The target of a branch (made by `flow`, never written by an author)."""

    name: str


Operand = Reg | Half | Imm | Shift | Mem | RegList | Base | LabelRef
