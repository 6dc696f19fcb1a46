# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Writes lib/ed25519/base_table*.h and odd_table.h: python -m tests.ref.ed25519_table"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.ref.ed25519 import Entry, base_table, odd_multiples
from tests.ref.fe25519 import words

FOLDER = Path(__file__).resolve().parents[2] / "lib/ed25519"
TEETH, PARTS = 32, 4
ODD = 64
HEAD = """/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Made by tests/ref/ed25519_table.py: {what} in base.c. */
/* clang-format off */
"""


@cache
def _table() -> list[list[Entry]]:
    return base_table(TEETH)


def _row(entries: list[Entry]) -> str:
    lines = [
        "    " + " ".join(f"0x{word:08x}U," for word in words(element))
        for entry in entries
        for element in entry
    ]
    return "\n".join(["{", *lines, "},"])


def odd() -> str:
    """The text of the odd multiples."""
    rows = [_row([entry]) for entry in odd_multiples(ODD)]
    return HEAD.format(what="the table of odd multiples") + "\n".join(rows) + "\n"


def part(number: int) -> str:
    """The text of a file: a row of the small table, and seven more of the large one."""
    size = TEETH // PARTS
    rows = [_row(entries) for entries in _table()[number * size : (number + 1) * size]]
    text = [rows[0], "#if !defined(ARMSCRIBE_SMALL)", *rows[1:], "#endif"]
    return HEAD.format(what=f"part {number} of the table") + "\n".join(text) + "\n"


def path(number: int) -> Path:
    return FOLDER / f"base_table{number}.h"


ODD_PATH = FOLDER / "odd_table.h"


if __name__ == "__main__":
    for number in range(PARTS):
        path(number).write_text(part(number), encoding="utf-8", newline="\n")
    ODD_PATH.write_text(odd(), encoding="utf-8", newline="\n")
