# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What the encodings can hold: immediates, shifts, memory offsets, branch distances.

Source: Armv7-M Architecture Reference Manual (Arm DDI 0403), A5.3.2 for modified immediates,
A7.7 for the rest. An `enc` string of a role names one of the rules here: for constants
alternatives joined by "|", each `t2` (a Thumb-2 modified immediate), `bm64` (a bitmask immediate of
A64), `a32` (a modified immediate of A32) or `LO..HI` with an optional step `LO..HI/STEP`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

from gen.ir.ir import Mem, Shift

WORD = 0xFFFFFFFF
LONG = 0xFFFFFFFFFFFFFFFF


def word_of(enc: str) -> int:
    """The mask of a constant's word."""
    return LONG if "bm64" in enc else WORD


@cache
def bitmask(value: int) -> bool:
    """Whether a logical immediate of A64 holds `value` (modulo 2**64): a run of ones, rotated within an element of 2 to
    64 bits and repeated (Arm DDI 0487, DecodeBitMasks)."""
    if not -(1 << 63) <= value <= LONG:
        return False
    word = value & LONG
    for size in (2, 4, 8, 16, 32, 64):
        element = word & ((1 << size) - 1)
        if sum(element << at for at in range(0, 64, size)) == word:
            turned = element ^ (element >> 1 | (element & 1) << (size - 1))
            return turned.bit_count() == 2  # ones begin once and end once
    return False


@cache
def modified(value: int) -> int | None:
    """The 12 bits that encode `value` (modulo 2**32) as a modified immediate; None when none do."""
    if not -(1 << 31) <= value <= WORD:
        return None
    word = value & WORD
    low, second = word & 0xFF, word >> 8 & 0xFF
    if word == low:
        return low
    if word == low * 0x00010001:
        return 0x100 | low
    if word == second * 0x01000100:
        return 0x200 | second
    if word == low * 0x01010101:
        return 0x300 | low
    rotation = 32 - word.bit_length() + 8  # brings the leading one to bit 7
    byte = (word << rotation | word >> (32 - rotation)) & WORD
    return rotation << 7 | byte & 0x7F if byte <= 0xFF else None


@cache
def rotated(value: int) -> bool:
    """Whether A32 has `value` (modulo 2**32) as a modified immediate: eight bits, rotated by an even number (Arm DDI
    0406, A5.2.4)."""
    if not -(1 << 31) <= value <= WORD:
        return False
    word = value & WORD
    return any((word << by | word >> 32 - by) & WORD <= 0xFF for by in range(0, 32, 2))


def carry_of(value: int) -> int | None:
    """The C flag a logical instruction gets from its modified immediate; None: C stays. A constant that T32 and A32
    both have is rotated in both or in neither."""
    code = modified(value)
    if code is None and rotated(value):
        return value >> 31 & 1
    if code is None or code < 0x400:
        return None
    return value >> 31 & 1


@cache
def _range(rule: str) -> range:
    span, _, step = rule.partition("/")
    low, high = span.split("..")
    return range(int(low), int(high) + 1, int(step or "1"))


@cache
def immediate_fits(enc: str, value: int) -> bool:
    """Whether one of the alternatives of `enc` holds `value`."""
    return any(
        _SPECIAL[rule](value) if rule in _SPECIAL else value in _range(rule)
        for rule in enc.split("|")
    )


_SPECIAL: dict[str, Callable[[int], bool]] = {
    "t2": lambda value: modified(value) is not None,
    "a32": rotated,
    "bm64": bitmask,
}
_SAID = {
    "a32": "eight bits, rotated by an even number",
    "t2": "a byte shifted left or repeated (0xAB, 0xAB00, 0xAB00AB, 0xABABABAB)",
    "bm64": "a run of ones, rotated within 2 to 64 bits and repeated",
}


def immediate_text(enc: str) -> str:
    """`enc` in words, for messages."""
    words = []
    for rule in enc.split("|"):
        if rule in _SAID:
            words.append(_SAID[rule])
        else:
            words.append(_range_text(_range(rule)))
    return ", or ".join(words)


def _range_text(values: range) -> str:
    by = f" in steps of {values.step}" if values.step > 1 else ""
    return f"{values[0]} to {values[-1]}{by}"


# kinds and amounts that a role of kind "shift" takes
SHIFTS: dict[str, dict[str, range]] = {
    "any": {"lsl": range(1, 32), "lsr": range(1, 33), "asr": range(1, 33), "ror": range(1, 32)},
    "lsl": {"lsl": range(1, 32)},
    "asr": {"asr": range(1, 33)},
    "sat": {"lsl": range(1, 32), "asr": range(1, 32)},
    "rot": {"ror": range(8, 25, 8)},
    "a64": {kind: range(1, 64) for kind in ("lsl", "lsr", "asr", "ror")},
    "a64sum": {kind: range(1, 64) for kind in ("lsl", "lsr", "asr")},
}


@dataclass(frozen=True, slots=True)
class MemRule:
    """What an address takes: offsets, write-back steps (None: no such mode), index shifts."""

    offset: range
    writeback: range | None
    shifts: Collection[int] | None
    more: range = range(0)  # offsets of another encoding
    pre: bool = True  # write-back before the access too, not only after it

    def holds(self, offset: int) -> bool:
        """Whether some encoding has this offset."""
        return offset in self.offset or offset in self.more


MEMORY: dict[str, MemRule] = {
    "single": MemRule(range(-255, 4096), range(-255, 256), range(4)),
    "a32word": MemRule(range(-4095, 4096), range(-4095, 4096), range(4)),
    "a32half": MemRule(range(-255, 256), range(-255, 256), range(1)),
    "pair": MemRule(range(-1020, 1021, 4), range(-1020, 1021, 4), None),
    "vfp": MemRule(range(-1020, 1021, 4), None, None),
    # A64: LDR and LDUR by the same name; pairs; LD1R (Arm DDI 0487, C6.2, C7.2)
    **{
        f"a64x{size}": MemRule(
            range(0, 4096 * size, size),
            range(-256, 256),
            {0, size.bit_length() - 1},
            range(-256, 256),
        )
        for size in (1, 2, 4, 8, 16)
    },
    **{
        f"a64pair{size}": MemRule(*(range(-64 * size, 64 * size, size),) * 2, None)
        for size in (8, 16)
    },
    "a64one8": MemRule(range(1), range(8, 9), None, pre=False),
}


def memory_text(enc: str) -> str:
    """An addressing rule in words."""
    rule = MEMORY[enc]
    words = f"[base, #offset] with {_range_text(rule.offset)}"
    if rule.writeback is not None:
        words += f"; [base, #step]! and [base], #step with {_range_text(rule.writeback)}"
    return words + ("; [base, index, lsl #0 to 3]" if rule.shifts is not None else "")


def shift_shape(enc: str, shift: Shift) -> str:
    """Why the kind of `shift` does not fit, or ""."""
    kinds = SHIFTS[enc]
    return "" if shift.kind in kinds else f"shift is {' or '.join(kinds)}, not {shift.kind}"


def shift_constant(enc: str, shift: Shift) -> tuple[str, int] | None:
    """What amounts fit where that of `shift` does not, and that amount."""
    amounts = SHIFTS[enc][shift.kind]
    if shift.amount in amounts:
        return None
    return f"{shift.kind} takes {_range_text(amounts)}", shift.amount


def memory_shape(enc: str, mem: Mem) -> str:
    """Why the addressing mode does not fit, or ""."""
    rule = MEMORY[enc]
    if mem.index is not None:
        if rule.shifts is None:
            return "no register offset here"
        return "no write-back with a register offset" if mem.mode != "offset" else ""
    if mem.mode == "pre" and not rule.pre:
        return "write-back is after the access here: [base], #step"
    return "no write-back here" if mem.mode != "offset" and rule.writeback is None else ""


def memory_constant(enc: str, mem: Mem) -> tuple[str, int] | None:
    """What fits where the offset or the index shift does not, and that number."""
    rule = MEMORY[enc]
    if mem.index is not None:
        assert rule.shifts is not None
        legal = " or ".join(map(str, sorted(rule.shifts))) if len(rule.shifts) < 3 else "0 to 3"
        return None if mem.shift in rule.shifts else (f"index shift is {legal}", mem.shift)
    steps = rule.offset if mem.mode == "offset" else rule.writeback
    assert steps is not None
    if mem.offset.value in steps or (mem.mode == "offset" and rule.holds(mem.offset.value)):
        return None
    return f"offset is {_range_text(steps)}", mem.offset.value


# how far a branch reaches: rule -> bytes of the encoding -> distances from the branch itself
_REACH: dict[str, dict[int, range]] = {
    "always": {2: range(-2048 + 4, 2046 + 5, 2), 4: range(-(1 << 24) + 4, (1 << 24) + 3, 2)},
    "when": {2: range(-256 + 4, 254 + 5, 2), 4: range(-(1 << 20) + 4, (1 << 20) + 3, 2)},
    "zero": {2: range(0 + 4, 126 + 5, 2)},
    "call": {4: range(-(1 << 24) + 4, (1 << 24) + 3, 2)},
    "a32": {4: range(-(1 << 25) + 8, (1 << 25) + 5, 4)},
    "a64always": {4: range(-(1 << 27), 1 << 27, 4)},
    "a64when": {4: range(-(1 << 20), 1 << 20, 4)},
}


def label_fits(enc: str, displacement: int, size: int) -> bool:
    """Whether a branch of `size` bytes reaches `displacement`: target minus its own address."""
    steps = _REACH[enc].get(size)
    return steps is not None and displacement in steps
