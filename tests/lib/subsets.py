# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The library with some algorithms left out: what each of its files then holds, and whether it links."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tests.lib.boards import linking
from tests.lib.driver import ROOT, WARNINGS, Target

LIB = ROOT / "lib"
# Each algorithm of lib/common/algorithms.h -> its public functions.
ALGORITHMS = {
    "SHA256": r"armscribe_sha(224|256)(_\w+)?",
    "SHA512": r"armscribe_sha(384|512)(_\w+)?",
    "SHA3": r"armscribe_(sha3_|shake)\w*",
    "X25519": r"armscribe_x25519\w*",
    "ED25519_KEYGEN": r"armscribe_ed25519_keygen\w*",
    "ED25519_SIGN": r"armscribe_ed25519(ctx|ph)?_sign",
    "ED25519_VERIFY": r"armscribe_ed25519(ctx|ph)?_verify",
    **{f"MLKEM{n}": rf"armscribe_mlkem{n}_\w+" for n in (512, 768, 1024)},
    **{f"MLDSA{n}_KEYGEN": rf"armscribe_mldsa{n}_keygen\w*" for n in (44, 65, 87)},
    **{f"MLDSA{n}_SIGN": rf"armscribe_mldsa{n}_(sign\w*|mu)" for n in (44, 65, 87)},
    **{f"MLDSA{n}_VERIFY": rf"armscribe_mldsa{n}_(verify\w*|mu)" for n in (44, 65, 87)},
}
ALWAYS = {"armscribe_wipe"}
HAS = re.compile(r"ARMSCRIBE_HAS_\w+")
_DECLARED = re.compile(r"\b(?:int|void) (armscribe_\w+)\(")
Subset = frozenset[str]


def run(*command: str | Path) -> str:
    """What a command prints. `AssertionError` with its complaint."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stderr}"
    return done.stdout


@dataclass(frozen=True)
class Unit:
    """An object file or archive: what it defines for others, and what it wants of them."""

    file: Path
    defines: frozenset[str]
    wants: frozenset[str]


@dataclass
class Form:
    """The library's files in one form, each compiled once for every content that it can have.

    What a file holds depends on the ARMSCRIBE_HAS_* that it mentions, and on nothing else.
    """

    target: Target
    folder: Path
    units: dict[tuple[Path, Subset], Unit] = field(default_factory=dict)
    _has: dict[Subset, Subset] = field(default_factory=dict)

    @cached_property
    def mentioned(self) -> dict[Path, Subset]:
        """The ARMSCRIBE_HAS_* in each source file."""
        sources = sorted(LIB.glob("*/*.c"))
        return {source: frozenset(HAS.findall(source.read_text("utf-8"))) for source in sources}

    def has(self, subset: Subset) -> Subset:
        """The ARMSCRIBE_HAS_* that are defined if `subset` is asked for."""
        if subset not in self._has:
            header = LIB / "common/algorithms.h"
            text = run(*self._cc(), *_asking(subset), "-E", "-dM", header)
            self._has[subset] = frozenset(HAS.findall(text))
        return self._has[subset]

    def held(self, subset: Subset) -> dict[Path, Unit]:
        """The unit of each source file if `subset` is asked for."""
        has = self.has(subset)
        return {
            source: self._compiled(source, has & mentioned, subset)
            for source, mentioned in self.mentioned.items()
        }

    def _compiled(self, source: Path, content: Subset, subset: Subset) -> Unit:
        if (source, content) not in self.units:
            file = self.folder / f"{source.stem}_{len(self.units)}.o"
            run(*self._cc(), *_asking(subset), *WARNINGS, "-c", source, "-o", file)
            self.units[source, content] = self._unit(file)
        return self.units[source, content]

    @cached_property
    def routines(self) -> Unit:
        """All generated routines of the form, in an archive."""
        core, form = self.target.core, self.target.form
        pattern = {"gas": "*.S", "inline": "*_inline.c", "portable": "*.c"}[form]
        sources = (ROOT / "generated" / ("portable" if form == "portable" else core)).glob(pattern)
        objects = []
        for source in sorted(sources):
            objects.append(self.folder / f"{source.stem}.o")
            run(*self._cc(), "-c", source, "-o", objects[-1])
        archive = self.folder / "routines.a"
        run(f"{self._tools}ar", "rcs", archive, *objects)
        return self._unit(archive)

    def link(self, units: Iterable[Unit], symbols: Iterable[str]) -> None:
        """Links whole units, so that all they want must be there, and it with `symbols` too."""
        flags = [f"-Wl,-u,{symbol}" for symbol in symbols]
        if self.target.core == "host":
            flags += ["-nostartfiles", "-Wl,-e,armscribe_wipe"]
        else:
            flags += [*linking(self.target.core), "-Wl,-e,0"]
        files = [unit.file for unit in units]
        run(*self._cc(), *files, self.routines.file, *flags, "-o", self.folder / "linked")

    def public(self) -> set[str]:
        """The functions that the public headers declare."""
        headers = sorted((LIB / "include/armscribe").glob("*.h"))
        source = self.folder / "public.c"
        source.write_text("".join(f'#include "{h}"\n' for h in headers), "utf-8", newline="\n")
        return set(_DECLARED.findall(run(*self._cc(), "-E", "-P", source)))

    def _unit(self, file: Path) -> Unit:
        lines = [line.split() for line in run(f"{self._tools}nm", "-g", file).splitlines()]
        defines = {words[-1] for words in lines if len(words) == 3}
        wants = {words[1] for words in lines if len(words) == 2} - defines
        return Unit(file, frozenset(defines), frozenset(wants))

    @property
    def _tools(self) -> str:
        return "" if self.target.core == "host" else "arm-none-eabi-"

    def _cc(self) -> list[str]:
        form = self.target.form
        backend = "PORTABLE" if form == "portable" else f"CORTEX_M4_{form.upper()}"
        cpu = [] if self.target.core == "host" else ["-mcpu=cortex-m4", "-mthumb"]
        paths = [f"-I{path}" for path in (LIB / "include", LIB, ROOT / "generated/include")]
        options = [f"-DARMSCRIBE_BACKEND_{backend}", *self.target.cflags, *paths]
        return [f"{self._tools}gcc", *cpu, *options]


def _asking(subset: Subset) -> list[str]:
    return [f"-DARMSCRIBE_WITH_{name}" for name in sorted(subset)]
