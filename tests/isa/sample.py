# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Instructions to try a Form on: random and corner operands that the manual allows."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gen import isa
from gen.ir.ir import (
    Base,
    Half,
    Imm,
    Insn,
    LabelRef,
    Mem,
    Operand,
    Reg,
    RegList,
    Shift,
    Var,
    physical,
)
from gen.isa.encode import MEMORY, SHIFTS

CORE = [physical(f"r{n}") for n in range(13)] + [physical("lr")]
LOW = CORE[:8]
SP, PC, LR = physical("sp"), physical("pc"), physical("lr")
BYTES = (0, 0, 1, 7, 8, 0x7F, 0x80, 0xAB, 0xFF)


class Rng(random.Random):
    """Random choices; `tame` ones are of the sort that short encodings take."""

    tame = False


def core(rng: Rng) -> Var:
    return rng.choice(LOW if rng.tame or rng.random() < 0.6 else CORE)


def _ends(rng: Rng, steps: range) -> int:
    """A number of `steps`: often an end, or one that is small."""
    low, high = steps[0], steps[-1]
    near = [
        x for x in (0, 1, 3, 4, 7, 8, 16, 124, 128, 255, 256, 508, 512, 1020, 1024) if x in steps
    ]
    small = range(0, 64, 4 if rng.random() < 0.5 else 1)
    if rng.tame and any(x in steps for x in small):
        return rng.choice([x for x in small if x in steps])
    return rng.choice([low, high, rng.choice(steps), rng.choice(near or [low])])


def constant(rng: Rng, enc: str) -> int:
    """A constant that a rule of encode.py holds."""
    rule = rng.choice(enc.split("|"))
    if rule != "t2":
        span, _, step = rule.partition("/")
        low, high = map(int, span.split(".."))
        return _ends(rng, range(low, high + 1, int(step or "1")))
    byte = rng.choice((*BYTES, rng.randrange(256)))
    if rng.tame:
        return rng.choice((0, byte, byte))
    if rng.random() < 0.5:
        return byte * rng.choice((1, 1, 0x00010001, 0x01000100, 0x01010101))
    return (byte | 0x80) << rng.randrange(1, 25)


def memory(rng: Rng, enc: str) -> Mem:
    """An address; the base is sometimes sp."""
    rule = MEMORY[enc]
    base = SP if rng.random() < 0.15 else core(rng)
    mode = rng.choice(("offset", "offset", "index", *(() if rng.tame else ("pre", "post"))))
    if mode == "index" and rule.shifts is not None:
        low = rng.tame or rng.random() < 0.6
        index = rng.choice([var for var in (LOW if low else CORE) if var is not base])
        shift = 0 if rng.tame or rng.random() < 0.5 else rng.choice(rule.shifts)
        return Mem(base, index=index, shift=shift)
    if mode in ("offset", "index") or rule.writeback is None:
        return Mem(base, Imm(_ends(rng, rule.offset)))
    steps = rule.writeback
    return Mem(base, Imm(_ends(rng, steps)), mode="pre" if mode == "pre" else "post")


def registers(rng: Rng, enc: str, least: int = 1, extra: Var | None = None) -> RegList:
    """A register list as the encoding wants it: ascending, in FP banks consecutive."""
    if enc != "core":
        most = {"s": 32, "d": 16}[enc]
        count = rng.randrange(1, 9)
        first = rng.randrange(most - count)
        return RegList(tuple(physical(f"{enc}{n}") for n in range(first, first + count)))
    pool = LOW if rng.random() < 0.5 else CORE[:13]
    chosen = sorted(rng.sample(range(len(pool)), rng.randrange(least, len(pool))))
    return RegList((*(pool[n] for n in chosen), *([extra] if extra else ())))


def _operand(rng: Rng, form: isa.Form, role: isa.Role) -> Operand:
    match role.kind:
        case "reg" if role.enc == "core":
            return Reg(core(rng))
        case "reg":
            return Reg(physical(f"{role.enc}{rng.randrange(16)}"))
        case "half":
            return Half(core(rng), rng.choice("bt"))  # type: ignore[arg-type]
        case "imm":
            return Imm(constant(rng, role.enc))
        case "shift":
            kind = rng.choice(list(SHIFTS[role.enc]))
            return Shift(kind, _ends(rng, SHIFTS[role.enc][kind]))
        case "mem":
            return memory(rng, role.enc)
        case "list":
            extra = {"push": LR, "pop": PC}.get(form.name) if rng.random() < 0.4 else None
            return registers(rng, role.enc, 2 if "p" in form.kinds else 1, extra)
        case "base":
            return Base(core(rng), role.enc == "must" or rng.random() < 0.5)
    return LabelRef("eq")


def _alike(rng: Rng, ops: list[Operand]) -> None:
    """Makes two registers the same now and then: many short encodings want it."""
    places = [i for i, op in enumerate(ops) if isinstance(op, Reg) and isa.bank(op.var) == "core"]
    if len(places) >= 2 and rng.random() < (0.8 if rng.tame else 0.5):
        first, second = places[:2] if rng.tame and rng.random() < 0.5 else rng.sample(places, 2)
        ops[second] = ops[first]


def _on_stack(rng: Rng, form: isa.Form, ops: list[Operand]) -> None:
    """ADD and SUB of a constant also take sp."""
    if form.name in ("add", "sub") and isinstance(ops[-1], Imm) and rng.random() < 0.4:
        ops[1] = Reg(SP)
        ops[2] = Imm(4 * rng.randrange(280))
        if rng.random() < 0.5:
            ops[0] = Reg(SP)


def samples(form: isa.Form, count: int, seed: int = 1) -> Iterator[Insn]:
    """`count` tries of a form, half of them tame, every third in an IT block if allowed."""
    rng = Rng(f"{seed} {form.name} {form.syntax}")
    conditional = form.kind not in ("it", "branch", "call", "return", "nop")
    made = 0
    while made < count:
        rng.tame = made % 4 in (1, 2)
        ops = [_operand(rng, form, role) for role in form.roles]
        _alike(rng, ops)
        _on_stack(rng, form, ops)
        roles = isa.match(form, ops)
        if isinstance(roles, isa.Mismatch):
            continue
        cond = rng.choice(list(isa.CONDITIONS)[:14]) if conditional and made % 3 == 2 else None
        insn = Insn(form.name, tuple(ops), form=form, roles=roles, cond=cond)
        if all(a is not b for a, b in isa.distinct(insn)):
            made += 1
            yield insn
