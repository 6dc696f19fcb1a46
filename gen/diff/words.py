# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Findings in a line."""

from __future__ import annotations

from collections import Counter

SHOWN = 6  # pairs of registers that are named


def renaming(registers: Counter[tuple[str, str]]) -> str:
    """ "r4 -> r5, r6 -> r7 and 3 more"."""
    ordered = sorted(registers, key=lambda pair: (-registers[pair], pair))
    pairs = [f"{a} -> {b}" for a, b in ordered[:SHOWN]]
    more = f" and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else ""
    return f"registers {', '.join(pairs)}{more}"


def counted(number: int, what: str) -> str:
    """ "1 table", "3 tables"."""
    return f"{number} {what}" + ("" if number == 1 else "s")
