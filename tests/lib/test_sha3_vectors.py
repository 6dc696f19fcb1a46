# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""SHA-3 and SHAKE against NIST's vectors, on the host and on the emulated board."""

from __future__ import annotations

import struct

import pytest

from tests.lib.driver import Driver, Request
from tests.vectors.acvp import SHA3, SHAKE, Case, cases

ALL = SHA3 | SHAKE
STEPS = (1, 7, 8, 61, 136, 137, 168, 400)  # bytes at a time of the incremental functions


def _bytes(number: int, size: int = 4) -> bytes:
    return number.to_bytes(size, "little")


def _of_type(name: str, *types: str) -> list[Case]:
    """Cases of these types whose lengths are whole bytes."""
    return [
        case
        for case in cases(name)
        if case.group["testType"] in types
        and case.prompt.get("len", 0) % 8 == case.prompt.get("outLen", 0) % 8 == 0
    ]


@pytest.mark.parametrize("name", ALL)
def test_messages(driver: Driver, name: str) -> None:
    """Every message in one call, and in pieces, at every alignment."""
    found = _of_type(name, "AFT", "VOT")
    requests = []
    for at, case in enumerate(found):
        message = case.given("msg")[: case.prompt["len"] // 8]
        fields = (message, _bytes(len(case.wanted("md"))))
        pieces = (*fields, _bytes(STEPS[at % len(STEPS)]))
        requests.append(Request("A", ALL[name], fields, at % 8))
        requests.append(Request("B", ALL[name], pieces, at % 8))
    answers = driver.run(requests)
    for case, whole, parts in zip(found, answers[::2], answers[1::2], strict=True):
        assert whole.outputs == (case.wanted("md"),), case.name
        assert parts.outputs == whole.outputs, case.name
    assert len(found) > 60


def _chain_sha3(driver: Driver, name: str, rounds: int) -> None:
    (case,) = _of_type(name, "MCT")
    wanted = [bytes.fromhex(entry["md"]) for entry in case.expected["resultsArray"]]
    seeds = [case.given("msg"), *wanted[:-1]]
    answers = driver.run(Request("C", ALL[name], (seed,)) for seed in seeds[:rounds])
    assert [answer.outputs[0] for answer in answers] == wanted[:rounds]


def _chain_shake(driver: Driver, name: str, rounds: int) -> None:
    (case,) = _of_type(name, "MCT")
    limits = [case.group[key] // 8 for key in ("minOutLen", "maxOutLen")]
    seed, length = case.given("msg"), limits[1]
    for entry in case.expected["resultsArray"][:rounds]:
        fields = (seed, *map(_bytes, (length, *limits)))
        output, last, following = driver.ask("D", ALL[name], *fields).outputs
        (size,), (length,) = struct.unpack("<I", last), struct.unpack("<I", following)
        seed = output[:size]
        assert (seed, 8 * size) == (bytes.fromhex(entry["md"]), entry["outLen"])


def _chain(driver: Driver, name: str, rounds: int) -> None:
    (_chain_sha3 if name in SHA3 else _chain_shake)(driver, name, rounds)


@pytest.mark.parametrize("name", ALL)
def test_monte_carlo(host: Driver, name: str) -> None:
    _chain(host, name, 100)


@pytest.mark.parametrize("name", ALL)
def test_monte_carlo_first_rounds(board: Driver, name: str) -> None:
    _chain(board, name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_monte_carlo_on_the_board(board: Driver, name: str) -> None:
    _chain(board, name, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHA3)
def test_gigabytes(host: Driver, name: str) -> None:
    found = _of_type(name, "LDT")
    requests = []
    for case in found:
        large = case.prompt["largeMsg"]
        content = bytes.fromhex(large["content"])[: large["contentLength"] // 8]
        requests.append(Request("E", ALL[name], (content, _bytes(large["fullLength"] // 8, 8))))
    answers = host.run(requests, timeout=3600)
    assert [answer.outputs[0] for answer in answers] == [case.wanted("md") for case in found]
    assert len(found) == 4
