# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""No secret decides where control or an access goes, or how long something takes; planted leaks are seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gen.cores.core import Price
from gen.diag import render
from gen.passes import BUILD
from gen.passes.secrecy import secrecy
from tests.gen.passes.trees import codes, errors, made, planted, real

REAL = ["ntt", "invntt", "basemul", "reduce", "rej_uniform", "frombytes_mul_acc_32_16"]


@pytest.mark.parametrize("name", REAL)
def test_the_real_routines_leak_nothing(name: str) -> None:
    assert errors(secrecy, real(name, BUILD)).items == []


def test_rejection_of_secret_bytes_is_seen(tmp_path: Path) -> None:
    tree = planted(tmp_path, "rej_uniform", "buf : public in", "buf : secret in")
    found = errors(secrecy, real("rej_uniform", BUILD, tree))
    assert "secret-branch" in codes(found)


def test_a_secret_index_is_seen_with_its_place(tmp_path: Path) -> None:
    tree = planted(
        tmp_path,
        "mulcache",
        "    str     v, [c], #4\n",
        "    and     s, v, #28\n    ldr     v, [b, s]\n    str     v, [c], #4\n",
    )
    found = errors(secrecy, real("mulcache", BUILD, tree))
    assert codes(found) == {"secret-address"}
    assert "ldr     v, [b, s]" in render(found.items[0])


HEAD = (
    "fn void t_r(uint32_t r[2], const uint32_t key[2]):\n"
    "    param r   : secret inout\n    param key : secret in\n    reg k, x, y : u32\n"
    "    ldr     k, [key]\n    ldr     x, [r]\n"
)
STORE = "    str     x, [r]\n"


def said(tmp_path: Path, body: str, head: str = HEAD) -> set[str]:
    return codes(errors(secrecy, made(tmp_path, head + body, BUILD)))


def test_choosing_by_a_secret_is_allowed_and_stays_secret(tmp_path: Path) -> None:
    choice = "    tst     k, #1\n    then ne:\n        mov     x, #1\n"
    assert said(tmp_path, choice + STORE) == set()
    after = choice + "    cmp     x, #1\n    when eq:\n        add     x, x, #1\n"
    assert said(tmp_path, after + STORE) == {"secret-branch"}


def test_a_store_by_a_secret_condition_is_refused(tmp_path: Path) -> None:
    body = "    tst     k, #1\n    then ne:\n        str     x, [r]\n"
    assert said(tmp_path, body) == {"secret-branch"}


def test_secrets_go_through_memory_and_flags(tmp_path: Path) -> None:
    body = "    str     k, [r]\n    ldrb    y, [r, #3]\n    adds    y, y, #0\n"
    branch = "    when mi:\n        add     x, x, #1\n"
    assert said(tmp_path, body + branch + STORE) == {"secret-branch"}


def test_declassified_values_may_decide(tmp_path: Path) -> None:
    body = "    public  k      // published\n    cmp     k, #1\n    when eq:\n        add     x, x, #1\n"
    assert said(tmp_path, body + STORE) == set()


def test_public_parameters_may_decide(tmp_path: Path) -> None:
    head = HEAD.replace("key : secret in", "key : public in")
    body = "    cmp     k, #1\n    when eq:\n        add     x, x, #1\n"
    assert said(tmp_path, body + STORE, head) == set()
    assert said(tmp_path, body + STORE) == {"secret-branch"}


def test_a_price_that_is_a_pair_is_a_leak_on_that_core_only(tmp_path: Path) -> None:
    routine = made(tmp_path, HEAD + "    umull   x, y, x, k\n    eor     x, x, y\n" + STORE, BUILD)
    assert errors(secrecy, routine).items == []
    pair = {**routine.core.cycles, "mul64": Price(3, 5)}
    other = replace(routine, core=replace(routine.core, cycles=pair))
    assert codes(errors(secrecy, other)) == {"secret-timing"}


def test_a_conditional_of_more_than_one_cycle_is_a_leak(tmp_path: Path) -> None:
    body = "    tst     k, #1\n    then ne:\n        mul     x, x, x\n"
    routine = made(tmp_path, HEAD + body + STORE, BUILD)
    assert errors(secrecy, routine).items == []
    slow = {**routine.core.cycles, "mul": Price(2, 2)}
    other = replace(routine, core=replace(routine.core, cycles=slow))
    assert codes(errors(secrecy, other)) == {"secret-timing"}


def test_what_a_slot_holds_is_as_secret_as_what_went_in(tmp_path: Path) -> None:
    head = HEAD.replace("reg k, x, y : u32", "reg x, y : u32\n    reg k : u32 slot")
    body = (
        "    spill   k\n    mov     k, #0\n    add     x, x, k\n    fill    k\n    cmp     k, #1\n"
    )
    branch = "    when eq:\n        add     x, x, #1\n"
    assert said(tmp_path, body + branch + STORE, head) == {"secret-branch"}


def test_a_secret_stored_through_an_alias_is_seen(tmp_path: Path) -> None:
    head = (
        "fn void t_r(uint32_t r[2], const uint32_t key[2], const uint32_t box[2]):\n"
        "    param r   : secret out{alias}\n    param key : secret in\n"
        "    param box : public in\n    reg k, x : u32\n    ldr     k, [key]\n"
        "    str     k, [r]\n    str     k, [r, #4]\n    ldr     x, [box]\n    cmp     x, #1\n"
        "    when eq:\n        str     x, [r]\n"
    )
    assert said(tmp_path, "", head.format(alias=", noalias")) == set()
    assert said(tmp_path, "", head.format(alias="")) == {"secret-branch"}
