# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Order files: written, read back; every committed one is of the code as it stands, and worth it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen import driver
from gen.cores.core import load_core
from gen.diag import Failed, render_all
from gen.ir.order import Row
from gen.optimise import BEFORE
from gen.orders.file import SUFFIX, order_for, path_of, read, text_of, texts_for
from gen.orders.search import finished
from gen.pieces import routine
from gen.read.source import NOWHERE
from tests.conftest import ROOT

ROW = Row(
    "00ff", (0, 1, 2, 5, 3, 4, *range(6, 90), *range(200, 90, -1)), ("r0", "-", "s3"), NOWHERE
)
ALIGNING = 0.005  # of the instructions: what stands before a loop so that it begins at a word
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / "asm-src").rglob(f"*{SUFFIX}"))


def test_what_is_written_is_read() -> None:
    text = text_of([("a", ROW), ("b", ROW)], "make optimise")
    found = read("x.order", text, "cortex-m7")
    assert found.core == "cortex-m7" and [*found.rows] == ["a", "b"]
    for row in found.rows.values():
        assert (row.code, row.items, row.places) == (ROW.code, ROW.items, ROW.places)
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[a]\ncode = "0"\nitems = "0"\n', "places must be a string"),
        ('[a]\ncode = 7\nitems = "0"\nplaces = ""\n', "code must be a string"),
        ('[a]\ncode = "0"\nitems = "0"\nplaces = ""\nplace = ""\n', "unknown key place"),
        ('[a]\ncode = "0"\nitems = "x"\nplaces = ""\n', "x is no number"),
        ("[a\n", "not TOML"),
    ],
)
def test_wrong_files(text: str, said: str) -> None:
    with pytest.raises(Failed) as failed:
        read("x.order", text, "cortex-m7")
    assert said in render_all(failed.value.bag) and "x.order:" in render_all(failed.value.bag)


def test_the_order_of_the_nearest_core(tmp_path: Path) -> None:
    source = "asm-src/t/f.rasm"
    (tmp_path / "asm-src/t").mkdir(parents=True)
    m7 = load_core("cortex-m7")
    assert order_for(tmp_path, source, m7) is None
    for key in ("cortex-m4", "cortex-m7"):
        path = tmp_path / path_of(source, key)
        path.write_text(text_of([("f", ROW)], key), encoding="utf-8")
        found = order_for(tmp_path, source, m7)
        assert found is not None and found.core == key
    assert len(set(texts_for(tmp_path, source, m7))) == 2


def test_there_are_orders() -> None:
    cores = {path.name.split(".")[1] for path in FILES}
    assert "cortex-m7" in cores


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_committed_order_saves_cycles(path: Path) -> None:
    stem, key = path.name.removesuffix(SUFFIX).split(".")
    core = load_core(key)
    source = (path.parent / f"{stem}.rasm").as_posix()
    found, _ = driver.surveyed(ROOT, [source.removeprefix("asm-src/").removesuffix(".rasm")])
    job = next(job for job in driver.routine_jobs(found.refs, core) if job.path == source)
    made = routine(ROOT, job, BEFORE)
    ours, authors = (finished(made, order).cost for order in (made.order, None))
    assert ours is not None and authors is not None
    assert ours.cycles[1] < authors.cycles[1] and ours.cycles[0] <= authors.cycles[0]
    assert abs(ours.instructions[1] - authors.instructions[1]) <= ALIGNING * authors.instructions[1]
