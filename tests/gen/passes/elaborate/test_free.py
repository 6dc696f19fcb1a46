# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Macros as routines of their own."""

from __future__ import annotations

import pytest

from gen.cores.core import load_core
from gen.diag import Failed
from gen.ir import ir
from gen.passes.elaborate import ensured_macros, macro_routine
from tests.gen.passes.elaborate.lab import ENSURED, HEAD, unit


def test_a_macro_by_itself() -> None:
    core = load_core("cortex-m4")
    text = ENSURED + HEAD.replace("a, b, n : u32 slot", "n : u32 = 1") + "    nop\n"
    assert ensured_macros(unit(text), core) == ("inc",)
    routine = macro_routine(unit(text), "inc", core)
    roles = [("x", "inout"), ("w", "in"), ("n", "in")]
    assert [(p.name, p.role) for p in routine.params] == roles
    used = next(op for node in routine.body if isinstance(node, ir.Insn) for op in node.ops[2:])
    assert isinstance(used, ir.Reg) and used.var.init is None  # the routine may have changed it
    alone = macro_routine(unit(ENSURED), "inc", core)
    assert [p.name for p in alone.params] == ["x", "w", "n"]


def test_ensures_needs_registers_only() -> None:
    text = "macro m(inout x : u32, k : const) ensures x == k:\n    mov x, #k\n"
    with pytest.raises(Failed) as caught:
        macro_routine(unit(text), "m", load_core("cortex-m4"))
    assert caught.value.bag.items[0].code == "bad-arguments"
