# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""No branch, address or data-dependent time of a public function depends on a secret, as built.

Every function in every form, by both compilers, at three levels: each in one of them in `make test`,
with every pair of form, compiler and level; all in `make taint`.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Callable, Container, Iterable
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from tests.lib.driver import ROOT, Driver, Target, build_library
from tests.lib.operations import FAMILIES, Operation, Secret, operations
from tests.lib.subsets import ALWAYS, Form
from tests.lib.taint import MARKED, Outcome, Program
from tests.lib.test_build import CLANG

MAKER = Target("cortex-m4", "gas")  # its keys and signatures are the inputs
COMPILERS = {"gcc": None, "clang": CLANG}
# (form, compiler, level) -> families, in `make test`
NOW = {
    ("gas", "gcc", "-O3"): ("mldsa87", "mlkem1024"),
    ("gas", "clang", "-Os"): ("mldsa65",),
    ("gas", "gcc", "-O0"): ("mlkem512", "ed25519"),
    ("inline", "clang", "-O3"): ("mldsa44",),
    ("inline", "gcc", "-Os"): ("mlkem768",),
    ("inline", "clang", "-O0"): ("x25519", "sha2"),
    ("portable", "clang", "-O3"): ("mlkem512",),
    ("portable", "clang", "-Os"): ("ed25519",),
    ("portable", "gcc", "-O0"): ("sha2", "sha3"),
}
# The same with ARMSCRIBE_SMALL, of the algorithms that it changes: (form, compiler, level, family), in `make test`.
SMALL = "-DARMSCRIBE_SMALL"
SMALL_FAMILIES = tuple(family for family in FAMILIES if family not in ("x25519", "sha2"))
SMALL_NOW = {
    ("gas", "gcc", "-Os", "mldsa44"),
    ("inline", "clang", "-O3", "mlkem768"),
    ("portable", "clang", "-Os", "mlkem512"),
    ("inline", "gcc", "-O0", "ed25519"),
}
# Operation -> the marks it passes (lib/README.md).
MARKS = {
    r"mlkem\d+_keygen": {"rho"},
    r"mldsa\d+_keygen": {"rho", "coefficient accepted"},
    r"mldsa\d+_sign": {"challenge", "attempt refused", "hint"},
}
Case = tuple[str, str, str, str]
WAYS = (("gas", "inline", "portable"), COMPILERS, ("-O0", "-Os", "-O3"))
EVERY = list(product(*WAYS, FAMILIES))


def _cases(every: Iterable[Case], now: Container[Case]) -> list[object]:
    """All of them, those that are not for `now` marked slow."""
    return [
        pytest.param(case, id=" ".join(case), marks=() if case in now else pytest.mark.slow)
        for case in every
    ]


@pytest.fixture(scope="module")
def made(build: Callable[[Target], Driver]) -> Callable[[str], tuple[Operation, ...]]:
    """A function that gives the operations of a family."""
    return cache(lambda family: operations(build(MAKER).library, family))


def built(form: str, compiler: str, level: str, *families: str, more: str = "") -> Path:
    """A library with marks, which has these families alone; kept for the next run."""
    chosen = (f"-DARMSCRIBE_WITH_{family.upper()}" for family in families)
    options = (level, "-g", MARKED, *chosen, *more.split())
    target = Target("cortex-m4", form, options, COMPILERS[compiler])
    folder = ROOT / "build/tests" / target.key
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return build_library(target, folder / "lib")


def check(operation: Operation, outcome: Outcome) -> None:
    """What must hold of every run."""
    assert outcome.findings == (), "\n".join((operation.name, *outcome.findings))
    expected = next((MARKS[name] for name in MARKS if re.match(name, operation.name)), set())
    assert set(outcome.passed) == expected, operation.name
    inputs = any(isinstance(buffer, Secret) for buffer in operation.buffers.values())
    outputs = [name for name, buffer in operation.buffers.items() if isinstance(buffer, int)]
    if inputs and outputs and operation.calls[-1].answers != 0:
        assert any(outcome.secret[name] for name in outputs), operation.name


@pytest.mark.parametrize(
    "case", _cases(EVERY, {(*way, family) for way, families in NOW.items() for family in families})
)
def test_no_secret_is_betrayed(case: Case, made: Callable[[str], tuple[Operation, ...]]) -> None:
    form, compiler, level, family = case
    families = NOW.get((form, compiler, level), ())
    library = built(form, compiler, level, *(families if family in families else ()))
    program = Program(library, made(family), "cortex-m4")
    for operation in program.operations:
        check(operation, program.run(operation))


@pytest.mark.parametrize("case", _cases(product(*WAYS, SMALL_FAMILIES), SMALL_NOW))
def test_nor_in_little_memory(case: Case, made: Callable[[str], tuple[Operation, ...]]) -> None:
    """What is signed, and how it becomes mu, is the same code in both builds: one kind is enough."""
    *way, family = case
    library = built(*way, family, more=SMALL)
    other_kinds = re.compile(r"mldsa\d+_sign_")
    some = [one for one in made(family) if not other_kinds.match(one.name)]
    program = Program(library, some, "cortex-m4")
    for operation in program.operations:
        check(operation, program.run(operation))


def test_every_pair_and_every_family_now() -> None:
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert {(c[a], c[b]) for c in NOW} == {(c[a], c[b]) for c in EVERY}
    assert {family for families in NOW.values() for family in families} == set(FAMILIES)
    for position, values in enumerate(WAYS):
        assert {case[position] for case in SMALL_NOW} == set(values)


def test_every_public_function(
    made: Callable[[str], tuple[Operation, ...]], tmp_path: Path
) -> None:
    called = {c.function for f in FAMILIES for one in made(f) for c in one.calls}
    assert called == Form(MAKER, tmp_path).public() | ALWAYS


EARLY_EXIT = """
unsigned __wrap_armscribe_differ(const unsigned char *a, const unsigned char *b, unsigned n);
unsigned __wrap_armscribe_differ(const unsigned char *a, const unsigned char *b, unsigned n)
{
    while (n > 0 && *a == *b) {
        a++, b++, n--;
    }
    return n;
}
"""


def test_a_leak_in_the_library_is_found(
    made: Callable[[str], tuple[Operation, ...]], tmp_path: Path
) -> None:
    """A comparison that ends early, in the place of the library's own."""
    source = tmp_path / "early.c"
    source.write_text(EARLY_EXIT, encoding="utf-8")
    form, compiler, level = "inline", "gcc", "-Os"
    library = built(form, compiler, level, *NOW[form, compiler, level])
    decaps = [one for one in made("mlkem768") if one.name == "mlkem768_decaps_checked"]
    flags = ["-g", "-Wl,--wrap=armscribe_differ", str(source)]
    (found,) = Program(library, decaps, "cortex-m4", flags).run(decaps[0]).findings
    assert re.search(r"early\.c:5: __wrap_armscribe_differ\+\w+: `b\w+ ", found)


def test_without_marks_the_places_are_found(
    made: Callable[[str], tuple[Operation, ...]], tmp_path: Path
) -> None:
    """What is declassified would be found: the marks are needed, and each where it is."""
    target = Target("cortex-m4", "gas", ("-Os", "-g", "-DARMSCRIBE_WITH_MLDSA44"))
    library = build_library(target, tmp_path)
    sign = [one for one in made("mldsa44") if one.name == "mldsa44_sign"]
    found = Program(library, sign, "cortex-m4").run(sign[0]).findings
    assert any("mldsa/dsa_sign.c:" in line and "branches" in line for line in found)
    assert any("mldsa/ring.c:" in line and "address" in line for line in found)


def test_the_manual_lists_every_mark() -> None:
    sources = (ROOT / "lib").glob("*/*.c")
    pattern = re.compile(r'ARMSCRIBE_DECLASSIFY(?:_VALUE)?\("([^"]+)"')
    names = {name for source in sources for name in pattern.findall(source.read_text("utf-8"))}
    manual = (ROOT / "lib/README.md").read_text("utf-8")
    rows = set(re.findall(r"^\| “(.+?)” \|", manual, re.M))
    assert rows == names == set().union(*MARKS.values())
