# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""X25519 of the library against RFC 7748, Wycheproof and the slow reference."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lib.driver import ROOT, SANITIZE, Driver, Request, Target
from tests.ref.fe25519 import P
from tests.ref.x25519 import BASE, x25519
from tests.vectors.curves import rfc7748, wycheproof

ZERO = 32  # ARMSCRIBE_ERROR_X25519_ZERO
# u-coordinates of small order (RFC 7748, section 6.1), and of others equal to them modulo p.
SMALL = (
    0,
    1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
    P - 1,
    P,
    P + 1,
)

FAST = "-DARMSCRIBE_X25519_FAST"
GAS, *OTHERS = (
    Target("cortex-m4", "gas", ("-O3", FAST)),
    Target("cortex-m4", "inline", ("-O3", FAST)),
    Target("host", "portable", ("-O1", *SANITIZE, FAST)),
)


def _bytes(number: int, size: int = 32) -> bytes:
    return number.to_bytes(size, "little")


def test_rfc7748(driver: Driver) -> None:
    requests = []
    wanted = []
    for at, case in enumerate(rfc7748()["x25519"]):
        fields = bytes.fromhex(case["scalar"]), bytes.fromhex(case["u"])
        requests += [Request(operation, 0, fields, at) for operation in "04"]
        wanted += 2 * [bytes.fromhex(case["out"])]
    assert [answer.outputs[0] for answer in driver.run(requests)] == wanted


def test_agreement(driver: Driver) -> None:
    texts = rfc7748()["diffieHellman"]
    given = {key: bytes.fromhex(text) for key, text in texts.items() if key != "section"}
    for one, other in (("alice", "bob"), ("bob", "alice")):
        secret = given[f"{one}Private"]
        assert driver.ask("1", 0, secret).outputs == (given[f"{one}Public"],)
        answer = driver.ask("0", 0, secret, given[f"{other}Public"])
        assert (answer.result, answer.outputs) == (0, (given["shared"],))


def _iterated(driver: Driver, rounds: int, timeout: float = 600.0) -> None:
    request = Request("3", 0, (BASE, BASE, _bytes(rounds, 3)))
    (answer,) = driver.run([request], timeout)
    assert answer.outputs[0].hex() == rfc7748()["iterated"]["after"][str(rounds)]


def test_iterated_once(driver: Driver) -> None:
    _iterated(driver, 1)


def test_iterated_on_the_host(host: Driver) -> None:
    _iterated(host, 1000)


@pytest.mark.slow
def test_iterated_on_the_board(board: Driver) -> None:
    _iterated(board, 1000)


@pytest.mark.slow
def test_iterated_a_million_times(host: Driver) -> None:
    _iterated(host, 1_000_000, timeout=14400)


def _all(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    assert len(cases) == 345
    return cases


CASES = _all([case for group in wycheproof("x25519") for case in group["tests"]])


def test_wycheproof_some(driver: Driver) -> None:
    _wycheproof(driver, CASES[::12])


def test_wycheproof_on_the_host(host: Driver) -> None:
    _wycheproof(host, CASES)


def test_wycheproof_on_the_board(board: Driver) -> None:
    _wycheproof(board, CASES)


def _wycheproof(driver: Driver, cases: list[dict[str, Any]]) -> None:
    requests = []
    for at, case in enumerate(cases):
        fields = bytes.fromhex(case["private"]), bytes.fromhex(case["public"])
        requests.append(Request("0", 0, fields, at % 4))
    for case, answer in zip(cases, driver.run(requests), strict=True):
        assert answer.outputs[0].hex() == case["shared"], case["tcId"]
        zero = "ZeroSharedSecret" in case["flags"]
        assert answer.result == (ZERO if zero else 0), case["tcId"]


def test_small_order_is_answered(driver: Driver) -> None:
    """An error whatever the secret key and the topmost bit are; the value is written all the same."""
    requests = []
    for at, point in enumerate(SMALL):
        key = _bytes(point | (at % 2) << 255)
        requests.append(Request("0", 0, (bytes(range(at, at + 32)), key), at % 4))
    for answer in driver.run(requests):
        assert (answer.result, answer.outputs) == (ZERO, (bytes(32),))


def test_carries_and_alignment(driver: Driver) -> None:
    """Numbers around p and the powers of two, at every alignment, against the slow reference."""
    edges = [2, 9, P - 2, P + 2, P + 18, 2**255 - 1, 2**256 - 1, 2**256 - 38]
    edges += [2**256 - 1 - (0xFFFF_FFFF << 32 * i) for i in range(8)]
    generator = random.Random(1)
    pairs = [(_bytes(generator.getrandbits(256)), _bytes(edge)) for edge in edges]
    pairs += [(_bytes(edge), _bytes(9)) for edge in edges]
    requests = [Request("0", 0, pair, at % 4) for at, pair in enumerate(pairs)]
    for (k, u), answer in zip(pairs, driver.run(requests), strict=True):
        assert answer.outputs == (x25519(k, u),)


def test_every_byte_counts(board: Driver) -> None:
    """A bit of each byte changes the output, but those bits that RFC 7748 fixes or ignores."""
    generator = random.Random(2)
    fields = [_bytes(generator.getrandbits(255) | 2**254) for _ in range(2)]
    whole = board.ask("0", 0, *fields).outputs[0]
    ignored = {(0, 0), (0, 1), (0, 2), (0, 254), (0, 255), (1, 255)}
    bits = {(field, 8 * i + (3 + i) % 7) for field in range(2) for i in range(32)} | ignored
    requests = []
    for field, bit in sorted(bits):
        changed = list(fields)
        changed[field] = _bytes(int.from_bytes(fields[field], "little") ^ 1 << bit)
        requests.append(Request("0", 0, tuple(changed)))
    answers = zip(sorted(bits), board.run(requests), strict=True)
    assert {at for at, answer in answers if answer.outputs[0] == whole} == ignored


def test_keygen(driver: Driver) -> None:
    secret = bytes(range(100, 132))
    answer = driver.ask("2", 0, secret)
    assert (answer.result, answer.outputs) == (0, (x25519(secret, BASE), secret))
    for short in (b"", secret[:31]):
        answer = driver.ask("2", 0, short)
        assert (answer.result, answer.outputs) == (1, (bytes(32), bytes(32)))


@pytest.mark.parametrize(
    "target",
    [GAS, *(pytest.param(one, marks=pytest.mark.slow) for one in OTHERS)],
    ids=lambda target: str(target.name),
)
def test_the_fast_ladder(build: Callable[[Target], Driver], target: Target) -> None:
    driver = build(target)
    test_rfc7748(driver)
    test_carries_and_alignment(driver)


@pytest.mark.parametrize(
    ("options", "ladder"),
    [
        ("", ""),
        ("-DARMSCRIBE_SMALL", "_small"),
        (FAST, "_fast"),
        (f"-DARMSCRIBE_SMALL {FAST}", "_fast"),
    ],
)
def test_the_choice_of_the_ladder(options: str, ladder: str, tmp_path: Path) -> None:
    """The file that calls it, compiled, calls that one and no other."""
    folders = [f"-I{ROOT / name}" for name in ("lib/include", "lib", "generated/include")]
    source = str(ROOT / "lib/x25519/x25519.c")
    command = ["cc", "-c", "-DARMSCRIBE_BACKEND_PORTABLE", *options.split(), *folders, source]
    subprocess.run(command, cwd=tmp_path, check=True)
    told = subprocess.run(["nm", "-u", "x25519.o"], cwd=tmp_path, capture_output=True, text=True)
    wanted = f"x25519_scalarmult{ladder}"
    assert [word for word in told.stdout.split() if "scalarmult" in word] == [wanted]
