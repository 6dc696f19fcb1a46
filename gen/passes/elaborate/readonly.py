# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""An `in` parameter of a macro is the caller's register: no instruction of it may write it."""

from __future__ import annotations

from functools import lru_cache

from gen import isa
from gen.diag import fail
from gen.passes.elaborate.scope import Many, One, Scope
from gen.read.syntax import Instr, ListOp, MemOp, Ref, RegOp


def check_readonly(scope: Scope, statement: Instr) -> None:
    """Raises `Failed` with code `bad-operands` at the first `in` parameter that is written."""
    for at, op in enumerate(statement.ops):
        if isinstance(op, RegOp):
            if _readonly(scope, op.ref) and (op.bang or at in _written(statement)):
                raise _error(scope, op.ref)
        elif isinstance(op, MemOp):
            if op.mode != "offset" and _readonly(scope, op.base):
                raise _error(scope, op.base)
        elif isinstance(op, ListOp):
            for ref in op.items:
                if _readonly(scope, ref) and at in _written(statement):
                    raise _error(scope, ref)


def _readonly(scope: Scope, ref: Ref) -> bool:
    binding = scope.names.get(ref.name.text)
    return isinstance(binding, One | Many) and binding.readonly


def _written(statement: Instr) -> frozenset[int]:
    return _places(statement.mnemonic.text, len(statement.ops))


@lru_cache(maxsize=1024)
def _places(mnemonic: str, count: int) -> frozenset[int]:
    """The operands that every form of this name and length writes."""
    family, _ = isa.aliases().get(mnemonic, (mnemonic, ()))
    found: frozenset[int] | None = None
    for form in isa.forms_named(family):
        if len(form.roles) == count:
            places = frozenset(i for i, role in enumerate(form.roles) if "w" in role.access)
            found = places if found is None else found & places
    return found or frozenset()


def _error(scope: Scope, ref: Ref) -> Exception:
    name = ref.name.text
    binding = scope.names[name]
    assert isinstance(binding, One | Many)
    return fail(
        "bad-operands",
        ref.span,
        f"`{name}` is an `in` parameter of {scope.name} and cannot be written",
        help=f"inout {name} : {binding.type}",
    )
