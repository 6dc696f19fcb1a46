# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The place for a committed order of instructions. There is none yet: the author's order stays."""

from __future__ import annotations

from gen.ir.ir import Routine


def schedule(routine: Routine) -> Routine:
    """The pass."""
    return routine
