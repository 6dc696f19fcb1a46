# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Reads the ACVP files of this folder: prompts joined with their expected results."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "acvp"

ML_KEM = ("ML-KEM-keyGen-FIPS203", "ML-KEM-encapDecap-FIPS203", "ML-KEM-encapDecap-FIPS203-tr1")
ML_DSA = (
    "ML-DSA-keyGen-FIPS204",
    "ML-DSA-sigGen-FIPS204",
    "ML-DSA-sigGen-FIPS204-tr1",
    "ML-DSA-sigVer-FIPS204",
)
# Algorithm -> digest length in bytes; 128 and 0 stand for the two SHAKEs, as in driver_sha3.c.
SHA3 = {"SHA3-224-2.0": 28, "SHA3-256-2.0": 32, "SHA3-384-2.0": 48, "SHA3-512-2.0": 64}
SHA2 = {"SHA2-256-1.0": 32, "SHA2-512-1.0": 64}
SHAKE = {"SHAKE-128-1.0": 128, "SHAKE-256-1.0": 0}


@dataclass(frozen=True)
class Case:
    """One test case: the fields of its group, of its prompt, and of its expected result."""

    name: str
    group: dict[str, Any]
    prompt: dict[str, Any]
    expected: dict[str, Any]

    def given(self, field: str) -> bytes:
        return bytes.fromhex(self.prompt[field])

    def wanted(self, field: str) -> bytes:
        return bytes.fromhex(self.expected[field])


def _load(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        groups: list[dict[str, Any]] = json.load(file)["testGroups"]
    return groups


def cases(name: str) -> Iterator[Case]:
    """Every case of the set called `name`, in the order of the file."""
    results = {
        (group["tgId"], test["tcId"]): test
        for group in _load(FOLDER / name / "expectedResults.json.gz")
        for test in group["tests"]
    }
    for group in _load(FOLDER / name / "prompt.json.gz"):
        shared = {key: value for key, value in group.items() if key != "tests"}
        for test in group["tests"]:
            key = group["tgId"], test["tcId"]
            yield Case(f"{name} {key[0]}/{key[1]}", shared, test, results[key])
