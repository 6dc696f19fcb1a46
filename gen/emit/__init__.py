# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Output forms. A form is a template, a function here that fills it, and one line in FORMS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gen.cores.core import Core
from gen.emit import acle_c, gas, inline_c, portable_c
from gen.emit.view import Piece

Emitter = Callable[[Piece], dict[str, str]]


@dataclass(frozen=True, slots=True)
class OutputForm:
    """How a piece is written, and for which cores: real ones (with compiler flags) or the pretend core of C."""

    emit: Emitter
    real: bool = True
    linear: bool = True  # needs the passes after `select`
    table: str = ""  # an instruction table that a core must have, or ""


FORMS: dict[str, OutputForm] = {
    "gas": OutputForm(gas.emit),
    "inline": OutputForm(inline_c.emit),
    "acle": OutputForm(acle_c.emit, table="aarch64"),
    "portable": OutputForm(portable_c.emit, real=False, linear=False),
}


def forms_of(core: Core) -> tuple[str, ...]:
    """Names of the forms that are written for a core. One without instruction tables is left to portable C."""
    if not core.isa:
        return ()
    return tuple(
        name
        for name, form in FORMS.items()
        if form.real != core.pretend and form.table in ("", *core.isa)
    )
