# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Cores that begin two instructions in a cycle: what pairs, what waits; and wrong files."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from gen.cores.core import FOLDER, load_core
from gen.cores.issue import FLAGS, Issue
from gen.cores.price import Event, Pricer
from gen.diag import Failed, render_all

M7 = load_core("cortex-m7")
TEXT = (
    (FOLDER / "cortex-m7.toml")
    .read_text(encoding="utf-8")
    .replace('"cortex-m4"\nlike = "cortex-m4"', '"m4"')
)
ALU = Event("alu", 4, reads=("r1",), writes=("r0",))
LOAD = Event("load", 4, reads=("r8",), writes=("r9",), address_regs=("r8",))


def cycles(*events: Event) -> int:
    pricer = Pricer(M7)
    return sum(pricer.step(event) for event in events)


def reading(event: Event, *registers: str, **more: tuple[str, ...]) -> Event:
    return replace(event, reads=registers, writes=("r7",), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("events", "count"),
    [
        ((ALU,), 1),
        ((ALU, LOAD), 1),
        ((ALU, LOAD, LOAD), 2),  # two slots
        ((LOAD, LOAD, LOAD), 2),
        ((ALU, reading(ALU, "r0")), 2),  # waits for r0
        ((ALU, reading(ALU, "r0", shifted=("r0",))), 3),  # a cycle earlier
        ((ALU, reading(LOAD, "r0", address_regs=("r0",))), 3),
        ((ALU, replace(reading(ALU, "r0"), kind="store", late=("r0",))), 1),  # a cycle later
        ((replace(ALU, kind="dsp"), replace(ALU, kind="dsp", writes=("r2",))), 2),  # one unit
        ((replace(ALU, kind="dsp"), reading(ALU, "r0")), 3),
        ((replace(ALU, kind="dsp"), reading(ALU, "r0", late=("r0",))), 2),
        ((ALU, replace(ALU, kind="simd")), 2),  # the first of a cycle
        ((replace(ALU, kind="simd"), ALU), 1),
        ((ALU, replace(LOAD, kind="loadpair", words=2)), 2),  # alone
        ((replace(LOAD, kind="loadpair", words=2), ALU), 2),
        ((replace(LOAD, kind="loadmulti", words=8), ALU), 5),  # two words a cycle
        ((replace(LOAD, bytes=2), reading(ALU, "r9")), 3),  # a narrow load
        ((LOAD, reading(ALU, "r9")), 2),
        ((replace(ALU, writes=("r0", FLAGS)), reading(ALU, FLAGS)), 2),
        ((Event("branch", 2, taken=True), ALU), 3),
        ((ALU, replace(ALU, executed=False)), 1),
        ((replace(ALU, kind="div"), ALU), 13),
    ],
)
def test_what_pairs_and_what_waits(events: tuple[Event, ...], count: int) -> None:
    assert cycles(*events) == count


def changed(name: str, by: int) -> Issue:
    assert M7.issue is not None
    return replace(M7.issue, **{name: getattr(M7.issue, name) + by})


ROW = (
    ALU,
    reading(LOAD, "r0", address_regs=("r0",)),
    replace(reading(LOAD, "r1", address_regs=("r1",)), bytes=1),
    reading(ALU, "r7"),
    replace(ALU, kind="dsp"),
    replace(ALU, kind="dspmac", reads=("r0",), late=("r0",), writes=("r5",)),
    reading(ALU, "r9"),
    reading(ALU, "r9"),
    reading(ALU, "r9"),
    replace(LOAD, kind="loadmulti", words=5),
    ALU,
    replace(ALU, writes=("r3",)),
    replace(ALU, writes=("r4",)),
    reading(LOAD, "r6"),
    replace(ALU, kind="dsp", writes=("r2",)),
    replace(ALU, kind="store", reads=("r2",), late=("r2",), writes=()),
)


@pytest.mark.parametrize(
    "name", [f.name for f in fields(Issue) if f.name not in ("units", "pipes")]
)
def test_a_changed_number_is_noticed(name: str) -> None:
    other = Pricer(replace(M7, issue=changed(name, 1)))
    assert sum(map(other.step, ROW)) != cycles(*ROW)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("width = 2", "width = 1", "width must be a number, 2 or more"),
        ("bus = 2  ", "boss = 2 ", "unknown key issue.boss"),
        ("bus = 2  ", "#", "the key bus is missing"),
        ('mul = ["mac", 2]', "", "what mul takes is missing"),
        ('mul = ["mac", 2]', 'mul = ["mack", 2]', "no unit is called mack"),
        ('mul = ["mac", 2]', 'mul = ["mac"]', 'mul must be ["UNIT ...", cycles'),
        ('mul = ["mac", 2]', 'mul = ["mac", -1]', "must be a number, zero or more"),
        ('mul = ["mac", 2]', 'mul = ["mac", 2]\nmull = ["mac", 2]', "unknown key pipes.mull"),
        ("shift = 1", "shift = 0", "shift must be a number of units"),
        ("shift = 1", "alone = 1", "alone must be a number of units, and no word of [pipes]"),
    ],
)
def test_wrong_files_are_located(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in TEXT
    (tmp_path / "m4.toml").write_bytes((FOLDER / "cortex-m4.toml").read_bytes())
    (tmp_path / "m7.toml").write_text(TEXT.replace(old, new), encoding="utf-8")
    with pytest.raises(Failed) as failed:
        load_core("m7", tmp_path)
    text = render_all(failed.value.bag)
    assert said in text and "m7.toml:" in text and "[bad-core]" in text


def test_one_slot_is_no_issue_section() -> None:
    assert load_core("cortex-m4").issue is None
