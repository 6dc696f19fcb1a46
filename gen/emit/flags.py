# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which flags are needed after each instruction of structured code, so that C computes no others."""

from __future__ import annotations

from collections.abc import Sequence

from gen.emit.cmeaning import flags_read
from gen.ir.ir import Break, Call, Do, Insn, Loop, Node, Then, When
from gen.isa import condition_flags, flags_set

Flags = frozenset[str]
NONE: Flags = frozenset()


class Needed:
    """Runs backwards over a body; `after` has the flags needed behind each instruction."""

    def __init__(self, body: Sequence[Node]) -> None:
        self.after: dict[Insn, Flags] = {}
        self._leaving: list[Flags] = []  # needed behind each Loop that is open
        self._block(body, NONE)

    def _block(self, nodes: Sequence[Node], live: Flags) -> Flags:
        for node in reversed(nodes):
            live = self._node(node, live)
        return live

    def _node(self, node: Node, live: Flags) -> Flags:
        match node:
            case Insn():
                return self._insn(node, live)
            case Call():
                return NONE
            case Do():
                return self._do(node, live)
            case Loop():
                return self._loop(node, live)
            case Break():
                return live | self._leaving[-1] | condition_flags(node.cond)
            case When():
                then, other = self._block(node.then, live), self._block(node.other, live)
                return then | other | condition_flags(node.cond)
            case Then():
                return self._block(node.body, live)
        return live

    def _insn(self, insn: Insn, live: Flags) -> Flags:
        self.after[insn] = self.after.get(insn, NONE) | (live & flags_set(insn))
        if insn.cond is None:
            read = (
                flags_read(insn)
                if live & flags_set(insn)
                else insn.form.uses
                if insn.form
                else NONE
            )
            return (live - flags_set(insn)) | read
        return live | flags_read(insn)

    def _do(self, node: Do, live: Flags) -> Flags:
        """The body's start is needed at its end, too: twice is enough to settle it."""
        end = live | condition_flags(node.cond)
        start = self._block(node.body, end)
        return self._block(node.body, end | start)

    def _loop(self, node: Loop, live: Flags) -> Flags:
        self._leaving.append(live)
        start = self._block(node.body, NONE)
        start = self._block(node.body, start)
        self._leaving.pop()
        return start


def needed(body: Sequence[Node]) -> dict[Insn, Flags]:
    """For each instruction the flags among those it sets that something behind it reads."""
    return Needed(body).after
