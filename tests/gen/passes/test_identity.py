# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What routines ensure of whole numbers is proved; a dropped carry, a wrong factor or a wrong place is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.passes import PIPELINE
from gen.passes.identity import identity
from tests.gen.passes.trees import CODE, errors, made

HEAD = """\
const P = 2**64 - 59
const FOLD = 59

fn void t_r(uint32_t r[2], const uint32_t a[2], const uint32_t b[2]) ensures {}:
    param r : secret inout
    param a : secret in
    param b : secret in
"""
PRODUCT = """\
    reg x[2], y[2], z[4], c, k : u32
    ldr x[0], [a]
    ldr x[1], [a, #4]
    ldr y[0], [b]
    ldr y[1], [b, #4]
    umull z[0], z[1], x[0], y[0]
    mov z[2], #0
    umaal z[1], z[2], x[0], y[1]
    mov z[3], #0
    umaal z[1], z[3], x[1], y[0]
    umaal z[2], z[3], x[1], y[1]
    mov k, #FOLD
    mov c, #0
    umaal z[0], c, z[2], k
    umaal z[1], c, z[3], k
    mul c, c, k
    adds z[0], z[0], c -> up
    adcs z[1], z[1], #0, up -> up
    mov c, #0
    adc c, c, c, up
    mul c, c, k
    adds z[0], z[0], c -> up
    adc z[1], z[1], #0, up
    str z[0], [r]
    str z[1], [r, #4]
"""
TEXT = "value(r) % P == value(a) * value(b) % P"


def said(root: Path, body: str, text: str = TEXT) -> list[str]:
    found = errors(lambda: identity(made(root, HEAD.format(text) + body, CODE)))
    return [f"{item.code}: {item.message} {' '.join(item.details)}" for item in found.items]


def test_the_last_carry_is_shown_to_be_none(tmp_path: Path) -> None:
    """No interval tells: if the second fold carried, what it left is small. The sum of all words does."""
    assert not said(tmp_path, PRODUCT)


LAST = "    adcs z[1], z[1], #0, up -> up\n"


def one_fold() -> str:
    """The product with one fold too few: a carry is dropped that may be one."""
    start, end = PRODUCT.index(LAST), PRODUCT.index("    str z[0]")
    return PRODUCT[:start] + "    adc z[1], z[1], #0, up\n" + PRODUCT[end:]


def test_a_dropped_carry_is_named(tmp_path: Path) -> None:
    [text] = said(tmp_path, one_fold())
    assert text.startswith("ensures-refuted") and "the carry at asm-src/t/r.rasm:2" in text


def test_a_claim_closes_it_and_stays_open(tmp_path: Path) -> None:
    claim = "    claim z[1] < 2**32 - 1 // for the test\n"
    body = one_fold().replace("    adc z[1]", claim + "    adc z[1]")
    assert not said(tmp_path, body)
    found = made(tmp_path, HEAD.format(TEXT) + body, PIPELINE[1:])
    assert found.open_claims == ("z[1] < 2**32 - 1",)


SUM = """\
    reg x[2], y[2], c, k : u32
    ldr x[0], [a]
    ldr x[1], [a, #4]
    ldr y[0], [b]
    ldr y[1], [b, #4]
    adds x[0], x[0], y[0] -> up
    adcs x[1], x[1], y[1], up -> up
    mov c, #0
    adc c, c, c, up
    lsr k, x[1], #31
    bic x[1], x[1], #2**31
    add c, k, c, lsl #1
    add k, c, c, lsl #3
    add c, c, k, lsl #1
    adds x[0], x[0], c -> up
    adc x[1], x[1], #0, up
    str x[0], [r]
    str x[1], [r, #4]
"""
MODULO = "value(r) % (2**63 - 19) == (value(a) + value(b)) % (2**63 - 19)"


def test_sums_with_carries(tmp_path: Path) -> None:
    assert not said(tmp_path, SUM, MODULO)
    assert said(tmp_path, SUM, MODULO.replace("+ value", "- value"))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("adcs x[1], x[1], y[1], up", "adds x[1], x[1], y[1]"),
        ("adc c, c, c, up", "nop"),
        ("lsr k, x[1], #31", "lsr k, x[1], #30"),
        ("    bic x[1], x[1], #2**31\n", ""),
        ("add c, k, c, lsl #1", "add c, k, c"),
        ("adc x[1], x[1], #0, up", "nop"),
        ("str x[1], [r, #4]", "str x[0], [r, #4]"),
        ("ldr y[1], [b, #4]", "ldr y[1], [b]"),
    ],
)
def test_planted_faults_are_found(right: str, wrong: str, tmp_path: Path) -> None:
    assert right in SUM
    body = SUM.replace(right, wrong).replace(
        "adds x[1], x[1], y[1] -> up", "adds x[1], x[1], y[1] -> up"
    )
    assert said(tmp_path, body, MODULO)


HALVES = """\
    reg al, ah, bl, bh, m, t, n, c : u32
    ldrh al, [a]
    ldrh ah, [a, #2]
    ldrh bl, [b]
    ldrh bh, [b, #2]
    mul  m, al, bh
    mul  t, ah, bl
    mov  c, #0
    adds m, m, t -> up
    adc  c, c, c, up
    lsl  c, c, #16
    orr  c, c, m, lsr #16
    lsl  m, m, #16
    mul  t, al, bl
    mul  n, ah, bh
    adds m, m, t -> up
    adc  n, n, c, up
    str  m, [r]
    str  n, [r, #4]
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("ldrh al, [a]", "ldrh al, [a, #2]"),
        ("adc  c, c, c, up", "nop"),
        ("lsl  c, c, #16", "lsl  c, c, #15"),
        ("orr  c, c, m, lsr #16", "orr  c, c, m, lsr #15"),
        ("adc  n, n, c, up", "add  n, n, c"),
    ],
)
def test_products_of_half_words(right: str, wrong: str, tmp_path: Path) -> None:
    """A word moved by half a word leaves what it loses to the next; parts that share no bit are added."""
    text = HALVES.replace(right, wrong)
    assert bool(said(tmp_path, text, "value(r) == value(a[0:1]) * value(b[0:1])")) == bool(right)


REMAINDER = """\
const M = 2**60 + 5

fn void t_r(uint32_t r[2], const uint32_t a[2]) ensures value(r) % M == value(a) % M and value(r) < M:
    param r : secret out
    param a : secret in
    reg x[2], p, q, n : u32
    ldr x[0], [a]
    ldr x[1], [a, #4]
    lsr q, x[1], #28
    bic x[1], x[1], #15 * 2**28
    add p, q, q, lsl #2
    subs x[0], x[0], p -> k
    sbcs x[1], x[1], #0, k -> k
    sbc n, p, p, k
    rsb n, n, #0
    add p, n, n, lsl #2
    adds x[0], x[0], p -> k
    adc x[1], x[1], n, lsl #28, k
    str x[0], [r]
    str x[1], [r, #4]
"""


def test_the_least_remainder(tmp_path: Path) -> None:
    """What is taken away too often is added again: the borrow tells, and the last carry takes it back."""
    assert not errors(lambda: identity(made(tmp_path, REMAINDER, CODE))).items


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("value(r) < M", "value(r) < M - 1", "`value(r) < M - 1` does not follow"),
        ("value(r) < M", "value(r) < value(a)", "`value(r) < value(a)` does not follow"),
        ("    add p, n, n, lsl #2\n", "    add p, n, n, lsl #1\n", "`value(r) % M =="),
        ("    bic x[1], x[1], #15 * 2**28\n", "", "`value(r) % M =="),
        ("    sbc n, p, p, k\n    rsb n, n, #0\n", "    mov n, #0\n", "`value(r) < M`"),
        ("    sbc n, p, p, k\n    rsb n, n, #0\n", "    mov n, #1\n", "`value(r) < M`"),
        ("sbcs x[1], x[1], #0, k -> k", "nop", "`value(r) % M =="),
        ("adc x[1], x[1], n, lsl #28, k", "add x[1], x[1], n, lsl #28", "`value(r) % M =="),
    ],
)
def test_a_wrong_remainder_is_found(right: str, wrong: str, message: str, tmp_path: Path) -> None:
    assert right in REMAINDER
    found = errors(lambda: identity(made(tmp_path, REMAINDER.replace(right, wrong, 1), CODE)))
    assert any(message in item.message for item in found.items)


DIFFERENCE = """\
    reg x[2], y[2], m : u32
    ldr x[0], [r]
    ldr x[1], [r, #4]
    ldr y[0], [b]
    ldr y[1], [b, #4]
    subs x[0], x[0], y[0] -> k
    sbcs x[1], x[1], y[1], k -> k
    sbc m, m, m, k
    and m, m, #FOLD
    str x[0], [r]
    str x[1], [r, #4]
    str m, [a]
"""


def test_borrows_and_the_value_before(tmp_path: Path) -> None:
    head = "fn void t_r(uint32_t r[2], const uint32_t b[2], uint32_t m[1]) ensures {}:\n"
    head += (
        "    param r : secret inout\n    param b : secret in\n    param m : secret out, noalias\n"
    )
    body = "    reg x[2], y[2], n : u32\n"
    body += DIFFERENCE.split("\n", 1)[1].replace("sbc m, m, m, k", "sbc n, y[0], y[0], k")
    body = body.replace("    and m, m, #FOLD\n", "    rsb n, n, #0\n").replace(
        "str m, [a]", "str n, [m]"
    )
    text = "value(r) - 2**64 * value(m) == old(value(r)) - value(b)"
    found = errors(lambda: identity(made(tmp_path, head.format(text) + body, CODE)))
    assert not found.items
    wrong = text.replace("- 2**64", "+ 2**64")
    assert errors(lambda: identity(made(tmp_path, head.format(wrong) + body, CODE))).items


def test_equal_pointers_are_judged_too(tmp_path: Path) -> None:
    """Right where the buffers are apart; where r is a the second load finds the first result."""
    head = "fn void t_r(uint32_t r[2], const uint32_t a[2]) ensures value(r) == value(a):\n"
    head += "    param r : secret out\n    param a : secret in\n    reg x : u32\n"
    body = "    ldr x, [a]\n    str x, [r, #4]\n    ldr x, [a, #4]\n    str x, [r]\n"
    text = head.replace("value(r) == value(a)", "value(r) % (2**32 - 1) == value(a) % (2**32 - 1)")
    found = errors(lambda: identity(made(tmp_path, text + body, CODE)))
    assert [item.message.split("follow ")[-1] for item in found.items] == ["where a is r"]


def test_through_a_sub(tmp_path: Path) -> None:
    sub = "sub twice(in p : ptr @ r1, out x[2] : u32 @ r4..r5) clobbers r6:\n    reg c : u32\n"
    sub += "    ldr x[0], [p]\n    ldr x[1], [p, #4]\n    adds x[0], x[0], x[0] -> c1\n"
    sub = sub.replace("    reg c : u32\n", "") + "    adc x[1], x[1], x[1], c1\n"
    head = "fn void t_r(uint32_t r[2], const uint32_t a[2]) ensures value(r) % 2**64 == 2 * value(a) % 2**64:\n"
    head += "    param r : secret out\n    param a : secret in\n    reg x[2] : u32\n"
    body = "    call twice(a, x)\n    str x[0], [r]\n    str x[1], [r, #4]\n"
    assert not errors(lambda: identity(made(tmp_path, sub + head + body, CODE))).items


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("value(q) == 1", "value(...) takes an array"),
        ("r == 1", "`r` is a buffer"),
        ("value(r) % value(a) == 1", "the modulus is a constant"),
        ("value(r) == Q", "no constant `Q`"),
    ],
)
def test_refused(text: str, message: str, tmp_path: Path) -> None:
    assert any(message in line for line in said(tmp_path, SUM, text))


@pytest.mark.parametrize(
    "text", ["value(r) < 5", "value(r) % 3 == value(a) % 5", "value(r) == value(a) % 3"]
)
def test_what_is_no_equation_of_polynomials_is_left_to_the_solver(
    text: str, tmp_path: Path
) -> None:
    routine = made(tmp_path, HEAD.format(text) + SUM, CODE)
    assert [one.method for one in routine.ensures] == ["smt"]
