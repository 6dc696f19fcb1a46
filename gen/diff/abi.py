# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a caller sees when a routine returns: its result, and the registers it wants back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gen.cores.abi import Abi
from gen.cores.core import abi_of
from gen.diff.text import Unit, isa_of

_CLOBBER = re.compile(r'"(\w+)"')


@dataclass(frozen=True)
class Ends:
    """Registers that count at the end; those of them whose first values are only kept for the caller."""

    observed: frozenset[str]
    saved: frozenset[str]


def ends_of(old: Unit, new: Unit) -> Ends:
    """What counts at the end of a routine."""
    abi = abi_of(isa_of(new.path))
    saved = frozenset((*abi.kept, *abi.kept_fp))
    if old.form == "gas":
        results = frozenset().union(*(_results(unit, abi) for unit in (old, new)))
        linked = set() if abi.returns_by_restoring else {abi.link}
        return Ends(saved | results | linked | {"sp"}, saved)
    spoilt = {*_CLOBBER.findall(old.clobbers)} & {*_CLOBBER.findall(new.clobbers)}
    every = {*abi.general, *abi.kept_fp, *abi.vectors, "sp", "%[args]"}
    return Ends(frozenset(every - spoilt), saved - spoilt)


def _results(unit: Unit, abi: Abi) -> frozenset[str]:
    """Registers that hold the result."""
    before, _, _ = unit.prototype.partition("(")
    words = before.split()
    if words[:1] == ["void"] and "*" not in before:
        return frozenset()
    wide = abi.bits == 32 and "64" in " ".join(words[:-1])
    return frozenset(abi.arguments[: 2 if wide else 1])
