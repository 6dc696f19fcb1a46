# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Core files: what they say, and where a bad one is wrong."""

from pathlib import Path

import pytest

from gen.cores.abi import AAPCS32
from gen.cores.core import (
    FOLDER,
    all_cores,
    distinct_cores,
    lineage,
    load_core,
    ordered_cores,
)
from gen.cores.kinds import KINDS
from gen.diag import Failed, render_all

M4 = (FOLDER / "cortex-m4.toml").read_text(encoding="utf-8")


def test_every_core_loads() -> None:
    assert {"cortex-m3", "cortex-m4", "cortex-m4f", "portable"} <= set(all_cores())
    for key in all_cores():
        core = load_core(key)
        assert core.key == key
        assert set(core.cycles) == {
            kind for kind, tables in KINDS.items() if {*tables} & {*core.isa}
        }


def test_what_the_cores_say() -> None:
    m3, m4, m4f = load_core("cortex-m3"), load_core("cortex-m4"), load_core("cortex-m4f")
    assert m3.data_dependent("mul64") and not m4.data_dependent("mul64")
    assert m4.data_dependent("div")
    assert len(m4.registers) == 14 and "sp" not in m4.registers
    assert not m4.fp_registers and "fpregs" not in m4.features
    assert len(m4f.fp_registers) == 32 and "fpregs" in m4f.features
    assert m3.rules == m4.rules and m4f.cycles == m4.cycles


def test_long_multiplications_are_a_feature_where_their_price_is_one_number() -> None:
    cores = {key for key in all_cores() if load_core(key).abi is AAPCS32}
    has = {key for key in cores if "longmul" in load_core(key).features}
    assert has == cores - {"cortex-m3", "cortex-m0plus", "cortex-m23"}


def test_likeness_leads_to_one_core() -> None:
    line = [core.key for core in lineage(load_core("cortex-m33-nodsp"))]
    assert line == ["cortex-m4", "cortex-m3", "cortex-m33-nodsp"]
    order = [core.key for core in ordered_cores()]
    assert all(order.index(c.like) < order.index(c.key) for c in ordered_cores() if c.like)
    assert {"cortex-m33", "cortex-m55", "cortex-m85"}.isdisjoint(distinct_cores())


@pytest.mark.parametrize("key", ("like", "prices"))
def test_two_cores_that_name_each_other(key: str, tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        text = M4.replace("\n[cycles]", f'{key} = "{other}"\n[cycles]')
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Failed) as failed:
        load_core("one", tmp_path)
    assert f"{key} names no other core: two -> one" in render_all(failed.value.bag)


def test_no_such_core() -> None:
    with pytest.raises(KeyError):
        load_core("cortex-m99")


BUS_SWITCH = next(line for line in M4.splitlines(True) if line.startswith("bus-switch"))

# old text, new text, message, text at which the message points
FAULTS = {
    "unknown key": ('cc = ["', 'colour = "red"\ncc = ["', "unknown key colour", "colour"),
    "unknown kind": ("alu = 1", "aluu = 1\nalu = 1", "unknown key cycles.aluu", "aluu"),
    "unknown rule": ("word = 1 ", "wort = 1\nword = 1 ", "unknown key rules.wort", "wort"),
    "missing price": ("mul64 = 1 ", "# mul64 = 1 ", "the price of mul64 is missing", "cycles"),
    "missing rule": (BUS_SWITCH, "", "the rule bus-switch is missing", "rules"),
    "missing name": ('name = "Cortex-M4"\n', "", "the key name is missing", "#"),
    "zero price": ("alu = 1", "alu = 0", "must be a positive number", "alu"),
    "boolean price": ("alu = 1", "alu = true", "must be a positive number", "alu"),
    "pair upside down": ("div = [2, 12]", "div = [12, 2]", "with min < max", "div"),
    "pair of three": ("div = [2, 12]", "div = [2, 3, 4]", "with min < max", "div"),
    "negative rule": ("skipped = 1", "skipped = -1", "zero or more", "skipped"),
    "text as rule": ("skipped = 1", 'skipped = "1"', "zero or more", "skipped"),
    "unknown feature": ('["dsp", "umaal"]', '["dsp", "umul"]', "unknown umul", "features"),
    "unknown table": ('"dsp", "vfp"]', '"dsp", "vpf"]', "unknown vpf", "isa"),
    "feature without table": ('"dsp", "vfp"]', '"vfp"]', "feature dsp needs", "features"),
    "price without table": ('"dsp", "vfp"]', '"dsp"]', "isa has no vfp", "vmov"),
    "FP without feature": ("\n[cycles]", 'fp-registers = "s0"\n[cycles]', "without the", "fp-r"),
    "register that is none": ("r0-r12 lr", "r0-r13 lr", "r13 is no register", "registers"),
    "register twice": ("r0-r12 lr", "r0-r12 r4", "a register twice", "registers"),
    "list as name": ('name = "Cortex-M4"', "name = []", "name must be a string", "name"),
    "text as list": ('["thumb2", "dsp", "vfp"]', '"thumb2"', "isa must be a list", "isa"),
    "prices of nobody": ("\n[cycles]", 'prices = "m9"\n[cycles]', "no other core", "prices"),
    "prices of itself": ("\n[cycles]", 'prices = "bad"\n[cycles]', "no other core", "prices"),
    "like nobody": ("\n[cycles]", 'like = "m9"\n[cycles]', "like names no other core", "like"),
    "like itself": ("\n[cycles]", 'like = "bad"\n[cycles]', "like names no other core", "like"),
    "UMAAL that takes its time": ("mac64 = 1", "mac64 = [1, 2]", "umaal contradicts", "features"),
    "derived feature": ('["dsp", "umaal"]', '["longmul"]', "unknown longmul", "features"),
    "not TOML": ("alu = 1", "alu = ", "not TOML", ""),
    "key twice": ("alu = 1", "alu = 1\nalu = 1", "not TOML", ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_file_is_a_located_error(fault: str, tmp_path: Path) -> None:
    old, new, message, place = FAULTS[fault]
    assert old in M4
    (tmp_path / "bad.toml").write_text(M4.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Failed) as failed:
        load_core("bad", tmp_path)
    found = [item for item in failed.value.bag.items if message in item.message]
    assert found, render_all(failed.value.bag)
    span = found[0].span
    assert span.source.text[span.start :].startswith(place)
    assert "bad.toml" in render_all(failed.value.bag)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"name = \xff\xfe")
    with pytest.raises(Failed) as failed:
        load_core("bad", tmp_path)
    assert failed.value.bag.items[0].code == "unreadable"


def test_prices_of_another_core_can_be_changed(tmp_path: Path) -> None:
    (tmp_path / "cortex-m4.toml").write_text(M4, encoding="utf-8")
    m3 = (FOLDER / "cortex-m3.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(m3 + "\n[rules]\nbus-switch = 3\n", encoding="utf-8")
    core = load_core("mine", tmp_path)
    assert core.rules.bus_switch == 3 and core.rules.word == 1
    assert core.cycles["mac"].low == 2 and "dsp" not in core.cycles
