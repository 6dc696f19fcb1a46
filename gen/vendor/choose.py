# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which files some algorithms need on some cores in a form: exactly those that hold something that is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gen.console import command
from gen.cores.core import Core
from gen.diag import Failed, fail, nearest
from gen.diff.text import read_unit
from gen.emit.backend import PORTABLE, backend_header, guard
from gen.manifest import read_tree
from gen.read.source import NOWHERE
from gen.sharing import SUFFIX, entries
from gen.vendor.preprocess import ABSENT, preprocess

LIBRARY, GENERATED = "lib", "generated"
PUBLIC = "lib/include/armscribe/"
HEADERS = "generated/include/"
ALGORITHMS = "lib/common/algorithms.h"
BACKEND = "generated/include/armscribe_backend.h"
WIDE = "__aarch64__"  # what a compiler for 64 bits says of itself
_WITH = re.compile(r"ARMSCRIBE_WITH_([A-Z0-9_]+)")
_EVERYTHING = "#define ARMSCRIBE_WITH_ALL"
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Chosen:
    """Files of the repository by path, as they go into a kit."""

    algorithms: tuple[str, ...]
    cores: tuple[str, ...]
    form: str
    files: dict[str, str] = field(default_factory=dict)  # path in the repository -> text

    @property
    def sources(self) -> list[str]:
        return [path for path in self.files if path.endswith((".c", ".S"))]

    @property
    def headers(self) -> list[str]:
        return [path for path in self.files if path.endswith(".h")]


def algorithms(root: Path) -> list[str]:
    """All that can be named, in lower case."""
    text = (root / ALGORITHMS).read_text(encoding="utf-8")
    return sorted({name.lower() for name in _WITH.findall(text)} - {"all"})


def named(root: Path, words: Sequence[str]) -> tuple[str, ...]:
    """The algorithms that are meant. Errors: `Failed` (unknown-name)."""
    known = algorithms(root)
    for word in words:
        if word not in known:
            close = nearest(word, known)
            raise fail(
                "unknown-name",
                NOWHERE,
                f"no algorithm is called {word or 'nothing'}",
                help=close or f"known: {' '.join(known)}",
            )
    return tuple(dict.fromkeys(words))


def choose(
    root: Path, words: Sequence[str], cores: Sequence[Core], form: str, portable: bool
) -> Chosen:
    """The files for these algorithms, cores and form; with `portable` C for every other core too.

    Errors: `Failed` (unknown-name), `OSError`.
    """
    tree = _Tree(root)
    found = Chosen(named(root, words), tuple(core.key for core in cores), form)
    taken = {core.key: tree.taken(core.key, form) for core in cores}
    real = [core for core in cores if taken[core.key] is not None]
    lists = [files for files in taken.values() if files is not None]
    if portable or len(real) < len(cores):
        lists.append(tree.portable())
    with_c = portable or len(real) < len(cores)
    says = [
        {guard(core.key, form): "", WIDE: "" if core.abi.bits == 64 else ABSENT} for core in real
    ]
    says += [{PORTABLE: ""}] if with_c else []
    tree.texts[ALGORITHMS] = _only(tree.texts[ALGORITHMS], found.algorithms)
    tree.texts[BACKEND] = _backend(real, form, with_c)
    used: set[str] = set()
    for macros in says:
        used |= tree.library(macros)
    names = tree.names(used)
    for files in lists:
        used |= {path for path in files if names & tree.symbols(path)}
    for path in list(used):
        used |= tree.included(path)
    found.files = {path: tree.texts[path] for path in sorted(used)}
    return found


def _only(text: str, words: Iterable[str]) -> str:
    """The list of algorithms with these as what there is without another choice."""
    lines = "\n".join(f"#define ARMSCRIBE_WITH_{word.upper()}" for word in words)
    assert text.count(_EVERYTHING) == 1
    return text.replace(_EVERYTHING, lines)


def _backend(real: Sequence[Core], form: str, portable: bool) -> str:
    """The switch between the cores of the kit alone."""
    text = backend_header(real, lambda _: [form])
    if portable:
        return text
    names = ", ".join(core.name for core in real)
    refusal = (
        f"#if defined({PORTABLE})\n"
        f'#error "these files are for {names}; vendor them with the cores you have"\n#endif\n\n'
    )
    at = text.rindex("#endif")
    return text[:at] + refusal + text[at:]


class _Tree:
    """Library and generated files of a repository."""

    def __init__(self, root: Path) -> None:
        self.texts: dict[str, str] = {}
        for folder in (LIBRARY, GENERATED):
            for path, content in read_tree(root / folder).items():
                self.texts[f"{folder}/{path}"] = content.decode("utf-8", "replace")
        for path in (ALGORITHMS, BACKEND):
            if path not in self.texts:
                raise _nothing(root, path)
        self.reads: dict[str, set[str]] = {}  # file of the library -> files it includes
        self.lines: dict[str, set[str]] = {}  # file -> lines that are left of it

    def taken(self, core: str, form: str) -> list[str] | None:
        """The files that a core takes; None when it has C alone."""
        listed = self.texts.get(f"{GENERATED}/{core}/{form}{SUFFIX}")
        if listed is None:
            return None
        return [f"{GENERATED}/{path}" for path in entries(listed).values()]

    def portable(self) -> list[str]:
        return [path for path in self.texts if re.match(rf"{GENERATED}/portable/.*\.c$", path)]

    def find(self, source: str, name: str) -> str | None:
        """The file that an include means."""
        parts = source.split("/")[:-1]
        for part in name.split("/"):
            parts = parts[:-1] if part == ".." else [*parts, part]
        places = ("/".join(parts), f"lib/include/{name}", f"{HEADERS}{name}", f"lib/{name}")
        return next((place for place in places if place in self.texts), None)

    def library(self, macros: Mapping[str, str]) -> set[str]:
        """Files of the library that hold something where a compiler says this, and what they include."""
        found: set[str] = set()
        for path in sorted(self.texts):
            if not re.match(rf"{LIBRARY}/\w+/\w+\.c$", path):
                continue
            left = preprocess(path, self.texts, self.find, macros)
            if left.holds(path, self.texts):
                found |= {*left.lines}
                for name, lines in left.lines.items():
                    self.lines.setdefault(name, set()).update(lines)
        return found

    def names(self, used: Iterable[str]) -> set[str]:
        """Identifiers in what is left of the library's files."""
        mine = [path for path in used if path.startswith(f"{LIBRARY}/")]
        return {name for path in mine for row in self.lines[path] for name in _NAME.findall(row)}

    def symbols(self, path: str) -> set[str]:
        """What a generated file defines."""
        unit = read_unit(path, self.texts[path])
        return {path.rsplit("/", 1)[-1].split(".")[0].removesuffix("_inline"), *unit.tables}

    def included(self, path: str) -> set[str]:
        """What a file includes, on whatever condition, and so on."""
        found: set[str] = set()
        waiting = [path]
        while waiting:
            now = waiting.pop()
            names = re.findall(r'^#include "([^"]+)"', self.texts[now], re.M)
            more = {target for name in names if (target := self.find(now, name))} - found
            found |= more
            waiting += more
        return found


def _nothing(root: Path, path: str) -> Failed:
    return fail("unknown-name", NOWHERE, f"{root} holds no {path}", help=command("build"))
