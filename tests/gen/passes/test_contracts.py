# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Calls are taken by what a sub ensures: powers and point formulas follow, planted faults do not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.passes import run
from gen.passes.elaborate import elaborate
from gen.passes.identity import identity
from gen.read.load import load
from tests.gen.passes.trees import CODE, ROOT, errors, made


def found(root: Path, name: str) -> list[str]:
    folder, _, stem = name.partition("/")
    unit = load(root, f"asm-src/{name}.rasm")
    routine = run(elaborate(unit, f"{folder}_{stem}", load_core("cortex-m4")), CODE)
    bag = errors(lambda: identity(routine))
    return [f"{item.code}: {item.message} {' '.join(item.details)}" for item in bag.items]


NAMES = ("fe25519/invert", "fe25519/pow22523", "ge25519/add", "ge25519/sub", "ge25519/madd")


@pytest.mark.parametrize("name", [*NAMES, "ge25519/msub", "ge25519/double"])
def test_what_is_ensured_follows(name: str) -> None:
    assert not found(ROOT, name)


# Routine, file, what it says, what is planted.
FAULTS = (
    ("fe25519/invert", "fe25519/power", "z + 2, z + 1, 125, z + 1)", "z + 2, z + 1, 124, z + 1)"),
    ("fe25519/invert", "fe25519/power", "z + 2, z + 2, 1, z)", "z + 2, z + 2, 1, z + 1)"),
    ("fe25519/invert", "fe25519/power", "movs    m, #n", "movs    m, #n + 1"),
    ("fe25519/pow22523", "fe25519/pow22523", "(2**252 - 3) %", "(2**252 - 2) %"),
    ("fe25519/invert", "fe25519/invert", "f, #4*i", "f, #4*(7 - i)"),
    ("ge25519/add", "ge25519/sum", "mul_at(f, kept, at(Y), at(Y), q_(minus))", "nop"),
    ("ge25519/sub", "ge25519/sub", "finish(f, kept, at(Z), 1)", "finish(f, kept, at(Z), 0)"),
    ("ge25519/double", "ge25519/double", "z_(point) * t_(point)", "z_(point) * x_(point)"),
    ("ge25519/madd", "ge25519/sum", "2 * was(p, Z) * z + was", "3 * was(p, Z) * z + was"),
)


@pytest.mark.parametrize(("name", "file", "right", "wrong"), FAULTS)
def test_a_fault_is_left_over(name: str, file: str, right: str, wrong: str, tmp_path: Path) -> None:
    for folder in ("fe25519", "ge25519"):
        shutil.copytree(ROOT / "asm-src" / folder, tmp_path / "asm-src" / folder)
    path = tmp_path / "asm-src" / f"{file}.rasm"
    text = path.read_text(encoding="utf-8")
    assert right in text, f"{file} no longer says {right!r}"
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8", newline="\n")
    rows = found(tmp_path, name)
    assert rows and all(row.startswith("ensures-refuted") for row in rows)
    assert all("left over" in row or "more terms" in row for row in rows)


SUB = """\
const M = 2**64 - 3

sub total(in r : ptr @ r0, in a : ptr @ r1) clobbers r4..r7 ensures {}:
    reg x[2], y[2], c : u32
    ldr x[0], [r]
    ldr x[1], [r, #4]
    ldr y[0], [a]
    ldr y[1], [a, #4]
    adds x[0], x[0], y[0] -> k
    adc x[1], x[1], y[1], k
    str x[0], [r]
    str x[1], [r, #4]

"""
SAYS = "value(r[0:2]) % M == (old(value(r[0:2])) + old(value(a[0:2]))) % M"
USER = """\
fn void t_r(uint32_t r[4]) ensures {}:
    param r : secret inout
    reg p, q : ptr

    mov p, r
    add q, p, #{}
    call total(p, q)
"""


def test_what_a_sub_ensures_is_believed_and_proved_elsewhere(tmp_path: Path) -> None:
    """The sub drops a carry: its callers do not see it, its own proof does (tests/gen/prove/test_subs.py)."""
    says = "value(r[0:2]) % M == (old(value(r[0:2])) + old(value(r[2:4]))) % M"
    text = SUB.format(SAYS) + USER.format(says, 8)
    assert not errors(lambda: identity(made(tmp_path, text, CODE))).items
    [item] = errors(
        lambda: identity(made(tmp_path, text.replace(says, says + " and value(r) == 0"), CODE))
    ).items
    assert "`value(r) == 0` does not follow" in item.message


def test_numbers_that_overlap_are_not_taken_by_it(tmp_path: Path) -> None:
    """Then what the sub does is followed, and its dropped carry is seen."""
    says = "value(r[0:2]) % M == (old(value(r[0:2])) + old(value(r[1:3]))) % M"
    text = SUB.format(SAYS) + USER.format(says, 4)
    [item] = errors(lambda: identity(made(tmp_path, text, CODE))).items
    assert "the carry at" in " ".join(item.details)


def test_a_sum_to_a_large_power_is_not_written_down(tmp_path: Path) -> None:
    says = "value(r[0:2]) % M == (old(value(r[0:2])) + old(value(r[2:4]))) ** 999 % M"
    text = SUB.format(SAYS) + USER.format(says, 8)
    [item] = errors(lambda: identity(made(tmp_path, text, CODE))).items
    assert "more terms than are written down" in " ".join(item.details)


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("value(r[0:2]) < M", "a sub ensures equations"),
        ("value(q[0:2]) % M == 1", "value(...) takes an array"),
        ("value(r[0:9999]) % M == 1", "no such elements"),
    ],
)
def test_refused(says: str, message: str, tmp_path: Path) -> None:
    text = SUB.format(says) + USER.format("value(r) == 0", 8)
    bag = errors(lambda: made(tmp_path, text, CODE))
    assert any(message in item.message for item in bag.items)
