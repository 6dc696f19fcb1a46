# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which file each core takes for a source: its own, that of a core it is like where the code is the same, or portable C
where no variant of the routine fits it.

One file serves many cores, so what stands in its `#if` is known only when the source was made for all of them. For each
core and form a list, generated/CORE/FORM.files, names the file of each source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gen.cores.core import Core, lineage, ordered_cores
from gen.emit import FORMS, forms_of
from gen.emit.backend import PORTABLE, condition, guard
from gen.emit.view import Piece
from gen.ir.ir import Item, Routine
from gen.manifest import Output

SUFFIX = ".files"


@dataclass(frozen=True)
class Taken:
    """The file that a core takes for a source in a form."""

    core: str
    form: str
    stem: str
    path: str


def homes(
    cores: Sequence[Core], made: Mapping[str, Piece], texts: Mapping[str, object]
) -> dict[str, str]:
    """Core -> the core whose file it takes. `made`: what was made for those the source fits; `texts`: equal where
    the code is."""
    pretend = next((core.key for core in cores if core.pretend), "")
    found = {}
    for core in cores:
        if core.key not in made:
            found[core.key] = pretend
            continue
        line = [one.key for one in lineage(core)]
        found[core.key] = next(key for key in line if key in made and texts[key] == texts[core.key])
    return found


def emitted(piece: Piece) -> dict[str, tuple[str, str]]:
    """Form -> path and text of a piece, as if no other core took it."""
    names = forms_of(piece.core)
    return {name: next(iter(FORMS[name].emit(piece).items())) for name in names}


def anonymous(piece: Piece, texts: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The same texts without the name of the core: equal where two cores have equal code."""
    return {form: text.replace(_line(piece, form), "#if\n") for form, (_, text) in texts.items()}


def _line(piece: Piece, form: str) -> str:
    name = PORTABLE if form == "portable" else guard(piece.core.key, form)
    return f"#if defined({name})\n"


def _first(piece: Piece, made: Mapping[str, Piece]) -> str:
    """The first core for which the very same machine code was made."""
    final = piece.routine.final if piece.routine is not None else ()
    same = (one for one in made.values() if one is piece or _is(one.routine, final))
    return next(same).core.key


def _is(routine: Routine | None, final: tuple[Item, ...]) -> bool:
    return routine is not None and bool(final) and routine.final is final


def _written() -> list[Core]:
    """All cores that some file is open to, those that a source is not for included."""
    return [core for core in ordered_cores() if forms_of(core)]


class Shelf:
    """The files of one source, for all cores."""

    def __init__(self, cores: Sequence[Core], made: Mapping[str, Piece]) -> None:
        self.cores = [core for core in cores if forms_of(core)]
        self.made = made
        same = {key: _first(one, made) for key, one in made.items()}
        self.texts = {key: emitted(one) for key, one in made.items() if same[key] == key}
        plain = {key: anonymous(made[key], found) for key, found in self.texts.items()}
        self.homes = homes(self.cores, made, {key: plain[other] for key, other in same.items()})

    def outputs(self, core: Core, forms: Sequence[str]) -> Iterator[Output]:
        """The files that are in this core's folder."""
        if self.homes[core.key] != core.key:
            return
        piece = self.made[core.key]
        texts = self.texts.get(core.key) or emitted(piece)
        for form, (path, text) in texts.items():
            if form in forms:
                line = f"#if {condition(self.takers(core, form), _written())}\n"
                text = text.replace(_line(piece, form), line)
                yield Output(path, text, piece.source, core.key, form)

    def takers(self, home: Core, form: str) -> set[tuple[str, str]]:
        """(core, form) of all that take the file of `home` in this form."""
        keys = [core for core in self.cores if self.homes[core.key] == home.key]
        if home.pretend:
            return {(core.key, name) for core in keys for name in forms_of(core)}
        return {(core.key, form) for core in keys}

    def taken(self, core: Core, forms: Sequence[str]) -> Iterator[Taken]:
        """The file of this core in each form."""
        home = self.homes[core.key]
        files = self.texts.get(home) or emitted(self.made[home])
        for form in forms_of(core):
            path, _ = files.get(form) or files["portable"]
            if form in forms:
                yield Taken(core.key, form, self.made[home].stem, path)


# --- the lists ------------------------------------------------------------------------------------------


def lists(taken: Iterable[Taken], old: Mapping[str, bytes] | None = None) -> Iterator[Output]:
    """The lists of real cores, with what stood in the `old` tree for other sources."""
    rows: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for one in taken:
        if FORMS[one.form].real:
            rows[one.core, one.form][one.stem] = one.path
    for (core, form), files in sorted(rows.items()):
        path = f"{core}/{form}{SUFFIX}"
        known = entries((old or {}).get(path, b"").decode("utf-8", "replace"))
        text = "".join(f"{stem} {file}\n" for stem, file in sorted({**known, **files}.items()))
        yield Output(path, text, "asm-src", core, "list")


def entries(text: str) -> dict[str, str]:
    """Stem -> path of a list."""
    rows = (line.split(" ") for line in text.splitlines())
    return {row[0]: row[1] for row in rows if len(row) == 2}
