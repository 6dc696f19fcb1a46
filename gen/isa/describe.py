# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""All that the tables know of an instruction, as text for people."""

from __future__ import annotations

from collections.abc import Iterator

from gen.isa import encode
from gen.isa.form import Form, Role
from gen.isa.meaning import FLAGS
from gen.isa.tables import aliases, forms_named

_WRITTEN = {
    "half": "{0}.b|{0}.t",
    "imm": "#{0}",
    "mem": "[{0}]",
    "list": "{{{0}}}",
    "base": "{0}[!]",
}


def written(form: Form) -> str:
    """The form as an author writes it: `smlaxy d, n.b|n.t, m.b|m.t, a`."""
    operands = [_WRITTEN.get(role.kind, "{0}").format(role.name) for role in form.roles]
    return f"{form.name} {', '.join(operands)}".strip()


def _role(role: Role) -> str:
    """What one operand takes."""
    access = {"r": "read", "w": "written", "rw": "read and written"}[role.access]
    match role.kind:
        case "imm":
            return encode.immediate_text(role.enc)
        case "shift":
            kinds = encode.SHIFTS[role.enc].items()
            return ", ".join(f"{kind} {steps[0]} to {steps[-1]}" for kind, steps in kinds)
        case "mem":
            return encode.memory_text(role.enc)
        case "half":
            return f"half-word, {access}"
        case "list":
            return f"registers of bank {role.enc}, {access}"
        case "base":
            return "address, updated where ! is written"
        case "label":
            return "label"
    return f"register, {access}" if role.enc == "core" else f"register {role.enc}0.., {access}"


def _encoding(form: Form) -> str:
    if not form.narrow:
        return "32 bits"
    if form.narrow == "True":
        return "16 or 32 bits" if form.wide else "16 bits"
    return f"16 bits if {form.narrow}; else 32"


def _facts(form: Form) -> Iterator[tuple[str, str]]:
    """Name and value of everything worth a line."""
    yield "prints", form.text
    for statement in form.means.split("; "):
        yield "means", statement or "no effect on data"
    for role in form.roles:
        yield role.name, _role(role)
    if form.distinct:
        yield "differ", "; ".join(" and ".join(pair) for pair in form.distinct)
    if form.holds:
        yield "where", form.holds
    for title, flags in (("sets", form.sets), ("uses", form.uses)):
        if flags:
            yield title, " ".join(flag for flag in FLAGS if flag in flags)
    if form.align > 1:
        yield "aligned", f"address a multiple of {form.align}, whatever the core allows elsewhere"
    yield "bits", _encoding(form)
    yield "kind", form.kind
    yield "table", form.isa + (f", needs feature {form.needs}" if form.needs else "")
    if form.acle:
        yield "ACLE", form.acle


def describe(name: str) -> str:
    """Everything known about a family or an exact spelling; "" when there is none of this name."""
    family = aliases()[name][0] if name in aliases() else name
    blocks = []
    for form in forms_named(family):
        facts = list(_facts(form))
        width = max(len(title) for title, _ in facts)
        lines, last = [written(form)], ""
        for title, value in facts:
            lines.append(f"  {'' if title == last else title:{width}}  {value}")
            last = title
        blocks.append("\n".join(lines))
    spellings = [exact for exact, (of, _) in aliases().items() if of == family]
    if blocks and spellings:
        blocks.append(f"exact spellings: {' '.join(spellings)}")
    return "\n\n".join(blocks)
