# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Syntax -> Routine: names looked up, expressions evaluated, macros expanded, loops unrolled at
generation time.

After this pass a routine is structured nodes over Vars; no name, formula or macro of the source is
left to resolve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from gen.cores.core import Core
from gen.diag import Bag, Failed, fail, nearest
from gen.ir.ir import CType, Routine, Table, Var
from gen.passes.elaborate.declare import registers
from gen.passes.elaborate.expand import Expander, Stop
from gen.passes.elaborate.free import ensured, free_macro
from gen.passes.elaborate.params import declare, result
from gen.passes.elaborate.promises import Names, promises
from gen.passes.elaborate.scope import FileScope, Scope, World
from gen.read.load import Unit, symbol_of
from gen.read.proto import Signature, signature
from gen.read.syntax import ConstDecl, FnDecl, ParamDecl, Registers, ResultDecl, TableDecl

__all__ = ["elaborate", "ensured_macros", "macro_routine", "tables"]

Made = TypeVar("Made")
_DECLARATIONS = (ParamDecl, ResultDecl, Registers)


def elaborate(unit: Unit, symbol: str, core: Core) -> Routine:
    """The routine `symbol` of a file for a core. Raises `Failed` with all errors found, at most
    ten shown."""

    def make(world: World) -> Routine:
        file = world.file(unit)
        fn = _function(file, symbol, core)
        _checked_name(fn, unit, world.bag)
        _checked_constants(file)
        return _routine(fn, unit, world, file)

    return _finished(World(core, Bag()), make)


def tables(unit: Unit) -> tuple[Table, ...]:
    """The tables that the file itself declares, in its order."""
    return _finished(World(None, Bag()), lambda world: _tables(unit, world))


def ensured_macros(unit: Unit, core: Core) -> tuple[str, ...]:
    """Names of the macros with `ensures` that a file declares or imports and that fit the core,
    sorted."""
    return _finished(World(core, Bag()), lambda world: ensured(world.file(unit)))


def macro_routine(unit: Unit, macro_name: str, core: Core) -> Routine:
    """A macro with `ensures` as a routine of its own.

    Its parameters and the registers it uses are Params with a register each (one for each element of an array).
    """
    return _finished(World(core, Bag()), lambda world: free_macro(world.file(unit), macro_name))


def _finished(world: World, make: Callable[[World], Made]) -> Made:
    """What `make` returns, if there was no error on the way."""
    made: Made | None = None
    try:
        made = make(world)
    except Failed as failed:
        world.bag.take(failed)
    except Stop:
        pass  # the reason is in the bag
    world.bag.close()
    assert made is not None
    return made


def _function(file: FileScope, symbol: str, core: Core) -> FnDecl:
    unit = file.unit
    functions = [decl for decl in unit.file.decls if isinstance(decl, FnDecl)]
    named = [fn for fn in functions if fn.name.text == symbol]
    if not named:
        near = nearest(symbol, [fn.name.text for fn in functions])
        raise fail("unknown-name", unit.file.span, f"no routine {symbol} in this file", help=near)
    fitting = [fn for fn in named if file.needs(fn.requires) <= core.features]
    if not fitting:
        missing = sorted(file.needs(named[0].requires) - core.features)
        raise fail(
            "missing-feature", named[0].requires[0].span, f"{core.key} has no {', '.join(missing)}"
        )
    chosen = max(fitting, key=lambda fn: len(fn.requires))
    own = core.abi.feature
    if own and own not in file.needs(chosen.requires):
        text = f"{symbol} is written for registers of 32 bits, those of {core.key} have {core.abi.bits}"
        help = f"write a variant that requires {own}"
        raise fail("missing-feature", chosen.name.span, text, help=help)
    return chosen


def _checked_name(fn: FnDecl, unit: Unit, bag: Bag) -> None:
    wanted = symbol_of(unit.file.path)
    variant = f"_{fn.variant.text}" if fn.variant else ""
    if fn.name.text + variant != wanted:
        plain = wanted.removesuffix(variant)
        bag.error(
            "bad-prototype",
            fn.name.span,
            f"{unit.file.path} defines {plain}, not {fn.name.text}",
            help=plain,
        )


def _checked_constants(file: FileScope) -> None:
    """Evaluates what the file declares, used or not, so that its errors show."""
    for decl in file.unit.file.decls:
        try:
            if isinstance(decl, ConstDecl) and decl.params is None:
                file.value(decl.name.text)
            elif isinstance(decl, TableDecl):
                file.table(decl)
        except Failed as failed:
            file.world.bag.take(failed)


def _tables(unit: Unit, world: World) -> tuple[Table, ...]:
    file = world.file(unit)
    found: list[Table] = []
    for decl in unit.file.decls:
        if isinstance(decl, TableDecl):
            try:
                found.append(file.table(decl))
            except Failed as failed:
                world.bag.take(failed)
    return tuple(found)


def _routine(fn: FnDecl, unit: Unit, world: World, file: FileScope) -> Routine:
    scope = Scope(file, fn.name.text, macro=False)
    sig = signature(fn.prototype, fn.proto_span)
    params = declare(fn, sig, scope)
    returned = _declarations(fn, sig, scope)
    expander = Expander(world, scope, frozenset(n for n, type_ in sig.params if type_.pointer))
    expander.statements(tuple(s for s in fn.body if not isinstance(s, _DECLARATIONS)))
    path = unit.file.path
    return Routine(
        path.rpartition("/")[2].removesuffix(".rasm"),
        fn.name.text,
        path,
        fn.prototype,
        returned,
        params,
        _tables(unit, world),
        tuple(expander.out),
        world.core,
        comment=fn.above or unit.file.above,
        span=fn.name.span,
        variant=fn.variant.text if fn.variant else "",
        ensures=promises(fn.ensures, _names(fn, sig), scope) if fn.ensures else (),
        objects=tuple(expander.objects),
        subs=tuple(world.subs.values()),
        asked=frozenset(world.asked),
    )


def _names(fn: FnDecl, sig: Signature) -> Names:
    results = [line.name.text for line in fn.body if isinstance(line, ResultDecl)]
    return Names(dict(sig.params), *results[:1])


def _declarations(fn: FnDecl, sig: Signature, scope: Scope) -> tuple[CType, Var] | None:
    """Enters result and registers; the C result."""
    bag = scope.file.world.bag
    returned = None
    try:
        returned = result(fn, sig, scope)
    except Failed as failed:
        bag.take(failed)
    for line in fn.body:
        if isinstance(line, Registers):
            try:
                registers(line, scope)
            except Failed as failed:
                bag.take(failed)
    return returned
