# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""SHA-2 against NIST's vectors and hashlib, on the host and on the emulated board."""

from __future__ import annotations

import hashlib

import pytest

from tests.lib.driver import Driver, Request
from tests.vectors.acvp import SHA2, Case, cases
from tests.vectors.cavp import short_messages

# hashlib's name -> parameter of driver_sha2.c, bytes a block
FUNCTIONS = {
    "sha224": (28, 64),
    "sha256": (32, 64),
    "sha384": (48, 128),
    "sha512": (64, 128),
    "sha512_224": (1, 128),
    "sha512_256": (2, 128),
}
STEPS = (1, 7, 8, 63, 64, 65, 128, 129, 300)  # bytes at a time of the incremental functions
COVERING = 97  # of the published messages every so many in `make test` on the board


def _bytes(number: int, size: int = 4) -> bytes:
    return number.to_bytes(size, "little")


def _of_type(name: str, kind: str) -> list[Case]:
    return [case for case in cases(name) if case.group["testType"] == kind]


def _check(driver: Driver, asked: list[tuple[int, bytes, bytes]]) -> None:
    """Digest parameter, message, digest: in one call and in pieces, at every alignment."""
    requests = []
    for at, (parameter, message, _) in enumerate(asked):
        step = _bytes(STEPS[at % len(STEPS)])
        requests.append(Request("N", parameter, (message,), at % 8))
        requests.append(Request("O", parameter, (message, step), at % 8))
    answers = driver.run(requests)
    for (_, message, wanted), whole, parts in zip(asked, answers[::2], answers[1::2], strict=True):
        assert whole.outputs == (wanted,), len(message)
        assert parts.outputs == (wanted,), len(message)
        assert parts.result == 1, "the context is not erased"


def _published(name: str) -> list[tuple[int, bytes, bytes]]:
    return [
        (SHA2[name], case.given("msg")[: case.prompt["len"] // 8], case.wanted("md"))
        for case in _of_type(name, "AFT")
    ]


@pytest.mark.parametrize("name", SHA2)
def test_short_messages(driver: Driver, name: str) -> None:
    found = [(SHA2[name], message, wanted) for message, wanted in short_messages(SHA2[name])]
    _check(driver, found)
    assert len(found) == 2 * SHA2[name] + 1


@pytest.mark.parametrize("name", SHA2)
def test_messages(host: Driver, name: str) -> None:
    found = _published(name)
    _check(host, found)
    assert len(found) == 16 * SHA2[name]


@pytest.mark.parametrize("name", SHA2)
def test_some_messages_on_the_board(board: Driver, name: str) -> None:
    _check(board, _published(name)[::COVERING])


@pytest.mark.slow
@pytest.mark.parametrize("name", SHA2)
def test_messages_on_the_board(board: Driver, name: str) -> None:
    _check(board, _published(name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_around_the_padding(driver: Driver, name: str) -> None:
    parameter, block = FUNCTIONS[name]
    sizes = [
        0,
        1,
        *(m * block + d for m in (1, 2) for d in (-block // 8 - 1, -block // 8, -1, 0, 1)),
    ]
    messages = [bytes(7 * i % 256 for i in range(size)) for size in sizes]
    _check(driver, [(parameter, m, hashlib.new(name, m).digest()) for m in messages])


def _chain(driver: Driver, name: str, rounds: int) -> None:
    (case,) = _of_type(name, "MCT")
    wanted = [bytes.fromhex(entry["md"]) for entry in case.expected["resultsArray"]]
    first = case.given("msg")
    seeds = [first, *wanted[:-1]][:rounds]
    size = _bytes(len(first))
    answers = driver.run(Request("P", SHA2[name], (seed, size)) for seed in seeds)
    assert [answer.outputs[0] for answer in answers] == wanted[:rounds]


@pytest.mark.parametrize("name", SHA2)
def test_monte_carlo(host: Driver, name: str) -> None:
    _chain(host, name, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHA2)
def test_monte_carlo_on_the_board(board: Driver, name: str) -> None:
    _chain(board, name, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHA2)
def test_gigabytes(host: Driver, name: str) -> None:
    found = _of_type(name, "LDT")
    requests = []
    for case in found:
        large = case.prompt["largeMsg"]
        content = bytes.fromhex(large["content"])[: large["contentLength"] // 8]
        requests.append(Request("Q", SHA2[name], (content, _bytes(large["fullLength"] // 8, 8))))
    answers = host.run(requests, timeout=3600)
    assert [answer.outputs[0] for answer in answers] == [case.wanted("md") for case in found]
    assert len(found) == 4
