# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A few rows of the matrix, one for each kind of trouble; `make matrix` builds them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.matrix.build import build
from tests.matrix.plan import Plan, Row, accepts

# All levels of optimisation, forms and standards occur.
ROWS = {
    "a frame pointer and a fixed base": (
        "gcc cortex-m4",
        {
            "level": "O0",
            "form": "inline",
            "frame": "kept",
            "standard": "c90",
            "model": "base-in-r9",
        },
    ),
    "joined by the linker": (
        "gcc cortex-m4f",
        {"level": "Og", "form": "inline", "link": "lto", "standard": "gnu17", "float": "hard"},
    ),
    "every file, secure state": (
        "gcc cortex-m33",
        {"level": "Os", "form": "all", "standard": "c11", "security": "cmse", "sections": "each"},
    ),
    "no data in code": (
        "gcc cortex-m3",
        {"level": "O3", "form": "gas", "model": "pure-code", "security": "protector"},
    ),
    "movable data, landing pads": (
        "clang cortex-m55",
        {
            "level": "O1",
            "form": "inline",
            "standard": "c17",
            "model": "rwpi",
            "security": "branches",
        },
    ),
    "aligned memory, newest C": (
        "clang cortex-m7",
        {"level": "Oz", "form": "portable", "standard": "c2x", "memory": "aligned"},
    ),
    "movable code": (
        "clang cortex-m33-nodsp",
        {"level": "O2", "form": "gas", "standard": "c99", "model": "pic", "frame": "omitted"},
    ),
}


def _row(name: str) -> Row:
    (who, values) = ROWS[name]
    return Plan().row(*who.split(), **values)


@pytest.mark.parametrize("name", ROWS)
def test_builds(name: str, tmp_path: Path) -> None:
    row = _row(name)
    command = row.command[: -len(row.flags) or None]
    assert accepts(command, row.flags), "the compiler does not know these options"
    assert build(row, tmp_path) == []


def test_a_file_that_does_not_build_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A register that a frame pointer takes, named as changed: what the classic inline form does."""
    bad = tmp_path / "bad.c"
    bad.write_text(
        'void f(void);\nvoid f(void)\n{\n    __asm__ __volatile__("nop" : : : "r7", "cc", "memory");\n}\n'
    )
    monkeypatch.setattr("tests.matrix.build.sources", lambda row: [bad])
    (tmp_path / "out").mkdir()
    told = build(_row("a frame pointer and a fixed base"), tmp_path / "out")
    assert any("r7" in line for line in told)
    assert any(line.startswith("  from: arm-none-eabi-gcc") for line in told)
