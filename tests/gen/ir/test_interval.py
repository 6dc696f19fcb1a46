# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Intervals stand for at least what integers do: each instruction, run on both, and each operation of the domain."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from gen import isa
from gen.ir.domains.halves import Range, packed
from gen.ir.domains.interval import Intervals
from gen.ir.domains.ints import Ints
from gen.ir.interp.machine import Machine
from gen.ir.interp.state import State
from gen.ir.ir import Half, Imm, Insn, Reg, Shift, Var
from gen.ir.memory import Memory

DOM, INTS = Intervals(), Ints()
WORD = 1 << 32
ENDS = [0, 1, 2, 7, 255, 3329, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def holds(value: Range, x: int, word: bool = True) -> bool:
    """Whether `value` stands for integer x, or for one congruent to it modulo 2**32."""
    if word:
        x += -(-(value.lo - x) // WORD) * WORD
    halves = ((value.b, INTS.half(x, False)), (value.t, INTS.half(x, True)))
    on_step = value.lo == value.hi or (x - value.lo) % value.step == 0
    inside = value.lo <= x <= value.hi and on_step
    return inside and all(pair is None or pair[0] <= half <= pair[1] for pair, half in halves)


def number(rng: random.Random, bits: int = 32) -> int:
    x = rng.choice(ENDS) + rng.randrange(-3, 4) if rng.random() < 0.6 else rng.getrandbits(bits)
    return -x if rng.random() < 0.4 else x


def pair(rng: random.Random) -> tuple[int, int]:
    ends = sorted(INTS.s(number(rng, 16), 16) for _ in range(2))
    return (ends[0], ends[1]) if rng.random() < 0.8 else (ends[0], ends[0])


def word(rng: random.Random) -> tuple[Range, Callable[[], int]]:
    """A register's range, and a source of words in it."""
    if rng.random() < 0.4:
        b, t = pair(rng), pair(rng)
        return packed(b, t), lambda: rng.randint(*t) * 0x10000 + rng.randint(*b) % 0x10000
    lo = INTS.s(number(rng), 32)
    step = rng.choice([1, 1, 1, 2, 4])
    count = rng.choice([0, 0, 1, 5, 300, 1 << 20, 1 << 31]) // step
    if lo + step * count > WORD - 1:
        count = 0
    return Range(lo, lo + step * count, None, None, step), lambda: lo + step * rng.randint(0, count)


def operands(form: isa.Form, rng: random.Random) -> list | None:  # type: ignore[type-arg]
    """Operands for a form, one after another register; None when no constant was found in time."""
    for _ in range(200):
        ops: list = []  # type: ignore[type-arg]
        for at, role in enumerate(form.roles):
            var = Var(f"x{at}")
            if role.kind == "half":
                ops.append(Half(var, rng.choice("bt")))  # type: ignore[arg-type]
            elif role.kind == "imm":
                ops.append(
                    Imm(rng.choice([rng.randrange(33), rng.randrange(4096), rng.choice(ENDS)]))
                )
            elif role.kind == "shift":
                ops.append(
                    Shift(
                        rng.choice(["lsl", "lsr", "asr", "ror"]),
                        rng.choice([8, 16, 24, rng.randrange(1, 32)]),
                    )
                )
            else:
                ops.append(Reg(var))
        if not isinstance(isa.match(form, ops), isa.Mismatch):
            return ops
    return None


FORMS = [
    form
    for form in isa.all_forms()
    if form.means
    and all(role.kind in ("reg", "half", "imm", "shift") for role in form.roles)
    and all(role.enc in ("core", "") or role.kind in ("imm", "shift") for role in form.roles)
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.name}-{form.syntax}")
def test_every_instruction_stays_inside(form: isa.Form) -> None:
    rng = random.Random(form.name + form.syntax)
    for _ in range(40):
        ops = operands(form, rng)
        assert ops is not None, "no operands found"
        insn = Insn(form.name, tuple(ops), form=form, roles=isa.match(form, ops))  # type: ignore[arg-type]
        shapes = {op.var: word(rng) for op in ops if isinstance(op, Reg | Half)}
        flags = {name: rng.choice([Range(0, 0), Range(1, 1), Range(0, 1)]) for name in "NZCVQ"}
        flags["GE"] = rng.choice([Range(3, 3), Range(0, 15), Range(12, 12)])
        abstract = Machine(DOM, ())
        abstract.state = State(0, {v: s[0] for v, s in shapes.items()}, dict(flags), Memory(DOM))
        abstract.insn = insn
        isa.run(insn, abstract)
        for _ in range(8):
            concrete = Machine(INTS, ())
            start = {v: s[1]() % WORD for v, s in shapes.items()}
            bits = {name: rng.randint(value.lo, value.hi) for name, value in flags.items()}
            concrete.state = State(0, dict(start), bits, Memory(INTS))
            isa.run(insn, concrete)
            for var, value in concrete.state.regs.items():
                assert holds(abstract.state.regs[var], value), (shapes, start, var, value)
            for name, bit in concrete.state.flags.items():
                assert holds(abstract.state.flags[name], bit, word=False), (start, bits, name, bit)


BINARY = ["add", "sub", "mul", "div", "and_", "or_", "xor", "eq", "lt", "join", "pack"]


@pytest.mark.parametrize("name", BINARY)
def test_operations_of_two_stay_inside(name: str) -> None:
    rng = random.Random(name)
    for _ in range(2000):
        (x, some_x), (y, some_y) = word(rng), word(rng)
        a, b = some_x(), some_y()
        result = getattr(DOM, name)(x, y)
        expected = a if name == "join" else getattr(INTS, name)(a, b)
        exact = name != "pack"
        assert holds(result, expected, word=not exact), (x, y, a, b, result)


@pytest.mark.parametrize("name", ["u", "s"])
@pytest.mark.parametrize("bits", [1, 5, 8, 12, 16, 32, 64])
def test_views_stay_inside(name: str, bits: int) -> None:
    rng = random.Random(bits)
    for _ in range(1000):
        x, some = word(rng)
        a = some()
        if x.b is not None and bits > 32:
            continue
        assert holds(getattr(DOM, name)(x, bits), getattr(INTS, name)(a, bits), word=False), (x, a)


def test_packed_arithmetic_keeps_both_halves() -> None:
    x = packed((-10, 20), (-3, 4))
    assert DOM.half(x, False) == Range(-10, 20)
    assert DOM.half(x, True) == Range(-3, 4)
    assert DOM.half(DOM.shl(x, DOM.const(16)), True) == Range(-10, 20)
    assert DOM.half(DOM.shr(DOM.u(x, 32), DOM.const(16)), False) == Range(-3, 4)
    lowered = DOM.sub(x, DOM.const(0x20000))
    assert DOM.half(lowered, False) == Range(-10, 20)
    assert DOM.half(lowered, True) == Range(-5, 2)


def test_a_plantard_product_fits_for_every_input() -> None:
    """The top half of t * q + 8q lies in [-1665, 1664] for any 16-bit t."""
    t = Range(-0x8000, 0x7FFF)
    r = DOM.add(DOM.mul(t, DOM.const(3329)), DOM.const(8 * 3329))
    assert DOM.half(r, True) == Range(-1665, 1664)


def test_a_pointer_keeps_its_step() -> None:
    moved = DOM.join(DOM.const(0x1000), DOM.const(0x1002))
    moved = DOM.join(moved, DOM.add(moved, DOM.const(2)))
    assert DOM.bounds(moved) == (0x1000, 0x1004, 2)
    assert DOM.bounds(DOM.clip(moved, 0x1000, 0x1003)) == (0x1000, 0x1002, 2)
