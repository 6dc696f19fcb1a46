# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Each fault planted in an object file is told, and a good one is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.matrix.objects import faults

GOOD = """
	.syntax unified
	.thumb
	.section .text.f,"ax",%progbits
	.global f
	.type f, %function
f:
	bx	lr
	.size f, . - f
	.section .note.GNU-stack,"",%progbits
"""


def told(text: str, folder: Path, **asked: bool) -> list[str]:
    source, made = folder / "x.s", folder / "x.o"
    source.write_text(text)
    command = ["arm-none-eabi-as", "-march=armv7-a", str(source), "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    return faults([made], thumb=True, **asked)


def test_a_good_object(tmp_path: Path) -> None:
    assert told(GOOD, tmp_path, movable=True, execute_only=True) == []


@pytest.mark.parametrize(
    ("good", "bad", "says"),
    [
        ('"ax"', '"awx"', "can be written and executed"),
        ('GNU-stack,""', 'GNU-stack,"x"', "executable stack"),
        (".type f, %function\n", "", "neither a function nor an object"),
        (".size f, . - f\n", "", "has no size"),
        ("\t.thumb\n", "\t.arch armv7-a\n\t.arm\n", "not marked as Thumb"),
        ("bx\tlr", "b\t__aeabi_uidiv", "calls __aeabi_uidiv"),
        ('.text.f,"ax"', '.data.f,"aw"', "outside code"),
        ("bx\tlr\n", "bx\tlr\n\t.balign 4\n\t.word 77\n", "holds data at 0x4"),
        ("bx\tlr\n", "bx\tlr\n\t.balign 4\n\t.word g\n", "holds an absolute address"),
    ],
)
def test_a_planted_fault(good: str, bad: str, says: str, tmp_path: Path) -> None:
    assert good in GOOD
    wrong = told(GOOD.replace(good, bad, 1), tmp_path, movable=True, execute_only=True)
    assert any(says in line for line in wrong), wrong


def test_a_symbol_twice(tmp_path: Path) -> None:
    told(GOOD, tmp_path)
    assert faults([tmp_path / "x.o"] * 2, thumb=True) == ["f is defined 2 times"]
