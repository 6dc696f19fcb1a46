# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Secrets leave nothing in memory and nothing in the time a call takes."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gen.emu.image import Image
from gen.emu.trace import Trace
from tests.lib.conftest import BOARDS, DEBUG
from tests.lib.driver import Driver, Target, build_library
from tests.lib.emulated import SIZES, Library, program, traced

WINDOW = 8  # bytes in a row that cannot be there by chance
_NO_WIPE = "void __wrap_{0}(void *p, unsigned n);\nvoid __wrap_{0}(void *p, unsigned n)\n"
_EARLY_EXIT = """
unsigned __wrap_armscribe_differ(const unsigned char *a, const unsigned char *b, unsigned n);
unsigned __wrap_armscribe_differ(const unsigned char *a, const unsigned char *b, unsigned n)
{
    while (n > 0 && *a == *b) {
        a++, b++, n--;
    }
    return n;
}
"""
Times = tuple[int, int, tuple[tuple[str, int], ...]]


@pytest.fixture(scope="module", params=BOARDS, ids=lambda target: str(target.name))
def archive(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Path:
    return build(request.param).library


@pytest.fixture(scope="module", params=(*BOARDS, *DEBUG), ids=lambda target: str(target.key))
def any_archive(request: pytest.FixtureRequest, build: Callable[[Target], Driver]) -> Path:
    """Also as it is built to be looked at: other values lie in other frames then."""
    return build(request.param).library


def _windows(*values: bytes) -> set[bytes]:
    return {v[at : at + WINDOW] for v in values for at in range(len(v) - WINDOW + 1)}


def _secrets(library: Library, seed: bytes, m: bytes) -> set[bytes]:
    """Windows of d, z, sigma, s, m, K, r: what is secret and what is made of it on the way."""
    k = library.number // 256
    g = hashlib.sha3_512(seed[:32] + bytes((k,))).digest()
    dk, ek = library.read("dk"), library.read("ek")
    shared = hashlib.sha3_512(m + hashlib.sha3_256(ek).digest()).digest()
    return _windows(seed, g[32:], dk[: 384 * k], m, shared)


def _left_behind(image: Image, number: int, seed: bytes, m: bytes) -> tuple[list[bytes], int]:
    """The stack after each operation, and how many windows of secrets stand in it."""
    library = Library(image, number)
    stacks = []
    runs: tuple[Callable[[], Trace | int], ...] = (
        lambda: library.keygen(seed),
        lambda: library.encaps(m),
        library.decaps,
        lambda: library.decaps("decaps_checked"),
    )
    for run in runs:
        library.paint()
        assert run() == 0
        stacks.append(library.left())
    secrets = _secrets(library, seed, m)
    return stacks, sum(len(_windows(stack) & secrets) for stack in stacks)


def leaks(image: Image, number: int) -> tuple[int, int]:
    """Bytes of stack that depend on the secrets; windows of secrets found."""
    source = random.Random(number)
    first, found = _left_behind(image, number, source.randbytes(64), source.randbytes(32))
    second, more = _left_behind(image, number, source.randbytes(64), source.randbytes(32))
    pairs = zip(b"".join(first), b"".join(second), strict=True)
    return sum(x != y for x, y in pairs), found + more


@pytest.mark.parametrize("number", SIZES)
def test_nothing_stays_on_the_stack(any_archive: Path, number: int) -> None:
    """No secret, and nothing at all that differs when the secrets do."""
    assert leaks(program(any_archive, number), number) == (0, 0)


@pytest.mark.parametrize("level", ("-O3", "-Og"))
def test_nothing_stays_where_fp_registers_park_values(level: str, tmp_path: Path) -> None:
    """Keccak has a larger frame there."""
    archive = build_library(Target("cortex-m4f", "gas", (level,)), tmp_path)
    assert leaks(program(archive, 512, core="cortex-m4f"), 512) == (0, 0)


@pytest.mark.parametrize("name", ("armscribe_wipe", "armscribe_wipe_stack"))
def test_a_missing_wipe_is_noticed(archive: Path, name: str, tmp_path: Path) -> None:
    stub = tmp_path / "stub.c"
    body = "{\n    (void)p;\n    (void)n;\n}\n"
    stub.write_text(_NO_WIPE.format(name) + body, encoding="utf-8", newline="\n")
    differing, _ = leaks(program(archive, 768, [stub, f"-Wl,--wrap={name}"]), 768)
    assert differing > 0


def test_a_secret_on_the_stack_is_found(archive: Path, tmp_path: Path) -> None:
    """The search itself: with no wipe at all it finds windows of the secrets."""
    stub = tmp_path / "stub.c"
    text = "void __wrap_armscribe_wipe(void);\nvoid __wrap_armscribe_wipe(void)\n{\n}\n"
    stub.write_text(text, encoding="utf-8", newline="\n")
    image = program(archive, 768, [stub, "-Wl,--wrap=armscribe_wipe"])
    assert leaks(image, 768)[1] > 0


def _times(image: Image) -> tuple[set[Times], set[Times]]:
    """How encapsulations and decapsulations of the same public data and other secrets went.

    s, z, m and the ciphertext vary, and with them whether it is accepted. rho stays, since the
    matrix it gives is public and sampling it takes time by its value.
    """
    number, source = 768, random.Random(0)
    library = Library(image, number, priced=True)
    traced(library.keygen(source.randbytes(64)))
    encaps = [traced(library.encaps(source.randbytes(32))) for _ in range(3)]
    accepted = [traced(library.decaps("decaps_checked"))]
    dk, ct = library.read("dk"), library.read("ct")
    rejected = []
    for _ in range(3):
        library.write("dk", source.randbytes(1152) + dk[1152:-32] + source.randbytes(32))
        library.write("ct", source.randbytes(len(ct)))
        rejected.append(traced(library.decaps("decaps_checked")))
    first, second = (
        {(t.instructions, t.cycles, tuple(t.by_function.items())) for t in traces}
        for traces in (encaps, accepted + rejected)
    )
    return first, second


def test_time_tells_nothing(archive: Path) -> None:
    """Other secrets: the same instructions, the same cycles, in each function."""
    assert [len(times) for times in _times(program(archive, 768))] == [1, 1]


def test_an_early_exit_is_noticed(archive: Path, tmp_path: Path) -> None:
    """With a comparison that stops at the first difference, decapsulation tells where it is."""
    stub = tmp_path / "stub.c"
    stub.write_text(_EARLY_EXIT, encoding="utf-8", newline="\n")
    image = program(archive, 768, [stub, "-Wl,--wrap=armscribe_differ"])
    encaps, decaps = _times(image)
    assert len(encaps) == 1 < len(decaps)
