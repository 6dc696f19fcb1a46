# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""ML-DSA leaves nothing of its secrets in the stack or the work space."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.emu.build import link
from gen.emu.image import Image
from gen.emu.machine import STACK_SIZE, STACK_TOP, Machine
from tests.lib.conftest import BOARDS, DEBUG
from tests.lib.driver import Driver, Target, build_library

# Set -> bytes of public key, secret key, signature (FIPS 204, table 2); polynomials of signing.
SIZES = {44: (1312, 2560, 2420, 38), 65: (1952, 4032, 3309, 60), 87: (2592, 4896, 4627, 96)}
OPERATIONS = ("keygen_derand", "sign")
BOTTOM = STACK_TOP - STACK_SIZE


@pytest.fixture(scope="module", params=BOARDS, ids=lambda target: str(target.name))
def archive(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Path:
    return build(request.param).library


@pytest.fixture(scope="module", params=(*BOARDS, *DEBUG), ids=lambda target: str(target.key))
def any_archive(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Path:
    """Also as it is built to be looked at: other values lie in other frames then."""
    return build(request.param).library


def program(archive: Path, number: int, *extra: str | Path, core: str = "cortex-m4") -> Image:
    flags = [f"-Wl,-u,armscribe_mldsa{number}_{operation}" for operation in OPERATIONS]
    sources = [archive, *(item for item in extra if isinstance(item, Path))]
    flags += [item for item in extra if isinstance(item, str)]
    return link(sources, load_core(core), ["-Wl,--gc-sections", *flags])


@dataclass(frozen=True)
class Left:
    """What the two operations leave."""

    stack: bytes
    work: bytes


def left(image: Image, number: int, seed: bytes) -> Left:
    """Stack and work space after key generation and after signing with a key of that seed."""
    pk_n, sk_n, sig_n, polys = SIZES[number]
    machine = Machine(image)
    pk, sk, sig, work = (machine.alloc(n) for n in (pk_n, sk_n, sig_n, 736 + 1024 * polys))
    at = machine.alloc(seed)
    stack, rest = b"", b""
    for operation, args in (
        ("keygen_derand", (pk, sk, at, work)),
        ("sign", (sig, sk, sk_n, at, 0, 0, 0, 0, 0, work)),
    ):
        machine.write(BOTTOM, b"\xc3" * STACK_SIZE)
        assert machine.call(f"armscribe_mldsa{number}_{operation}", *args) == 0
        stack += machine.read(BOTTOM, machine.entry_sp - BOTTOM)
        rest += machine.read(work, 736 + 1024 * polys)
    return Left(stack, rest)


def differing(image: Image, number: int) -> int:
    """Bytes of stack that depend on the key."""
    source = random.Random(number)
    one, other = (left(image, number, source.randbytes(32)).stack for _ in range(2))
    return sum(x != y for x, y in zip(one, other, strict=True))


@pytest.mark.parametrize("number", SIZES)
def test_nothing_stays(any_archive: Path, number: int) -> None:
    image = program(any_archive, number)
    assert differing(image, number) == 0
    assert not any(left(image, number, bytes(32)).work)


def test_nothing_stays_where_fp_registers_park_values(tmp_path: Path) -> None:
    archive = build_library(Target("cortex-m4f", "gas"), tmp_path)
    assert differing(program(archive, 44, core="cortex-m4f"), 44) == 0


def test_a_missing_wipe_is_noticed(archive: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub.c"
    text = "void __wrap_{0}(void);\nvoid __wrap_{0}(void)\n{{\n}}\n"
    stub.write_text(text.format("armscribe_wipe_stack"), encoding="utf-8", newline="\n")
    assert differing(program(archive, 44, stub, "-Wl,--wrap=armscribe_wipe_stack"), 44) > 0
    stub.write_text(text.format("armscribe_wipe"), encoding="utf-8", newline="\n")
    image = program(archive, 44, stub, "-Wl,--wrap=armscribe_wipe")
    assert any(left(image, 44, bytes(32)).work)
