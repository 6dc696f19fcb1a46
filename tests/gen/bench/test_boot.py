# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The table for boot loaders."""

from dataclasses import replace
from pathlib import Path

import pytest

from gen.bench import boot
from gen.bench.api import Api
from gen.bench.boot import Choice, boot_table, choices
from gen.bench.figures import Figure
from gen.bench.library import Library, MeasureError
from gen.bench.operations import Session
from gen.cores.core import load_core
from gen.emu.build import BuildError

M4 = load_core("cortex-m4")
FIGURE = Figure("armscribe_demo", "cortex-m4", "gas", 9, 128_000, 1000, 24, 40, 0, 0, 64)


def test_a_line() -> None:
    text = boot_table([("Demo", "KECCAK=small", FIGURE)], 32.0)
    head, _, line = ([c.strip() for c in row.strip("|").split("|")] for row in text.splitlines())
    assert head[-1] == "ms at 32 MHz"
    assert line == "Demo KECCAK=small 1000 24 1024 40 64 128000 4.00".split()


def test_lines_differ_and_say_their_options() -> None:
    found = list(choices())
    assert len({(choice.algorithm, choice.options) for choice in found}) == len(found)
    assert any(choice.options == "CFLAGS='-Os -DARMSCRIBE_SMALL'" for choice in found)
    asked = " ".join(choice.algorithm for choice in found)
    for name in ("Ed25519 verify", "ML-DSA-44", "ML-DSA-87", "SHA-256", "SHA-512", "SHA3-256"):
        assert name in asked


def test_each_choice_of_options_is_built_once_and_measured(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[dict[str, str]] = []
    real = Library.make

    def make(root: Path, core: object, form: str, options: dict[str, str]) -> Library:
        built.append(options)
        return real(root, M4, form, {**options, "ALGORITHMS": "sha256"}, tmp_path)

    def measure(session: Session) -> Figure:
        return session.call("sha256", {"in": bytes(64)})[0]

    lines = [Choice(name, {"CFLAGS": flag}, measure) for flag in ("-O1", "-Os") for name in "ab"]
    monkeypatch.setattr(Library, "make", make)
    monkeypatch.setattr(boot, "choices", lambda: iter(lines))
    found = boot.measured(root, M4, "gas")
    assert built == [{"CFLAGS": "-O1"}, {"CFLAGS": "-Os"}]
    assert [row[:2] for row in found] == [
        ("a", "CFLAGS=-O1"),
        ("b", "CFLAGS=-O1"),
        ("a", "CFLAGS=-Os"),
        ("b", "CFLAGS=-Os"),
    ]
    assert found[0][2] == found[1][2] and found[0][2].code != found[2][2].code


def test_what_is_not_there_is_an_error(root: Path, tmp_path: Path) -> None:
    library = Library.make(root, M4, "gas", {"ALGORITHMS": "sha3"}, tmp_path)
    session = Session(library, Api.read(root, M4))
    with pytest.raises(MeasureError, match="keccak has no operation armscribe_x"):
        boot._of("keccak", "armscribe_x", session)
    with pytest.raises(BuildError, match="armscribe_sha256"):
        boot._hash("sha256", session)
    with pytest.raises(ValueError, match="nothing was measured"):
        replace(FIGURE, cycles=0)
