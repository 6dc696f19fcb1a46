# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every error code has a routine that provokes it and the text that is then said.

`fail/CODE.rasm` goes through the pipeline as asm-src/fail/CODE.rasm. Its first lines may say

    // core: cortex-m3        the core (cortex-m4 without)
    // routine: NAME          the symbol asked for (fail_CODE without)
    // toml: LINE             a line added to a copy of the core's file, which is then read
    // form: NAME SYNTAX      an instruction that the tables have beside the others, without a meaning
    // fault: REGISTER OTHER  the final body that is checked has OTHER in the place of REGISTER

and `fail/CODE.order` is the order that is committed for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from gen.codes import CODES
from gen.cores.core import FOLDER as CORES
from gen.cores.core import Core, load_core
from gen.diag import Failed, render_all
from gen.ir.ir import Insn, Routine, physical
from gen.ir.rename import everywhere
from gen.isa import Form, tables
from gen.orders.file import order_for, with_order
from gen.passes import PIPELINE, run
from gen.passes.elaborate import elaborate
from gen.prove.job import routine_jobs
from gen.prove.jobs import ensured_jobs, macro_jobs, prove_job
from gen.read.load import load

FAIL = Path(__file__).parent / "fail"
_DIRECTIVE = re.compile(r"// (core|routine|toml|form|fault): (.*)")


def provoke(code: str, root: Path) -> str:
    """All that is said about fail/CODE.rasm, in a tree made at `root`."""
    folder = root / "asm-src" / "fail"
    folder.mkdir(parents=True)
    data = (FAIL / f"{code}.rasm").read_bytes()
    (folder / f"{code}.rasm").write_bytes(data)
    order = FAIL / f"{code}.order"
    if order.is_file():
        (folder / f"{code}.cortex-m4.order").write_bytes(order.read_bytes())
    said = dict(_DIRECTIVE.findall(data.decode("utf-8", errors="replace")))
    with _form(said.get("form", "")):
        return _said(code, root, said)


def _said(code: str, root: Path, said: dict[str, str]) -> str:
    try:
        core = _core(said, root)
        unit = load(root, f"asm-src/fail/{code}.rasm")
        symbol = said.get("routine", f"fail_{code}".replace("-", "_"))
        checked = PIPELINE.index("check_result")
        order = order_for(root, unit.file.path, core)
        routine = run(with_order(elaborate(unit, symbol, core), order), PIPELINE[1:checked])
        run(_spoilt(routine, said.get("fault", "")), PIPELINE[checked:])
        macros = macro_jobs(root, [core.key], [unit.file.path])
        promises = ensured_jobs(root, routine_jobs(root, [core.key], [symbol]))
        jobs = (*macros, *promises)
        return "".join(prove_job(root, root / "build", job).errors + "\n" for job in jobs)
    except Failed as failed:
        return render_all(failed.bag) + "\n"


@contextmanager
def _form(text: str) -> Iterator[None]:
    """The tables with one more form."""
    name, _, syntax = text.partition(" ")
    known = tables.every_form()
    more = (*known, Form(name, syntax, "", "alu")) if text else known
    with patch.object(tables, "every_form", lambda: more):
        tables._by_name.cache_clear()
        yield
    tables._by_name.cache_clear()


def _spoilt(routine: Routine, fault: str) -> Routine:
    """The routine with one register mistaken for another in its final body."""
    if not fault:
        return routine
    right, wrong = map(physical, fault.split())
    final = tuple(
        everywhere(item, lambda var: wrong if var is right else var)
        if isinstance(item, Insn) and item.part == "body"
        else item
        for item in routine.final
    )
    return replace(routine, final=final)


def _core(said: dict[str, str], root: Path) -> Core:
    key = said.get("core", "cortex-m4")
    if "toml" not in said:
        return load_core(key)
    folder = root / "cores"
    folder.mkdir()
    text = (CORES / f"{key}.toml").read_text(encoding="utf-8")
    (folder / f"{key}.toml").write_text(text + said["toml"] + "\n", encoding="utf-8")
    return load_core(key, folder)


def test_every_code_has_its_pair() -> None:
    assert {path.stem for path in FAIL.glob("*.rasm")} == set(CODES)
    assert {path.stem for path in FAIL.glob("*.expected")} == set(CODES)


@pytest.mark.parametrize("code", sorted(path.stem for path in FAIL.glob("*.rasm")))
def test_message(
    code: str,
    tmp_path: Path,
    golden: Callable[[Path, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = provoke(code, tmp_path)
    assert f"error[{code}]" in text, text or "nothing is said"
    golden(FAIL / f"{code}.expected", text)
