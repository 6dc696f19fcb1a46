# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Ed25519 of the library against RFC 8032, Wycheproof and the slow reference."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import pytest

from tests.lib.driver import Driver, Request, Target
from tests.ref import ed25519 as ref
from tests.ref import ed25519_table
from tests.ref.fe25519 import P
from tests.vectors.curves import rfc8032, wycheproof

OK, RNG, SIGNATURE, KEY, CONTEXT = 0, 1, 33, 34, 35
FLAGS = (None, 0, 1)  # of dom2, by the driver's parameter


def _bytes(number: int, size: int = 32) -> bytes:
    return number.to_bytes(size, "little")


def _verify(
    key: bytes, message: bytes, signature: bytes, kind: int = 0, context: bytes = b""
) -> Request:
    return Request("7", kind, (key, message, context, signature), len(message) % 4)


def test_rfc8032(driver: Driver) -> None:
    for at, case in enumerate(rfc8032()):
        seed, public, message, wanted = (
            bytes.fromhex(case[key]) for key in ("secretKey", "publicKey", "message", "signature")
        )
        requests = [
            Request("5", 0, (seed,), at % 4),
            Request("6", 0, (seed + public, message, b""), at % 4),
            _verify(public, message, wanted),
        ]
        made, signed, verified = driver.run(requests)
        assert made.outputs == (seed + public,), case["name"]
        assert signed.outputs == (wanted,), case["name"]
        assert verified.result == OK, case["name"]
    assert len(rfc8032()) == 5


def _wycheproof(driver: Driver, step: int) -> None:
    cases = [
        (group["publicKey"]["pk"], case)
        for group in wycheproof("ed25519")
        for case in group["tests"]
        if len(case["sig"]) == 128
    ][::step]
    requests = [_verify(*map(bytes.fromhex, (pk, c["msg"], c["sig"]))) for pk, c in cases]
    for (_, case), answer in zip(cases, driver.run(requests), strict=True):
        assert (answer.result == OK) == (case["result"] == "valid"), case["tcId"]
    assert step > 1 or len(cases) > 80


def test_wycheproof_some(driver: Driver) -> None:
    _wycheproof(driver, 9)


def test_wycheproof(board: Driver) -> None:
    _wycheproof(board, 1)


@pytest.mark.parametrize("kind", range(3))
def test_kinds(board: Driver, kind: int) -> None:
    """Ed25519, ctx and ph, with contexts of every sort, against the reference; each binds its own."""
    generator = random.Random(kind)
    seed = generator.randbytes(32)
    public = ref.public_key(seed)
    for size in (0, 1, 255) if kind else (0,):
        context, message = generator.randbytes(size), generator.randbytes(40)
        text = hashlib.sha512(message).digest() if kind == 2 else message
        wanted = ref.sign(seed, text, FLAGS[kind], context)
        (signed,) = board.run([Request("6", kind, (seed + public, text, context), size % 4)])
        assert (signed.result, signed.outputs) == (OK, (wanted,))
        results = [
            answer.result
            for answer in board.run(
                [
                    _verify(public, text, wanted, kind, context),
                    _verify(public, text, wanted, (kind + 1) % 3, context),
                    _verify(public, text[:-1] + bytes((text[-1] ^ 1,)), wanted, kind, context),
                ]
            )
        ]
        assert results == [OK, SIGNATURE, SIGNATURE]


def test_long_contexts_are_refused(driver: Driver) -> None:
    key, message = bytes(64), bytes(64)
    for kind in (1, 2):
        signed, verified = driver.run(
            [
                Request("6", kind, (key, message, bytes(256))),
                Request("7", kind, (key[:32], message, bytes(256), bytes(64))),
            ]
        )
        assert (signed.result, signed.outputs) == (CONTEXT, (bytes(64),))
        assert verified.result == CONTEXT


def test_scalars_not_below_the_order_are_refused(driver: Driver) -> None:
    case = rfc8032()[1]
    public, message, good = (bytes.fromhex(case[k]) for k in ("publicKey", "message", "signature"))
    s = int.from_bytes(good[32:], "little")
    for number in (s + ref.L, s + 2 * ref.L, ref.L, 2**256 - 1, 2**255):
        answer = driver.run([_verify(public, message, good[:32] + _bytes(number))])[0]
        assert answer.result == SIGNATURE


def test_keys_that_are_no_points_are_refused(driver: Driver) -> None:
    """y not below p, no x for y, and the sign of x = 0 (RFC 8032, section 5.1.3)."""
    no_point = next(y for y in range(2, 50) if ref.recover_x(y, 0) is None)
    sign = 1 << 255
    for number in (P, P + 1, P + 18, P + 1 + sign, 1 + sign, P - 1 + sign, no_point):
        answer = driver.run([_verify(_bytes(number), b"", bytes(64))])[0]
        assert answer.result == KEY, number


def test_without_cofactor(board: Driver) -> None:
    """A key of order two: [S]B = R + [k]A holds for even k alone, [8][S]B = [8]R + [8][k]A always."""
    key = _bytes(P - 1)
    seen = set()
    for at in range(6):
        r = ref.times(at + 1, ref.BASE)
        signature = ref.encode(r) + _bytes(at + 1)
        wanted = ref.verify(key, bytes((at,)), signature)
        (answer,) = board.run([_verify(key, bytes((at,)), signature)])
        assert answer.result == (OK if wanted else SIGNATURE)
        seen.add(wanted)
    assert seen == {False, True}


def test_points_at_infinity_of_the_formulas(board: Driver) -> None:
    """R = A = the identity, S = 0: every addition is of equal or opposite points or of the identity."""
    identity = _bytes(1)
    (answer,) = board.run([_verify(identity, b"message", identity + bytes(32))])
    assert answer.result == OK


def test_every_byte_of_a_signature_counts(board: Driver) -> None:
    case = rfc8032()[2]
    public, message, good = (bytes.fromhex(case[k]) for k in ("publicKey", "message", "signature"))
    requests = []
    for at in range(64):
        bad = bytearray(good)
        bad[at] ^= 1 << at % 8
        requests.append(_verify(public, message, bytes(bad)))
    assert {answer.result for answer in board.run(requests)} == {SIGNATURE}


def test_random_keys(board: Driver) -> None:
    """Keys and signatures against the reference, and verified."""
    generator = random.Random(3)
    for _ in range(3):
        seed, message = generator.randbytes(32), generator.randbytes(generator.randrange(300))
        key = seed + ref.public_key(seed)
        wanted = ref.sign(seed, message)
        made, signed, verified = board.run(
            [
                Request("5", 0, (seed,)),
                Request("6", 0, (key, message, b"")),
                _verify(key[32:], message, wanted),
            ]
        )
        assert (made.outputs, signed.outputs, verified.result) == ((key,), (wanted,), OK)


def test_scalars(driver: Driver) -> None:
    """Reduction and multiplication modulo L at the edges of every subtraction, and at random."""
    generator = random.Random(4)
    edges = [
        0,
        1,
        ref.L - 1,
        ref.L,
        ref.L + 1,
        2 * ref.L,
        3 * ref.L - 1,
        2**252,
        2**253,
        2**256 - 1,
    ]
    wide = [
        *edges,
        2**512 - 1,
        2**512 - ref.L,
        2**512 // ref.L * ref.L,
        2**512 // ref.L * ref.L - 1,
    ]
    wide += [(2**32 - 1) << 32 * i for i in range(16)]
    wide += [k * ref.L + e for k in (2**32, 2**96, 2**200, 2**258) for e in (-1, 0, 1)]
    wide += [generator.getrandbits(512) for _ in range(50)]
    answers = driver.run(Request("8", 0, (_bytes(x, 64),), i % 4) for i, x in enumerate(wide))
    assert [int.from_bytes(a.outputs[0], "little") for a in answers] == [x % ref.L for x in wide]
    triples = [(a, b, c) for a in edges for b in edges[::3] for c in edges[::4]]
    triples = [t for t in triples if t[0] * t[1] + t[2] < 2**512]
    answers = driver.run(Request("9", 0, tuple(map(_bytes, t))) for t in triples)
    got = [int.from_bytes(answer.outputs[0], "little") for answer in answers]
    assert got == [(a * b + c) % ref.L for a, b, c in triples]
    assert all(answer.result == 1 for answer in answers)


def test_keygen(driver: Driver) -> None:
    case = rfc8032()[0]
    seed, public = bytes.fromhex(case["secretKey"]), bytes.fromhex(case["publicKey"])
    answer = driver.ask(":", 0, seed)
    assert (answer.result, answer.outputs) == (OK, (seed + public,))
    for short in (b"", seed[:31]):
        answer = driver.ask(":", 0, short)
        assert (answer.result, answer.outputs) == (RNG, (bytes(64),))


def test_small_table(build: Callable[[Target], Driver]) -> None:
    """ARMSCRIBE_SMALL: an eighth of the table, more doublings."""
    test_rfc8032(build(Target("cortex-m4", "gas", ("-O3", "-DARMSCRIBE_SMALL"))))


def test_the_table_is_the_base_points() -> None:
    for number in range(ed25519_table.PARTS):
        text = ed25519_table.path(number).read_text(encoding="utf-8")
        assert text == ed25519_table.part(number)
    assert ed25519_table.ODD_PATH.read_text(encoding="utf-8") == ed25519_table.odd()
