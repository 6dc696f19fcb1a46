# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A32's table: what it shares with Thumb-2's, that assemblers take all of it, and what a processor does with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from unicorn import UC_ARCH_ARM, UC_MODE_ARM, Uc
from unicorn import arm_const as arm

from gen import isa
from gen.ir.ir import Imm, Insn, Mem, Reg, Var, physical
from gen.isa.build32 import _moved, constant
from gen.isa.encode import carry_of, rotated
from gen.isa.tables import A32
from tests.isa.a64 import IntMachine, State
from tests.isa.toolchain import assemble

GAS = ("arm-linux-gnueabihf-as", "-mcpu=cortex-a7")
R0, R1, R2 = (Reg(physical(f"r{n}")) for n in range(3))
LACKING = ("orn", "ldrd", "strd", "cbz", "sdiv", "udiv", "it")


def made(name: str, *ops: Reg | Imm | Mem, cond: str | None = None) -> Insn:
    for form in isa.forms_named(name, A32):
        roles = isa.match(form, ops)
        if isinstance(roles, dict):
            return Insn(name, tuple(roles.values()), cond=cond, form=form, roles=roles)
    raise ValueError(name)


@pytest.mark.parametrize("name", LACKING)
def test_what_a32_does_not_have(name: str) -> None:
    assert not isa.forms_named(name, A32) and isa.forms_named(name, isa.M_PROFILE)


def test_all_are_four_bytes_and_said_once() -> None:
    for form in isa.all_forms(A32):
        if form.isa == "a32":
            assert not form.narrow
            twins = isa.forms_named(form.name, ("thumb2",))
            assert any(twin.means == form.means for twin in twins)


def test_constants_as_the_assembler_has_them(tmp_path: Path) -> None:
    """Those of the rule are taken, and set C as the meaning says; those that are not are refused."""
    values = [v << by & 0xFFFFFFFF for v in (1, 0xAB, 0xFF) for by in range(25)]
    values += [0xF000000F, 0xFC000003, 0x00FF00FF, 0x101, 0x10001]
    for value in values:
        text = f".syntax unified\n.arm\n ands r0, r1, #{value}\n"
        source = tmp_path / "one.s"
        source.write_text(text, encoding="utf-8", newline="\n")
        done = subprocess.run(
            [*GAS, "-o", str(tmp_path / "one.o"), str(source)], capture_output=True
        )
        assert (done.returncode == 0) == rotated(value), hex(value)


CASES = [
    made("ands", R0, R1, Imm(value)) for value in (0xFF, 0xAB00, 0xF000000F, 0x80000000, 0x3FC)
] + [
    made("adds", R0, R1, R2),
    made("mov", R0, Imm(0x1234)),
    made("sub", R0, R1, R2, cond="cc"),
    made("subs", R0, R1, R2, cond="cs"),
    made("umull", R0, R1, R2, R2),
]


class Words(IntMachine):
    """Registers of 32 bits."""

    def put(self, var: Var, value: int) -> None:
        self.state.registers[var.name] = value % (1 << 32)


@pytest.mark.parametrize("insn", CASES, ids=isa.render)
def test_meanings(insn: Insn, tmp_path: Path) -> None:
    """Registers and C after one instruction by a processor, and by its meaning."""
    code = assemble(GAS, f".syntax unified\n.arm\n\t{isa.render(insn)}\n", tmp_path)
    assert len(code) == isa.size(insn) == 4
    for r1, r2, carry in ((0x12345678, 0xF0000001, 0), (0xFFFFFFFF, 1, 1), (5, 7, 0)):
        engine = Uc(UC_ARCH_ARM, UC_MODE_ARM)
        engine.mem_map(0, 0x1000)
        engine.mem_write(0, code)
        start = {"r0": 99, "r1": r1, "r2": r2}
        for name, value in start.items():
            engine.reg_write(getattr(arm, f"UC_ARM_REG_{name.upper()}"), value)
        engine.reg_write(arm.UC_ARM_REG_CPSR, 0x10 | carry << 29)
        engine.emu_start(0, 4, count=1)
        flags = {"N": 0, "Z": 0, "C": carry, "V": 0}
        machine = Words(State(dict(start), flags, bytearray()), b"")
        if insn.cond is None or isa.condition_value(insn.cond, machine):
            isa.run(insn, machine)
        for name, value in machine.state.registers.items():
            assert engine.reg_read(getattr(arm, f"UC_ARM_REG_{name.upper()}")) == value
        assert engine.reg_read(arm.UC_ARM_REG_CPSR) >> 29 & 1 == flags["C"]


def test_carry_of_a_constant_that_t32_lacks() -> None:
    assert carry_of(0xF000000F) == 1 and carry_of(0xFF) is None and carry_of(0x00FF00FF) is None


@pytest.mark.parametrize("room", (4, 368, 1020, 1028, 2052, 3072))
def test_room_on_the_stack(room: int) -> None:
    total = 0
    for insn in _moved("sub", room, "entry"):
        k = insn.roles["k"]
        assert isinstance(k, Imm) and rotated(k.value)
        total += k.value
    assert total == room


def test_a_constant_is_made_of_two_at_most() -> None:
    for value in (0, 0xFFFF, 0x10001, 0xFFFFFF00, 0x89ABCDEF):
        assert len(constant(physical("r0"), value)) <= 2
