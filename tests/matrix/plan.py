# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which combinations of compiler, target and options are tried: axes.toml, less what this machine's compilers refuse.

A row holds one value of every axis. The rows cover every pair of values that a compiler takes together; the same
machine always gets the same rows. (Ready-made pairwise generators were tried: with constraints they leave pairs out.)
"""

from __future__ import annotations

import importlib.util
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path

AXES = Path(__file__).parent / "axes.toml"
PROBE = "#include <stdint.h>\n#include <string.h>\nextern int nothing;\n"
Value = tuple[str, str]  # axis, value


@dataclass(frozen=True)
class Compiler:
    """A compiler and the commands it goes by, by family of targets."""

    name: str
    kind: str  # gcc or clang: how it spells options
    commands: Mapping[str, tuple[str, ...]]  # only those that are installed


@dataclass(frozen=True)
class Target:
    name: str
    family: str
    core: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One way to build everything."""

    compiler: Compiler
    target: Target
    values: Mapping[str, str]  # axis -> value
    flags: tuple[str, ...]

    @property
    def command(self) -> list[str]:
        return [*self.compiler.commands[self.target.family], *self.target.options, *self.flags]

    def __str__(self) -> str:
        chosen = [v for v in self.values.values() if v not in QUIET]
        return " ".join((self.compiler.name, self.target.name, *chosen))


QUIET = ("default", "plain", "absolute", "none", "unaligned", "one")  # values that add no option


def _zig() -> dict[str, str]:
    """The newer clang that the PyPI package ziglang carries, if it is installed."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return {}
    folder = Path(spec.origin).parent
    return {"zig": str(folder / "zig"), "zig-headers": str(folder / "lib/include")}


def _command(text: str) -> tuple[str, ...]:
    """The words of a command, or none where the program is missing."""
    try:
        words = shlex.split(text.format_map(_zig()))
    except KeyError:
        return ()
    return tuple(words) if shutil.which(words[0]) else ()


def accepts(command: list[str], flags: tuple[str, ...]) -> bool:
    """Whether a file that only includes headers compiles with these options without a word."""
    words = [*command, *flags, "-Werror", "-x", "c", "-c", "-", "-o", "/dev/null"]
    done = subprocess.run(words, input=PROBE, capture_output=True, text=True, check=False)
    return done.returncode == 0 and not done.stderr


@dataclass
class Plan:
    """The axes, what was probed, and the rows that follow."""

    path: Path = AXES
    absent: list[str] = field(default_factory=list)  # "not tried", a line each

    @cached_property
    def data(self) -> dict[str, dict[str, dict[str, object]]]:
        return tomllib.loads(self.path.read_text(encoding="utf-8"))

    @cached_property
    def compilers(self) -> list[Compiler]:
        found = []
        for name, spec in self.data["compilers"].items():
            texts = {family: str(text) for family, text in spec.items() if family != "kind"}
            commands = {family: _command(text) for family, text in texts.items()}
            for family in (f for f, words in commands.items() if not words):
                self.absent.append(f"{name} for {family}: not installed")
            present = {family: words for family, words in commands.items() if words}
            found.append(Compiler(name, str(spec["kind"]), present))
        return found

    @cached_property
    def targets(self) -> list[Target]:
        return [
            Target(name, str(t["family"]), str(t["core"]), tuple(str(t["options"]).split()))
            for name, t in self.data["targets"].items()
        ]

    @cached_property
    def axes(self) -> dict[str, dict[str, object]]:
        return self.data["axes"]

    def flags(self, compiler: Compiler, axis: str, value: str) -> tuple[str, ...] | None:
        """The options of a value, or None where this kind of compiler has none for it."""
        spelt = self.axes[axis][value]
        if isinstance(spelt, dict):
            spelt = spelt.get(compiler.kind)
        return None if spelt is None else tuple(str(spelt).split())

    @cached_property
    def taken(self) -> dict[tuple[str, str], set[Value]]:
        """(compiler, target) -> the values it takes, each probed by itself."""
        found: dict[tuple[str, str], set[Value]] = {}
        for compiler in self.compilers:
            for target in self.targets:
                if target.family in compiler.commands:
                    found[compiler.name, target.name] = set(self._probed(compiler, target))
        return found

    def _probed(self, compiler: Compiler, target: Target) -> Iterator[Value]:
        command = [*compiler.commands[target.family], *target.options]
        if not accepts(command, ()):
            self.absent.append(f"{compiler.name} for {target.name}: it does not know the target")
            return
        refused = []
        for axis, values in self.axes.items():
            for value in values:
                flags = self.flags(compiler, axis, value)
                if flags is not None and (not flags or accepts(command, flags)):
                    yield axis, value
                else:
                    refused.append(f"{axis} {value}")
        if refused:
            self.absent.append(f"{compiler.name} for {target.name}: {', '.join(refused)}")

    @cached_property
    def apart(self) -> set[frozenset[Value]]:
        listed: list[dict[str, list[str]]] = self.data["apart"]  # type: ignore[assignment]
        return {
            frozenset((axis, value) for axis, _, value in (v.partition(":") for v in one["values"]))
            for one in listed
        }

    def _possible(self) -> dict[frozenset[Value], list[tuple[str, str]]]:
        """Every pair of values that go together -> the (compiler, target) that take both."""
        found: dict[frozenset[Value], list[tuple[str, str]]] = {}
        for (compiler, target), taken in self.taken.items():
            known = [("compiler", compiler), ("target", target)] if taken else []
            for one, other in combinations([*known, *sorted(taken)], 2):
                pair = frozenset((one, other))
                if one[0] != other[0] and pair not in self.apart:
                    found.setdefault(pair, []).append((compiler, target))
        return found

    def _filled(
        self, pair: frozenset[Value], at: tuple[str, str], open_: set[frozenset[Value]]
    ) -> dict[str, str] | None:
        """A row that holds the pair; each axis gets the value that settles most
        open pairs. None: an axis has no value left."""
        row = {"compiler": at[0], "target": at[1], **dict(pair)}
        for axis, values in self.axes.items():
            if axis in row:
                continue
            fitting = [
                (sum(frozenset(((axis, value), other)) in open_ for other in row.items()), value)
                for value in values
                if (axis, value) in self.taken[at]
                and not any(frozenset(((axis, value), o)) in self.apart for o in row.items())
            ]
            if not fitting:
                return None
            row[axis] = max(fitting, key=lambda one: one[0])[1]
        return row

    def rows(self) -> list[Row]:
        """Every pair of values that go together is in one of these; a greedy covering array."""
        possible = self._possible()
        open_, found = set(possible), []
        for pair in possible:
            if pair not in open_:
                continue
            tried = (self._filled(pair, at, open_) for at in possible[pair])
            filled = [row for row in tried if row is not None]
            if not filled:
                continue
            best = max(filled, key=lambda row: len(_pairs(row) & open_))
            open_ -= _pairs(best)
            found.append(self._row(best))
        return found

    def row(self, compiler: str, target: str, **chosen: str) -> Row:
        """A row by hand: each axis that is not named has its first value."""
        first = {axis: next(iter(values)) for axis, values in self.axes.items()}
        return self._row({"compiler": compiler, "target": target, **first, **chosen})

    def _row(self, filled: Mapping[str, str]) -> Row:
        compiler = next(c for c in self.compilers if c.name == filled["compiler"])
        target = next(t for t in self.targets if t.name == filled["target"])
        values = {axis: filled[axis] for axis in self.axes}
        flags = [f for a, v in values.items() for f in self.flags(compiler, a, v) or ()]
        return Row(compiler, target, values, tuple(flags))

    def short_of(self, rows: list[Row]) -> list[str]:
        """What is missing of the least that must be tried."""
        least: Mapping[str, int] = self.data["least"]  # type: ignore[assignment]
        have = {"rows": len(rows), "pairs": len(pairs(rows))}
        return [
            f"{have[k]} {k} of at least {wanted}" for k, wanted in least.items() if have[k] < wanted
        ]


def _pairs(row: Mapping[str, str]) -> set[frozenset[Value]]:
    return set(map(frozenset, combinations(row.items(), 2)))


def pairs(rows: list[Row]) -> set[frozenset[Value]]:
    """The pairs of values that some row holds."""
    return {
        pair
        for row in rows
        for pair in _pairs({"compiler": row.compiler.name, "target": row.target.name, **row.values})
    }
