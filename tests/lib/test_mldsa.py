# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What NIST's vectors do not ask of ML-DSA: randomness, errors, tampering, alignment."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass

import pytest

from tests.lib.driver import Driver, Request
from tests.lib.test_mldsa_vectors import HASHES, SETS

OK, RNG, PK_LENGTH, SK_LENGTH, CONTEXT, HASH, SIGNATURE = 0, 1, 16, 17, 18, 19, 20
KEYGEN_DERAND, KEYGEN = "\x80", "\x81"
SIGN, SIGN_HASH, SIGN_MU, SIGN_INTERNAL = "\x82", "\x83", "\x84", "\x85"
VERIFY, VERIFY_HASH, VERIFY_MU, VERIFY_INTERNAL, MU = "\x86", "\x87", "\x88", "\x89", "\x8a"
OMEGA = {0: (80, 4), 1: (55, 6), 2: (75, 8)}  # positions of hints, and rows


@dataclass(frozen=True)
class Session:
    """A key pair, a message with its context, and the deterministic signature."""

    number: int
    seed: bytes
    pk: bytes
    sk: bytes
    message: bytes
    context: bytes
    signature: bytes

    def verification(self, signature: bytes | None = None) -> Request:
        fields = (self.pk, self.message, self.context, signature or self.signature)
        return Request(VERIFY, self.number, fields)


@pytest.fixture(scope="module", params=SETS)
def session(driver: Driver, request: pytest.FixtureRequest) -> Session:
    number = SETS[request.param]
    source = random.Random(number)
    seed, message, context = source.randbytes(32), source.randbytes(77), source.randbytes(255)
    pk, sk = driver.ask(KEYGEN_DERAND, number, seed).outputs
    answer = driver.ask(SIGN, number, sk, message, context, b"")
    assert answer.result == OK
    return Session(number, seed, pk, sk, message, context, answer.outputs[0])


def test_a_signature_is_valid_for_its_message_alone(driver: Driver, session: Session) -> None:
    s = session
    longer = (s.pk, s.message + b"\0", s.context, s.signature)
    other = (s.pk, s.message, s.context[:-1], s.signature)
    moved = (s.pk, s.message + s.context[:1], s.context[1:], s.signature)
    requests = [s.verification(), *(Request(VERIFY, s.number, f) for f in (longer, other, moved))]
    results = [answer.result for answer in driver.run(requests)]
    assert results == [OK, SIGNATURE, SIGNATURE, SIGNATURE]


def test_randomness_is_the_callers(driver: Driver, session: Session) -> None:
    s = session
    assert driver.ask(KEYGEN, s.number, s.seed).outputs == (s.pk, s.sk)
    zeros, ones = (
        driver.ask(SIGN, s.number, s.sk, s.message, s.context, byte * 32) for byte in (b"\0", b"\1")
    )
    assert (zeros.result, zeros.outputs[0]) == (OK, s.signature)
    assert (ones.result, ones.outputs[0] != s.signature) == (OK, True)
    assert driver.run([s.verification(ones.outputs[0])])[0].result == OK


def test_failing_generator(driver: Driver, session: Session) -> None:
    s = session
    answer = driver.ask(KEYGEN, s.number, s.seed[:31])
    assert answer.result == RNG and not any(map(any, answer.outputs))
    answer = driver.ask(SIGN, s.number, s.sk, s.message, s.context, bytes(31))
    assert answer.result == RNG and not any(answer.outputs[0])


def test_the_four_interfaces_agree(driver: Driver, session: Session) -> None:
    """Pure signing is that of mu, and that of the formatted message."""
    s = session
    formatted = bytes((0, len(s.context))) + s.context + s.message
    tr = hashlib.shake_256(s.pk).digest(64)
    mu = hashlib.shake_256(tr + formatted).digest(64)
    assert driver.ask(MU, s.number, s.pk, s.message, s.context).outputs == (mu,)
    assert driver.ask(SIGN_MU, s.number, s.sk, mu, b"").outputs == (s.signature,)
    assert driver.ask(SIGN_INTERNAL, s.number, s.sk, formatted, b"").outputs == (s.signature,)
    assert driver.ask(VERIFY_MU, s.number, s.pk, mu, s.signature).result == OK
    assert driver.ask(VERIFY_INTERNAL, s.number, s.pk, formatted, s.signature).result == OK


def test_every_hash_function(driver: Driver, session: Session) -> None:
    """Each signs a digest of its length only, and its signature is no other's. On the board two of them."""
    s = session
    chosen = list(HASHES.values())[:: 1 if driver.target.core == "host" else 6]
    for number, digest_of in chosen:
        digest, parameter = digest_of(s.message), s.number + 16 * number
        signed = driver.ask(SIGN_HASH, parameter, s.sk, digest, s.context, b"")
        short = driver.ask(SIGN_HASH, parameter, s.sk, digest[:-1], s.context, b"")
        fields = (s.pk, digest, s.context, signed.outputs[0])
        assert (signed.result, short.result) == (OK, HASH)
        assert driver.ask(VERIFY_HASH, parameter, *fields).result == OK
        assert driver.ask(VERIFY, s.number, *fields).result == SIGNATURE
    for unknown in (0, 13, 15):
        assert (
            driver.ask(SIGN_HASH, s.number + 16 * unknown, s.sk, bytes(32), b"", b"").result == HASH
        )


def test_wrong_lengths(driver: Driver, session: Session) -> None:
    s, n = session, session.number
    for sk in (s.sk[:-1], s.sk + b"\0", b""):
        answer = driver.ask(SIGN, n, sk, s.message, s.context, b"")
        assert answer.result == SK_LENGTH and not any(answer.outputs[0])
    for pk in (s.pk[:-1], s.pk + b"\0", b""):
        assert driver.ask(VERIFY, n, pk, s.message, s.context, s.signature).result == PK_LENGTH
        answer = driver.ask(MU, n, pk, s.message, s.context)
        assert answer.result == PK_LENGTH and not any(answer.outputs[0])
    for signature in (s.signature[:-1], s.signature + b"\0", b""):
        assert driver.ask(VERIFY, n, s.pk, s.message, s.context, signature).result == SIGNATURE
    long = s.context + b"\0"
    assert driver.ask(SIGN, n, s.sk, s.message, long, b"").result == CONTEXT
    assert driver.ask(VERIFY, n, s.pk, s.message, long, s.signature).result == CONTEXT


def _changed(session: Session, place: int) -> bytes:
    changed = bytearray(session.signature)
    changed[place] ^= 1 << place % 8
    return bytes(changed)


def test_every_byte_of_the_signature_counts(driver: Driver, session: Session) -> None:
    """On the host every fifth byte, on the board a few; and all bytes of the hint's counters."""
    step = 5 if driver.target.core == "host" else 397
    end = len(session.signature)
    places = [*range(0, end, step), *range(end - OMEGA[session.number][1], end)]
    requests = [session.verification(_changed(session, place)) for place in places]
    assert {answer.result for answer in driver.run(requests)} == {SIGNATURE}


def test_malformed_hints(driver: Driver, session: Session) -> None:
    """Positions that do not rise, unused ones that are not zero, counters that fall or exceed omega."""
    omega, rows = OMEGA[session.number]
    body, hint = session.signature[: -omega - rows], session.signature[-omega - rows :]
    places, ends = bytearray(hint[:omega]), bytearray(hint[omega:])
    first = next(i for i in range(rows) if ends[i] - (ends[i - 1] if i else 0) >= 2)
    at = ends[first - 1] if first else 0
    swapped, twice = bytearray(places), bytearray(places)
    swapped[at], swapped[at + 1] = places[at + 1], places[at]
    twice[at + 1] = places[at]
    used = bytearray(places)
    used[omega - 1] = 1
    falling, above = bytearray(ends), bytearray(ends)
    falling[rows - 1] = falling[rows - 2] - 1
    above[rows - 1] = omega + 1
    hints = [swapped + ends, twice + ends, places + falling, places + above]
    if ends[-1] < omega:
        hints.append(used + ends)
    answers = driver.run(session.verification(body + bytes(one)) for one in hints)
    assert {answer.result for answer in answers} == {SIGNATURE}


def test_large_response(driver: Driver, session: Session) -> None:
    """A z whose first coefficient is gamma1 is refused before anything is computed."""
    seed_bytes = (32, 48, 64)[session.number]
    changed = bytearray(session.signature)
    changed[seed_bytes : seed_bytes + 2] = b"\0\0"
    changed[seed_bytes + 2] &= 0xFC if session.number == 0 else 0xF0
    assert driver.run([session.verification(bytes(changed))])[0].result == SIGNATURE


def test_any_address(driver: Driver, session: Session) -> None:
    """The same answers with every byte buffer at each offset from a multiple of eight."""
    s = session
    for offset in range(1, 4):
        signing = Request(SIGN, s.number, (s.sk, s.message, s.context, b""), offset)
        keys = Request(KEYGEN_DERAND, s.number, (s.seed,), offset)
        check = Request(VERIFY, s.number, s.verification().fields, offset)
        signed, made, checked = driver.run((signing, keys, check))
        assert signed.outputs == (s.signature,)
        assert made.outputs == (s.pk, s.sk)
        assert checked.result == OK
