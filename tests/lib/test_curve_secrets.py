# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""X25519 and Ed25519 leave nothing of their secrets on the stack."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.emu.build import link
from gen.emu.image import Image
from gen.emu.machine import STACK_SIZE, STACK_TOP, Machine
from tests.lib.conftest import BOARDS
from tests.lib.driver import Driver, Target

OPERATIONS = ("x25519_public", "x25519", "ed25519_keygen_derand", "ed25519_sign")
BOTTOM = STACK_TOP - STACK_SIZE
MESSAGE = bytes(100)


@pytest.fixture(scope="module", params=BOARDS, ids=lambda target: str(target.name))
def archive(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Path:
    return build(request.param).library


def program(archive: Path, *extra: str | Path) -> Image:
    flags = [f"-Wl,-u,armscribe_{operation}" for operation in OPERATIONS]
    sources = [archive, *(item for item in extra if isinstance(item, Path))]
    flags += [item for item in extra if isinstance(item, str)]
    return link(sources, load_core("cortex-m4"), ["-Wl,--gc-sections", *flags])


def stacks(image: Image, secret: bytes) -> dict[str, bytes]:
    """What stands below the caller's SP after each operation with that secret."""
    machine = Machine(image)
    public, shared, key, signature = (machine.alloc(n) for n in (32, 32, 64, 64))
    seed, peer, message = (machine.alloc(x) for x in (secret, b"\x09" + bytes(31), MESSAGE))
    calls = (
        (public, seed),
        (shared, seed, peer),
        (key, seed),
        (signature, message, len(MESSAGE), key),
    )
    left = {}
    for operation, args in zip(OPERATIONS, calls, strict=True):
        machine.write(BOTTOM, b"\xc3" * STACK_SIZE)
        assert machine.call(f"armscribe_{operation}", *args) == 0
        left[operation] = machine.read(BOTTOM, machine.entry_sp - BOTTOM)
    return left


def differing(image: Image) -> dict[str, int]:
    """Bytes of stack that depend on the secret, by operation."""
    source = random.Random(0)
    one, other = (stacks(image, source.randbytes(32)) for _ in range(2))
    return {
        name: sum(x != y for x, y in zip(one[name], other[name], strict=True))
        for name in OPERATIONS
    }


def test_nothing_stays_on_the_stack(archive: Path) -> None:
    assert differing(program(archive)) == dict.fromkeys(OPERATIONS, 0)


def test_a_missing_wipe_is_noticed(archive: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub.c"
    text = "void __wrap_armscribe_wipe_stack(void);\nvoid __wrap_armscribe_wipe_stack(void)\n{\n}\n"
    stub.write_text(text, encoding="utf-8", newline="\n")
    found = differing(program(archive, stub, "-Wl,--wrap=armscribe_wipe_stack"))
    assert all(found.values()), found
