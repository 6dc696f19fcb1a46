# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A core file as an object: what the core has, what routines may use, what instructions cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TypeGuard

from gen.cores.abi import AAPCS32, BY_TABLE, Abi
from gen.cores.issue import Issue
from gen.cores.kinds import FEATURES, KINDS, LONG, LONGMUL, PLAIN, TABLES
from gen.cores.pipes import read_issue
from gen.cores.toml import Table, Value, parse
from gen.diag import Bag
from gen.read.source import Source, Span

FOLDER = Path(__file__).parent
PROFILES = ("M", "A")

_FLOATING = tuple(f"s{n}" for n in range(32))


def abi_of(isa: Iterable[str]) -> Abi:
    """The calling convention that belongs to instruction tables."""
    return next((BY_TABLE[table] for table in isa if table in BY_TABLE), AAPCS32)


@dataclass(frozen=True, slots=True)
class Price:
    """Cycles of a kind; low < high means that they depend on the data."""

    low: int
    high: int

    @property
    def data_dependent(self) -> bool:
        return self.low != self.high


@dataclass(frozen=True, slots=True)
class Rules:
    """What neighbours, addresses and targets do to a price. Keys of [rules], with hyphens."""

    word: int
    load_after_load: int
    address_just_written: int
    store_after_load: int
    store_register_offset: int
    load_after_store: int
    bus_boundary: int
    bus_switch: int
    unaligned_half: int
    unaligned_word: int
    unaligned_odd_word: int
    taken_branch: int
    taken_far: int
    misaligned_target: int
    it_after_narrow: int
    skipped: int
    fp_result_used: int
    early_bits: int


@dataclass(frozen=True, eq=False)
class Core:
    """One core file. Prices cover exactly the kinds of the tables in `isa`."""

    key: str  # file name without its end: "cortex-m4"
    name: str
    cc: tuple[str, ...]  # compiler flags that select it
    isa: tuple[str, ...]  # instruction tables of the hardware
    features: frozenset[str]  # what routines may use
    registers: tuple[str, ...]  # general registers open to allocation, in order of preference
    fp_registers: tuple[str, ...]  # FP registers that may hold parked values; empty without fpregs
    cycles: Mapping[str, Price]
    rules: Rules
    cross: str = "arm-none-eabi-"  # what the names of its compiler and its binutils begin with
    like: str = ""  # another core, whose files serve this one wherever the code is the same
    issue: Issue | None = None  # of a core that begins several instructions in a cycle
    profile: str = "M"  # of the architecture, where instruction sets alone do not tell (Armv7-A also has Thumb-2)

    @property
    def pretend(self) -> bool:
        """Whether this is C's, not a real one."""
        return not self.cc

    @property
    def abi(self) -> Abi:
        """Its registers and calling convention."""
        return abi_of(self.isa)

    @property
    def narrow(self) -> bool:
        """Whether routines may use fewer general registers than there are."""
        return len(self.registers) < len(self.abi.general)

    def data_dependent(self, kind: str) -> bool:
        """Whether its time depends on operand values here, so that secrets must stay out of it."""
        return self.cycles[kind].data_dependent

    def takes(self, other: Core, asked: frozenset[str], used: Set[tuple[str, str]]) -> bool:
        """Whether code made for `other` is what is made for this core: from a source that asks for the features
        `asked`, of instructions that stand in tables and need features as `used` says."""
        if (self.registers, self.features & asked) != (other.registers, other.features & asked):
            return False
        return all(table in self.isa and need in {"", *self.features} for table, need in used)

    @property
    def nature(self) -> tuple[object, ...]:
        """All that code and proofs depend on: cores that have it in common differ in name and compiler flags only."""
        features = tuple(sorted(self.features))
        prices = tuple(sorted((kind, price.low, price.high) for kind, price in self.cycles.items()))
        return (
            self.pretend,
            self.isa,
            features,
            self.registers,
            self.fp_registers,
            prices,
            self.rules,
            self.issue,
        )

    def counts(self, other: Core) -> bool:
        """Whether both take the same time for everything."""
        mine, others = ((one.cycles, one.rules, one.issue) for one in (self, other))
        return mine == others


@cache
def all_cores() -> tuple[str, ...]:
    """Keys of the cores that have a file, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def lineage(core: Core) -> tuple[Core, ...]:
    """The cores whose files may serve this one, the one that all are like first, this one last."""
    chain = [core]
    while chain[0].like:
        chain.insert(0, load_core(chain[0].like))
    return tuple(chain)


def ordered_cores() -> list[Core]:
    """All cores; those that others are like come before them."""
    return sorted(map(load_core, all_cores()), key=lambda core: (len(lineage(core)), core.key))


def distinct_cores() -> tuple[str, ...]:
    """Keys of the cores that have instruction tables, without those that are in nature another one."""
    found: dict[tuple[object, ...], str] = {}
    for core in ordered_cores():
        if core.isa:
            found.setdefault(core.nature, core.key)
    return tuple(found.values())


@cache
def load_core(key: str, folder: Path = FOLDER) -> Core:
    """The core of `folder`/`key`.toml.

    Raises `gen.diag.Failed` with located errors, `KeyError` if there is no file.
    """
    path = folder / f"{key}.toml"
    if not path.is_file():
        raise KeyError(key)
    bag = Bag()
    table = _read(path, bag)
    bag.close()
    core = _Reader(key, table, folder, bag).core()
    bag.close()
    return core


def _read(path: Path, bag: Bag) -> Table:
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        source = Source(shown.as_posix(), "\n")
        bag.error("unreadable", Span(source, 0, 0), f"cannot be read: {error}")
        return Table(source, {}, {})
    return parse(Source(shown.as_posix(), text), bag)


class _Reader:
    """Turns one parsed file into a Core, collecting what is wrong in a bag."""

    top = {
        "name",
        "cc",
        "isa",
        "features",
        "registers",
        "fp-registers",
        "prices",
        "cross",
        "like",
        "profile",
        "cycles",
        "rules",
        "issue",
        "units",
        "pipes",
    }

    def __init__(self, key: str, table: Table, folder: Path, bag: Bag) -> None:
        self.key, self.table, self.folder, self.bag = key, table, folder, bag

    def core(self) -> Core:
        self.known("", self.top)
        isa = self.strings("isa", TABLES)
        features = self.strings("features", FEATURES)
        for feature in features:
            if FEATURES[feature] not in isa:
                self.wrong(
                    "features",
                    f"feature {feature} needs the instruction table {FEATURES[feature]} in isa",
                )
        cycles = self.cycles(isa)
        return Core(
            self.key,
            self.string("name"),
            self.strings("cc"),
            isa,
            frozenset([*features, *self.long(features, cycles), *(t for t in PLAIN if t in isa)]),
            self.registers("registers", abi_of(isa).general),
            self.parking("fpregs" in features),
            cycles,
            self.rules(bool(isa)),
            cross=self.string("cross") if self.table.get("cross") is not None else Core.cross,
            like=self.other("like"),
            issue=read_issue(self.table, cycles, self.wrong, self.known),
            profile=self.profile(),
        )

    def long(self, features: tuple[str, ...], cycles: Mapping[str, Price]) -> Iterator[str]:
        """The feature that the prices of long multiplications give."""
        varying = [kind for kind in LONG if kind in cycles and cycles[kind].data_dependent]
        if all(kind in cycles for kind in LONG) and not varying:
            yield LONGMUL
        if varying and "umaal" in features:
            self.wrong(
                "features",
                f"umaal contradicts the price of {varying[0]}, which depends on the data: no secret may go through it",
            )

    def profile(self) -> str:
        """The key of this name: one of PROFILES."""
        value = self.string("profile") if self.table.get("profile") is not None else Core.profile
        if value not in PROFILES:
            self.wrong("profile", f"profile must be one of {' '.join(PROFILES)}")
        return value

    def wrong(self, key: str, message: str, help: str = "") -> None:
        self.bag.error("bad-core", self.table.span(key), message, help=help)

    def known(self, section: str, allowed: set[str]) -> None:
        for name in self.table.keys(section):
            if name not in allowed:
                key = f"{section}.{name}" if section else name
                help = f"the keys here are: {' '.join(sorted(allowed))}"
                self.wrong(key, f"unknown key {key} in a core file", help)

    def need(self, key: str) -> Value | None:
        value = self.table.get(key)
        if value is None:
            self.wrong(key, f"the key {key} is missing")
        return value

    def string(self, key: str) -> str:
        value = self.need(key)
        if value is not None and not isinstance(value, str):
            self.wrong(key, f"{key} must be a string")
        return value if isinstance(value, str) else ""

    def strings(
        self, key: str, allowed: Mapping[str, str] | frozenset[str] | None = None
    ) -> tuple[str, ...]:
        value = self.need(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.wrong(key, f"{key} must be a list of strings")
            return ()
        items = tuple(str(item) for item in value)
        for item in items:
            if allowed is not None and item not in allowed:
                self.wrong(
                    key, f"unknown {item} in {key}", f"known are: {' '.join(sorted(allowed))}"
                )
        if len(set(items)) < len(items):
            self.wrong(key, f"{key} names something twice")
        return tuple(item for item in items if allowed is None or item in allowed)

    def registers(self, key: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
        names: list[str] = []
        for part in self.string(key).split():
            names += _expand(part)
        for name in names:
            if name not in allowed:
                self.wrong(key, f"{name} is no register that {key} may name")
        if len(set(names)) < len(names):
            self.wrong(key, f"{key} names a register twice")
        return tuple(names)

    def parking(self, allowed: bool) -> tuple[str, ...]:
        if allowed:
            return self.registers("fp-registers", _FLOATING)
        if self.table.get("fp-registers") is not None:
            self.wrong("fp-registers", "fp-registers without the feature fpregs")
        return ()

    def other(self, key: str) -> str:
        """The core that `prices` or `like` names, or "". Following them from file to file must come to an end."""
        if self.table.get(key) is None:
            return ""
        chain = [self.key]
        name: Value | None = self.string(key)
        while isinstance(name, str):
            path = self.folder / f"{name}.toml"
            if name in chain or not path.is_file():
                self.wrong(key, f"{key} names no other core: {' -> '.join([*chain[1:], name])}")
                return ""
            chain.append(name)
            name = _read(path, Bag()).get(key)
        return chain[1]

    def base(self) -> Core | None:
        key = self.other("prices")
        return load_core(key, self.folder) if key else None

    def cycles(self, isa: tuple[str, ...]) -> dict[str, Price]:
        self.known("cycles", set(KINDS))
        base = self.base()
        result = {}
        for kind, tables in KINDS.items():
            value = self.table.get(f"cycles.{kind}")
            has = any(table in isa for table in tables)
            if value is not None and not has:
                lacks = " or ".join(tables)
                self.wrong(f"cycles.{kind}", f"a price for {kind}, but isa has no {lacks}")
            elif value is not None:
                result[kind] = self.price(f"cycles.{kind}", value)
            elif base is not None and has and kind in base.cycles:
                result[kind] = base.cycles[kind]
            elif has:
                self.wrong(
                    "cycles", f"the price of {kind} is missing", f"add `{kind} = 1` under [cycles]"
                )
        return result

    def price(self, key: str, value: Value) -> Price:
        if _number(value) and value > 0:
            return Price(value, value)
        if isinstance(value, list) and len(value) == 2:
            low, high = value
            if _number(low) and _number(high) and 0 < low < high:
                return Price(low, high)
        self.wrong(key, f"{key} must be a positive number or a pair [min, max] with min < max")
        return Price(1, 1)

    def rules(self, needed: bool) -> Rules:
        """The section [rules]. A core without instruction tables has no use for it."""
        names = {field.name.replace("_", "-"): field.name for field in fields(Rules)}
        self.known("rules", set(names))
        base = self.base()
        values = {}
        for key, name in names.items():
            value = self.table.get(f"rules.{key}")
            if value is None and base is not None:
                value = getattr(base.rules, name)
            elif value is None and not needed:
                value = 0
            elif value is None:
                self.wrong("rules", f"the rule {key} is missing", f"add `{key} = 0` under [rules]")
            elif not _number(value) or value < 0:
                self.wrong(f"rules.{key}", f"{key} must be a number, zero or more")
            values[name] = value if _number(value) else 0
        return Rules(**values)


def _number(value: object) -> TypeGuard[int]:
    """Whether this is a number of cycles (`true` is an int to Python)."""
    return isinstance(value, int) and not isinstance(value, bool)


def _expand(part: str) -> list[str]:
    """Register names of "lr" or "r4-r11"."""
    match = re.fullmatch(r"([a-z])(\d+)-\1(\d+)", part)
    if match is None:
        return [part]
    return [f"{match[1]}{n}" for n in range(int(match[2]), int(match[3]) + 1)]
