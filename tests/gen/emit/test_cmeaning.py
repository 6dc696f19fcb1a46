# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every form's C statements, compiled with the sanitizer, against its compiled meaning over integers."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gen.emit.cmeaning import Naming, flags_read, helpers, statements
from gen.ir.domains.ints import Ints
from gen.ir.ir import Base, Half, Imm, Insn, Mem, Operand, Reg, RegList, Shift, Var
from gen.isa import CONDITIONS, Form, Mismatch, Role, all_forms, condition_value, flags_set, match
from gen.isa.encode import MEMORY, SHIFTS, immediate_fits

FLAGS = ("N", "Z", "C", "V", "Q", "GE")
STRICT = (
    "-O0 -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -Wno-unused-variable "
    "-fsanitize=undefined -fno-sanitize-recover=all"
).split()
BUFFER = 2048  # bytes; the pointer starts in the middle
CORNERS = (0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0x80008000, 0x7FFF7FFF, 0xFFFFFFFF)


@dataclass
class Integers:
    """A machine of registers by name, flags, and bytes; address 0 is the middle of the buffer."""

    regs: dict[str, int]
    flags: dict[str, int]
    memory: bytearray
    dom: Ints = field(default_factory=Ints)

    def get(self, operand: Operand) -> int:
        word = self.regs[operand.var.name]
        if isinstance(operand, Half):
            half = word >> 16 if operand.which == "t" else word & 0xFFFF
            return half - (half >> 15 << 16)
        return word

    def set(self, operand: Operand, value: int) -> None:
        self.regs[operand.var.name] = value & 0xFFFFFFFF

    def flag(self, name: str) -> int:
        return self.flags[name]

    def set_flag(self, name: str, value: int) -> None:
        self.flags[name] = value & 15

    def address(self, mem: Mem) -> int:
        base = self.regs[mem.base.name]
        if mem.index is not None:
            return base + (self.regs[mem.index.name] << mem.shift)
        if mem.mode != "offset":
            self.regs[mem.base.name] = base + mem.offset.value & 0xFFFFFFFF
        return base if mem.mode == "post" else base + mem.offset.value

    def load(self, address: int, size: int) -> int:
        at = (address + BUFFER // 2) % 2**32
        return int.from_bytes(self.memory[at : at + size], "little")

    def store(self, address: int, size: int, value: int) -> None:
        at = (address + BUFFER // 2) % 2**32
        self.memory[at : at + size] = (value % 2 ** (8 * size)).to_bytes(size, "little")

    def exact(self, value: int, bits: int) -> int:
        return value

    def wrap(self, value: int, dest: Operand) -> int:
        return value


WORDS = [Var(f"x{i}") for i in range(8)]
POINTER = Var("p", "ptr")
INDEX = Var("x7")


def _immediate(enc: str, rng: random.Random) -> Imm:
    wanted = [
        rng.choice(
            (rng.getrandbits(32), rng.getrandbits(8), rng.getrandbits(5), rng.getrandbits(16))
        )
        for _ in range(400)
    ] + [0, 1, 8, 31, 32]
    return Imm(next(v for v in wanted if immediate_fits(enc, v)))


def _memory(enc: str, rng: random.Random) -> Mem:
    rule = MEMORY[enc]
    kind = rng.choice(["offset", "offset", "pre", "post", "index"])
    if kind == "index" and rule.shifts is not None:
        return Mem(POINTER, index=INDEX, shift=rng.choice(list(rule.shifts)))
    steps = rule.offset if kind in ("offset", "index") or rule.writeback is None else rule.writeback
    mode = kind if kind in ("pre", "post") and rule.writeback is not None else "offset"
    fit = [step for step in steps if abs(step) < 500 and step % 4 == 0]
    return Mem(POINTER, Imm(rng.choice(fit)), mode=mode)


def _operand(role: Role, number: int, rng: random.Random) -> Operand:
    match role.kind:
        case "half":
            return Half(rng.choice(WORDS[:7]), rng.choice("bt"))
        case "imm":
            return _immediate(role.enc, rng)
        case "shift":
            kind = rng.choice(list(SHIFTS[role.enc]))
            return Shift(kind, rng.choice(list(SHIFTS[role.enc][kind])))
        case "mem":
            return _memory(role.enc, rng)
        case "list":
            return RegList(tuple(rng.sample(WORDS[:7], rng.randint(1, 5))))
        case "base":
            return Base(POINTER, rng.random() < 0.5 or role.enc == "must")
    return Reg(WORDS[number])


def _insns(form: Form, rng: random.Random, count: int) -> list[Insn]:
    """Instances of a form, some with one register in several roles."""
    found: list[Insn] = []
    for _ in range(200):
        numbers = (
            [rng.randrange(7) for _ in form.roles]
            if rng.random() < 0.5
            else rng.sample(range(7), len(form.roles))
        )
        ops = tuple(_operand(role, n, rng) for role, n in zip(form.roles, numbers, strict=True))
        roles = match(form, ops)
        named = {r.name: n for r, n in zip(form.roles, numbers, strict=True)}
        apart = all(named[a] != named[b] for a, b in form.distinct)
        if not isinstance(roles, Mismatch) and apart:
            cond = rng.choice(list(CONDITIONS)) if rng.random() < 0.15 else None
            found.append(Insn(form.name, ops, form=form, roles=roles, cond=cond))
        if len(found) == count:
            break
    return found


def _core_forms() -> list[Form]:
    """Forms over core registers that an author can write."""
    return [
        form
        for form in all_forms()
        if form.isa != "vfp"
        and form.kind not in ("branch", "call", "return", "nop", "it")
        and "sp" not in form.effects.writes
    ]


def _c_case(number: int, insn: Insn, element: int) -> str:
    naming = Naming(lambda var: var.name, lambda var: element)
    live = flags_set(insn) | flags_read(insn)
    lines = "\n        ".join(statements(insn, naming, live))
    return f"static void case{number}(void)\n{{\n        {lines}\n}}\n\n"


PROGRAM = """
#include <stdio.h>
#include "armscribe_portable.h"
static uint32_t buffer[{words}];
static uint32_t x0, x1, x2, x3, x4, x5, x6, x7, N, Z, C, V, Q, GE;
static uintptr_t p;
{cases}
static void (*const all[])(void) = {{ {names} }};
int main(void)
{{
    uint32_t w[15];
    while (fread(w, 4, 15, stdin) == 15) {{
        const uintptr_t middle = (uintptr_t)buffer + {half};
        if (fread(buffer, 1, sizeof buffer, stdin) != sizeof buffer) return 1;
        p = middle;
        x0 = w[1]; x1 = w[2]; x2 = w[3]; x3 = w[4]; x4 = w[5]; x5 = w[6]; x6 = w[7]; x7 = w[8];
        N = w[9]; Z = w[10]; C = w[11]; V = w[12]; Q = w[13]; GE = w[14];
        all[w[0]]();
        w[0] = x0; w[1] = x1; w[2] = x2; w[3] = x3; w[4] = x4; w[5] = x5; w[6] = x6; w[7] = x7;
        w[8] = (uint32_t)(p - middle); w[9] = N; w[10] = Z; w[11] = C; w[12] = V; w[13] = Q; w[14] = GE;
        fwrite(w, 4, 15, stdout);
        fwrite(buffer, 1, sizeof buffer, stdout);
    }}
    return 0;
}}
"""


def _expected(insn: Insn, regs: list[int], flags: list[int], memory: bytes) -> bytes:
    names = [*(f"x{i}" for i in range(8)), "p"]
    machine = Integers(
        dict(zip(names, [*regs, 0], strict=True)),
        dict(zip(FLAGS, flags, strict=True)),
        bytearray(memory),
    )
    if insn.cond is None or condition_value(insn.cond, machine):
        insn.form.run(machine, insn.roles)
    words = [machine.regs[name] for name in names] + [machine.flags[name] for name in FLAGS]
    return b"".join(word.to_bytes(4, "little") for word in words) + bytes(machine.memory)


@pytest.mark.parametrize("element", [1, 2, 4])
def test_statements_agree_with_meanings(element: int, tmp_path: Path) -> None:
    rng = random.Random(element)
    count = 8 if element == 2 else 2
    insns = [
        insn
        for form in _core_forms()
        if element == 2 or form.size_bytes
        for insn in _insns(form, rng, 10 * count if form.size_bytes else count)
    ]
    assert len({insn.form for insn in insns}) == len(
        [form for form in _core_forms() if element == 2 or form.size_bytes]
    )
    cases = "".join(_c_case(number, insn, element) for number, insn in enumerate(insns))
    names = ", ".join(f"case{number}" for number in range(len(insns)))
    (tmp_path / "armscribe_portable.h").write_text(helpers())
    (tmp_path / "all.c").write_text(
        PROGRAM.format(words=BUFFER // 4, half=BUFFER // 2, cases=cases, names=names)
    )
    subprocess.run(["gcc", *STRICT, "all.c", "-o", "all"], cwd=tmp_path, check=True)
    sent, wanted = [], []
    for number, insn in enumerate(insns):
        for _ in range(6):
            regs = [rng.choice((rng.getrandbits(32), rng.choice(CORNERS))) for _ in range(8)]
            regs[7] = rng.randrange(32) * 4  # an index
            flags = [rng.getrandbits(1) for _ in range(5)] + [rng.getrandbits(4)]
            memory = rng.randbytes(BUFFER)
            words = [number, *regs, *flags]
            sent.append(b"".join(word.to_bytes(4, "little") for word in words) + memory)
            wanted.append((insn, _expected(insn, regs, flags, memory)))
    done = subprocess.run(["./all"], input=b"".join(sent), cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    size = 60 + BUFFER
    for number, (insn, expected) in enumerate(wanted):
        got = done.stdout[number * size : (number + 1) * size]
        same = got == expected  # not in the assert: pytest would spell out kilobytes of difference
        assert same, f"{insn.form.means} | {insn.ops} {insn.cond}\n{_c_case(0, insn, element)}"


CHOSEN = """
#include "armscribe_portable.h"
int main(void)
{
    static char buffer[8];
    uint32_t Z = 1;
    uintptr_t p = (uintptr_t)buffer;
    TAKEN
    if (p != (uintptr_t)buffer + 4) return 1;
    Z = 0;
    TAKEN
    return p != (uintptr_t)buffer + 4;
}
"""


def test_a_pointer_moved_under_a_condition_stays_whole(tmp_path: Path) -> None:
    ops = (Reg(POINTER), Reg(POINTER), Imm(4))
    found = ((form, match(form, ops)) for form in _core_forms() if form.name == "add")
    form, roles = next((f, r) for f, r in found if not isinstance(r, Mismatch))
    insn = Insn("add", ops, form=form, roles=roles, cond="eq")
    (line,) = statements(insn, Naming(lambda var: var.name), frozenset())
    (tmp_path / "armscribe_portable.h").write_text(helpers())

    def whole(text: str) -> bool:
        (tmp_path / "one.c").write_text(CHOSEN.replace("TAKEN", text))
        subprocess.run(["gcc", *STRICT, "one.c", "-o", "one"], cwd=tmp_path, check=True)
        return subprocess.run(["./one"], cwd=tmp_path).returncode == 0

    assert whole(line) and not whole(f"{line} p = (uint32_t)p;")
