# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The permutation and its layer of bytes, alone."""

from __future__ import annotations

import json
import random

from tests.lib.driver import ROOT, Driver, Request

STATE = 200


def test_intermediate_values(driver: Driver) -> None:
    """The permutation of the zero state, and the permutation of that."""
    file = ROOT / "tests/vectors/xkcp/keccak-f1600-zero-state.json"
    for test in json.loads(file.read_text(encoding="utf-8"))["tests"]:
        state = bytes.fromhex(test["input"])
        for _ in range(test["iterations"]):
            (state,) = driver.ask("F", 0, state).outputs
        assert state == bytes.fromhex(test["output"]), test["name"]


def test_any_part_of_the_state(driver: Driver) -> None:
    source = random.Random(0)
    parts = [(at, size) for at in range(24) for size in (0, 1, 7, 8, 9, 17)]
    parts += [(0, STATE), (1, STATE - 1), (193, 7), (STATE - 1, 1), (STATE, 0)]
    content = [source.randbytes(size) for _, size in parts]
    pairs = list(zip(parts, content, strict=True))
    answers = driver.run(Request("G", at, (c,), at % 8) for (at, _), c in pairs)
    for ((at, size), part), answer in zip(pairs, answers, strict=True):
        assert answer.outputs == (bytes(at) + part + bytes(STATE - at - size),)
