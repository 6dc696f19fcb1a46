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
from gen.ir.ensured import Argument as Argument
from gen.ir.ensured import Digits as Digits
from gen.ir.ensured import Ensured as Ensured
from gen.ir.ensured import Number as Number
from gen.ir.ensured import Returned as Returned
from gen.ir.ensured import less as less
from gen.ir.ensured import residue as residue
from gen.ir.operand import Base as Base
from gen.ir.operand import Half as Half
from gen.ir.operand import Home as Home
from gen.ir.operand import Imm as Imm
from gen.ir.operand import LabelRef as LabelRef
from gen.ir.operand import Mem as Mem
from gen.ir.operand import Operand as Operand
from gen.ir.operand import Reg as Reg
from gen.ir.operand import RegList as RegList
from gen.ir.operand import Shift as Shift
from gen.ir.operand import Var as Var
from gen.ir.operand import physical as physical
from gen.read.source import NOWHERE, Span

if TYPE_CHECKING:
    from gen.cores.core import Core
    from gen.ir.order import Order
    from gen.isa.form import Form

Part = Literal["entry", "body", "exit"]


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
class Contract:
    """What a `sub` reads, writes and spoils. Every Var is pinned; an `inout` is in both `ins` and `outs`."""

    name: str
    ins: tuple[Var, ...]
    outs: tuple[Var, ...]
    clobbers: frozenset[
        str
    ]  # registers; LR, which the BL itself spoils, only if the sub may use it

    @property
    def spoils(self) -> frozenset[str]:
        """Registers that do not have their values after a call, results included."""
        return self.clobbers | {_pin(var) for var in self.outs} | {"lr"}

    @property
    def kept(self) -> tuple[Var, ...]:
        """Inputs that still have their values after a call."""
        return tuple(var for var in self.ins if _pin(var) not in self.spoils)


def _pin(var: Var) -> str:
    assert var.pin is not None, var
    return var.pin


@dataclass(frozen=True, eq=False)
class Call:
    """`call name(arguments)`: one BL to a `sub`; registers of the caller in the order of the contract's."""

    contract: Contract
    ins: tuple[Var, ...]
    outs: tuple[Var, ...]
    span: Span = NOWHERE
    trail: Trail = ()
    comment: str = ""


Node = Insn | Comment | Mark | Align | Move | Do | Loop | Break | When | Then | Call


@dataclass(frozen=True, eq=False)
class Label:
    """A place in linear code. `loop` is the trip limit when it heads a loop, else 0."""

    name: str  # unique in the routine: "0", "1", ... ; printed as .L<symbol>_<name>
    loop: int = 0


Item = Insn | Comment | Mark | Align | Label | Move | Call


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


@dataclass(frozen=True, eq=False)
class StackObject:
    """`stack NAME[n] : TYPE`: bytes in the frame; `var` stands for their address in operands."""

    var: Var
    type: str  # of the elements, as in a table
    count: int
    bytes: int  # a multiple of four
    over: StackObject | None = None  # shares the place of this one


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
    objects: Mapping[Var, int] = field(
        default_factory=dict
    )  # stack object -> offset from SP in the body
    below: int = 0  # bytes that calls take below `stack`, in the worst case

    @property
    def depth(self) -> int:
        """Bytes below the caller's SP in the worst case, calls included."""
        return self.stack + self.below


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
    ensures: tuple[Ensured, ...] = ()
    objects: tuple[StackObject, ...] = ()
    subs: tuple[Routine, ...] = ()  # all that are called from here, directly or not, callees first
    contract: Contract | None = None  # of a sub, whose `params` are ()
    asked: frozenset[str] = frozenset()  # features that the source asks for, in whatever way
    order: Order | None = None  # a committed one, for this source and core
    # filled by the passes; `bounds`: param name -> proved range of its elements at return
    read: Routine | None = None  # before `liveness`: its parameters are those that `body` names
    code: tuple[Item, ...] = ()
    ordered: tuple[Item, ...] = ()  # the same in another order, where one is committed
    places: Mapping[Var, str] = field(default_factory=dict)  # web -> physical register
    final: tuple[Item, ...] = ()
    frame: FrameInfo = FrameInfo()
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    cost: Cost | None = None
    open_claims: tuple[str, ...] = ()

    @property
    def issued(self) -> tuple[Item, ...]:
        """The code in the order in which it is written out."""
        return self.ordered or self.code

    @property
    def fp(self) -> tuple[str, ...]:
        """FP registers that it or one of its subs writes, in the body."""
        placed = (name for name in self.places.values() if name.startswith("s"))
        below = (name for sub in self.subs for name in sub.fp)
        return tuple(dict.fromkeys((*below, *self.frame.parks.values(), *placed)))
