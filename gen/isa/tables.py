# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""All tables together, looked up by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gen.ir.ir import Half, Operand, Reg
from gen.isa import a32, a64, a64_vector, dsp, memory, thumb2, vfp
from gen.isa.form import Form

M_PROFILE = ("thumb2", "dsp", "vfp")
A32 = ("a32", "dsp")
A64 = ("aarch64", "sha3")
ALL = (*M_PROFILE, "a32", *A64)
# A table that follows another: sources are written for that one, and may say more than it can encode.
FOLLOWS = {"a32": "thumb2"}


@cache
def every_form() -> tuple[Form, ...]:
    """Those of all tables."""
    m_profile = (*thumb2.forms(), *memory.forms(), *dsp.forms(), *vfp.forms())
    return (*m_profile, *a32.forms(), *a64.forms(), *a64_vector.forms())


@cache
def all_forms(isa: Sequence[str] = M_PROFILE) -> tuple[Form, ...]:
    """Every form of some tables."""
    return tuple(form for form in every_form() if form.isa in isa)


@cache
def _by_name() -> dict[str, tuple[Form, ...]]:
    found: dict[str, list[Form]] = {}
    for form in every_form():
        found.setdefault(form.name, []).append(form)
    return {name: tuple(forms) for name, forms in found.items()}


def forms_named(name: str, isa: Sequence[str] = ALL) -> tuple[Form, ...]:
    """The forms of a family in some tables, in their order; () when there is none of this name."""
    found = _by_name().get(name, ())
    return found if isa is ALL else tuple(form for form in found if form.isa in isa)


def mnemonics(isa: Sequence[str] = ALL) -> tuple[str, ...]:
    """Family names an author may write, sorted; branches, IT, PUSH and POP are the generator's."""
    hidden = {"branch", "call", "return", "it"}
    names = {form.name for form in every_form() if form.isa in isa and form.kind not in hidden}
    return tuple(sorted(names - {"push", "pop", "vpush", "vpop"}))


@cache
def aliases() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Exact spelling -> family and the halves it means, in order: smulbt -> (smulxy, (b, t))."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for form in all_forms():
        mnemonic = form.text.split(" ")[0]
        count = mnemonic.count(".half}")
        for choice in range(2**count) if count else ():
            halves = tuple("bt"[choice >> (count - 1 - i) & 1] for i in range(count))
            exact = mnemonic
            for role, which in zip(
                [r.name for r in form.roles if r.kind == "half"], halves, strict=True
            ):
                exact = exact.replace(f"{{{role}.half}}", which)
            found[exact] = (form.name, halves)
    return found


def canonical(name: str, ops: Sequence[Operand]) -> tuple[str, tuple[Operand, ...]]:
    """An exact spelling with plain registers as its family with half-words; else unchanged."""
    if name not in aliases():
        return name, tuple(ops)
    family, halves = aliases()[name]
    form = forms_named(family, M_PROFILE)[0]
    left = list(halves)
    made: list[Operand] = []
    for operand, role in zip(ops, form.roles, strict=False):
        half = role.kind == "half" and isinstance(operand, Reg)
        made.append(Half(operand.var, left.pop(0)) if half else operand)  # type: ignore
    return family, (*made, *ops[len(made) :])
