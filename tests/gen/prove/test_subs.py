# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a sub ensures holds for all words, however its pointers are equal, and it writes nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.prove.job import routine_jobs
from gen.prove.jobs import ensured_jobs, prove_job
from gen.prove.subs import partitions, prove
from tests.gen.passes.test_contracts import SAYS, SUB, USER
from tests.gen.passes.trees import CODE, ROOT, errors, made

PLAIN = SAYS.replace("% M == (", "% 2**64 == (").replace(") % M", ") % 2**64")
CARRIED = "value(r[0:2]) % 2**32 == (old(value(r[0:2])) + old(value(a[0:2]))) % 2**32"


def said(root: Path, says: str, right: str = "", wrong: str = "") -> list[str]:
    body = SUB.format(says).replace(right, wrong) if right else SUB.format(says)
    routine = made(root, body + USER.format("r[3] == old(r[3])", 8), CODE)
    bag = errors(lambda: prove(routine.subs[0]))
    return [f"{item.code}: {item.message} {' '.join(item.details)}" for item in bag.items]


def test_what_holds(tmp_path: Path) -> None:
    assert not said(tmp_path, PLAIN)


@pytest.mark.parametrize(
    ("says", "right", "wrong", "message"),
    [
        (SAYS, "", "", "the carry at asm-src/t/r.rasm"),
        (PLAIN, "adc x[1], x[1], y[1], k", "add x[1], x[1], y[1]", "ensures-refuted"),
        (PLAIN, "str x[1], [r, #4]", "str x[1], [r, #4]\n    str x[1], [r, #8]", "out-of-bounds"),
        (PLAIN, "str x[1], [r, #4]", "str x[1], [r, #4]\n    str x[1], [a]", "out-of-bounds"),
        (PLAIN, "[a, #4]", "[a, #8]", "out-of-bounds"),
        (PLAIN.replace("r[0:2]) %", "r[1:2]) %"), "", "", "a part of what it writes"),
        (CARRIED.replace("old(value(r[0:2]))", "value(r[0:2])"), "", "", "of no use"),
        (CARRIED.replace(" % 2**32", ""), "", "", "of no use"),
    ],
)
def test_what_does_not(says: str, right: str, wrong: str, message: str, tmp_path: Path) -> None:
    assert not right or right in SUB
    rows = said(tmp_path, says, right, wrong)
    assert rows and all(message in row for row in rows)


COPY = """\
sub copy(in r : ptr @ r0, in a : ptr @ r1) clobbers r4..r5 ensures {}:
    reg x, y : u32
    {}
    add y, y, #1
    str y, [r]
    {}
    str x, [r]
    ldr x, [a, #4]
    str x, [r, #4]

"""


def test_equal_pointers_are_judged_too(tmp_path: Path) -> None:
    """Right where the numbers are apart; not where it reads what it has just written."""
    says = "value(r[0:2]) % 2**64 == old(value(a[0:2])) % 2**64"
    user = USER.format("r[3] == old(r[3])", 8).replace("total", "copy")
    before, after = "ldr x, [a]\n    mov y, x", "ldr y, [a]"
    routine = made(tmp_path, COPY.format(says, before, "nop") + user, CODE)
    assert not errors(lambda: prove(routine.subs[0])).items
    routine = made(tmp_path, COPY.format(says, after, "ldr x, [a]") + user, CODE)
    [item] = errors(lambda: prove(routine.subs[0])).items
    assert item.message.endswith("where a is r")


def test_all_ways_of_being_equal() -> None:
    assert [len(list(partitions("abcd"[:n]))) for n in range(5)] == [1, 1, 2, 5, 15]
    assert list(partitions("abc")) == [{}, {"c": "a"}, {"c": "b"}, {"b": "a"}, {"b": "a", "c": "a"}]


def test_a_sub_is_one_job_for_all_that_call_it(tmp_path: Path) -> None:
    cores = ("cortex-m4", "cortex-m4f")
    jobs = ensured_jobs(ROOT, routine_jobs(ROOT, cores, ("ge25519_add", "fe25519_invert")))
    assert sorted(job.name for job in jobs if job.kind == "sub").count("fe_mul") == 1
    [job] = [job for job in jobs if job.name == "fe_sq"]
    assert prove_job(ROOT, tmp_path, job).facts == {"runs": 2}
    assert prove_job(ROOT, tmp_path, job).cached
