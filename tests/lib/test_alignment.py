# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every public function with its buffers at each offset from a word, on a board that traps unaligned accesses."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable

import pytest

from tests.lib.driver import Driver, Request, Target

TRAPS = ("-O2", "-mno-unaligned-access", "-DBOARD_UNALIGNED_TRAPS")
GAS, INLINE = (Target("cortex-m4", form, TRAPS) for form in ("gas", "inline"))


@pytest.fixture(scope="module", params=(GAS, INLINE), ids=lambda target: str(target.name))
def strict(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Driver:
    return build(request.param)


def same(
    driver: Driver, operation: str, parameter: int, *fields: bytes, result: int = 0
) -> tuple[bytes, ...]:
    """The outputs of a call, which must succeed alike at every offset."""
    asked = [Request(operation, parameter, fields, offset) for offset in range(4)]
    answers = driver.run(asked)
    assert {answer.result for answer in answers} == {result}, operation
    assert all(answer == answers[0] for answer in answers), operation
    return answers[0].outputs


@pytest.mark.parametrize("number", (0, 1, 2))
def test_mlkem(strict: Driver, number: int) -> None:
    source = random.Random(number)
    seed, m = source.randbytes(64), source.randbytes(32)
    ek, dk = same(strict, "a", number, seed)
    assert same(strict, "b", number, seed) == (ek, dk)
    ct, ss = same(strict, "c", number, ek, m)
    assert same(strict, "d", number, ek, m) == (ct, ss)
    assert same(strict, "e", number, ct, dk) == same(strict, "f", number, ct, dk) == (ss,)
    same(strict, "h", number, ek)
    same(strict, "i", number, dk)


@pytest.mark.parametrize("number", (0, 1, 2))
def test_mldsa(strict: Driver, number: int) -> None:
    source = random.Random(number)
    seed, text, context, mu = (source.randbytes(n) for n in (32, 77, 9, 64))
    pk, sk = same(strict, "\x80", number, seed)
    assert same(strict, "\x81", number, seed) == (pk, sk)
    hashed = number + 16 * 1  # SHA-256
    for sign, verify, parameter, fields in (
        ("\x82", "\x86", number, (text, context)),
        ("\x83", "\x87", hashed, (seed, context)),
        ("\x84", "\x88", number, (mu,)),
        ("\x85", "\x89", number, (text,)),
    ):
        (signature,) = same(strict, sign, parameter, sk, *fields, b"")
        same(strict, verify, parameter, pk, *fields, signature)
    same(strict, "\x8a", number, pk, text, context)


def test_curve25519(strict: Driver) -> None:
    source = random.Random(0)
    secret, other, text, context, digest = (source.randbytes(n) for n in (32, 32, 77, 9, 64))
    (public,) = same(strict, "1", 0, other)
    same(strict, "2", 0, secret)
    same(strict, "0", 0, secret, public)
    (key,) = same(strict, "5", 0, secret)
    assert same(strict, ":", 0, secret) == (key,)
    for kind, message in ((0, text), (1, text), (2, digest)):
        (signature,) = same(strict, "6", kind, key, message, context)
        same(strict, "7", kind, key[32:], message, context, signature)


def test_hashes(strict: Driver) -> None:
    text = random.Random(0).randbytes(300)
    step = (7).to_bytes(4, "little")
    for digest in (28, 32, 48, 64, 1, 2):
        assert same(strict, "N", digest, text) == same(strict, "O", digest, text, step, result=1)
    for code in (28, 32, 48, 64, 128, 0):
        size = (code % 128 or 77).to_bytes(4, "little")
        assert same(strict, "A", code, text, size) == same(strict, "B", code, text, size, step)


def test_the_board_traps(build: Callable[[Target], Driver]) -> None:
    """The same library for a compiler that may access words anywhere stops at the first."""
    loose = build(Target("cortex-m4", "gas", ("-O2", "-DBOARD_UNALIGNED_TRAPS")))
    with pytest.raises((AssertionError, subprocess.SubprocessError)):
        loose.run([Request("1", 0, (bytes(32),), 1)])
