# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a decoded instruction does with flags and accumulators, by the disassembler's mnemonic.

A disassembler says which registers stand in an instruction, and is silent or wrong about the rest:
flags, what accumulates, lists. The instruction tables know; `_ELSEWHERE` holds what compilers write
and no table has. A mnemonic in neither is not understood, and `traffic` says so by None.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gen.isa.form import Form
from gen.isa.kinds import base_names
from gen.isa.meaning import CONDITIONS
from gen.isa.tables import all_forms

ALL_FLAGS = frozenset({"N", "Z", "C", "V", "Q", "GE"})


@dataclass(frozen=True, slots=True)
class Traffic:
    """Beside its operands: flags it sets for sure, may set, and uses; leading operands it updates."""

    sets: frozenset[str] = frozenset()
    may_set: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    updated: int = 0


_ARITHMETIC = frozenset("NZCV")
_ELSEWHERE: dict[str, Traffic] = {
    **dict.fromkeys("adr ldrt ldrbt ldrht ldrsbt ldrsht strt strbt strht".split(), Traffic()),
    **dict.fromkeys("tbb tbh blx hint dmb dsb isb pld".split(), Traffic()),
    "muls": Traffic(sets=frozenset("NZ")),
    "negs": Traffic(sets=_ARITHMETIC),
    "mrs": Traffic(uses=ALL_FLAGS),
    "msr": Traffic(may_set=ALL_FLAGS),
}

# How a register's value follows from others, where an address may be made of it: the last operand
# times this is added to those before; "shift" and "high" say it for themselves.
SUMS: dict[str, int | str] = {
    **dict.fromkeys(("mov", "movw", "add", "addw"), 1),
    **dict.fromkeys(("sub", "subw"), -1),
    "lsl": "shift",
    "movt": "high",
}
# Of a register and the same register: the same result whatever is in it.
CANCELLING = frozenset("eor sub sbc".split())
_TAILS = {"reg": "reg", "half": "reg", "imm": "imm", "shift": "shift"}


@cache
def _forms() -> dict[str, tuple[Form, ...]]:
    found: dict[str, list[Form]] = {}
    for form in all_forms():
        for name in base_names(form):
            found.setdefault(name, []).append(form)
    return {name: tuple(forms) for name, forms in found.items()}


def base_and_setting(name: str, mnemonic: str) -> tuple[str, bool]:
    """The base without the S of flag-setting instructions, and whether the whole mnemonic has it."""
    if name.endswith("s") and name not in _forms() and name[:-1] in _forms():
        return name[:-1], True
    return name, mnemonic.startswith(name + "s")


@cache
def traffic(name: str, setting: bool, tail: str) -> Traffic | None:
    """Of base mnemonic `name`; `tail` is what its last operand is: reg, imm, shift (or "").

    None when nobody has said what the instruction does.
    """
    full = name + "s" if setting else name
    if full in _ELSEWHERE:
        return _ELSEWHERE[full]
    forms = [f for f in _forms().get(name, ()) if f.name.endswith("s") == setting]
    forms = forms or ([] if setting else list(_forms().get(name, ())))
    fitting = [f for f in forms if _tail(f) == tail] or forms
    return _of(fitting) if fitting else None


def _tail(form: Form) -> str:
    return _TAILS.get(form.roles[-1].kind, "") if form.roles else ""


def _of(forms: list[Form]) -> Traffic:
    sets = [form.sets - ({"C"} if "imm_c" in form.means else set()) for form in forms]
    every, some = frozenset.intersection(*sets), frozenset().union(*sets)
    uses = frozenset().union(*(form.uses for form in forms))
    sticky = frozenset({"Q"}) & some  # once set it stays
    updated = max(
        sum(role.kind == "reg" and role.access == "rw" for role in form.roles) for form in forms
    )
    return Traffic(every - sticky, some - every | sticky, uses, updated)


def condition(cond: str, flags: dict[str, int]) -> bool:
    """Whether a condition holds."""
    return bool(eval(CONDITIONS[cond], {"__builtins__": {}}, dict(flags)))
