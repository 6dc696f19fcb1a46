# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The vectors are the published ones, and none is missing."""

import hashlib
from collections import Counter
from pathlib import Path

from tests.vectors import acvp
from tests.vectors.cavp import short_messages

FOLDER = Path(__file__).parent


def test_files_have_the_stated_sums() -> None:
    lines = (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = dict(reversed(line.split("  ")) for line in lines)
    present = {
        path.relative_to(FOLDER).as_posix()
        for part in ("acvp", "cavp", "rfc", "wycheproof", "xkcp")
        for path in (FOLDER / part).rglob("*")
        if path.is_file()
    }
    assert present == set(sums)
    for name, digest in sums.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name


def test_case_counts() -> None:
    counts = {name: len(list(acvp.cases(name))) for name in acvp.ML_KEM}
    assert list(counts.values()) == [51, 115, 125]
    counts = {name: len(list(acvp.cases(name))) for name in acvp.ML_DSA}
    assert list(counts.values()) == [51, 240, 120, 120]
    kinds = Counter(case.group["testType"] for name in acvp.SHA2 for case in acvp.cases(name))
    assert kinds == {"AFT": 1536, "MCT": 2, "LDT": 8}, kinds
    assert [len(list(short_messages(size))) for size in acvp.SHA2.values()] == [65, 129]
    kinds = Counter(
        case.group["testType"] for name in acvp.SHA3 | acvp.SHAKE for case in acvp.cases(name)
    )
    assert kinds == {"AFT": 6612, "MCT": 6, "LDT": 16, "VOT": 1024}, kinds
