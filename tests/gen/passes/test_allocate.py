# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Registers: what is demanded is kept, what is free is chosen well."""

from __future__ import annotations

import pytest

from gen import isa
from gen.cores.core import load_core
from gen.ir.ir import Insn, Mem, RegList, Routine, physical
from gen.passes import run
from gen.passes.allocate import allocate
from gen.passes.elaborate import elaborate
from gen.read.load import load
from tests.gen.passes.make import BUILD, ROOT, complaints, routine

PROLOGUE = "reg a[4], b[4] : u32\n"


def places(made: Routine, name: str) -> set[str]:
    return {place for var, place in made.places.items() if var.name == name}


def test_parameters_stay_where_they_come() -> None:
    made = routine("reg x : u32\nldr x, [k]\nstr x, [r]", "allocate")
    assert places(made, "r") == {"r0"} and places(made, "k") == {"r1"}


def test_result_is_in_r0() -> None:
    head = "fn uint32_t t_f(const uint32_t k[8]):\n    param k : secret in, align 4\n"
    made = routine("result x : u32\nldr x, [k]\nadd x, x, #1", "allocate", head=head)
    assert "r0" in places(made, "x")


def test_pin() -> None:
    made = routine("reg x : u32 @ r9\nldr x, [k]\nstr x, [r]", "allocate")
    assert places(made, "x") == {"r9"}


def test_lists_ascend() -> None:
    lines = PROLOGUE + "ldm k!, {a[0..3]}\nldm k, {b[0..3]}\n"
    lines += "stm r!, {b[0], a[1], b[2], a[3]}\nstm r, {a[0], b[1], a[2], b[3]}"
    made = routine(lines, "allocate")
    for item in made.code:
        if isinstance(item, Insn):
            for op in item.ops:
                if isinstance(op, RegList):
                    numbers = [isa.number(physical(made.places[var])) for var in op.vars]
                    assert numbers == sorted(numbers)


def test_registers_that_must_differ() -> None:
    made = routine("reg x, y : u32\nldrd x, y, [k]\nstrd x, y, [r]", "allocate")
    assert places(made, "x") != places(made, "y")
    made = routine(
        "reg x : u32\nmov x, #1\nstr x, [k, #4]!\nldr x, [k], #4\nstr x, [r]", "allocate"
    )
    for item in made.code:
        if isinstance(item, Insn) and any(isinstance(op, Mem) for op in item.ops):
            regs = [made.places[var] for var in isa.reads(item) + isa.writes(item)]
            assert len(set(regs)) >= 2


def test_no_callee_saved_register_without_need() -> None:
    lines = "reg x, y, z : u32\nldr x, [k]\nldr y, [k, #4]\nldr z, [k, #8]\n"
    lines += "add x, x, y\nadd x, x, z\nstr x, [r]"
    made = routine(lines, "allocate")
    assert set(made.places.values()) <= {"r0", "r1", "r2", "r3", "r12"}


def test_lr_before_a_third_callee_saved_register() -> None:
    lines = "reg a[5] : u32\nfor i in range(5):\n    ldr a[i], [k, #4*i]\n"
    lines += "for i in range(4):\n    add a[0], a[0], a[i+1]\nstr a[0], [r]"
    used = set(routine(lines, "allocate").places.values())
    assert used - {"r0", "r1", "r2", "r3", "r12"} <= {"lr", "r4"}


def test_low_registers_where_they_shorten() -> None:
    lines = "reg a[8] : u32\nfor i in range(8):\n    ldr a[i], [k, #4*i]\n"
    lines += "for j in range(3):\n    for i in range(4):\n        adds a[i], a[i], a[i+1]\n"
    lines += "for i in range(5, 8):\n    eor a[0], a[0], a[i], ror #3\n"
    lines += "for i in range(5):\n    str a[i], [r, #4*i]"
    made = routine(lines, "reach")
    sizes = [
        isa.size(i) for i in made.final if isinstance(i, Insn) and i.form and i.form.name == "adds"
    ]
    assert sizes == [2] * 12


@pytest.mark.parametrize(("core", "count"), [("cortex-m4", 14), ("cortex-m3", 14)])
def test_full_occupancy_around_a_loop(core: str, count: int) -> None:
    """Three layers of an NTT in fourteen of fourteen registers, with and without DSP."""
    unit = load(ROOT / "tests/gen/examples", "asm-src/demo/ntt_l123.rasm")
    made = run(elaborate(unit, "demo_ntt_l123", load_core(core)), BUILD)
    assert len(set(made.places.values())) == count


def test_deterministic() -> None:
    lines = PROLOGUE + "ldm k!, {a[0..3]}\nldm k, {b[0..3]}\nfor i in range(4):\n"
    lines += "    eor a[i], a[i], b[3-i]\nstm r, {a[0..3]}"
    before = routine(lines, "schedule")
    first, second = allocate(before), allocate(before)
    assert [first.places[var] for var in first.places] == [
        second.places[var] for var in first.places
    ]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("reg x : u32 @ r0\nldr x, [k]\nstr x, [r]", "r0 is needed for r (parameter r) and x"),
        (
            "reg x : u32 @ r4\nreg y : u32 @ r4\nldr x, [k]\nldr y, [k]\nadd x, x, y\nstr x, [r]",
            "r4 is needed for x (@ r4) and y (@ r4)",
        ),
        (
            "reg x : u32 @ r5\nreg y : u32 @ r4\nldr x, [k]\nldr y, [k]\nstm r, {x, y}",
            "x cannot be below y",
        ),
    ],
)
def test_constraints_without_a_solution(lines: str, words: str) -> None:
    (said,) = complaints(lines, "allocate")
    assert said.code == "no-colouring"
    assert words in said.message


def test_two_demands_on_one_value() -> None:
    head = "fn uint32_t t_f(uint32_t n, uint32_t m):\n    param n : secret in\n    param m : secret in\n"
    lines = "result x : u32\nadd x, n, m\nbfi x, m, #0, #4\n"
    assert complaints(lines, "allocate", head=head) == []


def test_lists_that_contradict_each_other() -> None:
    lines = "reg x, y : u32\nldm k, {x, y}\nstm r!, {x, y}\nstm r, {y, x}"
    (said,) = complaints(lines, "allocate")
    assert said.code == "no-colouring"
    assert "in every register list" in said.message
