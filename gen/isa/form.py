# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""One entry of an instruction table: a Form, and everything derived from it.

    Form("smlaxy", "d, n:half, m:half, a", "d = exact(n * m + s32(a), 32)", "dspmac",
         text="smla{n.half}{m.half}", needs="dsp")

`syntax` lists the roles in the order an author writes them, each `name[:kind[:enc]]`:

    n             a core register              n:reg:s       an FP register (s, d, v; match.py)
    n:half        a half-word `x.b` or `x.t`   k:imm:0..31   a constant (rules in encode.py)
    sh:shift:any  `lsl #3` (encode.SHIFTS)     a:mem:single  an address (encode.MEMORY)
    r:list:core   `{x, y}` (core, s, d)        p:base        `p` or `p!`
    t:label:when  target of a branch (encode.label_fits)

`text` is the UAL line: `{n}` the operand, `{n.w}` another name of the register (render.py),
`{n.half}` b or t, `{n.ror}` the rotation that brings the half to the bottom; without it the line is
the name, and without a blank in it a mnemonic, followed by the operands in order. `means` is the
meaning (meaning.py), `narrow` says when the encoding is 16 bits (size.py).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from gen.isa import compile as compiler
from gen.isa import meaning


@dataclass(frozen=True, slots=True)
class Role:
    """One operand of a Form."""

    name: str
    kind: str  # reg half imm shift mem list base label
    access: str  # r w rw
    enc: str  # reg, list: core s d v v1 v2; imm, shift, mem, label: a rule of encode.py


def _split(syntax: str) -> dict[str, tuple[str, str]]:
    """Role name -> (kind, enc)."""
    found: dict[str, tuple[str, str]] = {}
    for part in syntax.split(", ") if syntax else ():
        name, kind, enc = (*part.split(":"), "", "")[:3]
        found[name] = (
            kind or "reg",
            enc or ("core" if kind in ("", "reg", "half", "list") else ""),
        )
    return found


@dataclass(frozen=True, eq=False)
class Form:
    """An instruction with one shape of operands. Compared by identity."""

    name: str  # family name of the manual: "smlaxy", "adds", "ldr"
    syntax: str
    means: str
    kind: str  # what cores price it as
    text: str = ""
    isa: str = "thumb2"  # the table: thumb2 a32 dsp vfp aarch64 sha3
    needs: str = ""  # feature a core must offer, or ""
    narrow: str = ""  # condition for the 16-bit encoding, or ""
    acle: str = ""  # name of the ACLE intrinsic of the operands read, in order
    distinct: tuple[tuple[str, str], ...] = ()  # roles that must be different registers
    align: int = 1  # bytes the address must be a multiple of, however the core is set
    holds: str = ""  # condition that the constants must meet together, or ""
    wide: bool = True  # takes the suffix .w where it is 16 bits

    def __post_init__(self) -> None:
        text = self.text or self.name
        if self.syntax and " " not in text:
            operands = ", ".join(f"{{{name}}}" for name in _split(self.syntax))
            object.__setattr__(self, "text", f"{text} {operands}")
        elif not self.text:
            object.__setattr__(self, "text", text)

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        return meaning.parse(self.means)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Role name -> kind, in the order of the syntax."""
        return {name: kind for name, (kind, _) in _split(self.syntax).items()}

    @cached_property
    def effects(self) -> meaning.Effects:
        return meaning.effects(self.statements, frozenset((*self.kinds, "sp")))

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """The operands in order, their access derived from the meaning."""
        found = []
        for name, (kind, enc) in _split(self.syntax).items():
            access = "r" * (name in self.effects.reads) + "w" * (name in self.effects.writes)
            found.append(Role(name, kind, access or "r", enc))
        return tuple(found)

    @cached_property
    def role(self) -> Mapping[str, Role]:
        return {role.name: role for role in self.roles}

    @cached_property
    def sets(self) -> frozenset[str]:
        """Flags it may write (access.flags_set knows for one instruction)."""
        return frozenset(self.effects.sets)

    @cached_property
    def uses(self) -> frozenset[str]:
        """Flags its meaning reads. A sticky flag counts as written only."""
        return frozenset(self.effects.uses)

    @property
    def loads(self) -> bool:
        return self.effects.load_bytes > 0

    @property
    def stores(self) -> bool:
        return self.effects.store_bytes > 0

    @property
    def size_bytes(self) -> int:
        """Bytes of one memory access; 0 when it makes none."""
        return self.effects.load_bytes or self.effects.store_bytes

    @cached_property
    def source(self) -> str:
        """Python text of the compiled meaning."""
        return compiler.source(self.statements, self.kinds, self.effects.reads, self.effects.uses)

    @cached_property
    def run(self) -> compiler.Meaning:
        """The compiled meaning: `run(machine, roles)`."""
        return compiler.compiled(self.name, self.source)

    def __repr__(self) -> str:
        return f"Form({self.name} {self.syntax})"
