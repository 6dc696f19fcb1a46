# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The emulated board that a core's programs run on."""

from __future__ import annotations

from pathlib import Path

from gen.cores.core import load_core

BOARDS = Path(__file__).resolve().parents[1] / "boards"
MACHINES = {
    "cortex-m3": "mps2-an385",
    "cortex-m4": "mps2-an386",
    "cortex-m4f": "mps2-an386",
    "cortex-m7": "mps2-an500",
    "cortex-m33": "mps2-an505",
    "cortex-m33-nodsp": "mps2-an505",
    "cortex-m55": "mps3-an547",
    "cortex-m85": "mps3-an547",  # QEMU has no Cortex-M85, whose code is the M55's
}


# Cores whose programs run as those of this host do, under an emulator in user mode.
USER = dict.fromkeys(("cortex-a53", "cortex-a76", "cortex-a710"), ("qemu-aarch64", "-cpu", "max"))
USER |= dict.fromkeys(("cortex-a7", "cortex-a7-thumb"), ("qemu-arm", "-cpu", "cortex-a7"))


def compiler(core: str, cc: str | None = None) -> list[str]:
    """The compiler's command for a core."""
    return [cc or f"{load_core(core).cross}gcc", *load_core(core).cc]


def linking(core: str) -> list[str]:
    """What makes the linker put a program where the board of a core has memory."""
    board = BOARDS / MACHINES[core]
    return ["-nostartfiles", "-T", str(BOARDS / "board.ld"), f"-L{board}"]


def qemu(core: str, program: Path) -> tuple[str, ...]:
    """The command that runs a program on the board of a core, without the semihosting option."""
    machine = ("qemu-system-arm", "-M", MACHINES[core], "-display", "none", "-monitor", "none")
    return (*machine, "-serial", "none", "-kernel", str(program))
