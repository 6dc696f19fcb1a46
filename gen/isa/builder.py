# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which of `build` and `build64` makes the instructions of a core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, cast

from gen.cores.abi import AAPCS64, Abi
from gen.ir.ir import Insn, Part, Var
from gen.isa import build, build64


class Builder(Protocol):
    """What both modules have."""

    def branch(self, label: str, cond: str | None = None) -> Insn: ...
    def call(self, label: str) -> Insn: ...
    def nop(self) -> Insn: ...
    def move(self, dest: Var, source: Var, part: Part = "body") -> Insn: ...
    def load_word(
        self, var: Var, base: Var, offset: int, part: Part = "body", comment: str = ""
    ) -> Insn: ...
    def store_word(
        self, var: Var, base: Var, offset: int, part: Part = "body", comment: str = ""
    ) -> Insn: ...
    def load_words(
        self, listed: Sequence[Var], base: Var, part: Part = "body"
    ) -> Iterator[Insn]: ...
    def constant(self, dest: Var, value: int) -> tuple[Insn, ...]: ...
    def stack_bytes(self, saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> int: ...
    def places(
        self, saved: Sequence[Var], saved_fp: Sequence[Var], room: int
    ) -> Iterator[tuple[Var, int]]: ...
    def enter(self, saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]: ...
    def leave(self, saved: Sequence[Var], saved_fp: Sequence[Var], room: int) -> Iterator[Insn]: ...


def builder(abi: Abi) -> Builder:
    """The one for a calling convention."""
    return cast(Builder, build64 if abi is AAPCS64 else build)
