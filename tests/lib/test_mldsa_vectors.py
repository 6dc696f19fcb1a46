# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""ML-DSA against NIST's vectors, on the host and on the emulated board."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

import pytest

from tests.lib.driver import Answer, Driver, Request
from tests.vectors.acvp import ML_DSA, Case, cases

SETS = {"ML-DSA-44": 0, "ML-DSA-65": 1, "ML-DSA-87": 2}
KEYGEN, SIGN, VERIFY = "\x80", "\x82", "\x86"  # the first of four signing, or verifying, operations
SIGNATURE = 20  # ARMSCRIBE_ERROR_MLDSA_SIGNATURE
# Name of a hash function -> ARMSCRIBE_MLDSA_HASH_*, and the function.
HASHES: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "SHA2-256": (1, lambda m: hashlib.sha256(m).digest()),
    "SHA2-384": (2, lambda m: hashlib.sha384(m).digest()),
    "SHA2-512": (3, lambda m: hashlib.sha512(m).digest()),
    "SHA2-224": (4, lambda m: hashlib.sha224(m).digest()),
    "SHA2-512/224": (5, lambda m: hashlib.new("sha512_224", m).digest()),
    "SHA2-512/256": (6, lambda m: hashlib.new("sha512_256", m).digest()),
    "SHA3-224": (7, lambda m: hashlib.sha3_224(m).digest()),
    "SHA3-256": (8, lambda m: hashlib.sha3_256(m).digest()),
    "SHA3-384": (9, lambda m: hashlib.sha3_384(m).digest()),
    "SHA3-512": (10, lambda m: hashlib.sha3_512(m).digest()),
    "SHAKE-128": (11, lambda m: hashlib.shake_128(m).digest(32)),
    "SHAKE-256": (12, lambda m: hashlib.shake_256(m).digest(64)),
}
BOARD_EVERY = 8  # on the emulated board every so many-th case of a group, without `slow`


def message_of(case: Case) -> tuple[int, int, tuple[bytes, ...]]:
    """Which of the four operations, the hash function's number, and the fields that stand for the message."""
    if case.group.get("externalMu"):
        return 2, 0, (case.given("mu"),)
    message = case.given("message")
    if case.group["signatureInterface"] == "internal":
        return 3, 0, (message,)
    if case.group["preHash"] == "pure":
        return 0, 0, (message, case.given("context"))
    number, digest = HASHES[case.prompt["hashAlg"]]
    return 1, number, (digest(message), case.given("context"))


def keygen(case: Case) -> Request:
    return Request(KEYGEN, SETS[case.group["parameterSet"]], (case.given("seed"),))


def signing(case: Case, sk: bytes, misalign: int) -> Request:
    which, number, fields = message_of(case)
    random = bytes.fromhex(case.prompt.get("rnd", ""))
    parameter = SETS[case.group["parameterSet"]] + 16 * number
    return Request(chr(ord(SIGN) + which), parameter, (sk, *fields, random), misalign)


def verifying(case: Case, pk: bytes, signature: bytes, misalign: int) -> Request:
    which, number, fields = message_of(case)
    parameter = SETS[case.group["parameterSet"]] + 16 * number
    return Request(chr(ord(VERIFY) + which), parameter, (pk, *fields, signature), misalign)


def check_keys(driver: Driver, every: Sequence[Case]) -> None:
    for case, answer in zip(every, driver.run(map(keygen, every)), strict=True):
        assert answer == Answer(0, (case.wanted("pk"), case.wanted("sk"))), case.name


def check_signatures(driver: Driver, every: Sequence[Case]) -> None:
    seeds = [case for case in every if "seed" in case.prompt]
    made = {case.name: answer.outputs[1] for case, answer in _keys(driver, seeds)}
    keys = [made.get(case.name) or case.given("sk") for case in every]
    answers = driver.run(
        signing(c, sk, at % 8) for at, (c, sk) in enumerate(zip(every, keys, strict=True))
    )
    for case, answer in zip(every, answers, strict=True):
        assert answer == Answer(0, (case.wanted("signature"),)), case.name


def _keys(driver: Driver, every: Sequence[Case]) -> Iterable[tuple[Case, Answer]]:
    return zip(every, driver.run(map(keygen, every)), strict=True)


def check_verification(driver: Driver, every: Sequence[Case]) -> None:
    answers = driver.run(
        verifying(case, case.given("pk"), case.given("signature"), at % 8)
        for at, case in enumerate(every)
    )
    for case, answer in zip(every, answers, strict=True):
        wanted = 0 if case.expected["testPassed"] else SIGNATURE
        assert answer == Answer(wanted, ()), case.name


CHECKS = {
    "ML-DSA-keyGen-FIPS204": check_keys,
    "ML-DSA-sigGen-FIPS204": check_signatures,
    "ML-DSA-sigGen-FIPS204-tr1": check_signatures,
    "ML-DSA-sigVer-FIPS204": check_verification,
}


def _chosen(name: str) -> list[Case]:
    """The first case of each group and every eighth after it."""
    groups: dict[int, list[Case]] = {}
    for case in cases(name):
        groups.setdefault(case.group["tgId"], []).append(case)
    return [case for group in groups.values() for case in group[::BOARD_EVERY]]


@pytest.mark.parametrize("name", ML_DSA)
def test_acvp_on_the_host(host: Driver, name: str) -> None:
    CHECKS[name](host, list(cases(name)))


@pytest.mark.parametrize("name", ML_DSA)
def test_acvp_covering(driver: Driver, name: str) -> None:
    CHECKS[name](driver, _chosen(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", ML_DSA)
def test_acvp(driver: Driver, name: str) -> None:
    CHECKS[name](driver, list(cases(name)))


def test_every_kind_of_case_is_there() -> None:
    kinds = {
        (name.split("-")[2], case.group["parameterSet"], message_of(case)[0])
        for name in ML_DSA[1:]
        for case in cases(name)
    }
    for name in SETS:
        for operation in ("sigGen", "sigVer"):
            assert {which for op, one, which in kinds if (op, one) == (operation, name)} == set(
                range(4)
            )
    passed = [case.expected["testPassed"] for case in cases("ML-DSA-sigVer-FIPS204")]
    assert set(passed) == {True, False}
    used = {
        case.prompt["hashAlg"]
        for name in ML_DSA[1:]
        for case in cases(name)
        if "hashAlg" in case.prompt
    }
    assert used <= set(HASHES)
