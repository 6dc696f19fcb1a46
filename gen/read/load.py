# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Files -> Units: a parsed file with its imports; and the index of all routines of a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from gen.diag import Bag, Failed, fail
from gen.read.parse import parse
from gen.read.source import Source, Span
from gen.read.syntax import File, FnDecl, TableDecl, Word

FOLDER = "asm-src"
SUFFIX = ".rasm"
LARGEST = 1 << 20  # bytes of a file
MOST_FILES = 200  # of one routine


@dataclass(frozen=True, eq=False)
class Unit:
    """A parsed file; `imports` in the order written. A file imported twice is one Unit."""

    root: Path
    file: File
    imports: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class RoutineRef:
    """A routine that exists: where, and on which cores it can be had."""

    symbol: str
    path: str
    variant: str
    requires: tuple[str, ...]


def load(root: Path, path: str) -> Unit:
    """The file `path` below `root` ("asm-src/mlkem/ntt.rasm") and what it imports.

    Errors: `unreadable`, `circular-import` and all of the parser, of any file.
    """
    bag = Bag()
    unit = _Loader(root, bag).unit(path, None, ())
    bag.close()
    assert unit is not None
    return unit


def symbol_of(path: str) -> str:
    """`asm-src/mlkem/ntt.rasm` -> `mlkem_ntt`; hyphens become underscores."""
    parts = PurePosixPath(path).with_suffix("").parts
    return "_".join(parts[1:] if parts[:1] == (FOLDER,) else parts).replace("-", "_")


def table_symbol(path: str, name: str) -> str:
    """The symbol of a table in a file: its folder's name goes before."""
    return f"{symbol_of(PurePosixPath(path).parent.as_posix()) or 'table'}_{name}"


@dataclass(frozen=True)
class Survey:
    """What there is below asm-src: the routines of the files that parse, and what is wrong, file by file."""

    refs: tuple[RoutineRef, ...]
    wrong: Mapping[str, Bag]  # path -> its errors; a file without has no entry

    @property
    def bag(self) -> Bag:
        return self.about(self.wrong)

    def about(self, paths: Collection[str]) -> Bag:
        """What is wrong with these files."""
        found = Bag()
        for path in self.wrong:
            if path in paths:
                found.take(Failed(self.wrong[path]))
        return found


def index(root: Path) -> tuple[RoutineRef, ...]:
    """Every routine of every file below asm-src, sorted. Errors: the parser's, and `duplicate`."""
    found = survey(root)
    found.bag.close()
    return found.refs


def survey(root: Path, symbols: Sequence[str] = ()) -> Survey:
    """As `index`, but one file that does not parse is in nobody's way.

    With `symbols` only the files of these routines are read: those of variants are named after them.
    """
    bags: dict[str, Bag] = defaultdict(Bag)
    found: dict[tuple[str, str], RoutineRef] = {}
    stems: dict[str, str] = {}
    claimed: dict[str, str] = {}
    for path in sources(root):
        if symbols and not symbol_of(path).startswith(tuple(symbols)):
            continue
        bag = bags[path]
        try:
            file = _parsed(path, _text(root, path, None))
        except Failed as failed:
            bag.take(failed)
            continue
        other = stems.setdefault(symbol_of(path), path)
        if other != path:
            text = f"the files of {path} and {other} would have the same names"
            bag.error("duplicate", file.span, text)
        for decl in file.decls:
            if isinstance(decl, FnDecl):
                _enter(found, decl, path, bag)
                _claim(claimed, decl.name.text, path, decl.name, bag)
            elif isinstance(decl, TableDecl):
                symbol = table_symbol(path, decl.name.text)
                _claim(claimed, symbol, f"{path} as a table", decl.name, bag)
    wrong = {path: bag for path, bag in bags.items() if bag.items}
    return Survey(tuple(found[key] for key in sorted(found)), wrong)


@lru_cache(maxsize=1024)
def _parsed(path: str, text: str) -> File:
    """Most files are asked for once for each core, and by all that import them."""
    return parse(path, text)


def sources(root: Path) -> tuple[str, ...]:
    """The paths of all files below asm-src, with forward slashes, sorted; a broken link is one, a pipe is none."""
    paths = (root / FOLDER).rglob("*" + SUFFIX)
    held = (path for path in paths if path.is_file() or path.is_dir() or path.is_symlink())
    return tuple(sorted(path.relative_to(root).as_posix() for path in held))


def _claim(symbols: dict[str, str], symbol: str, who: str, name: Word, bag: Bag) -> None:
    """A symbol is one thing: the variants of a routine may share it, a table and a routine may not."""
    other = symbols.setdefault(symbol, who)
    if other != who and ("as a table" in other or "as a table" in who):
        bag.error("duplicate", name.span, f"the symbol `{symbol}` is already defined in {other}")


def _enter(found: dict[tuple[str, str], RoutineRef], fn: FnDecl, path: str, bag: Bag) -> None:
    variant = fn.variant.text if fn.variant else ""
    key = (fn.name.text, variant)
    if key in found:
        bag.error("duplicate", fn.name.span, f"`{key[0]}` is already defined in {found[key].path}")
        return
    requires = tuple(word.text for word in fn.requires)
    found[key] = RoutineRef(key[0], path, variant, requires)


def choose(refs: Iterable[RoutineRef], symbol: str, features: Collection[str]) -> RoutineRef | None:
    """The most demanding file for `symbol` that a core with these features can have; None if there
    is none."""
    fitting = [ref for ref in refs if ref.symbol == symbol and set(ref.requires) <= set(features)]
    return max(fitting, key=lambda ref: (len(ref.requires), ref.variant), default=None)


class _Loader:
    """Units already made, by path; the chain of imports being followed is passed along."""

    def __init__(self, root: Path, bag: Bag) -> None:
        self.root = root
        self.bag = bag
        self.units: dict[str, Unit | None] = {}

    def unit(self, path: str, at: Span | None, chain: tuple[str, ...]) -> Unit | None:
        """None after an error that is in the bag."""
        if path in chain:
            steps = [*chain[chain.index(path) :], path]
            self.bag.error(
                "circular-import",
                at or _top(path),
                "this import leads back to itself",
                details=(" -> ".join(steps),),
            )
            return None
        if path in self.units:
            return self.units[path]
        if len(self.units) >= MOST_FILES:
            raise fail("unreadable", at or _top(path), f"more than {MOST_FILES} imported files")
        self.units[path] = None
        try:
            file = _parsed(path, _text(self.root, path, at))
        except Failed as failed:
            self.bag.take(failed)
            return None
        imports = [
            self.unit(_target(one.path, one.span), one.span, (*chain, path)) for one in file.imports
        ]
        unit = Unit(self.root, file, tuple(one for one in imports if one is not None))
        self.units[path] = unit
        return unit


def _top(path: str) -> Span:
    return Span(Source(path, "\n"), 0, 0)


def _target(path: str, span: Span) -> str:
    parts = path.split("/")
    if any(part in ("", ".", "..") or not part.replace("-", "_").isidentifier() for part in parts):
        raise fail(
            "unreadable",
            span,
            "the path of an import is folders and a name below asm-src",
            help='import "common/montgomery"',
        )
    return f"{FOLDER}/{path}{SUFFIX}"


def _text(root: Path, path: str, at: Span | None) -> str:
    span = at or _top(path)
    file = root / PurePosixPath(path)
    try:
        if file.stat().st_size > LARGEST:
            raise fail("unreadable", span, f"{path} is larger than {LARGEST} bytes")
        data = file.read_bytes()
    except (OSError, ValueError) as wrong:
        reason = (
            wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else "not a file name"
        )
        raise fail("unreadable", span, f"{path} cannot be read: {reason}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise _not_utf8(path, data, wrong.start) from None


def _not_utf8(path: str, data: bytes, offset: int) -> Failed:
    text = data.decode("utf-8", errors="replace")
    start = len(data[:offset].decode("utf-8"))
    span = Span(Source(path, text), start, start + 1)
    return fail(
        "unreadable", span, f"byte 0x{data[offset]:02x} is not UTF-8", help="save the file as UTF-8"
    )
