# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Subs and their calls: a `sub` becomes a Routine with a contract, `call` a node that names it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gen.diag import Failed, Frame, Trail, fail, nearest
from gen.ir.ir import Call, Contract, Ensured, Half, Node, Routine, StackObject, Var
from gen.passes.elaborate.declare import array_length, pin_names, register_type, registers, variable
from gen.passes.elaborate.macros import bound, signature
from gen.passes.elaborate.promises import Names, promises
from gen.passes.elaborate.scope import FileScope, Many, One, Scope
from gen.read.proto import Type
from gen.read.source import Span
from gen.read.syntax import Block, MacroParam, Registers, SubCall, SubDecl, Word

MOST_WORDS = 1024  # behind a pointer
Made = tuple[tuple[Node, ...], tuple[StackObject, ...]]
Expand = Callable[[Scope, Block], Made]


def call(statement: SubCall, caller: Scope, trail: Trail, expand: Expand) -> Call:
    """The node of a call; the sub is elaborated where it is first called.

    Errors: `undefined`, `bad-arguments`, `bad-call`, and those of the sub itself.
    """
    decl, file = _declared(caller.file, statement.name)
    contract = _elaborated(decl, file, statement.name.span, expand)
    if len(statement.args) != len(decl.params):
        raise fail(
            "bad-arguments",
            statement.span,
            f"{decl.name.text} takes {len(decl.params)} arguments, not {len(statement.args)}",
            details=(signature(decl),),
        )
    ins: list[Var] = []
    outs: list[Var] = []
    scope = Scope(file, decl.name.text, macro=True)
    for param, arg in zip(decl.params, statement.args, strict=True):
        found = bound(param, arg, caller, scope, decl)
        vars_ = _whole(found, arg.span, decl)
        if param.role != "out":
            ins += vars_
        if param.role != "in":
            _writable(found, arg.span, decl)
            outs += vars_
    for twice in {var.name for var in outs if outs.count(var) > 1}:
        raise fail(
            "bad-arguments",
            statement.span,
            f"`{twice}` is written through two parameters",
            details=(signature(decl),),
        )
    return Call(contract, tuple(ins), tuple(outs), statement.span, trail, statement.comment)


def _declared(file: FileScope, word: Word) -> tuple[SubDecl, FileScope]:
    for decl, owner in file.entries.get(word.text, ()):
        if isinstance(decl, SubDecl):
            return decl, owner
        raise fail("undefined", word.span, f"`{word.text}` is no sub", help=f"{word.text}(...)")
    known = [name for name, row in file.entries.items() if isinstance(row[0][0], SubDecl)]
    raise fail("undefined", word.span, f"no sub `{word.text}`", help=nearest(word.text, known))


def _whole(found: One | Many, span: Span, decl: SubDecl) -> list[Var]:
    """The registers of an argument: no halves, no addresses of stack objects."""
    out: list[Var] = []
    for item in found.items if isinstance(found, Many) else (found.item,):
        if isinstance(item, Half):
            raise fail(
                "bad-arguments",
                span,
                "a sub takes whole registers, not half-words",
                details=(signature(decl),),
            )
        if item.type == "stack":
            raise fail(
                "bad-arguments",
                span,
                f"`{item.name}` is a place in the frame, not a register that holds its address",
                details=(signature(decl),),
                help=f"reg p : ptr, and before the call: add p, {item.name}, #0",
            )
        out.append(item)
    return out


def _writable(found: One | Many, span: Span, decl: SubDecl) -> None:
    if found.readonly:
        raise fail(
            "bad-arguments",
            span,
            f"{decl.name.text} writes this register, which is an `in` parameter here",
            details=(signature(decl),),
        )


# --- the sub itself ---


def _elaborated(decl: SubDecl, file: FileScope, at: Span, expand: Expand) -> Contract:
    """The contract of a sub; its Routine is entered in the world's `subs` behind its callees."""
    world = file.world
    if decl in world.busy_subs:
        raise fail("bad-call", at, f"{decl.name.text} calls itself")
    if decl in world.failed_subs:
        raise Failed(type(world.bag)())
    if decl not in world.subs:
        world.busy_subs.append(decl)
        try:
            world.subs[decl] = _routine(decl, file, expand)
        except Failed:
            world.failed_subs.add(decl)
            raise
        finally:
            world.busy_subs.pop()
    contract = world.subs[decl].contract
    assert contract is not None
    return contract


def _routine(decl: SubDecl, file: FileScope, expand: Expand) -> Routine:
    scope = Scope(file, decl.name.text, macro=False)
    contract = _contract(decl, scope)
    for line in decl.body:
        if isinstance(line, Registers):
            registers(line, scope)
    rest = tuple(line for line in decl.body if not isinstance(line, Registers))
    body, objects = expand(scope, rest)
    for node in _calls(body):
        _nested(node, contract)
    return Routine(
        decl.name.text,
        decl.name.text,
        file.unit.file.path,
        signature(decl),
        None,
        (),
        (),
        body,
        file.world.core,
        comment=decl.above,
        span=decl.name.span,
        ensures=_promises(decl, scope),
        objects=objects,
        contract=contract,
    )


def _promises(decl: SubDecl, scope: Scope) -> tuple[Ensured, ...]:
    """Equations about words behind the pointers."""
    if decl.ensures is None:
        return ()
    words = Type("uint32_t", 32, False, pointer=True, count=MOST_WORDS)
    pointers = {p.name.word.text: words for p in decl.params if p.type.text == "ptr"}
    found = promises(decl.ensures, Names(pointers), scope)
    for one in found:
        if one.method != "identity":
            message = "a sub ensures equations of polynomials, or of their residues"
            raise fail("bad-expression", one.span, message)
    return found


def _contract(decl: SubDecl, scope: Scope) -> Contract:
    """Enters the parameters as pinned registers; what they and the clobbers promise."""
    ins: list[Var] = []
    outs: list[Var] = []
    for param in decl.params:
        made = _parameter(param, scope)
        if param.role != "out":
            ins += made
        if param.role != "in":
            outs += made
    for row in (ins, outs):
        _once(row)
    clobbers = frozenset(name for pin in decl.clobbers for name in pin_names(pin, scope))
    return Contract(decl.name.text, tuple(ins), tuple(outs), clobbers)


def _parameter(param: MacroParam, scope: Scope) -> tuple[Var, ...]:
    word = param.name.word
    if param.type.text in ("const", "flag") or param.pin is None:
        kind = f"a {param.type.text}" if param.pin is None and param.type.text != "ptr" else ""
        what = f"{kind} cannot be passed to a sub" if param.type.text in ("const", "flag") else ""
        raise fail(
            "bad-call",
            word.span,
            what or f"`{word.text}` needs its register",
            help=f"{word.text} : {'u32' if what else param.type.text} @ r0",
        )
    type_ = register_type(param.type, scope)
    count = array_length(param.name, scope)
    pins = pin_names(param.pin, scope)
    if len(pins) != (count or 1):
        raise fail("bad-call", param.pin.span, f"{len(pins)} pins for {count or 1} registers")
    text = word.text
    texts = (text,) if count is None else tuple(f"{text}[{i}]" for i in range(count))
    made = tuple(
        variable(one, type_, scope, word.span, pin=pin)
        for one, pin in zip(texts, pins, strict=True)
    )
    scope.declare(text, word.span, One(made[0], type_) if count is None else Many(made, type_))
    return made


def _once(row: Sequence[Var]) -> None:
    pins: dict[str | None, Var] = {}
    for var in row:
        if var.pin in pins:
            other = pins[var.pin]
            raise fail("bad-call", var.span, f"{other.name} and {var.name} are both in {var.pin}")
        pins[var.pin] = var


def _calls(nodes: Sequence[Node]) -> list[Call]:
    found: list[Call] = []
    for node in nodes:
        if isinstance(node, Call):
            found.append(node)
        for name in ("body", "then", "other"):
            found += _calls(getattr(node, name, ()))
    return found


def _nested(node: Call, contract: Contract) -> None:
    """What a callee spoils its caller spoils, too; LR is saved where something is called."""
    missing = node.contract.spoils - contract.spoils
    if missing:
        names = ", ".join(sorted(missing, key=lambda name: (len(name), name)))
        raise fail(
            "bad-call",
            node.span,
            f"{node.contract.name} spoils {names}, which {contract.name} does not list",
            trail=node.trail,
            help=f"clobbers {names}",
        )


__all__ = ["Frame", "call"]
