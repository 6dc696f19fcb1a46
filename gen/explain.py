# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Everything known about a routine on a core, or about an instruction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from gen.cores.core import all_cores, load_core
from gen.diag import fail, nearest
from gen.emit.cmeaning import Naming, statements
from gen.ir.ir import Base, Half, Imm, Insn, Mem, Operand, Reg, RegList, Routine, Shift, Var
from gen.isa import A64, Form, Mismatch, forms_named, match, mnemonics, reads, writes
from gen.passes import PIPELINE, run
from gen.read.source import NOWHERE

Facts = dict[str, Any]


# --- a routine -----------------------------------------------------------------------------------


def routine_facts(routine: Routine) -> Facts:
    """Figures and maps of a routine that has been through the whole pipeline; ready for JSON."""
    cost, frame = routine.cost, routine.frame
    return {
        "symbol": routine.symbol,
        "source": routine.source,
        "variant": routine.variant,
        "core": routine.core.key,
        "prototype": routine.prototype,
        "cycles": list(cost.cycles) if cost else None,
        "instructions": list(cost.instructions) if cost else None,
        "code": cost.code if cost else None,
        "rodata": cost.rodata if cost else None,
        "stack": frame.depth,
        "subs": {
            sub.name: {
                "contract": sub.prototype,
                "spoils": [
                    r for r in sub.core.registers if sub.contract and r in sub.contract.spoils
                ],
                "stack": sub.frame.depth,
                "registers": register_map(sub),
            }
            for sub in routine.subs
        },
        "saved": [save.register for save in frame.saved],
        "parked": sorted(routine.fp, key=lambda name: int(name[1:])),
        "bounds": {name: list(pair) for name, pair in sorted(routine.bounds.items())},
        "promises": {p.name: [bound.text for bound in p.post] for p in routine.params if p.post},
        "open_claims": list(routine.open_claims),
        "registers": register_map(routine),
    }


def register_map(routine: Routine) -> list[Facts]:
    """A row for each live range: value, register, and the lines of its first and last use."""
    uses: dict[Var, list[int]] = defaultdict(list)
    lines: dict[Var, list[int]] = defaultdict(list)
    number = 0
    for item in routine.code:
        if not isinstance(item, Insn):
            continue
        number += 1
        for var in (*reads(item), *writes(item)):
            if var in routine.places:
                uses[var].append(number)
                lines[var].append(item.span.line)
    rows = [
        {
            "value": var.name,
            "register": routine.places[var],
            "from": min(at),
            "to": max(at),
            "lines": [min(lines[var]), max(lines[var])],
        }
        for var, at in uses.items()
    ]
    return sorted(rows, key=lambda row: (row["from"], row["to"], row["value"]))


def full(routine: Routine) -> Routine:
    """An elaborated routine after every pass."""
    return run(routine, PIPELINE[1:])


def span_text(pair: list[int] | None) -> str:
    if pair is None:
        return "?"
    return str(pair[0]) if pair[0] == pair[1] else f"{pair[0]} to {pair[1]}"


def _ranges(rows: list[Facts]) -> Iterator[str]:
    """Per register what it holds, in order: "r4   d[0] 6-12, p 14-20"."""
    held: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        held[row["register"]].append(f"{row['value']} {row['from']}-{row['to']}")
    for register in sorted(held, key=lambda name: (name[0] != "r", len(name), name)):
        shown = held[register]
        more = f", and {len(shown) - 8} more" if len(shown) > 8 else ""
        yield f"  {register:<4} {', '.join(shown[:8])}{more}"


def routine_text(facts: Facts) -> str:
    """The facts for people. Live ranges count instructions of the author's code."""
    rows = [
        f"{facts['symbol']} on {facts['core']}, from {facts['source']}",
        f"  {facts['prototype']}",
        f"cycles        {span_text(facts['cycles'])} (model)",
        f"instructions  {span_text(facts['instructions'])} executed",
        f"code          {facts['code']} bytes; read-only data {facts['rodata']} bytes",
        f"stack         {facts['stack']} bytes; saves {' '.join(facts['saved']) or 'nothing'}",
    ]
    if facts["parked"]:
        rows.append(f"parked        {' '.join(facts['parked'])}")
    rows.append("bounds at return")
    for name, (low, high) in facts["bounds"].items():
        promised = ", ".join(facts["promises"].get(name, []))
        rows.append(
            f"  {name}: {low} to {high}" + (f"   (promised: {promised})" if promised else "")
        )
    rows.append("registers: value and instructions from its first to its last use")
    rows += _ranges(facts["registers"])
    for name, sub in facts["subs"].items():
        rows.append(f"sub {name}: {sub['stack']} bytes of stack, spoils {' '.join(sub['spoils'])}")
        rows += _ranges(sub["registers"])
    rows += [f"open claim: {claim}" for claim in facts["open_claims"]]
    return "\n".join(rows)


# --- an instruction ------------------------------------------------------------------------------


def _sample(kind: str, name: str) -> list[Operand]:
    """Operands to show a form with."""
    var = Var(name)
    match kind:
        case "half":
            return [Half(var, "b")]
        case "imm":
            return [Imm(k) for k in (8, 4, 1, 0, 16)]
        case "shift":
            return [Shift(k, n) for k, n in (("lsl", 3), ("asr", 16), ("ror", 8))]
        case "mem":
            return [Mem(Var(name, "ptr"), Imm(8))]
        case "list":
            return [RegList((Var("x"), Var("y")))]
        case "base":
            return [Base(Var(name, "ptr"), True)]
    return [Reg(var)]


def sample(form: Form) -> Insn | None:
    """An instance of a form over registers named as its roles; None where C has no such thing."""
    outside = form.isa in ("vfp", "a32", *A64) or "sp" in form.effects.writes
    if outside or any(role.kind == "label" for role in form.roles):
        return None
    choices = [_sample(role.kind, role.name) for role in form.roles]
    for number in range(max(map(len, choices), default=1)):
        tried = tuple(some[min(number, len(some) - 1)] for some in choices)
        roles = match(form, tried)
        if not isinstance(roles, Mismatch):
            return Insn(form.name, tried, form=form, roles=roles)
    return None


def form_facts(form: Form) -> Facts:
    """One form, ready for JSON."""
    example = sample(form)
    cycles = {}
    for key in all_cores():
        core = load_core(key)
        if form.isa in core.isa and form.kind in core.cycles:
            price = core.cycles[form.kind]
            cycles[key] = [price.low, price.high]
    return {
        "name": form.name,
        "operands": [
            {"role": r.name, "kind": r.kind, "access": r.access, "encoding": r.enc}
            for r in form.roles
        ],
        "ual": form.text,
        "meaning": form.means,
        "kind": form.kind,
        "table": form.isa,
        "needs": form.needs,
        "sets": sorted(form.sets),
        "uses": sorted(form.uses),
        "narrow": form.narrow,
        "acle": form.acle,
        "cycles": cycles,
        "c": statements(example, Naming(lambda var: var.name), frozenset()) if example else [],
    }


def forms_called(name: str) -> tuple[Form, ...]:
    """Forms of a family. Raises `Failed` (unknown-name)."""
    found = forms_named(name)
    if not found:
        near = nearest(name, list(mnemonics()))
        raise fail("unknown-name", NOWHERE, f"no instruction is called {name}", help=near)
    return found


def form_text(facts: Facts) -> str:
    """A form for people."""
    operands = ", ".join(
        f"{o['role']} ({o['kind']}{' ' + o['encoding'] if o['encoding'] else ''}, {o['access']})"
        for o in facts["operands"]
    )
    prices = ", ".join(f"{key} {span_text(pair)}" for key, pair in facts["cycles"].items())
    rows = [
        ("operands", operands),
        ("UAL", facts["ual"]),
        ("meaning", facts["meaning"]),
        ("in C", " ".join(facts["c"])),
        ("ACLE", facts["acle"]),
        ("flags", f"sets {' '.join(facts['sets']) or '-'}, reads {' '.join(facts['uses']) or '-'}"),
        (
            "kind",
            f"{facts['kind']} (table {facts['table']}{', needs ' + facts['needs'] if facts['needs'] else ''})",
        ),
        ("16 bits", f"if {facts['narrow']}" if facts["narrow"] else ""),
        ("cycles", prices),
    ]
    return "\n".join([facts["name"], *(f"  {key:<9} {text}" for key, text in rows if text)])
