# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A Cortex-M4 that runs one instruction at a time."""

from __future__ import annotations

from typing import Any

import unicorn
from unicorn import arm_const as arm

from gen.ir.ir import Insn
from tests.isa.model import BASE, CORE, FLAG_BITS, FP, SIZE, State
from tests.isa.toolchain import SLOT


class Emulator:
    """A Cortex-M4 that runs one instruction of `code` at a time."""

    CODE = 0x1000

    def __init__(self, code: bytes) -> None:
        self.uc: Any = unicorn.Uc(
            unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
        )
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M4)
        self.uc.mem_map(0, 0x100000)
        self.uc.mem_map(BASE, SIZE)
        self.uc.mem_write(self.CODE, code)
        self.ids = {name: getattr(arm, f"UC_ARM_REG_{name.upper()}") for name in (*CORE, *FP)}
        self._enable_fp()

    def _enable_fp(self) -> None:
        self.uc.reg_write(arm.UC_ARM_REG_FPEXC, 0x40000000)

    def step(self, slot: int, insn: Insn, start: State) -> State:
        """Runs the instruction in `slot`, its IT first if it has one."""
        uc = self.uc
        for name, value in start.registers.items():
            uc.reg_write(self.ids[name], value)
        uc.reg_write(arm.UC_ARM_REG_XPSR, 1 << 24)  # no IT block under way
        flags = sum(start.flags[name] << at for name, (at, _) in FLAG_BITS.items())
        uc.reg_write(arm.UC_ARM_REG_XPSR_NZCVQG, 1 << 24 | flags)
        uc.mem_write(BASE, bytes(start.memory))
        address = self.CODE + slot * SLOT
        uc.emu_start(address | 1, address + SLOT, count=1 + (insn.cond is not None))
        flags = uc.reg_read(arm.UC_ARM_REG_APSR)
        return State(
            {name: uc.reg_read(self.ids[name]) for name in start.registers},
            {name: flags >> at & most for name, (at, most) in FLAG_BITS.items()},
            bytearray(uc.mem_read(BASE, SIZE)),
        )
