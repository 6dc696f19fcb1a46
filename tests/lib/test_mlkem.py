# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What NIST's vectors do not ask of ML-KEM: randomness, errors, tampering, alignment."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from itertools import pairwise

import pytest

from tests.lib.driver import SETS, Driver, Request

OK, RNG, EK_LENGTH, EK_MODULUS, CT_LENGTH, DK_LENGTH, DK_HASH = range(7)
Q = 3329


@dataclass(frozen=True)
class Session:
    """A key pair, a ciphertext and its secret of one parameter set."""

    number: int
    seed: bytes
    m: bytes
    ek: bytes
    dk: bytes
    ct: bytes
    ss: bytes

    def rejected(self, ct: bytes) -> bytes:
        """The secret of a ciphertext that is not accepted: J(z || c)."""
        return hashlib.shake_256(self.seed[32:] + ct).digest(32)


@pytest.fixture(scope="module", params=SETS)
def session(driver: Driver, request: pytest.FixtureRequest) -> Session:
    number = SETS[request.param]
    source = random.Random(number)
    seed, m = source.randbytes(64), source.randbytes(32)
    ek, dk = driver.ask("a", number, seed).outputs
    ct, ss = driver.ask("c", number, ek, m).outputs
    return Session(number, seed, m, ek, dk, ct, ss)


def test_both_sides_agree(driver: Driver, session: Session) -> None:
    for operation in "ef":
        answer = driver.ask(operation, session.number, session.ct, session.dk)
        assert (answer.result, answer.outputs) == (OK, (session.ss,))


def test_randomness_is_the_callers(driver: Driver, session: Session) -> None:
    """With a generator that hands out the seed, the result is that of the seed."""
    keys = driver.ask("b", session.number, session.seed)
    assert (keys.result, keys.outputs) == (OK, (session.ek, session.dk))
    capsule = driver.ask("d", session.number, session.ek, session.m)
    assert (capsule.result, capsule.outputs) == (OK, (session.ct, session.ss))


def test_failing_generator(driver: Driver, session: Session) -> None:
    failures = [
        driver.ask("b", session.number, session.seed[:63]),
        driver.ask("d", session.number, session.ek, session.m[:31]),
    ]
    for answer in failures:
        assert answer.result == RNG
        assert not any(map(any, answer.outputs))


def test_wrong_lengths(driver: Driver, session: Session) -> None:
    def around(value: bytes) -> list[bytes]:
        return [b"", value[:-1], value + b"\0", value[: len(value) // 2]]

    asked: list[tuple[int, Request]] = []
    for ek in around(session.ek):
        asked.append((EK_LENGTH, Request("h", session.number, (ek,))))
        asked += [(EK_LENGTH, Request(op, session.number, (ek, session.m))) for op in "cd"]
    for dk in around(session.dk):
        asked.append((DK_LENGTH, Request("i", session.number, (dk,))))
        asked += [(DK_LENGTH, Request(op, session.number, (session.ct, dk))) for op in "ef"]
    for ct in around(session.ct):
        asked += [(CT_LENGTH, Request(op, session.number, (ct, session.dk))) for op in "ef"]
    answers = driver.run(request for _, request in asked)
    for (code, request), answer in zip(asked, answers, strict=True):
        assert answer.result == code, request
        assert not any(map(any, answer.outputs)), "outputs of a refused call are zeros"


def test_coefficients_at_the_modulus(driver: Driver, session: Session) -> None:
    """Each place of a coefficient: q - 1 passes, q and 4095 do not."""
    count = (len(session.ek) - 32) * 2 // 3
    number = int.from_bytes(session.ek[:-32], "little")
    places = [0, 1, 2, 3, 255, 256, count - 2, count - 1]
    requests, codes = [], []
    for place in places:
        for value, code in ((Q - 1, OK), (Q, EK_MODULUS), (4095, EK_MODULUS)):
            changed = number & ~(0xFFF << 12 * place) | value << 12 * place
            ek = changed.to_bytes(len(session.ek) - 32, "little") + session.ek[-32:]
            requests += [Request("h", session.number, (ek,))]
            requests += [Request("c", session.number, (ek, session.m))]
            codes += [code, code]
    answers = driver.run(requests)
    assert [answer.result for answer in answers] == codes
    for answer in answers:
        assert answer.result == OK or not any(map(any, answer.outputs))


def test_damaged_key(driver: Driver, session: Session) -> None:
    """A change in the encapsulation key or its hash is found; one in s or z cannot be."""
    k = (len(session.dk) - 96) // 768
    for place in (384 * k, 768 * k - 1, 768 * k + 31, 768 * k + 32, 768 * k + 63):
        dk = bytearray(session.dk)
        dk[place] ^= 0x10
        assert driver.ask("i", session.number, bytes(dk)).result == DK_HASH
        answer = driver.ask("e", session.number, session.ct, bytes(dk))
        assert (answer.result, answer.outputs) == (DK_HASH, (bytes(32),))


def _places(session: Session, driver: Driver) -> list[int]:
    """Every byte of the ciphertext on the host; every eleventh and the last one on the board."""
    if driver.target.core == "host":
        return list(range(len(session.ct)))
    return [*range(0, len(session.ct), 11), len(session.ct) - 1]


def test_every_byte_of_the_ciphertext_counts(driver: Driver, session: Session) -> None:
    changed = []
    for place in _places(session, driver):
        ct = bytearray(session.ct)
        ct[place] ^= 1 << place % 8
        changed.append(bytes(ct))
    answers = driver.run(Request("f", session.number, (ct, session.dk)) for ct in changed)
    for ct, answer in zip(changed, answers, strict=True):
        assert (answer.result, answer.outputs) == (OK, (session.rejected(ct),))
        assert answer.outputs[0] != session.ss


def test_any_address(driver: Driver, session: Session) -> None:
    """The same answers with every buffer at each offset from a multiple of eight."""
    requests = [
        Request(operation, session.number, fields, offset)
        for operation, fields in (
            ("a", (session.seed,)),
            ("c", (session.ek, session.m)),
            ("e", (session.ct, session.dk)),
        )
        for offset in range(8)
    ]
    answers = driver.run(requests)
    for (one, before), (other, after) in pairwise(zip(requests, answers, strict=True)):
        assert one.operation != other.operation or before == after, other.misalign


def test_unreduced_secret_key(driver: Driver, session: Session) -> None:
    """Coefficients of s from q to 4095 are taken modulo q (ByteDecode_12, FIPS 203, 4.2.1)."""
    k = (len(session.dk) - 96) // 768
    number = int.from_bytes(session.dk[: 384 * k], "little")
    for place in range(256 * k):
        coefficient = number >> 12 * place & 0xFFF
        if coefficient + Q < 4096:
            number += Q << 12 * place
    dk = number.to_bytes(384 * k, "little") + session.dk[384 * k :]
    assert dk != session.dk
    answer = driver.ask("f", session.number, session.ct, dk)
    assert (answer.result, answer.outputs) == (OK, (session.ss,))
