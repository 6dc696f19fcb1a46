# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which variant of a macro fits the core, and what its parameters stand for in one expansion."""

from __future__ import annotations

from dataclasses import replace

from gen import isa
from gen.diag import Failed, fail, nearest
from gen.ir.ir import Half, Var
from gen.passes.elaborate.declare import array_length, register_type
from gen.passes.elaborate.operands import formula, resolve
from gen.passes.elaborate.scope import Binding, Const, FileScope, Many, One, Scope
from gen.read.consteval import evaluate
from gen.read.source import Span
from gen.read.syntax import Arg, MacroCall, MacroDecl, MacroParam, SubDecl, Word

Variant = tuple[MacroDecl, FileScope]


def choose(file: FileScope, word: Word) -> Variant:
    """The variant with the most requirements among those the core meets.

    Errors: `undefined`, `missing-feature`, `ambiguous-variant`, `bad-arguments` for variants that
    differ in parameters.
    """
    variants = file.macros(word.text)
    if not variants:
        raise _unknown(file, word)
    _same_parameters(variants)
    core = file.world.core
    fitting = [one for one in variants if _needs(one) <= core.features]
    if not fitting:
        details = tuple(
            f"a variant requires {', '.join(sorted(_needs(one) - core.features))}"
            for one in variants
        )
        raise fail(
            "missing-feature",
            word.span,
            f"no variant of {word.text} fits {core.key}",
            details=details,
        )
    most = max(len(_needs(one)) for one in fitting)
    best = [one for one in fitting if len(_needs(one)) == most]
    if len(best) > 1:
        places = tuple(f"{d.name.span.source.path}:{d.name.span.line}" for d, _ in best)
        raise fail(
            "ambiguous-variant",
            word.span,
            f"two variants of {word.text} fit {core.key} equally well",
            details=places,
        )
    return best[0]


def _needs(variant: Variant) -> frozenset[str]:
    decl, file = variant
    return file.needs(decl.requires)


def _unknown(file: FileScope, word: Word) -> Failed:
    entries = file.entries.get(word.text)
    if entries and isinstance(entries[0][0], SubDecl):
        return fail(
            "undefined", word.span, f"`{word.text}` is a sub", help=f"call {word.text}(...)"
        )
    if entries:
        return fail("undefined", word.span, f"`{word.text}` is no macro")
    if isa.forms_named(word.text):
        return fail(
            "undefined",
            word.span,
            f"`{word.text}` is an instruction; its operands stand without parentheses",
        )
    known = [name for name in file.entries if file.macros(name)]
    return fail("undefined", word.span, f"no macro `{word.text}`", help=nearest(word.text, known))


def _same_parameters(variants: list[Variant]) -> None:
    first, *others = (_shape(decl) for decl, _ in variants)
    for (decl, _), shape in zip(variants[1:], others, strict=True):
        if shape != first:
            raise fail(
                "bad-arguments",
                decl.name.span,
                f"the variants of {decl.name.text} take different parameters",
                details=(signature(variants[0][0]), signature(decl)),
            )


def _shape(decl: MacroDecl) -> tuple[tuple[str, str | None, str, str], ...]:
    return tuple(
        (p.name.word.text, p.role, p.type.text, p.name.count.text if p.name.count else "")
        for p in decl.params
    )


def signature(decl: MacroDecl | SubDecl) -> str:
    """The head of a macro or sub for a message."""
    return f"{decl.name.text}({', '.join(_written(param) for param in decl.params)})"


def _written(param: MacroParam) -> str:
    role = f"{param.role} " if param.role and param.type.text != "ptr" else ""
    count = f"[{param.name.count.text}]" if param.name.count else ""
    pin = f" @ {param.pin.first.text}" if param.pin else ""
    pin += f"..{param.pin.last.text}" if param.pin and param.pin.last else ""
    return f"{role}{param.name.word.text}{count} : {param.type.text}{pin}"


def bind(call: MacroCall, variant: Variant, caller: Scope) -> Scope:
    """The scope of one expansion: parameters and used registers. Errors: `bad-arguments`,
    `undefined`."""
    decl, file = variant
    if len(call.args) != len(decl.params):
        raise fail(
            "bad-arguments",
            call.span,
            f"{decl.name.text} takes {len(decl.params)} arguments, not {len(call.args)}",
            details=(signature(decl),),
        )
    scope = Scope(file, decl.name.text, macro=True)
    written: dict[Var, Span] = {}
    for param, arg in zip(decl.params, call.args, strict=True):
        word = param.name.word
        binding = (
            _constant(arg, caller, decl)
            if param.type.text == "const"
            else _readonly(param, bound(param, arg, caller, scope, decl))
        )
        if param.role in ("out", "inout") and param.type.text != "flag":
            _once(binding, arg, written, decl)
        scope.declare(word.text, word.span, binding)
    for word in decl.uses:
        scope.declare(word.text, word.span, _used(word, caller, call, decl))
    return scope


def _constant(arg: Arg, caller: Scope, decl: MacroDecl) -> Binding:
    if arg.expr is None or (
        arg.ref and isinstance(caller.names.get(arg.ref.name.text), One | Many)
    ):
        raise fail(
            "bad-arguments",
            arg.span,
            "a constant is needed here, not a register",
            details=(signature(decl),),
        )
    value = evaluate(arg.expr, caller, caller.file.world.budget)
    return Const(value, formula(caller, arg.expr))


def bound(
    param: MacroParam, arg: Arg, caller: Scope, scope: Scope, decl: MacroDecl | SubDecl
) -> One | Many:
    """What a register parameter stands for. Errors: `bad-arguments`, `undefined`."""
    type_ = register_type(param.type, caller)
    count = array_length(param.name, scope)
    found = _argument(arg, caller, param, decl)
    if count is None:
        if isinstance(found, Many):
            raise _unfit(arg, param, decl, f"an array of {len(found.items)} registers")
        _fits(found, type_, arg, param, decl)
        return One(found.item, type_, found.readonly)
    if isinstance(found, One):
        raise _unfit(arg, param, decl, "one register")
    if len(found.items) != count:
        raise _unfit(arg, param, decl, f"{len(found.items)} registers")
    for item in found.items:
        _fits(One(item, found.type), type_, arg, param, decl)
    return Many(found.items, type_, found.readonly)


def _readonly(param: MacroParam, found: One | Many) -> One | Many:
    """An `in` parameter of a macro may not be written there; any other may, whatever it is bound to."""
    return replace(found, readonly=param.role == "in")


def _argument(arg: Arg, caller: Scope, param: MacroParam, decl: MacroDecl | SubDecl) -> One | Many:
    if arg.items is not None:
        parts = [resolve(caller, ref) for ref in arg.items.items]
        items = tuple(
            i for part in parts for i in (part.items if isinstance(part, Many) else (part.item,))
        )
        return Many(items, parts[0].type)
    if arg.ref is None or isinstance(caller.names.get(arg.ref.name.text), Const):
        raise _unfit(arg, param, decl, "a constant")
    word = arg.ref.name
    if param.type.text == "flag" and param.role == "out" and word.text not in caller.names:
        caller.declare(word.text, word.span, One(Var(word.text, "flag", span=word.span), "flag"))
    return resolve(caller, arg.ref)


def _unfit(arg: Arg, param: MacroParam, decl: MacroDecl | SubDecl, what: str) -> Failed:
    return fail(
        "bad-arguments",
        arg.span,
        f"this is {what}; `{_written(param)}` is wanted",
        details=(signature(decl),),
    )


def _fits(found: One, type_: str, arg: Arg, param: MacroParam, decl: MacroDecl | SubDecl) -> None:
    if (found.type == "flag") != (type_ == "flag"):
        raise _unfit(arg, param, decl, "a carry" if found.type == "flag" else "a register")
    if isinstance(found.item, Half):
        if type_ != "i16":
            raise _unfit(arg, param, decl, "a half-word")
        if param.role != "in":
            raise fail(
                "bad-arguments",
                arg.span,
                "a half-word can be read only",
                details=(signature(decl),),
            )
    elif type_ == "i16" and found.type != "i16":
        raise fail(
            "bad-arguments",
            arg.span,
            "a half-word is needed here",
            details=(signature(decl),),
            help=f"{found.item.name}.b",
        )


def _once(binding: Binding, arg: Arg, written: dict[Var, Span], decl: MacroDecl) -> None:
    """No register may be written through two parameters."""
    items = (
        binding.items
        if isinstance(binding, Many)
        else (binding.item,)
        if isinstance(binding, One)
        else ()
    )
    for item in items:
        assert isinstance(item, Var)
        if item in written:
            raise fail(
                "bad-arguments",
                arg.span,
                f"`{item.name}` is written through two parameters",
                details=(signature(decl),),
            )
        written[item] = arg.span


def _used(word: Word, caller: Scope, call: MacroCall, decl: MacroDecl) -> Binding:
    binding = caller.names.get(word.text)
    if binding is None or isinstance(binding, Const):
        help = f"uses {word.text}" if caller.macro else f"reg {word.text} : u32"
        raise fail(
            "undefined",
            call.name.span,
            f"{decl.name.text} uses `{word.text}`, which {caller.name} does not have",
            help=help,
        )
    return binding
