# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A built library, and how it is built for the benchmark."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gen.bench.figures import Figure
from gen.cores.core import Core
from gen.emu.build import BuildError, link
from gen.emu.image import Image
from gen.emu.trace import Trace

NOTHING: Mapping[str, str] = {}
# What the benchmark calls a form, and how lib/Makefile makes it. C alone takes C written by hand where there is some
# (Keccak, SHA-2); of everything else there is but one C, which the generator writes.
FORMS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "C alone": ("portable", {"KECCAK": "c"}),
    "portable": ("portable", {"KECCAK": "fast"}),
    "gas": ("gas", NOTHING),
    "inline": ("inline", NOTHING),
}
WRITTEN = ("gas", "inline")  # assembly: targets are set for these


class MeasureError(Exception):
    """A figure cannot be had, or belongs to a run that went wrong."""


@dataclass(frozen=True)
class Library:
    """A libarmscribe.a, and what it was built for."""

    archive: Path
    core: Core
    form: str

    @classmethod
    def make(
        cls,
        root: Path,
        core: Core,
        form: str,
        options: Mapping[str, str] = NOTHING,
        folder: Path | None = None,
    ) -> Library:
        """Builds it below `folder` (`root`/build/bench), which no other process may do at the same time. `form` is one
        of FORMS or of the Makefile's, `options` are variables of the Makefile."""
        of_make, more = FORMS.get(form, (form, NOTHING))
        options = {**more, **options}
        texts = (f"{key}={value}" for key, value in sorted(options.items()))
        name = re.sub(r"[^\w=-]", "", "-".join((of_make, *texts)))
        out = (folder or root / "build" / "bench") / core.key / name
        command = ["make", "-s", "-C", str(root / "lib"), f"CORE={core.key}", f"FORM={of_make}"]
        command += [f"OUT={out.resolve()}", *(f"{key}={value}" for key, value in options.items())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return cls(out / "libarmscribe.a", core, form)

    def whole(self) -> Image:
        """Everything in it."""
        flags = ["-Wl,--whole-archive", str(self.archive), "-Wl,--no-whole-archive"]
        return link([], self.core, flags)

    def needed(self, symbol: str) -> Image:
        """Only what `symbol` needs. `BuildError` when it is not there."""
        flags = [f"-Wl,--require-defined,{symbol}", "-Wl,--gc-sections"]
        return link([self.archive], self.core, flags)

    def figure(self, name: str, trace: Trace, code: int, rodata: int, work: int = 0) -> Figure:
        return Figure(
            name,
            self.core.key,
            self.form,
            trace.instructions,
            trace.cycles,
            code,
            rodata,
            trace.stack,
            trace.wide,
            trace.straddling,
            work,
        )
