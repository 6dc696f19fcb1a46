# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a routine is: operands, instructions, structured nodes, linear code, and the routine around them.

Everything is frozen; a pass returns new objects made with `dataclasses.replace`. Objects with identity (`Var`, `Insn`)
compare by identity, so they can key dictionaries.

The same routine exists in three shapes, each made from the one before:
    body    structured nodes over the names the author wrote      (elaborate, select)
    code    linear items over webs: one Var for each live range   (flow, liveness)
    final   linear items over physical registers, with the frame  (allocate, frame, reach)
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gen.diag import Trail
from gen.read.source import NOWHERE, Span

if TYPE_CHECKING:
    from gen.cores.core import Core
    from gen.isa.form import Form

Home = Literal["slot", "park", "fp"]
Part = Literal["entry", "body", "exit"]


@dataclass(frozen=True, eq=False)
class Var:
    """A named register. After `liveness` a web of it; after `allocate` a physical register (see `physical`)."""

    name: str  # as written: "a[3]", "lo"; a physical register: "r4", "sp", "s0"
    type: str = "u32"  # u32 i32 i16 i16x2 u8x4 ptr | flag
    pin: str | None = None  # physical register demanded by `@`
    home: Home | None = None  # where spill and fill go
    init: int | None = None  # constant put in at entry if the code uses it
    init_text: str = ""  # the formula of `init`, for comments
    span: Span = NOWHERE

    def __repr__(self) -> str:
        return f"Var({self.name})"


_PHYSICAL: dict[str, Var] = {}


def physical(name: str) -> Var:
    """The one Var that stands for physical register `name`."""
    if name not in _PHYSICAL:
        _PHYSICAL[name] = Var(name, pin=name)
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


@dataclass(frozen=True, eq=False)
class Insn:
    """One instruction. `form` and `roles` are filled by `select`; both stay valid when Vars are replaced."""

    mnemonic: str  # family name as written: "smulxy", "adds", "ldr"
    ops: tuple[Operand, ...]
    span: Span = NOWHERE
    trail: Trail = ()
    cond: str | None = None  # inside `then`: eq ne cs cc mi pl vs vc hi ls ge lt gt le
    width: Literal["", ".n", ".w"] = ""  # as written, or as decided by `reach`
    flag_in: Var | None = None  # named carry read: `adcs z, x, y, c`
    flag_out: Var | None = None  # named carry written: `adds z, x, y -> c`
    comment: str = ""  # end-of-line comment of the source
    form: Form | None = None
    roles: Mapping[str, Operand] = field(default_factory=dict)  # role name of the form -> operand
    part: Part = "body"  # in `final`: frame or author's code
    origin: Insn | None = None  # in `code` and `final`: the instruction of `body` it stands for


@dataclass(frozen=True, eq=False)
class Pred:
    """A condition on values: a Python expression whose Names are keys of `env`; constants are folded, `|x|` is abs(x).

    Allowed nodes: Compare (chains), BoolOp, BinOp, UnaryOp, Call of abs, Constant, Name. A Name is a register or half
    (its value read as its type says), an element of a parameter buffer, or `old(name)` (value at macro entry).
    """

    node: ast.expr
    env: Mapping[str, Operand | Element | Old]
    text: str


@dataclass(frozen=True, slots=True)
class Element:
    """Element `index` of the buffer that parameter `param` points to at entry, as typed by its prototype."""

    param: str
    index: int


@dataclass(frozen=True, slots=True)
class Old:
    """The value an `inout` macro parameter had when the expansion began; `mark` names that EnsuresBegin."""

    operand: Operand
    mark: int


@dataclass(frozen=True, eq=False)
class Comment:
    """A comment line of the source, without its slashes."""

    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, eq=False)
class Mark:
    """A statement for the analyses; no instruction. Kept, in place, in `body`, `code` and `final`."""

    kind: Literal["assert", "claim", "split", "public", "ensures-begin", "ensures"]
    span: Span
    trail: Trail = ()
    pred: Pred | None = None  # assert, claim, ensures
    operand: Operand | None = None  # public, split
    number: int = 0  # split: the point; ensures-begin and ensures: pairs them
    text: str = ""  # reason, or the macro's name


@dataclass(frozen=True, eq=False)
class Align:
    """Alignment of the next instruction to `bytes`."""

    bytes: int
    span: Span = NOWHERE


@dataclass(frozen=True, eq=False)
class Move:
    """`spill v` (to its home) or `fill v` (from it)."""

    kind: Literal["spill", "fill"]
    var: Var
    span: Span = NOWHERE
    trail: Trail = ()


@dataclass(frozen=True, eq=False)
class Do:
    """`do: body while cond`: one label, one conditional branch."""

    body: tuple[Node, ...]
    cond: str
    span: Span = NOWHERE
    trail: Trail = ()


@dataclass(frozen=True, eq=False)
class Loop:
    """`loop at most limit: body`: ends by `Break` only; an unconditional branch closes it."""

    body: tuple[Node, ...]
    limit: int
    span: Span = NOWHERE
    trail: Trail = ()


@dataclass(frozen=True, eq=False)
class Break:
    """`break cond`: leaves the innermost Loop."""

    cond: str
    span: Span = NOWHERE
    trail: Trail = ()


@dataclass(frozen=True, eq=False)
class When:
    """`when cond: then otherwise: other`: a branch on a public flag."""

    cond: str
    then: tuple[Node, ...]
    other: tuple[Node, ...] = ()
    span: Span = NOWHERE
    trail: Trail = ()


@dataclass(frozen=True, eq=False)
class Then:
    """`then cond:` an IT block of one to four instructions (each Insn has `cond` set)."""

    cond: str
    body: tuple[Insn, ...]
    span: Span = NOWHERE
    trail: Trail = ()


@dataclass(frozen=True, eq=False)
class Call:
    """`call name(arguments)`: one BL to a `sub` (comes with the next step of the language)."""

    name: str
    args: tuple[Operand, ...]
    span: Span = NOWHERE
    trail: Trail = ()


Node = Insn | Comment | Mark | Align | Move | Do | Loop | Break | When | Then | Call


@dataclass(frozen=True, eq=False)
class Label:
    """A place in linear code. `loop` is the trip limit when it heads a loop, else 0."""

    name: str  # unique in the routine: "0", "1", ... ; printed as .L<symbol>_<name>
    loop: int = 0


Item = Insn | Comment | Mark | Align | Label | Move


@dataclass(frozen=True, slots=True)
class CType:
    """A C parameter or result type, as pycparser read it."""

    text: str  # spelling of the base type without qualifiers: "int16_t", "unsigned char"
    bits: int  # of the element when `pointer`, else of the value
    signed: bool
    pointer: bool
    const: bool = False  # pointee is const
    count: int | None = None  # array length, None for a bare pointer


@dataclass(frozen=True, slots=True)
class Bound:
    """`each`: lo <= every element (or the scalar) <= hi. `value`: the limbs as one number. Inclusive ends."""

    kind: Literal["each", "value"]
    lo: int
    hi: int
    text: str  # as written, with the parameter's name


@dataclass(frozen=True, eq=False)
class Param:
    """One C parameter and what is promised about it."""

    name: str
    ctype: CType
    var: (
        Var | tuple[Var, Var]
    )  # the register it arrives in (two for a 64-bit value, low word first)
    secret: bool = False
    role: Literal["in", "out", "inout"] = "in"
    align: int = 1
    noalias: bool = False
    flash: bool = False
    pre: tuple[Bound, ...] = ()
    post: tuple[Bound, ...] = ()
    length: Pred | None = None  # len(p) = expression of other params
    lengths: tuple[int, ...] = ()  # values of the scalar to run the proofs with
    public_ranges: tuple[
        tuple[int, int], ...
    ] = ()  # element ranges that are public though `secret`
    table: Table | None = None  # `= TABLE`: what callers pass
    span: Span = NOWHERE


@dataclass(frozen=True, eq=False)
class Table:
    """A constant list in read-only data."""

    name: str
    symbol: str
    type: str  # i16 u16 i32 u32 u8
    values: tuple[int, ...]
    texts: tuple[str, ...] = ()
    comment: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Save:
    """Where a callee-saved register is kept, for CFI: bytes below the CFA."""

    register: str
    below: int


@dataclass(frozen=True)
class FrameInfo:
    """What `frame` decided."""

    saved: tuple[Save, ...] = ()
    slots: Mapping[Var, int] = field(
        default_factory=dict
    )  # home slot -> offset from SP in the body
    parks: Mapping[Var, str] = field(default_factory=dict)  # parked -> FP register
    stack: int = 0  # bytes below the caller's SP, everything included
    slot_bytes: int = 0  # of these, slots and objects


@dataclass(frozen=True)
class Cost:
    """Model figures of one call: [least, most] where public data decides."""

    cycles: tuple[int, int]
    instructions: tuple[int, int]
    code: int  # bytes
    rodata: int


@dataclass(frozen=True, eq=False)
class Routine:
    """One C function for one core, as far as the passes have taken it."""

    name: str  # file name without .rasm: "ntt"
    symbol: str  # "mlkem_ntt"
    source: str  # "asm-src/mlkem/ntt.rasm"
    prototype: str  # as written, one line
    result: tuple[CType, Var] | None
    params: tuple[Param, ...]
    tables: tuple[Table, ...]  # declared in this very file
    body: tuple[Node, ...]
    core: Core
    comment: str = ""  # the comment above `fn`, paragraphs separated by "\n"
    span: Span = NOWHERE
    variant: str = ""  # `variant NAME`
    permits: tuple[str, ...] = ()  # named permissions the author granted, repeated in the contract
    # filled by the passes; `bounds`: param name -> proved range of its elements at return
    code: tuple[Item, ...] = ()
    places: Mapping[Var, str] = field(default_factory=dict)  # web -> physical register
    final: tuple[Item, ...] = ()
    frame: FrameInfo = FrameInfo()
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    cost: Cost | None = None
    open_claims: tuple[str, ...] = ()
