# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a caller sees when a routine returns: its result, and the registers it wants back.

Source: AAPCS32 6.1.1 and 6.1.2, AAPCS64 6.1.1 and 6.1.2. Where two architectures give a name to other registers, the
union is taken: it can only make the comparison stricter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gen.diff.text import Unit

_SAVED = frozenset(
    [f"r{n}" for n in range(4, 12)]
    + [f"x{n}" for n in range(19, 30)]
    + [f"s{n}" for n in range(16, 64)]
)
_CORE = frozenset([*(f"r{n}" for n in range(13)), "lr", *(f"x{n}" for n in range(31))])
_CLOBBER = re.compile(r'"(\w+)"')


@dataclass(frozen=True)
class Ends:
    """Registers that count at the end; those of them whose first values are only kept for the caller."""

    observed: frozenset[str]
    saved: frozenset[str]


def ends_of(old: Unit, new: Unit) -> Ends:
    """What counts at the end of a routine."""
    if old.form == "gas":
        results = frozenset().union(*map(_results, (old, new)))
        return Ends(_SAVED | results | {"sp"}, _SAVED)
    spoilt = {*_CLOBBER.findall(old.clobbers)} & {*_CLOBBER.findall(new.clobbers)}
    return Ends((_SAVED | _CORE | {"sp", "%[args]"}) - spoilt, _SAVED - spoilt)


def _results(unit: Unit) -> frozenset[str]:
    before = unit.prototype.split("(")[0].split()
    if before[:1] == ["void"] and "*" not in unit.prototype.split("(")[0]:
        return frozenset()
    wide = {"r1"} if "64" in " ".join(before[:-1]) else set()
    return frozenset({"r0", "x0", *wide})
