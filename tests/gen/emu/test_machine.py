# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The machine: arguments, memory, faults, stack, hooks."""

import random
from functools import cache

import pytest

from gen.cores.core import load_core
from gen.emu.build import BuildError, assemble
from gen.emu.image import Image
from gen.emu.machine import RAM, STACK_TOP, Fault, Machine, Wide
from gen.emu.trace import Tracer

M4F = load_core("cortex-m4f")


def function(name: str, *body: str) -> str:
    lines = "\n".join(body)
    return f".balign 4\n.type {name}, %function\n{name}:\n{lines}\n.size {name}, . - {name}\n"


TEXT = ".syntax unified\n.thumb\n.text\n" + "".join(
    (
        function("fifth", "ldr r0, [sp]", "bx lr"),
        function("wide", "mov r0, r2", "mov r1, r3", "bx lr"),
        function("stacked_wide", "ldrd r0, r1, [sp]", "bx lr"),
        function("deep", "push {r4-r7, lr}", "vpush {s16-s19}", "sub sp, #8", "add sp, #8"),
        "vpop {s16-s19}\npop {r4-r7, pc}\n",
        function("ever", "b ever"),
        function("store", "str r1, [r0]", "bx lr"),
        function("pair", "ldrd r2, r3, [r0]", "mov r0, r2", "bx lr"),
        function("park", "vmov s0, r0", "vmov r0, s0", "bx lr"),
        function("outer", "push {r4, lr}", "bl inner", "pop {r4, pc}"),
        function("inner", "umaal r0, r1, r2, r3", "bx lr"),
        function("loop", "nop", "1: subs.w r0, r0, #1", "nop", "bne.n 1b", "add.w r0, r0, #1")
        + "bx lr\n",
        function("table", "ldr r0, =0x12345678", "bx lr", ".ltorg"),
    )
)


@cache
def image() -> Image:
    return assemble(TEXT, M4F)


@pytest.fixture
def machine() -> Machine:
    return Machine(image())


def test_arguments_follow_the_procedure_call_standard(machine: Machine) -> None:
    assert machine.call("fifth", 1, 2, 3, 4, 55) == 55
    machine.call("wide", 1, Wide(0x1122_3344_5566_7788))
    assert machine.result64() == 0x1122_3344_5566_7788
    machine.call("stacked_wide", 1, 2, 3, Wide(1 << 63 | 5))
    assert machine.result64() == 1 << 63 | 5


def test_negative_arguments(machine: Machine) -> None:
    assert machine.call("fifth", 0, 0, 0, 0, -1) == 0xFFFF_FFFF


def test_fp_and_dsp_instructions_run(machine: Machine) -> None:
    assert machine.call("park", 77) == 77
    assert machine.call("inner", 5, 6, 7, 8) == 7 * 8 + 5 + 6


def test_memory(machine: Machine) -> None:
    even, odd = machine.alloc(b"abcd", align=4), machine.alloc(3, align=4, misalign=1)
    assert even % 4 == 0 and odd % 4 == 1
    assert machine.read(even, 4) == b"abcd" and machine.read(odd, 3) == bytes(3)
    mark = machine.mark()
    first = machine.alloc(8)
    machine.release(mark)
    assert machine.alloc(8) == first
    machine.call("store", even, 0x64636261)
    assert machine.read(even, 4) == b"abcd"
    with pytest.raises(MemoryError):
        machine.alloc(1 << 22)


def test_what_cannot_be_done_is_a_fault(machine: Machine) -> None:
    with pytest.raises(Fault, match="store"):
        machine.call("store", 0x1000, 1)  # flash
    with pytest.raises(Fault, match="store"):
        machine.call("store", 0x3000_0000, 1)  # nothing there
    with pytest.raises(Fault, match="still running at ever"):
        machine.call("ever", timeout=0.2)
    with pytest.raises(KeyError, match="no symbol nobody"):
        machine.call("nobody")


def test_a_misaligned_pair_is_a_fault_when_traced(machine: Machine) -> None:
    tracer = Tracer(machine, M4F)
    tracer.call("pair", machine.alloc(8))
    with pytest.raises(Fault, match="misaligned ldrd"):
        tracer.call("pair", machine.alloc(12, align=4, misalign=2))


def test_stack_depth(machine: Machine) -> None:
    tracer = Tracer(machine, M4F)
    assert tracer.call("deep").stack == 20 + 16 + 8
    assert tracer.call("outer").stack == 8
    assert tracer.call("inner").stack == 0
    assert tracer.call("fifth", 1, 2, 3, 4, 5).stack == 0  # arguments are the caller's


def test_a_trace_tells_functions_apart(machine: Machine) -> None:
    trace = Tracer(machine, M4F).call("outer", 1, 2, 3, 4)
    assert set(trace.by_function) == {"outer", "inner"}
    assert sum(trace.by_function.values()) == trace.cycles
    assert trace.instructions == 5 and trace.result == 3 * 4 + 1 + 2


def test_straddling_instructions_in_loops(machine: Machine) -> None:
    trace = Tracer(machine, M4F).call("loop", 5)
    assert (trace.wide, trace.straddling) == (1, 1)
    trace = Tracer(machine, M4F).call("loop", 1)
    assert (trace.wide, trace.straddling) == (0, 0)


def test_the_same_call_costs_the_same(machine: Machine) -> None:
    tracer = Tracer(machine, M4F)
    assert tracer.call("outer", 1, 2, 3, 4) == tracer.call("outer", 1, 2, 3, 4)


def test_code_does_not_reach_into_literals() -> None:
    table = image()["table"]
    start, end = next(run for run in image().code if run[0] <= table.address < run[1])
    assert end <= table.address + 8
    assert image().function_at(table.address + 2) == table


def test_hooks_see_code_that_ran_before(machine: Machine) -> None:
    machine.call("store", machine.alloc(4), 1)
    seen: list[int] = []
    accesses: list[tuple[bool, int, int]] = []
    code = machine.each_instruction(seen.append)
    data = machine.each_access(lambda *access: accesses.append(access))
    target = machine.alloc(4)
    machine.call("store", target, 1)
    assert len(seen) == 2 and seen[0] == image()["store"].address
    assert accesses == [(True, target, 4)]
    machine.unhook(code)
    machine.unhook(data)
    machine.call("store", target, 1)
    assert len(seen) == 2 and len(accesses) == 1


def test_an_error_in_a_hook_comes_out(machine: Machine) -> None:
    def refuse(address: int) -> None:
        raise LookupError(f"{address:#x}")

    machine.each_instruction(refuse)
    with pytest.raises(LookupError):
        machine.call("inner")


def test_random_registers(machine: Machine) -> None:
    values = machine.randomise(random.Random(1))
    assert machine.get("r7") == values["r7"] and machine.get("s31") == values["s31"]
    assert machine.call("inner", 0, 0, 0, 0) == 0
    assert machine.get("r7") == values["r7"] and machine.get("s16") == values["s16"]
    assert "sp" not in values


def test_the_stack_is_ram() -> None:
    assert RAM < STACK_TOP <= RAM + (1 << 22)


def test_a_refused_source_says_why() -> None:
    with pytest.raises(BuildError, match="nonsense"):
        assemble("nonsense\n", M4F)
