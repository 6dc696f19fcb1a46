# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The engine: everything is proved once, what changed again, and failures are told and never kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.__main__ import main
from gen.prove import engine, jobs
from gen.prove.cache import Cache, digest
from gen.prove.engine import prove
from gen.prove.job import routine_jobs
from tests.gen.passes.trees import LICENCE

SHARED = "macro half(out y : i32, in x : i32) ensures 2 * y <= old(x):\n    asr     y, x, #1\n"
QUICK = SHARED.replace(" ensures 2 * y <= old(x)", "")  # nothing to try on all inputs
USER = (
    'import "t/shared"\n\nfn void t_{name}(int32_t r[1]):\n    param r : secret inout, align 4{post}\n'
    "    reg x, y : i32\n    ldr     x, [r]\n    half(y, x)\n    str     y, [r]\n"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "asm-src" / "t"
    folder.mkdir(parents=True)
    write(tmp_path, "shared", SHARED)
    write(tmp_path, "one", USER.format(name="one", post=""))
    write(tmp_path, "two", USER.format(name="two", post=" , -> r[i] <= 2**30"))
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    path = root / "asm-src" / "t" / f"{name}.rasm"
    path.write_text(LICENCE + text, encoding="utf-8", newline="\n")


def names(root: Path, cached: bool) -> set[str]:
    report = prove(root, cores=["cortex-m4"], workers=1)
    assert report.failed == ()
    return {proof.job.name for proof in report.proofs if proof.cached is cached}


def test_what_is_known_is_not_proved_again(tree: Path) -> None:
    assert names(tree, cached=False) == {"half", "t_one", "t_two"}
    assert names(tree, cached=False) == set()
    assert names(tree, cached=True) == {"half", "t_one", "t_two"}


def test_only_what_rests_on_a_change_is_proved_again(tree: Path) -> None:
    names(tree, cached=False)
    write(tree, "one", USER.format(name="one", post="") + "\n// a word more\n")
    assert names(tree, cached=False) == {"t_one"}
    write(tree, "shared", SHARED.replace("2 * y <= old(x)", "2 * y <= old(x) and y > -2**31"))
    assert names(tree, cached=False) == {"half", "t_one", "t_two"}


def test_a_failure_is_told_each_time(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, "two", USER.format(name="two", post=" , -> r[i] <= 2**29"))
    write(tree, "shared", SHARED.replace("2 * y <= old(x)", "2 * y == old(x)"))
    for _ in range(2):
        assert main(["--root", str(tree), "prove", "--core", "cortex-m4"]) == 1
        said = capsys.readouterr()
        assert "FAILED t_two on cortex-m4: post-failed" in said.out
        assert "FAILED half: ensures-refuted" in said.out
        assert "1 of 3 proofs hold" in said.out
        assert "counterexample: x = " in said.err
        assert "asm-src/t/two.rasm" in said.err


def test_one_routine_on_one_core(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(tree), "prove", "t/one", "--core", "cortex-m4"]) == 0
    assert "proved t_one on cortex-m4" in capsys.readouterr().out
    assert main(["--root", str(tree), "prove", "t/none", "--core", "cortex-m4"]) == 1
    assert "no routine t_none" in capsys.readouterr().err


def test_what_remains_assumed_is_listed(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = USER.format(name="one", post="").replace(
        "    str", "    claim   y < 5    // why\n    str"
    )
    write(tree, "one", claim)
    assert main(["--root", str(tree), "prove", "t_one", "--core", "cortex-m4"]) == 0
    assert "assumed in t_one: y < 5" in capsys.readouterr().out


def test_a_routine_that_a_core_takes_as_portable_c_has_no_proof_there(tree: Path) -> None:
    write(tree, "shared", QUICK)
    write(tree, "one", USER.format(name="one", post="").replace("half(y, x)", "smuad   y, x, x"))
    write(tree, "two", USER.format(name="two", post=""))
    for _ in range(2):  # the second time it is known
        report = prove(tree, cores=(), workers=1)
        wide = dict.fromkeys(("cortex-a53", "cortex-a710"), 2)  # registers of 64 bits
        assert report.fallen == {"cortex-m3": 1, "cortex-m33-nodsp": 1, **wide}
        done = {(proof.job.name, proof.job.core) for proof in report.proofs}
        assert ("t_two", "cortex-m3") in done and ("t_one", "cortex-m4") in done
        assert ("t_one", "cortex-m3") not in done


def test_cores_that_differ_in_name_only_are_one(tree: Path) -> None:
    write(tree, "shared", QUICK)
    write(tree, "two", USER.format(name="two", post=""))
    cores = {proof.job.core for proof in prove(tree, workers=1).proofs}
    assert "cortex-m4" in cores and "cortex-m3" in cores and "cortex-m33" not in cores
    assert all(proof.cached for proof in prove(tree, ["t_two"], ["cortex-m33"], workers=1).proofs)


def test_cache_survives_broken_files(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get("k") is None
    cache.put("k", {"a": [1, 2]})
    assert cache.get("k") == {"a": [1, 2]}
    (tmp_path / "k.json").write_text("{", encoding="utf-8")
    assert cache.get("k") is None
    assert digest(["ab", "c"]) != digest(["a", "bc"])


def test_an_error_is_told_once_with_its_cores(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree, "shared", QUICK)
    write(tree, "two", USER.format(name="two", post=" , -> r[i] <= 2**29"))
    assert main(["--root", str(tree), "prove"]) == 1
    said = capsys.readouterr().err
    assert said.count("error[post-failed]") == 1
    assert (
        "\n   on cortex-a7, cortex-m4, portable, cortex-a7-thumb, cortex-m3, cortex-m4f, cortex-m7, cortex-m33-nodsp\n"
        in said
    )


SOLVED = """\
fn uint32_t t_more(uint32_t a) ensures x > a or a == 2**32 - 1:
    param a : secret in
    result x : u32

    {line}
"""
EQUAL = """\
fn void t_equal(uint32_t r[1], const uint32_t a[1]) ensures value(r) == value(a):
    param r : secret out
    param a : secret in
    reg x : u32

    ldr     x, [a]
    str     x, [r]
"""


def test_what_routines_ensure_is_counted_by_method(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree, "shared", QUICK)
    write(tree, "more", SOLVED.format(line="add     x, a, #1"))
    write(tree, "equal", EQUAL)
    root = ["--root", str(tree)]
    for how in ("proved ", "known  "):
        assert main([*root, "prove", "--core", "cortex-m4", "--core", "cortex-m3"]) == 0
        said = capsys.readouterr().out
        assert said.count("1 conditions hold for all inputs, by SMT") == 1  # equal code on both
        assert f"{how}t_more on cortex-m4: 1 conditions" in said
        assert "routines, what they compute: 1 by identity, 1 by smt" in said
        assert "without `ensures`, only ranges, secrecy and timing proved: 2 routines" in said
        assert "\n    t_one t_two\n" in said


def test_the_solver_refutes_by_name(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, "shared", QUICK)
    write(tree, "more", SOLVED.format(line="orr     x, a, #1"))
    for _ in range(2):
        assert main(["--root", str(tree), "prove", "t/more", "--core", "cortex-m4"]) == 1
        said = capsys.readouterr()
        assert "FAILED t_more on cortex-m4: ensures-refuted" in said.out
        assert "counterexample: a = " in said.err
        assert "by smt" not in said.out  # what the routine says is not what is proved


def test_a_missing_solver_is_a_sentence(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    conditional = (
        "fn uint32_t t_three(uint32_t a) ensures c == (1 if a > 5 else 0):\n    param a : secret in\n"
        "    result c : u32\n    reg zero : u32 = 0\n    cmp     a, #6\n    adc     c, zero, zero\n"
    )
    write(tree, "three", conditional)
    monkeypatch.setattr(jobs, "find_spec", lambda _: None)
    monkeypatch.setattr(engine, "process_pool", lambda _: None)
    assert main(["--root", str(tree), "prove", "t_three", "--core", "cortex-m4"]) == 2
    assert "pip install z3-solver" in capsys.readouterr().err


def test_what_has_most_to_read_is_begun_first(tree: Path) -> None:
    write(tree, "two", USER.format(name="two", post="") + "\n// longer\n")
    routines = routine_jobs(tree, ["cortex-m4"])
    waiting = engine.jobs_of(tree, (), ["cortex-m4"], routines)
    assert [job.name for job in waiting] == ["half", "t_two", "t_one"]
