# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What routines ensure, by the solver: it holds, a planted fault is refuted with inputs that show it, and what is not
found out is an error."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from gen.cores.core import load_core
from gen.diag import Bag
from gen.ir.interp.oracle import execute
from gen.ir.ir import Routine
from gen.passes import run
from gen.passes.elaborate import elaborate
from gen.passes.identity import identity
from gen.prove import smt
from gen.prove.content import content
from gen.read.load import load
from tests.gen.passes.trees import CODE, ROOT, errors, made

HEAD = "fn uint32_t t_r(uint32_t r[2], const uint32_t a[2], int32_t n) ensures {}:\n"
HEAD += (
    "    param r : secret inout\n    param a : secret in\n    param n : secret in, -5 <= n <= 9\n"
)
HEAD += "    result x : u32\n"
BODY = "    ldr x, [a]\n    str x, [r, #4]\n    adds x, x, n\n    then lt:\n        mov x, #7\n"


def said(
    root: Path, text: str, body: str = BODY, head: str = HEAD, effort: int = smt.EFFORT
) -> Bag:
    return errors(lambda: smt.prove(made(root, head.format(text) + body, CODE), effort))


HOLDS = (
    "value(r[1:2]) == old(value(a[0:1])) % 2**40",
    "r[0] == old(r[0]) and r[1] < 2**32",
    "x == (7 if (a[0] + n) % 2**32 >= 2**31 and a[0] < 2**31 - 9 else x)",
    "n != 9 or all([n == k and all([n != k for k in range(k)]) for k in [9]])",
    "all([all([x * i % 2**k == x * i & 2**k - 1 for k in range(1, 3)]) for i in [3, 5]])",
    "not (value(a) == 5 and n == 9) or x == 14",
    "-5 <= n < 10 and n != 10 and n <= 9 and 9 >= n > -6",
    "(n << 3) >> 3 == n and n ** 2 <= 81 and -n <= 5",
)
FAILS = (
    ("r[0] <= a[0]", "counterexample: r = 0x"),
    ("value(r) < 2**63", "counterexample: r = 0x"),
    ("x != 12 or n != 9", "a = 0x"),
    ("n != 9", "n = 9"),
    ("n > -5", "n = -5"),
    ("value(a) < 2**64 - 1", "a = 0xffffffffffffffff"),
    ("all([r[1] != 2**k for k in range(33)])", "does not hold for every input"),
)


@pytest.mark.parametrize("text", HOLDS)
def test_what_holds(text: str, tmp_path: Path) -> None:
    assert not said(tmp_path, text).items


@pytest.mark.parametrize(("text", "shown"), FAILS)
def test_what_does_not(text: str, shown: str, tmp_path: Path) -> None:
    items = said(tmp_path, text).items
    assert items and {item.code for item in items} == {"ensures-refuted"}
    assert any(shown in item.message + " ".join(item.details) for item in items)


def test_long_buffers_are_shown_by_what_is_not_zero(tmp_path: Path) -> None:
    head = "fn void t_r(int16_t r[99]) ensures {}:\n    param r : secret inout, |r[i]| <= 9\n"
    body = "    reg x : i32\n    ldrsh x, [r]\n    strh x, [r, #2]\n"
    [item] = said(tmp_path, "r[1] != -9", body, head).items
    assert re.search(r"r\[0\] = -9, .*all else of r = 0", " ".join(item.details))
    [item] = said(tmp_path, "all([r[k] == 9 for k in [5]]) or r[6] < 1", body, head).items
    assert re.search(r"r\[6\] = \d", " ".join(item.details))


def test_equal_pointers_are_judged_too(tmp_path: Path) -> None:
    head = HEAD.replace("param r : secret inout", "param r : secret out")
    body = (
        "    ldr x, [a]\n    str x, [r, #4]\n    add x, x, n\n    ldr n, [a, #4]\n    str n, [r]\n"
    )
    [item] = said(tmp_path, "r[0] < a[1] + 1", body, head).items
    assert item.message.endswith("for every input where a is r")


def test_bounds_of_numbers_are_used(tmp_path: Path) -> None:
    bound = HEAD.replace("param a : secret in", "param a : secret in, value(a) < 2**40")
    assert not said(tmp_path, "value(a) != 2**40", head=bound).items
    assert said(tmp_path, "value(a) != 2**40 - 1", head=bound).items


def test_no_answer_is_no_proof(tmp_path: Path) -> None:
    text = "value(a) * value(a) % 5 != 2"
    [item] = said(tmp_path, text, effort=5000).items
    assert item.code == "undecided" and "gives up" in item.message
    branch = "    mov x, #0\n    cmp n, #3\n    when lt:\n        mov x, #1\n"
    [item] = said(tmp_path, "x < 2", branch).items
    assert item.code == "undecided" and "a branch that depends on the inputs" in item.message


def routine(root: Path, name: str, core: str = "cortex-m4") -> Routine:
    unit = load(root, f"asm-src/fe25519/{name}.rasm")
    return run(elaborate(unit, f"fe25519_{name}", load_core(core)), CODE)


# File, what it says, what is planted: a carry, an operand, a constant, an order.
FAULTS = (
    ("frombytes", "lsl #8*k", "lsl #7*k"),
    ("frombytes", "#2**31", "#2**30"),
    ("tobytes", "lsr     b, z[i], #8*k", "lsr     b, z[7], #8*k"),
    ("canonical", "bic     z[7], z[7], #2**31", "bic     z[7], z[7], #2**30"),
    ("canonical", "add     m, m, #1", "add     m, m, #2"),
    ("canonical", "adc     n, n, n, k", "add     n, n, #0"),
    ("canonical", "adcs    t, z[i], #0, k -> k", "adcs    t, z[7], #0, k -> k"),
    ("canonical", "lsr     t, t, #31", "lsr     t, z[7], #31"),
    ("isnegative", "add     x, z[0], n", "add     x, z[1], n"),
    ("isnonzero", "orr     z[0], z[0], z[i]", "orr     z[0], z[0], z[i], lsl #1"),
    ("isnonzero", "rsb     z[1], z[0], #0", "rsb     z[1], z[0], #1"),
    ("cmov", "and     y[i], y[i], m", "orr     y[i], y[i], m"),
    ("cmov", "rsb     m, b, #0", "rsb     m, b, #1"),
    ("cmov_table", "add     y[0], y[0], n", "add     y[1], y[1], n"),
    ("cmov_table", "sub     n, n, s", "sub     n, n, b"),
    ("cmov_table", "and     n, n, #FOLD", "and     n, n, #FOLD - 1"),
    ("cmov_table", "hot, #k + 1, #1", "hot, #k + 1, #2"),
)
USER = {"canonical": "tobytes"}


def planted(root: Path, file: str, right: str, wrong: str) -> Path:
    """A copy of the field routines with one place changed."""
    shutil.copytree(ROOT / "asm-src" / "fe25519", root / "asm-src" / "fe25519")
    path = root / "asm-src" / "fe25519" / f"{file}.rasm"
    text = path.read_text(encoding="utf-8")
    assert right in text, f"{file} no longer says {right!r}"
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8", newline="\n")
    return root


def arguments(routine: Routine, shown: str) -> dict[str, Any]:
    """The inputs that a message names."""
    found: dict[str, Any] = {}
    for param in routine.params:
        if not param.ctype.pointer:
            found[param.name] = int(re.search(rf"\b{param.name} = (-?\d+)", shown)[1])  # type: ignore[index]
            continue
        count, bits = param.ctype.count or 0, param.ctype.bits
        row = [0] * count
        if whole := re.search(rf"\b{param.name} = (0x[0-9a-f]+)", shown):
            row = [int(whole[1], 16) >> bits * at & (1 << bits) - 1 for at in range(count)]
        for at, value in re.findall(rf"\b{param.name}\[(\d+)\] = (\d+)", shown):
            row[int(at)] = int(value)
        found[param.name] = row
    return found


@pytest.mark.parametrize(("file", "right", "wrong"), FAULTS)
def test_a_fault_is_refuted_and_the_inputs_show_it(
    file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    name = USER.get(file, file)
    faulty = routine(planted(tmp_path, file, right, wrong), name)
    bag = errors(lambda: smt.prove(faulty))
    assert {item.code for item in bag.items} == {"ensures-refuted"}
    shown = bag.items[0].details[0]
    if " more of " in shown:
        return  # not all of a table is shown
    args = arguments(faulty, shown)
    good, bad = execute(routine(ROOT, name), args), execute(faulty, args)
    assert (good.buffers, good.result) != (bad.buffers, bad.result)


@pytest.mark.parametrize("name", ["add", "sub", "neg", "mul", "sq", "mul121666"])
def test_what_identity_proves_of_sums_is_refuted_when_planted(name: str, tmp_path: Path) -> None:
    """The other method finds a wrong multiple of p and a lost carry as well."""
    rows = {
        "add": ("sum", "add     s[7], v, w[6]", "add     s[7], v, s[6]"),
        "sub": ("sum", "sbc     d[7], d[7], #0, k", "sub     d[7], d[7], #0"),
        "neg": ("sum", "rsb     u, m, #19", "rsb     u, m, #18"),
        "mul": ("field", "const FOLD = 38", "const FOLD = 19"),
        "sq": ("field", "mov     two, #2", "mov     two, #1"),
        "mul121666": ("field", "add     r, x, n, lsl #1", "add     r, x, n, lsl #2"),
    }
    faulty = routine(planted(tmp_path, *rows[name]), name)
    assert {one.method for one in faulty.ensures} == {"identity"}
    found = errors(lambda: identity(faulty))
    assert [item.code for item in found.items] == ["ensures-refuted"] * len(found.items) != []


def test_equal_code_is_one_proof(tmp_path: Path) -> None:
    texts = {content(routine(ROOT, "cmov", core)) for core in ("cortex-m3", "cortex-m4")}
    assert len(texts) == 1
    changed = planted(tmp_path, "cmov", "rsb     m, b, #0", "rsb     m, b, #1")
    assert content(routine(changed, "cmov")) not in texts
    other = HEAD.format("r[0] == a[0]"), HEAD.format("r[0] == a[1]")
    assert len({content(made(tmp_path, head + BODY, CODE)) for head in other}) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("all([r[0] == 1])", "`all` takes one list"),
        ("all([r[k] == 1 for k in range(3)])", "`r` has no such elements"),
        ("value(r[1:1]) == 0", "no such elements"),
        ("value(r[0:n]) == 0", "no constant `n`"),
        ("value(r[1:]) == 0", "value(...) takes an array"),
        ("r[0] ** n == 0", "the exponent is a constant"),
        ("r[0] >> n == 0", "the amount of a shift is a constant"),
        ("r[0] % 0 == 0", "below 1"),
        ("old(n) == 0", "`old` is about what stands in a buffer"),
        ("value(r) + 1", "a number, not a condition"),
        ("r[0] in [1, 2]", "a comparison uses"),
        ("q == 0", "no constant `q`"),
    ],
)
def test_refused(text: str, message: str, tmp_path: Path) -> None:
    assert any(message in item.message for item in said(tmp_path, text).items)
