# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A macro with `ensures` as a routine of its own, for the proof of what it ensures."""

from __future__ import annotations

from dataclasses import replace

from gen.diag import Failed, fail
from gen.ir.ir import CType, Half, Param, Routine, Var
from gen.passes.elaborate.declare import array_length, register_type, registers, variable
from gen.passes.elaborate.expand import Expander
from gen.passes.elaborate.macros import Variant, choose, signature
from gen.passes.elaborate.scope import FileScope, Many, One, Scope
from gen.read.syntax import FnDecl, MacroDecl, MacroParam, Registers, Role, Word

_SIGNED = ("i32", "i16")


def ensured(file: FileScope) -> tuple[str, ...]:
    """Names of the visible macros whose variant for the core has `ensures`, sorted."""
    found: list[str] = []
    for name in sorted(file.entries):
        try:
            if not any(_fits(variant) for variant in file.macros(name)):
                continue
            decl, _ = choose(file, file.macros(name)[0][0].name)
        except Failed as failed:
            file.world.bag.take(failed)
            continue
        if decl.ensures is not None:
            found.append(name)
    return tuple(found)


def _fits(variant: Variant) -> bool:
    decl, file = variant
    return file.needs(decl.requires) <= file.world.features


def free_macro(file: FileScope, name: str) -> Routine:
    """The routine of a macro; `file` is where the values of the registers it uses are looked
    for."""
    variants = file.macros(name)
    if not variants:
        raise fail("unknown-name", file.unit.file.span, f"no macro {name} in this file")
    decl, owner = choose(file, Word(name, variants[0][0].name.span))
    scope = Scope(owner, name, macro=True)
    params = [param for one in decl.params for param in _params(one, (decl, owner), scope)]
    for word in decl.uses:
        params += _used(word, file, scope)
    expander = Expander(file.world, scope)
    expander.expansion(decl)
    return Routine(
        name,
        name,
        owner.unit.file.path,
        signature(decl),
        None,
        tuple(params),
        (),
        tuple(expander.out),
        file.world.core,
        comment=decl.above,
        span=decl.name.span,
    )


def _params(param: MacroParam, variant: Variant, scope: Scope) -> list[Param]:
    decl: MacroDecl = variant[0]
    word = param.name.word
    if param.type.text == "ptr":  # an address that the macro only stores to
        var = variable(word.text, "ptr", scope, word.span)
        scope.declare(word.text, word.span, One(var, "ptr"))
        return [_param(var, param.role or "in")]
    if param.type.text in ("const", "flag") or param.role is None:
        raise fail(
            "bad-arguments",
            word.span,
            f"`ensures` of {decl.name.text} is about all values of its registers; "
            f"`{word.text} : {param.type.text}` is not one",
        )
    type_ = register_type(param.type, scope)
    count = array_length(param.name, scope)
    if count is None:
        var = variable(word.text, type_, scope, word.span)
        # a half-word stands in the bottom of a register of its own
        item = Half(var, "b") if type_ == "i16" else var
        scope.declare(word.text, word.span, One(item, type_))
        return [_param(var, param.role)]
    array = tuple(variable(f"{word.text}[{i}]", type_, scope, word.span) for i in range(count))
    scope.declare(word.text, word.span, Many(array, type_))
    return [_param(var, param.role) for var in array]


def _param(var: Var, role: Role) -> Param:
    signed = var.type in _SIGNED
    return Param(
        var.name,
        CType(f"{'int' if signed else 'uint'}{var.bits}_t", var.bits, signed, False),
        var,
        True,
        role,
        span=var.span,
    )


def _used(word: Word, file: FileScope, scope: Scope) -> list[Param]:
    """A register of the caller: as the file's routine declares it, else an input that only the
    asserts restrict."""
    for fn in file.unit.file.decls:
        if isinstance(fn, FnDecl):
            caller = Scope(file, fn.name.text, macro=False)
            for line in fn.body:
                if isinstance(line, Registers) and any(
                    name.word.text == word.text for name in line.names
                ):
                    registers(line, caller)
                    found = caller.names[word.text]
                    if not (isinstance(found, One) and isinstance(found.item, Var)):
                        scope.declare(word.text, word.span, found)
                        return []
                    # whatever it begins with, the routine may have changed it since
                    var = replace(found.item, init=None)
                    scope.declare(word.text, word.span, replace(found, item=var))
                    return [_param(var, "in")]
    var = variable(word.text, "u32", scope, word.span)
    scope.declare(word.text, word.span, One(var, "u32"))
    return [_param(var, "in")]
