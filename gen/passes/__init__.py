# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The table of contents of the compiler.

Every pass takes a routine and returns a new one, or raises `gen.diag.Failed` with what is wrong in
the source. The pass NAME is the function NAME of module gen.passes.NAME; only `elaborate`, which
makes the first routine out of syntax, has another shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module

from gen.ir.ir import Routine

PIPELINE = (
    "elaborate",  # syntax -> nodes: macros, for and if, spill and fill
    "select",  # a Form for each instruction
    "flow",  # nodes -> linear code
    "liveness",  # names -> webs
    "initialised",  # proof: everything is written before it is read
    "ranges",  # proof: no overflow, assert and ensures hold
    "identity",  # proof: what a routine ensures of whole numbers, carries accounted for
    "schedule",  # a committed order, or the author's
    "allocate",  # webs -> registers
    "frame",  # entry, exit, slots: code -> final
    "reach",  # sizes, branches, alignment
    "check_result",  # final does what code says
    "secrecy",  # proof: no secret in a branch, an address, a data-dependent time
    "timing",  # proof: cycles
)
PROOF = ("initialised", "ranges", "identity", "secrecy", "timing")
BUILD = tuple(name for name in PIPELINE[1:] if name not in PROOF)


def run(routine: Routine, passes: Sequence[str] = BUILD) -> Routine:
    """The routine after `passes`, names of the pipeline in its order."""
    for name in passes:
        one: Callable[[Routine], Routine] = getattr(import_module(f"gen.passes.{name}"), name)
        routine = one(routine) if name in PROOF else one(_with_subs(routine, one))
    return routine


def _with_subs(routine: Routine, one: Callable[[Routine], Routine]) -> Routine:
    """Subs go through each pass before the routine: a run of a proof walks into them instead."""
    done: tuple[Routine, ...] = ()
    for sub in routine.subs:
        done = (*done, one(replace(sub, subs=done)))
    return replace(routine, subs=done)
