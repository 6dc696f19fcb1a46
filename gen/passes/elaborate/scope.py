# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What names mean: those of a file with its imports, and those of one routine or expansion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gen.cores.core import Core
from gen.cores.kinds import ASKABLE
from gen.diag import Bag, Failed, fail, nearest
from gen.ir.ir import Half, Routine, Table, Var
from gen.passes.elaborate.table import table
from gen.read.builtins import BUILTINS, Budget, Refused, Value
from gen.read.consteval import Function, Known, evaluate
from gen.read.load import Unit
from gen.read.source import Span
from gen.read.syntax import ConstDecl, Decl, File, MacroDecl, SubDecl, TableDecl, Word


@dataclass(frozen=True, slots=True)
class Const:
    """A constant; `text` is the formula it stands for, "" when it is just a value."""

    value: Value
    text: str = ""


@dataclass(frozen=True, slots=True)
class One:
    """A register, a half of one or a named carry, seen as `type` here."""

    item: Var | Half
    type: str
    readonly: bool = False  # an `in` parameter of a macro


@dataclass(frozen=True, slots=True)
class Many:
    """An array of registers."""

    items: tuple[Var | Half, ...]
    type: str
    readonly: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """A name whose declaration has an error; using it says nothing more."""


Binding = Const | One | Many | Broken


def silent() -> Failed:
    """Ends a statement whose error has been told already."""
    return Failed(Bag())


@dataclass
class World:
    """What one elaboration shares: the core, the errors, the budget, the scope of each file."""

    maybe_core: Core | None  # None when only tables are wanted
    bag: Bag
    budget: Budget = field(default_factory=Budget)
    # Features that something was made to depend on; what is made is the same for cores alike in these.
    asked: set[str] = field(default_factory=set)
    files: dict[Unit, FileScope] = field(default_factory=dict)
    # Subs that are called, callees first (see subs.py).
    subs: dict[SubDecl, Routine] = field(default_factory=dict)
    busy_subs: list[SubDecl] = field(default_factory=list)
    failed_subs: set[SubDecl] = field(default_factory=set)
    # Conditions already folded (see conditions.py).
    folded: dict[object, object] = field(default_factory=dict)

    @property
    def core(self) -> Core:
        assert self.maybe_core is not None
        return self.maybe_core

    @property
    def features(self) -> frozenset[str]:
        return self.maybe_core.features if self.maybe_core else frozenset()

    def file(self, unit: Unit) -> FileScope:
        if unit not in self.files:
            self.files[unit] = FileScope(unit, self)
        return self.files[unit]


Entry = tuple[Decl, "FileScope"]


class FileScope:
    """The constants, tables, macros and subs that a file declares or imports (also through its
    imports)."""

    def __init__(self, unit: Unit, world: World) -> None:
        self.unit = unit
        self.world = world
        self.entries: dict[str, list[Entry]] = {}
        self.functions_by_name: dict[str, Function | None] = {}
        self.busy: set[str] = set()  # constants being evaluated
        self.failed: set[str] = set()
        files = {unit.file: None}
        for imported in unit.imports:
            files.update(dict.fromkeys(world.file(imported).closure))
        self.closure: tuple[File, ...] = tuple(files)
        world.asked |= _asked(self.closure)
        self.values, self.tables, self.calls = _evaluated(
            self.closure, world.features & _asked(self.closure)
        )
        for imported in unit.imports:
            for name, entries in world.file(imported).entries.items():
                for entry in entries:
                    self._enter(name, entry)
        for decl in unit.file.decls:
            if isinstance(decl, ConstDecl | TableDecl | MacroDecl | SubDecl):
                self._enter(decl.name.text, (decl, self))

    def _enter(self, name: str, entry: Entry) -> None:
        known = self.entries.setdefault(name, [])
        decl, owner = entry
        if any(one is decl for one, _ in known):
            return
        if known:
            first, first_owner = known[0]
            variants = (
                isinstance(first, MacroDecl)
                and isinstance(decl, MacroDecl)
                and owner is first_owner
            )
            if not variants:
                self.world.bag.error(
                    "duplicate",
                    decl.name.span,
                    f"`{name}` is already declared",
                    details=(f"first at {_where(first.name.span)}",),
                )
                return
        elif name in BUILTINS and isinstance(decl, ConstDecl):
            self.world.bag.error(
                "duplicate", decl.name.span, f"`{name}` is a function of the language"
            )
        known.append(entry)

    # --- Names of gen.read.consteval ---

    def value(self, name: str) -> Value | None:
        """The value of a constant or the elements of a table; None when there is none of this
        name."""
        found = self.values.get(name)
        return self._evaluated(name) if found is None else found

    def missing(self, name: str, span: Span) -> Failed:
        """The error for a name without a value."""
        if name in self.entries:
            return fail("bad-expression", span, f"`{name}` is no constant")
        return fail("undefined", span, f"no constant `{name}`", help=nearest(name, self.entries))

    def _evaluated(self, name: str) -> Value | None:
        entries = self.entries.get(name)
        if not entries:
            return None
        decl, owner = entries[0]
        if isinstance(decl, TableDecl):
            return owner.table(decl).values
        if not isinstance(decl, ConstDecl) or decl.params is not None:
            return None
        if owner is not self:
            return owner.value(name)
        return self._constant(decl)

    def _constant(self, decl: ConstDecl) -> Value:
        name = decl.name.text
        if name in self.failed:
            raise silent()
        if name in self.busy:
            raise fail("bad-expression", decl.name.span, f"`{name}` is defined by itself")
        self.busy.add(name)
        try:
            self.values[name] = evaluate(decl.expr, self, self.world.budget)
        except Failed as failed:
            self.failed.add(name)
            self.world.bag.take(failed)
            raise silent() from None
        finally:
            self.busy.discard(name)
        return self.values[name]

    def table(self, decl: TableDecl) -> Table:
        """The table declared so, evaluated once."""
        name = decl.name.text
        if name not in self.tables:
            if name in self.busy:
                raise fail("bad-expression", decl.name.span, f"`{name}` is defined by itself")
            self.busy.add(name)
            try:
                path = self.unit.file.path
                self.tables[name] = table(decl, path, self, self.world.budget)
            finally:
                self.busy.discard(name)
        return self.tables[name]

    def find_table(self, name: str) -> Table | None:
        """A table by name, of this file or an imported one."""
        for decl, owner in self.entries.get(name, ()):
            if isinstance(decl, TableDecl):
                return owner.table(decl)
        return None

    def function(self, name: str) -> Function | None:
        if name not in self.functions_by_name:
            self.functions_by_name[name] = self._function(name)
        return self.functions_by_name[name]

    def _function(self, name: str) -> Function | None:
        for decl, owner in self.entries.get(name, ()):
            if isinstance(decl, ConstDecl) and decl.params is not None:
                params = tuple(word.text for word in decl.params)
                return Function(name, params, decl.expr, owner, owner.calls.setdefault(name, {}))
        return None

    def functions(self) -> Iterator[str]:
        for name, entries in self.entries.items():
            if isinstance(entries[0][0], ConstDecl) and entries[0][0].params is not None:
                yield name

    def has(self, feature: str) -> bool:
        if feature not in ASKABLE:
            raise Refused(f"no feature `{feature}`", nearest(feature, ASKABLE))
        self.world.asked.add(feature)
        return feature in self.world.features

    def needs(self, words: tuple[Word, ...]) -> frozenset[str]:
        """The features behind `requires`. Errors: `undefined`."""
        for word in words:
            if word.text not in ASKABLE:
                raise fail(
                    "undefined",
                    word.span,
                    f"no feature `{word.text}`",
                    details=("features: " + " ".join(ASKABLE),),
                    help=nearest(word.text, ASKABLE),
                )
        found = frozenset(word.text for word in words)
        self.world.asked |= found
        return found

    def macros(self, name: str) -> list[tuple[MacroDecl, FileScope]]:
        """All variants of a macro."""
        return [
            (decl, owner)
            for decl, owner in self.entries.get(name, ())
            if isinstance(decl, MacroDecl)
        ]


@lru_cache(maxsize=64)
def _evaluated(
    files: tuple[File, ...], features: frozenset[str]
) -> tuple[dict[str, Value], dict[str, Table], dict[str, Known]]:
    """Where the constants and tables of a file and the values of its functions are kept: they depend on the
    files it sees and on the features they ask for."""
    return {}, {}, {}


@lru_cache(maxsize=64)
def _asked(files: tuple[File, ...]) -> frozenset[str]:
    """Features that constants or tables of these files name, in `has` if anywhere."""
    named: set[str] = set()
    for decl in (decl for file in files for decl in file.decls):
        if isinstance(decl, ConstDecl | TableDecl):
            named |= decl.expr.names
        if isinstance(decl, TableDecl) and decl.count is not None:
            named |= decl.count.names
    return frozenset(named & {*ASKABLE})


class Scope:
    """The names of a routine or of one expansion of a macro, over those of its file."""

    def __init__(self, file: FileScope, name: str, macro: bool) -> None:
        self.file = file
        self.name = name  # of the routine or macro
        self.macro = macro
        self.names: dict[str, Binding] = {}
        self.spans: dict[str, Span] = {}

    def declare(self, name: str, span: Span, binding: Binding) -> None:
        """Enters a name; a second of the same name is an error."""
        if name in self.names:
            first = self.spans.get(name)
            details = (f"first at {_where(first)}",) if first else ()
            raise fail("duplicate", span, f"`{name}` is already declared here", details=details)
        self.names[name] = binding
        self.spans[name] = span

    def value(self, name: str) -> Value | None:
        binding = self.names.get(name)
        if binding is None:
            return self.file.value(name)
        return binding.value if isinstance(binding, Const) else None

    def missing(self, name: str, span: Span) -> Failed:
        """The error for a name without a value."""
        binding = self.names.get(name)
        if isinstance(binding, Broken):
            return silent()
        if binding is not None:
            return fail(
                "bad-expression",
                span,
                f"`{name}` is a register; its value is not known at generation time",
            )
        constants = [n for n, b in self.names.items() if isinstance(b, Const)]
        near = nearest(name, [*constants, *self.file.entries])
        if near in constants:
            return fail("undefined", span, f"no constant `{name}`", help=near)
        return self.file.missing(name, span)

    def function(self, name: str) -> Function | None:
        return self.file.function(name)

    def functions(self) -> Iterator[str]:
        return self.file.functions()

    def has(self, feature: str) -> bool:
        return self.file.has(feature)

    def registers(self) -> list[str]:
        """The names that stand for registers."""
        return [name for name, binding in self.names.items() if isinstance(binding, One | Many)]


def _where(span: Span) -> str:
    return f"{span.source.path}:{span.line}"
