# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Kind of a decoded instruction by its base mnemonic, for code that no Form wrote: a compiler's.

The mnemonic is the disassembler's, without condition, flag, width and data type. Those of the
tables come from the Forms, the rest is listed here. Loads of PC and returns from the stack are
told apart by their operands, in the decoder.
"""

from __future__ import annotations

from gen.isa.form import Form
from gen.isa.tables import M_PROFILE, aliases, all_forms, forms_named

# what compilers write and no table holds
_OTHERS = {
    "alu": "adr movs subs neg mrs msr",
    "load": "ldrt ldrbt ldrht ldrsbt ldrsht ldrex ldrexb ldrexh",
    "store": "strt strbt strht strex strexb strexh",
    "branch": "tbb tbh",
    "call": "blx",
    "nop": "hint clrex dmb dsb isb pld pldw pli",
    "vmov": "vmrs vmsr",
    "vop": "vabs vadd vcmp vcmpe vcvt vcvtr vcvtb vcvtt vmul vneg vnmul vsub",
    "vmac": "vmla vmls vnmla vnmls vfma vfms vfnma vfnms",
    "vdiv": "vdiv vsqrt",
}


def base_names(form: Form) -> tuple[str, ...]:
    """The base mnemonics a disassembler has for a form."""
    exact = tuple(name for name, (family, _) in aliases().items() if family == form.name)
    if exact:
        return exact
    if form.kind == "it":
        return ("it",)
    name = form.text.split(" ")[0].partition("{")[0].partition(".")[0]
    setting = name.endswith("s") and forms_named(name[:-1], M_PROFILE)
    return (name[:-1] if setting else name,)


KIND_OF: dict[str, str] = {
    **{name: kind for kind, names in _OTHERS.items() for name in names.split()},
    **{name: form.kind for form in all_forms() for name in base_names(form)},
}

# Lists whose base is SP, unwritten.
STACK_LISTS = frozenset(form.name for form in all_forms() if "sp" in form.effects.writes)


def access_bytes(mnemonic: str) -> int:
    """Width of a single access of a load or store: 1, 2 or 4."""
    base = mnemonic.removesuffix("t").removeprefix("ldr").removeprefix("str").removeprefix("ex")
    return {"b": 1, "sb": 1, "h": 2, "sh": 2}.get(base, 4)
