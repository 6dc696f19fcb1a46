# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is no instruction and would be confusing to take for one."""

from __future__ import annotations

from gen import isa
from gen.cores.core import Core
from gen.diag import fail
from gen.passes.elaborate.scope import Scope
from gen.passes.select import no_such
from gen.read.syntax import Instr, Word


def no_macro(scope: Scope, word: Word) -> None:
    """A macro needs its parentheses. Errors: `unknown-mnemonic`."""
    if word.text in scope.file.entries and scope.file.macros(word.text):
        raise fail(
            "unknown-mnemonic",
            word.span,
            f"`{word.text}` is a macro; its arguments stand in parentheses",
            help=f"{word.text}(...)",
        )


def exists(statement: Instr, core: Core) -> None:
    """Of an instruction that is none, no operand is of interest: `select` would say so too late.

    Errors: `unknown-mnemonic`.
    """
    name = statement.mnemonic.text
    if name not in (*isa.mnemonics(), *isa.aliases()):
        text, help = no_such(name, core)
        raise fail("unknown-mnemonic", statement.span, text, help=help)
