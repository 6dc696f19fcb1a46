# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""One Form for each instruction the author wrote, or a message that lists the forms that exist."""

from __future__ import annotations

from dataclasses import replace

from gen import isa
from gen.cores.core import Core
from gen.diag import Bag, nearest
from gen.ir.ir import (
    Base,
    Do,
    Half,
    Imm,
    Insn,
    Loop,
    Mem,
    Node,
    Operand,
    Reg,
    Routine,
    Then,
    Var,
    When,
)


def select(routine: Routine) -> Routine:
    """The pass. Raises `Failed`: unknown-mnemonic, missing-feature, bad-operands, bad-constant,
    no-meaning."""
    chooser = _Chooser(routine.core)
    body = chooser.nodes(routine.body)
    chooser.bag.close()
    return replace(routine, body=body)


class _Chooser:
    def __init__(self, core: Core) -> None:
        self.core = core
        self.bag = Bag()
        self.writable = frozenset(isa.mnemonics())

    def nodes(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        return tuple(self.node(node) for node in nodes)

    def node(self, node: Node) -> Node:
        match node:
            case Insn():
                return self.insn(node)
            case Do() | Loop():
                return replace(node, body=self.nodes(node.body))
            case When():
                return replace(node, then=self.nodes(node.then), other=self.nodes(node.other))
            case Then():
                return replace(node, body=tuple(self.insn(insn) for insn in node.body))
        return node

    def insn(self, insn: Insn) -> Insn:
        """The instruction with its form; unchanged after an error."""
        name, ops = isa.canonical(insn.mnemonic, insn.ops)
        known = isa.forms_named(name) if name in self.writable else ()
        if not known:
            self.unknown(insn)
            return insn
        forms = [form for form in known if self.available(form)]
        if not forms:
            self.missing(insn, known[0])
            return insn
        reasons = []
        for form in forms:
            roles = isa.match(form, ops)
            if not isinstance(roles, isa.Mismatch):
                return self.checked(replace(insn, mnemonic=name, ops=ops, form=form, roles=roles))
            reasons.append(roles)
        other = self.elsewhere(known, ops)
        if other is not None:
            self.missing(insn, other)
        else:
            self.misfit(insn, forms, reasons)
        return insn

    def elsewhere(self, known: tuple[isa.Form, ...], ops: tuple[Operand, ...]) -> isa.Form | None:
        """A form that takes the operands in a table which one of the core's follows: the source is right, the core
        cannot say it."""
        followed = {isa.FOLLOWS.get(table) for table in self.core.isa}
        alike = (f for f in known if f.isa in followed)
        return next((f for f in alike if not isinstance(isa.match(f, ops), isa.Mismatch)), None)

    def available(self, form: isa.Form) -> bool:
        return form.isa in self.core.isa and (not form.needs or form.needs in self.core.features)

    def unknown(self, insn: Insn) -> None:
        text, help = no_such(insn.mnemonic, self.core)
        self.error("unknown-mnemonic", insn, text, help=help)

    def missing(self, insn: Insn, form: isa.Form) -> None:
        need = form.needs or form.isa
        self.error(
            "missing-feature",
            insn,
            f"{insn.mnemonic} needs {need}, which {self.core.key} does not have",
            help=f"write a variant of this macro without it, and put `requires {need}` on this one",
        )

    def misfit(self, insn: Insn, forms: list[isa.Form], reasons: list[isa.Mismatch]) -> None:
        """No form takes the operands: only a number is wrong, or their shape is."""
        near = [(f, r) for f, r in zip(forms, reasons, strict=True) if r.legal]
        if near:
            self.unfit(insn, near)
            return
        details = tuple(f"{shape(f)}: {r.reason}" for f, r in zip(forms, reasons, strict=True))
        self.error(
            "bad-operands",
            insn,
            f"no form of {insn.mnemonic} takes these operands",
            details=("forms:", *details),
            help=shape(forms[0]),
        )

    def unfit(self, insn: Insn, near: list[tuple[isa.Form, isa.Mismatch]]) -> None:
        """All encodings that a constant does not fit; a register that holds it, where it is a value."""
        said = [f"{_encoded(form)}: {reason.reason}" for form, reason in near]
        value = any("t2" in role.enc for form, _ in near for role in form.roles)
        self.error(
            "bad-constant",
            insn,
            said[0] if len(said) == 1 else f"no encoding of {insn.mnemonic} holds this constant",
            details=tuple(said) if len(said) > 1 else (),
            help=(loaded(insn) if value else "") or near[0][1].legal,
        )

    def checked(self, insn: Insn) -> Insn:
        """Registers that must differ do, a named carry is one."""
        assert insn.form is not None
        if isa.meaningless(insn.form):
            text = f"{shape(insn.form)} has no meaning in its table; C and the proofs would lose it"
            help = "write its meaning: d = ..., as gen/isa/meaning.py says"
            self.error("no-meaning", insn, text, help=help)
        for x, y in isa.distinct(insn):
            if x is y:
                self.error("bad-operands", insn, f"{x.name} may not stand here twice")
        for name, op in insn.roles.items():
            self.place(insn, name, op)
        if insn.flag_out is not None and not isa.flags_set(insn):
            self.error(
                "bad-operands", insn, f"{insn.mnemonic} sets no flag to be {insn.flag_out.name}"
            )
        if insn.flag_in is not None and not isa.flags_used(insn):
            self.error(
                "bad-operands", insn, f"{insn.mnemonic} reads no flag to be {insn.flag_in.name}"
            )
        return insn

    def place(self, insn: Insn, role: str, op: Operand) -> None:
        """A stack object is an address in the frame: a base with a constant offset, or added to."""
        if isinstance(op, Mem):
            plain = op.index is None and op.mode == "offset"
            good = (op.base.type != "stack" or plain) and (
                op.index is None or op.index.type != "stack"
            )
            names = [op.base.name, getattr(op.index, "name", "")]
        else:
            found = [op.var] if isinstance(op, Reg | Half | Base) else list(getattr(op, "vars", ()))
            names = [var.name for var in found if var.type == "stack"]
            good = not names or (role == "n" and isa.makes_address(insn))
        if not good:
            self.error(
                "bad-operands",
                insn,
                f"a stack object stands in [{names[0]}, #offset], or a constant is added to it",
                help=f"take its address into a register: add p, {names[0]}, #0",
            )

    def error(
        self, code: str, insn: Insn, text: str, details: tuple[str, ...] = (), help: str = ""
    ) -> None:
        self.bag.error(code, insn.span, text, trail=insn.trail, details=details, help=help)


def no_such(mnemonic: str, core: Core) -> tuple[str, str]:
    """What to say of an instruction that does not exist or is not written, and the help."""
    said = isa.instead(mnemonic)
    if said is not None:
        return said
    names = (*isa.mnemonics(core.isa), *isa.aliases())
    return f"no instruction is called {mnemonic}", nearest(mnemonic.lower(), names)


def loaded(insn: Insn) -> str:
    """The lines that do the same with a register in the place of the constant; "" where none can stand."""
    constant = next(op for op in insn.ops if isinstance(op, Imm))
    text = constant.text or str(constant.value)
    name = text.lower() if text.isidentifier() else "k"
    ops = tuple(Reg(Var(name)) if isinstance(op, Imm) else op for op in insn.ops)
    for form in isa.forms_named(insn.mnemonic):
        roles = isa.match(form, ops)
        if isinstance(roles, dict):
            here = isa.render(replace(insn, ops=ops, form=form, roles=roles), lambda var: var.name)
            top = f"`reg {name} : u32 = {text}` at the top, put in once at entry"
            return f"{top}, and here: {here}".replace("\t", " ")
    return ""


def _encoded(form: isa.Form) -> str:
    """`shape`, and the name of the encoding where it has one of its own."""
    name = form.text.split()[0]
    return shape(form) + (f" ({name})" if name != form.name and name.isalnum() else "")


_KINDS = {"half": ".b|.t", "base": "[!]"}
_SHOWN = {"imm": "#{}", "mem": "[{}, ...]", "list": "{{{}...}}"}


def shape(form: isa.Form) -> str:
    """How a form is written: "smlaxy d, n.b|.t, m.b|.t, a"."""
    parts = [
        _SHOWN.get(role.kind, "{}").format(role.name) + _KINDS.get(role.kind, "")
        for role in form.roles
    ]
    return f"{form.name} {', '.join(parts)}".rstrip()
