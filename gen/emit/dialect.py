# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What assembly files say around instructions, for each calling convention."""

from __future__ import annotations

from dataclasses import dataclass

from gen.cores.abi import Abi


@dataclass(frozen=True)
class Dialect:
    """Lines of a `.S` file."""

    opening: tuple[str, ...]  # before the first section
    landing: tuple[str, ...]  # at the entry, where the compiler protects branches
    closing: tuple[str, ...] = ()  # at the end of a file, under the same condition
    timing: str = ""  # at the entry: data-independent timing, where that is a state of the core


_ARM = Dialect(
    opening=(".syntax unified", ".thumb", ".cfi_sections .debug_frame"),
    landing=(".inst.w 0xf3af800f /* landing pad */",),
)
_A32 = Dialect(
    opening=(".syntax unified", ".arm", ".cfi_sections .debug_frame"),
    landing=(),
)
# The property: GNU Program Property Note, feature BTI (Arm IHI 0056, ELF for AArch64, "Program property").
_AARCH64 = Dialect(
    opening=(),
    landing=(".inst 0xd503245f /* landing pad */",),
    closing=(
        '.section .note.gnu.property,"a",%note',
        ".balign 8",
        ".word 4, 16, 5",
        '.asciz "GNU"',
        ".word 0xc0000000, 4, 1, 0",
    ),
    timing=".inst 0xd503415f /* data-independent timing */",
)


def dialect(abi: Abi) -> Dialect:
    """The one of a convention."""
    return {"aapcs32": _ARM, "aapcs32-a32": _A32, "aapcs64": _AARCH64}[abi.name]
