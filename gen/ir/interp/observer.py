# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a pass may watch of a run. Every method does nothing here; a pass overrides what it is
about."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from gen.ir.interp.state import State
from gen.ir.ir import Call, Insn, Label, Mark

V = TypeVar("V")


class Observer(Generic[V]):
    """Events of a run, in order of execution."""

    def begins(self, state: State[V], insn: Insn) -> None:
        """An instruction that is no branch is about to be executed."""

    def executed(self, state: State[V], insn: Insn) -> None:
        """An instruction that is no branch was executed; `state` is after it."""

    def left_out(self, state: State[V], count: int) -> None:
        """So many instructions from `state.pc` on were executed without computing what they write."""

    def skipped(self, state: State[V], insn: Insn) -> None:
        """The condition of an instruction failed."""

    def branch(self, state: State[V], insn: Insn, target: int | None) -> None:
        """A branch was executed; `target`: index of the item it goes to, None if not taken."""

    def calls(self, state: State[V], item: Call | Insn) -> tuple[Hashable, Any]:
        """A sub is called: what its runs depend on beside what it sees, and its first `extra`."""
        return None, None

    def returned(self, state: State[V], item: Call | Insn, extra: Any) -> None:
        """A sub has come back with this `extra`, or an equal call of it is remembered."""

    def access(self, insn: Insn, address: V, size: int, stored: bool) -> None:
        """Memory was accessed."""

    def blends(self, state: State[V], insn: Insn, branch: bool) -> bool:
        """The condition of `insn` is looked at. True: both outcomes are one, whatever the flags."""
        return False

    def overflow(self, insn: Insn, value: V, bits: int) -> None:
        """A value that should stay within `bits` signed bits may not."""

    def bad_access(self, insn: Insn, code: str, message: str, help: str = "") -> None:
        """An access outside every buffer, not aligned as it must be, or to what nobody wrote."""

    def unset(self, insn: Insn, what: str) -> None:
        """A register or flag is read that nothing wrote."""

    def endless(self, label: Label) -> None:
        """A loop can make more rounds than its limit."""

    def mark(self, state: State[V], mark: Mark, verdict: bool | None) -> None:
        """An assert, a claim or an `ensures`: whether it holds, None if it cannot be told."""

    def met(self, x: State[V], y: State[V]) -> object:
        """The `extra` of two states that meet."""
        return x.extra
