# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Sources, objects and archives to an image for the machine, by the compiler of its core."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from gen.cores.core import Core
from gen.emu.image import Image
from gen.emu.machine import FLASH, RAM, SIZE

# Code starts past the vector table of a real board; everything keeps the alignment it asks for.
_SCRIPT = f"""
SECTIONS {{
  . = {FLASH + 0x1000:#x};
  .text : {{ *(.text .text.*) }}
  .rodata : ALIGN(8) {{ *(.rodata .rodata.*) }}
  .ARM.exidx : {{ *(.ARM.exidx* .gnu.linkonce.armexidx.*) }}
  .ARM.extab : {{ *(.ARM.extab* .gnu.linkonce.armextab.*) }}
  . = {RAM:#x};
  .data : {{ *(.data .data.*) }}
  .bss : {{ *(.bss .bss.* COMMON) }}
  ASSERT(. < {RAM + SIZE // 2:#x}, "too much data")
}}
"""


class BuildError(Exception):
    """The compiler or linker refused; carries what it printed."""


def link(
    inputs: Iterable[Path], core: Core, flags: Sequence[str] = (), output: Path | None = None
) -> Image:
    """The image of these files (.c, .S, .o, .a), linked without start-up code for `core`.

    `flags` come last: `-O3`, `-Idir`, `-Wl,--gc-sections`, `-Wl,-u,symbol`. The program stays at
    `output` if that is given.
    """
    with tempfile.TemporaryDirectory() as folder:
        script, program = Path(folder, "machine.ld"), output or Path(folder, "program.elf")
        script.write_text(_SCRIPT, encoding="utf-8", newline="\n")
        base = [
            f"{core.cross}gcc",
            *core.cc,
            "-static",
            "-nostartfiles",
            "-Wl,-e,0",
            "-Wl,--build-id=none",
        ]
        command = [*base, f"-Wl,-T,{script}", "-Wl,--no-warn-rwx-segments"]
        command += [str(path) for path in inputs]
        command += [*flags, "-o", str(program)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return Image.load(program)


def assemble(text: str, core: Core) -> Image:
    """The image of one assembly text."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "text.S")
        source.write_text(text, encoding="utf-8", newline="\n")
        return link([source], core)
