# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Whether a core can have a routine."""

from __future__ import annotations

from gen.cores.core import Core
from gen.diag import Bag

# What says that a routine does not fit a core, and what says so only of a core that keeps registers to itself.
UNFIT, TIGHT = {"missing-feature"}, {"reg-pressure", "no-colouring"}


def misfit(core: Core, bag: Bag | None) -> bool:
    """Whether these errors say that a core cannot have the routine, not that the source is wrong."""
    codes = {item.code for item in bag.items} if bag is not None else set()
    return bool(codes) and not core.pretend and codes <= (UNFIT | TIGHT if core.narrow else UNFIT)
