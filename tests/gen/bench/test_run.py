# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The benchmark as a whole: which jobs there are, what becomes of their figures, and of a job that fails."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from gen.bench import run
from gen.bench.__main__ import main
from gen.bench.figures import Figure
from gen.bench.library import FORMS, Library, MeasureError
from gen.bench.run import ALL, PARTS, Found, Job, Wanted, jobs, report
from gen.bench.signing import SETS, Sample
from gen.diag import Failed, fail
from gen.read.source import NOWHERE

EVERYTHING = Wanted("cortex-m4", tuple(FORMS), PARTS, (), 30, 4, 64.0, 1)
FIGURE = Figure("armscribe_mldsa44_sign", "cortex-m4", "gas", 90, 100, 4, 0, 8, 0, 0, 64)


def test_every_seed_form_and_algorithm_has_a_job() -> None:
    work = list(jobs(EVERYTHING))
    assert len({str(job) for job in work}) == len(work)
    for name in SETS:
        for form in FORMS:
            of_form = [job for job in work if (job.name, job.forms) == (name, (form,))]
            seeds = [seed for job in of_form for seed in job.seeds]
            assert seeds == list(range(30 if form == "gas" else 4))
    for name in set(ALL) - set(SETS):
        of_name = [job.forms for job in work if job.name == name]
        assert of_name == [("C alone", "portable"), ("gas",), ("inline",)]
    assert [job.part for job in work][-2:] == ["boot", "routines"]


def test_some_of_it() -> None:
    work = list(jobs(replace(EVERYTHING, form=("portable",), only=("sha2", "mldsa44"))))
    assert {job.name for job in work} == {"sha2", "mldsa44"}
    assert sum(len(job.seeds) for job in work) == 30  # the only form there is


def test_figures_come_together(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """Signatures of several jobs make one line, everything else keeps its order."""

    def found(root: Path, wanted: Wanted, work: list[Job]) -> list[Found]:
        return [
            Found(samples=tuple(sample(seed) for seed in job.seeds))
            if job.seeds
            else Found(figures=(replace(FIGURE, routine=f"armscribe_{job.name}"),))
            for job in work
        ]

    def sample(seed: int) -> Sample:
        signed = replace(FIGURE, cycles=1000 + 100 * (seed + 1))
        keygen = replace(FIGURE, routine="armscribe_mldsa44_keygen_derand")
        return Sample(seed + 1, keygen, signed, replace(FIGURE, routine="armscribe_mldsa44_verify"))

    monkeypatch.setattr(run, "done", found)
    wanted = replace(EVERYTHING, form=("gas",), part=("operations",), only=("sha3", "mldsa44"))
    text = report(root, wanted)
    assert "- mldsa44, gas: 1000 + 100 x attempts, from 30 seeds" in text.markdown
    names = [figure.routine.removeprefix("armscribe_") for figure in text.gas]
    assert names == ["sha3", "mldsa44_keygen_derand", "mldsa44_sign", "mldsa44_verify"]
    assert text.gas[2].cycles == 1425  # at 4.25 attempts


def planted(root: Path, key: str, job: Job) -> Found:
    if job.name == "sha3":
        raise fail("unknown-name", NOWHERE, "planted")
    if job.name == "sha2":
        raise MeasureError("planted")
    return Found((FIGURE,))


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(("name", "error"), [("sha2", MeasureError), ("sha3", Failed)])
def test_a_job_that_fails_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, root: Path, name: str, error: type, processes: int
) -> None:
    monkeypatch.setattr(run, "do", planted)
    monkeypatch.setattr(Library, "make", lambda *_: None)
    wanted = replace(EVERYTHING, part=("operations",), jobs=processes)
    with pytest.raises(error) as raised:
        report(root, replace(wanted, only=("keccak", name)))
    items = raised.value.bag.items if isinstance(raised.value, Failed) else [raised.value]
    assert "planted" in str(items[0])
    assert "mldsa44_sign" in report(root, replace(wanted, only=("keccak",))).markdown


def test_from_the_command_to_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--form", "gas", "--part", "operations", "--only", "keccak"]
    assert main([*chosen, "--folder", str(tmp_path / "new")]) == 0
    printed = capsys.readouterr()
    assert "keccak_permute" in printed.out and printed.err == ""  # progress is for terminals
    assert (tmp_path / "new/bench.md").read_text() in printed.out
    rows = list(csv.DictReader((tmp_path / "new/bench.csv").read_text().splitlines()))
    facts = json.loads((tmp_path / "new/bench.json").read_text())["figures"]
    assert rows[0]["cycles"] == str(facts[0]["cycles"]) != "0"
