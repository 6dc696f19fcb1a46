# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every subset of the algorithms compiles without a warning and links, in every form."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest

from tests.lib.driver import ROOT, Target
from tests.lib.subsets import ALGORITHMS, ALWAYS, HAS, LIB, Form, Subset

GROUPS = ("SHA2", "ED25519", "MLKEM", "MLDSA", "MLDSA44", "MLDSA65", "MLDSA87")
SINGLE = [frozenset((name,)) for name in ALGORITHMS]
TARGETS = (
    Target("cortex-m4", "gas", ("-O1",)),
    Target("cortex-m4", "inline", ("-O1",)),
    Target("cortex-m4", "portable", ("-Os",)),
    Target("host", "portable", ("-O1",)),
)
FROM_C = {"memcpy", "memset", "memmove", "memcmp"}
CONDITION = re.compile(
    r"#if (?:!defined\((?P<new>\w+)\) && \(?)?"
    r"(?P<some>defined\(\w+\)(?: \|\| defined\(\w+\))*)\)?\n#define (?P<then>\w+)"
)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(one, marks=pytest.mark.slow if one.core == "host" else (), id=one.name)
        for one in TARGETS
    ],
)
def form(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Form:
    return Form(request.param, tmp_path_factory.mktemp("form"))


def functions(form: Form, subset: Subset) -> set[str]:
    """The public functions of these algorithms."""
    patterns = [re.compile(ALGORITHMS[name]) for name in subset]
    return {f for f in form.public() if f in ALWAYS or any(p.fullmatch(f) for p in patterns)}


def links(form: Form, subset: Subset, without: str = "") -> None:
    """Links all that the library holds for a subset, but for the file `without`."""
    units = {source.name: unit for source, unit in form.held(subset).items()}
    units.pop(without, None)
    form.link(units.values(), functions(form, subset))


def test_every_function_belongs_to_an_algorithm(form: Form) -> None:
    assert functions(form, frozenset(ALGORITHMS)) == form.public()
    for one in SINGLE:
        assert functions(form, one) - ALWAYS, one


def test_each_alone_links(form: Form) -> None:
    """Its functions are there, and what is there wants nothing that is not."""
    for one in SINGLE:
        links(form, one)


def test_all_together_link(form: Form) -> None:
    links(form, frozenset(ALGORITHMS))
    assert form.held(frozenset()) == form.held(frozenset(ALGORITHMS)), "no choice is all"


def test_the_rest_is_left_out(form: Form) -> None:
    """Of the public functions, an algorithm alone brings its own and those of what it needs."""
    needs = {"ED25519": "SHA512", "MLKEM": "SHA3", "MLDSA": "SHA3"}
    for one in SINGLE:
        (name,) = one
        needed = {other for start, other in needs.items() if name.startswith(start)}
        units = form.held(one).values()
        found = {symbol for unit in units for symbol in unit.defines} & form.public()
        assert found == functions(form, one | needed), name


def _union(form: Form, subsets: Iterable[Subset]) -> tuple[set[str], set[str]]:
    units = [unit for subset in subsets for unit in form.held(subset).values()]
    return {s for u in units for s in u.defines}, {s for u in units for s in u.wants}


def test_two_have_what_each_has(form: Form) -> None:
    """No two of them make a file hold anything that neither asks for: what a file defines and wants adds up.

    By the form of the conditions in algorithms.h that is so for more than two.
    """
    for pair in combinations(SINGLE, 2):
        assert _union(form, [pair[0] | pair[1]]) == _union(form, pair), pair
    text = (LIB / "common/algorithms.h").read_text("utf-8").replace("\\\n", " ")
    text = re.sub(r" +", " ", text.split("/* What is asked for. */")[1])
    found = list(CONDITION.finditer(text))
    assert len(found) == text.count("#if ") == text.count("#endif") - 1
    assert all(one["new"] in (None, one["then"]) for one in found)


def test_all_subsets(form: Form) -> None:
    """Each of the 2^19 - 1: whatever its units want is in them, a routine, or of the C library."""
    number: dict[str, int] = {}
    sums = [(0, 0)]

    def bits(symbols: Iterable[str]) -> int:
        return sum(1 << number.setdefault(symbol, len(number)) for symbol in set(symbols))

    given = bits(form.routines.defines | FROM_C)
    for one in SINGLE:
        defines, wants = map(bits, _union(form, [one]))
        sums += [(d | defines, w | wants) for d, w in sums]
    assert len(sums) == 2 ** len(ALGORITHMS)
    assert not any(wants & ~(defines | given) for defines, wants in sums)


def test_only_sources_ask(form: Form) -> None:
    """What a file holds depends on the macros that it names itself."""
    headers = [path for path in LIB.rglob("*.h") if path.name != "algorithms.h"]
    assert not [path for path in headers if HAS.search(path.read_text("utf-8"))]
    others = [path for path in LIB.rglob("*.[ch]") if path.name != "algorithms.h"]
    assert not [path for path in others if "ARMSCRIBE_WITH_" in path.read_text("utf-8")]


def test_a_file_left_out_is_noticed(form: Form) -> None:
    for name, missing in (("MLDSA44_SIGN", "ring.c"), ("ED25519_VERIFY", "sha512.c")):
        with pytest.raises(AssertionError, match="undefined reference"):
            links(form, frozenset((name,)), missing)


def test_a_name_for_several(form: Form) -> None:
    for group in GROUPS:
        members = {name for name in ALGORITHMS if name.startswith(group.replace("SHA2", "SHA"))}
        members -= {"SHA3"}
        assert form.has(frozenset((group,))) == form.has(frozenset(members)), group


def _make(*words: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-s", "-C", str(ROOT / "lib"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_chosen_by_make(tmp_path: Path) -> None:
    words = ("CORE=host", "FORM=portable", "CFLAGS=-O0", "ALGORITHMS=x25519 sha256")
    done = _make(*words, f"OUT={tmp_path}")
    assert done.returncode == 0, done.stderr
    names = subprocess.run(
        ["nm", "-g", str(tmp_path / "libarmscribe.a")], capture_output=True, text=True, check=True
    ).stdout
    assert " T armscribe_x25519\n" in names and " T armscribe_sha256\n" in names
    assert not re.search(r" T armscribe_(ed25519|mlkem|mldsa|sha3|sha512)", names)


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    done = _make(f"OUT={tmp_path}", "ALGORITHMS=x25519 ed26519")
    assert done.returncode != 0
    assert "no algorithm ED26519: there are ed25519 " in done.stderr
