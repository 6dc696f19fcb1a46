# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The prototype and the `param` and `result` lines -> Params: registers, promises, bounds."""

from __future__ import annotations

from gen.diag import Failed, fail, nearest
from gen.ir.ir import CType, Param, Table, Var
from gen.passes.elaborate.bounds import bounds
from gen.passes.elaborate.conditions import quantity
from gen.passes.elaborate.declare import variable
from gen.passes.elaborate.scope import Broken, Many, One, Scope
from gen.read.builtins import show
from gen.read.consteval import evaluate, integer
from gen.read.proto import MOST_ELEMENTS, Signature, Type, word_span
from gen.read.source import Span
from gen.read.syntax import FnDecl, ParamDecl, ResultDecl

# C element type (bits, signed) -> type of a table.
_TABLE_TYPES = {
    (8, False): "u8",
    (16, True): "i16",
    (16, False): "u16",
    (32, True): "i32",
    (32, False): "u32",
    (64, False): "u64",
}
_ALIGNMENTS = (1, 2, 4, 8, 16)
INT = 32  # bits of a number in a register of 32-bit cores, however narrow its type


def declare(fn: FnDecl, signature: Signature, scope: Scope) -> tuple[Param, ...]:
    """Enters a register for every parameter of the prototype; the Params in its order.

    Errors: `params-mismatch`, `duplicate`, and those of bounds; collected in the world's bag.
    """
    bag = scope.file.world.bag
    lines = _lines(fn, signature, scope)
    for name, type_ in signature.params:
        if name not in scope.names:
            scope.declare(
                name,
                word_span(fn.proto_span, name),
                _register(name, type_, scope, word_span(fn.proto_span, name)),
            )
    params: list[Param] = []
    for name, type_ in signature.params:
        line = lines.get(name)
        if line is None:
            bag.error(
                "params-mismatch",
                word_span(fn.proto_span, name),
                f"parameter `{name}` has no line",
                help=f"param {name} : {_suggestion(type_)}",
            )
            continue
        try:
            params.append(_param(line, type_, scope))
        except Failed as failed:
            bag.take(failed)
    return tuple(params)


def _lines(fn: FnDecl, signature: Signature, scope: Scope) -> dict[str, ParamDecl]:
    bag = scope.file.world.bag
    known = [name for name, _ in signature.params]
    lines: dict[str, ParamDecl] = {}
    for line in fn.body:
        if not isinstance(line, ParamDecl):
            continue
        name = line.name.text
        if name in lines:
            bag.error("duplicate", line.name.span, f"`{name}` has two lines")
        elif name not in known:
            bag.error(
                "params-mismatch",
                line.name.span,
                f"the prototype has no parameter `{name}`",
                details=(fn.prototype,),
                help=nearest(name, known),
            )
            scope.names.setdefault(name, Broken())
        lines.setdefault(name, line)
    return lines


def _suggestion(type_: Type) -> str:
    if not type_.pointer:
        return "public in"
    return "secret in" if type_.const else "secret inout"


def _register(name: str, type_: Type, scope: Scope, span: Span) -> One | Many:
    if type_.pointer:
        return One(variable(name, "ptr", scope), "ptr")
    word = scope.file.world.core.abi.bits
    kind = f"{'i' if type_.signed else 'u'}{word}"
    if type_.bits > word:
        low, high = variable(f"{name}[0]", f"u{word}", scope), variable(f"{name}[1]", kind, scope)
        return Many((low, high), f"u{word}")
    if type_.bits < word and word > INT:
        # AAPCS64, 6.4.2: the upper half of the register is not defined; no instruction here would clear it
        text = f"{type_.text} {name}: numbers of 64 bits and pointers are passed to routines here"
        raise fail("missing-feature", span, text)
    return One(variable(name, kind, scope), kind)


def ctype(type_: Type) -> CType:
    """The same type as the IR has it."""
    return CType(type_.text, type_.bits, type_.signed, type_.pointer, type_.const, type_.count)


def _param(line: ParamDecl, type_: Type, scope: Scope) -> Param:
    name = line.name.text
    found = scope.names[name]
    assert isinstance(found, One | Many)
    items = found.items if isinstance(found, Many) else (found.item, found.item)
    low, high = items
    assert isinstance(low, Var) and isinstance(high, Var)
    var = low if isinstance(found, One) else (low, high)
    _direction(line, type_)
    pre, post = bounds(line, type_, scope)
    budget = scope.file.world.budget
    return Param(
        name,
        ctype(type_),
        var,
        line.secret,
        line.role,
        align=_alignment(line, type_, scope),
        noalias=line.noalias,
        flash=line.flash,
        pre=pre,
        post=post,
        length=quantity(scope, line.length) if line.length else None,
        lengths=_lengths(line, scope),
        public_ranges=tuple(
            (integer(a, scope, budget), integer(b, scope, budget)) for a, b in line.public
        ),
        table=_table(line, type_, scope),
        span=line.name.span,
    )


def _direction(line: ParamDecl, type_: Type) -> None:
    name, span = line.name.text, line.name.span
    if not type_.pointer:
        if line.role != "in":
            raise fail(
                "params-mismatch",
                span,
                f"`{name}` is passed by value",
                help=f"param {name} : public in",
            )
        extra = line.noalias or line.flash or line.align or line.length or line.public or line.table
        if extra:
            raise fail(
                "params-mismatch",
                span,
                f"`{name}` is a number; only a pointer has alignment, length, a table ...",
            )
        return
    if line.lengths:
        raise fail(
            "params-mismatch",
            line.lengths.span,
            "`lengths` belongs to the number that says the length",
        )
    if type_.const and line.role != "in":
        raise fail(
            "params-mismatch",
            span,
            f"`{name}` points to const and cannot be {line.role}",
            help=f"param {name} : {'secret' if line.secret else 'public'} in",
        )
    if not type_.const and line.role == "in":
        raise fail(
            "params-mismatch",
            span,
            f"`{name}` is only read; its prototype does not say const",
            help=f"const {type_.text} {name}[{type_.count or ''}]",
        )


def _alignment(line: ParamDecl, type_: Type, scope: Scope) -> int:
    if line.align is None:
        return type_.bits // 8 if type_.pointer else 1
    value = integer(line.align, scope, scope.file.world.budget)
    if value not in _ALIGNMENTS:
        raise fail(
            "bad-expression",
            line.align.span,
            f"alignment to {show(value)} bytes; 1, 2, 4, 8 or 16 go",
        )
    return value


def _lengths(line: ParamDecl, scope: Scope) -> tuple[int, ...]:
    if line.lengths is None:
        return ()
    values = evaluate(line.lengths, scope, scope.file.world.budget)
    if isinstance(values, int) or not values or any(isinstance(one, tuple) for one in values):
        raise fail(
            "bad-expression",
            line.lengths.span,
            "`lengths` takes a list of numbers",
            help="lengths [0, 3, 504]",
        )
    for value in values:
        if isinstance(value, int) and not 0 <= value <= MOST_ELEMENTS:
            raise fail(
                "bad-expression",
                line.lengths.span,
                f"a proof with the length {show(value)}; 0 to {MOST_ELEMENTS} go",
                help="lengths [0, 3, 504]",
            )
    return values  # type: ignore[return-value]


def _table(line: ParamDecl, type_: Type, scope: Scope) -> Table | None:
    if line.table is None:
        return None
    word = line.table
    found = scope.file.find_table(word.text)
    if found is None:
        tables = [name for name in scope.file.entries if scope.file.find_table(name)]
        raise fail(
            "undefined", word.span, f"no table `{word.text}`", help=nearest(word.text, tables)
        )
    wanted = _TABLE_TYPES.get((type_.bits, type_.signed))
    if found.type != wanted:
        raise fail(
            "params-mismatch",
            word.span,
            f"`{word.text}` holds {found.type}; `{line.name.text}` points to {type_.text}",
        )
    if type_.count is not None and type_.count > len(found.values):
        raise fail(
            "params-mismatch",
            word.span,
            f"`{word.text}` has {len(found.values)} elements, the prototype {type_.count}",
        )
    return found


def result(fn: FnDecl, signature: Signature, scope: Scope) -> tuple[CType, Var] | None:
    """The C result and its register. Errors: `params-mismatch`."""
    lines = [line for line in fn.body if isinstance(line, ResultDecl)]
    if signature.result is None:
        if lines:
            raise fail(
                "params-mismatch",
                lines[0].name.span,
                "the prototype returns nothing",
                details=(fn.prototype,),
            )
        return None
    type_ = signature.result
    if type_.bits > scope.file.world.core.abi.bits:
        raise fail(
            "params-mismatch",
            fn.proto_span,
            "64-bit results cannot be returned yet",
            help="write through a pointer",
        )
    kind = f"{'i' if type_.signed else 'u'}{scope.file.world.core.abi.bits}"
    if not lines:
        raise fail(
            "params-mismatch",
            fn.proto_span,
            f"the prototype returns {type_.text}; no line names its register",
            help=f"result value : {kind}",
        )
    line = lines[0]
    if len(lines) > 1:
        raise fail("duplicate", lines[1].name.span, "a routine has one result")
    if line.type.text != kind:
        raise fail(
            "params-mismatch", line.type.span, f"the prototype returns {type_.text}", help=kind
        )
    var = variable(line.name.text, kind, scope, line.name.span)
    scope.declare(line.name.text, line.name.span, One(var, kind))
    return ctype(type_), var
