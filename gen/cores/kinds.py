# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Kinds of instructions, the tables that hold them, and the features that tables allow."""

from __future__ import annotations

# Kind of instruction -> the instruction tables that bring it. A core prices what its tables have.
_BOTH = ("thumb2", "a32", "aarch64")
_ARM = ("thumb2", "a32")
KINDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("alu", "mul", "mac", "mul64"), _BOTH),
    **dict.fromkeys(("bits", "mac64"), _ARM),
    "div": ("thumb2",),
    **dict.fromkeys(("load", "store"), _BOTH),
    **dict.fromkeys(("loadpair", "storepair"), ("thumb2", "aarch64")),
    **dict.fromkeys(("loadmulti", "storemulti"), _ARM),
    **dict.fromkeys(("branch", "call", "return", "nop"), _BOTH),
    "it": ("thumb2",),
    **dict.fromkeys(("dsp", "dspmac", "simd"), ("dsp",)),
    "vmov": ("vfp",),
    **dict.fromkeys(("vload", "vstore"), ("vfp", "aarch64")),
    **dict.fromkeys(("vloadmulti", "vstoremulti", "vop", "vmac", "vdiv"), ("vfp",)),
    "vector": ("aarch64",),
    "sha3": ("sha3",),
}
TABLES = frozenset(table for tables in KINDS.values() for table in tables)
# Feature -> the instruction table without which it means nothing.
FEATURES = {"dsp": "dsp", "umaal": "dsp", "fpregs": "vfp", "sha3": "sha3"}
# Tables that are a feature as they are: what a source asks for whose instructions stand there.
PLAIN = ("aarch64",)
# What a core has when the time of these kinds does not depend on the data. Not written in a file: the prices say it.
LONGMUL, LONG = "longmul", ("mul64", "mac64")
ASKABLE = (*FEATURES, *PLAIN, LONGMUL)  # what sources may name
