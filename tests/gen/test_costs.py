# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""COSTS.csv: every row against the assembled object and the emulated core, and every change shows."""

from __future__ import annotations

import csv
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gen import costs, driver, pieces
from gen.bench.figures import Figure
from gen.bench.known import described
from gen.bench.library import Library
from gen.bench.measure import routines
from gen.cores.core import load_core
from gen.emit.view import Piece
from gen.manifest import compare, contents, report
from gen.passes import BUILD
from gen.read.load import index
from gen.sharing import SUFFIX, entries

CORES = ("cortex-m3", "cortex-m4", "cortex-m4f")
Rows = dict[tuple[str, str], dict[str, int]]

SUM = """// Sum of two words.
fn uint32_t demo_sum(uint32_t a, uint32_t b):
    param a : secret in
    param b : secret in
    result c : u32

    add     c, a, b
"""
TWICE = SUM.replace("c, a, b", "a, a, b") + "    add     c, a, b\n"
CLAIM = SUM + "    claim   c < 100     // nobody shows that\n"
NUMBERS = "table numbers : i16[4] = [k * k for k in range(4)]\n"


@pytest.fixture(scope="module")
def rows(root: Path) -> Rows:
    """The figures of the repository's file, by routine and core; none where the file has none."""
    with (root / "generated" / costs.NAME).open(encoding="utf-8", newline="") as file:
        return {
            (row["routine"], row["core"]): {
                name: int(row[name]) for name in costs.HEAD[3:] if row[name]
            }
            for row in csv.DictReader(file)
        }


@pytest.fixture(scope="module", params=CORES)
def library(
    root: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Library:
    """The generated routines of a core, assembled; nothing else."""
    core, folder = load_core(request.param), tmp_path_factory.mktemp("objects")
    text = (root / f"generated/{core.key}/gas{SUFFIX}").read_text(encoding="utf-8")
    listed = (root / "generated" / path for path in entries(text).values())
    sources = sorted(path for path in listed if path.suffix == ".S")
    options = ["-ffunction-sections", f"-I{root}/generated/include", "-c"]
    command = [
        "arm-none-eabi-gcc",
        *core.cc,
        *options,
        f"-DARMSCRIBE_BACKEND_{core.key.upper().replace('-', '_')}_GAS",
    ]
    subprocess.run([*command, *map(str, sources)], cwd=folder, check=True)
    objects = sorted(str(path) for path in folder.glob("*.o"))
    assert len(objects) == len(sources) > 0
    archive = folder / "libroutines.a"
    subprocess.run(["arm-none-eabi-ar", "rcs", str(archive), *objects], check=True)
    return Library(archive, core, "gas")


def test_bytes_are_those_of_the_assembled_object(rows: Rows, library: Library) -> None:
    image = library.whole()
    mine = {name: row for (name, core), row in rows.items() if core == library.core.key}
    code = {name: row["code"] for name, row in mine.items() if "code" in row}
    assert code == {name: image[name].size for name in code}
    tables = sum(symbol.size for symbol in image.symbols.values() if symbol.kind == "object")
    assert tables == sum(row["rodata"] for row in mine.values())


@pytest.fixture(scope="module")
def measured(root: Path, library: Library) -> dict[str, Figure]:
    return {f.routine: f for f in routines(library, described(root, library.core))}


def test_time_and_stack_are_those_of_the_emulated_core(
    rows: Rows, library: Library, measured: dict[str, Figure]
) -> None:
    mine = {name: row for (name, core), row in rows.items() if core == library.core.key}
    assert set(measured) == {name for name, row in mine.items() if "code" in row}
    assert not [name for name, figure in measured.items() if not agrees(mine[name], figure)]


def test_few_instructions_in_loops_straddle_a_word(measured: dict[str, Figure]) -> None:
    wide = sum(figure.wide for figure in measured.values())
    straddling = sum(figure.straddling for figure in measured.values())
    assert wide > 100
    assert straddling <= wide * 0.02


def agrees(row: dict[str, int], figure: Figure) -> bool:
    """Whether one call that was measured is within the row; where all calls cost the same: is the row."""
    fixed = row["cycles_least"] == row["cycles_most"]
    return (
        row["cycles_least"] <= figure.cycles <= row["cycles_most"]
        and row["instructions_least"] <= figure.instructions <= row["instructions_most"]
        and (figure.stack == row["stack"] if fixed else figure.stack <= row["stack"])
    )


def test_a_figure_that_is_off_by_one_does_not_agree() -> None:
    figure = Figure("demo", "cortex-m4", "gas", 9, 12, 20, 0, 8, 0, 0)
    names = ("instructions_least", "instructions_most", "cycles_least", "cycles_most", "stack")
    row = dict(zip(names, (9, 9, 12, 12, 8), strict=True))
    assert agrees(row, figure)
    for field in ("instructions", "cycles", "stack"):
        assert not agrees(row, replace(figure, **{field: getattr(figure, field) + 1}))


# --- changes show ------------------------------------------------------------------------------------


def tree(folder: Path, text: str) -> Path:
    """A root with one routine and one source of tables."""
    (folder / "asm-src/demo").mkdir(parents=True, exist_ok=True)
    (folder / "asm-src/demo/sum.rasm").write_text(text, newline="\n")
    (folder / "asm-src/demo/numbers.rasm").write_text(NUMBERS, newline="\n")
    return folder


def piece(root: Path) -> Piece:
    (job,) = [j for j in driver.jobs(root, index(root), load_core("cortex-m4")) if j.symbol]
    return pieces.piece(root, job, BUILD)


def test_a_row(tmp_path: Path) -> None:
    row = costs.row(piece(tree(tmp_path, SUM)))
    assert row == costs.Row("demo_sum", "cortex-m4", "", 2, 2, 4, 4, 4, 0, 0, 0)  # ADD, BX


def test_tables_alone_have_bytes_and_no_other_figure(tmp_path: Path) -> None:
    result = driver.everything(tree(tmp_path, SUM), workers=1)
    (text,) = [output.text for output in result.outputs if output.path == costs.NAME]
    assert "demo_numbers,cortex-m4,,,,,,,8,,\n" in text
    real = [core for core in driver.written_cores() if not core.pretend]
    with_code = [core for core in real if {"thumb2", "a32"} & {*core.isa}]
    assert text.count("\n") == 1 + len(with_code) + len(real)  # a head, two sources


def test_an_instruction_a_price_and_a_claim_show(tmp_path: Path) -> None:
    plain = costs.row(piece(tree(tmp_path, SUM)))
    twice = costs.row(piece(tree(tmp_path, TWICE)))
    assert (twice.instructions_most, twice.cycles_most, twice.code) == (3, 5, 6)
    assert costs.row(piece(tree(tmp_path, CLAIM))) == replace(plain, open_claims=1)
    one = piece(tree(tmp_path, SUM))
    assert one.routine is not None
    core = replace(one.core, rules=replace(one.core.rules, taken_far=5))
    dear = costs.row(replace(one, routine=replace(one.routine, core=core)))
    assert dear == replace(plain, cycles_least=7, cycles_most=7)


def test_check_names_the_file_when_it_is_stale_or_edited(tmp_path: Path) -> None:
    before = contents(driver.everything(tree(tmp_path, SUM), workers=1).outputs)
    after = contents(driver.everything(tree(tmp_path, TWICE), workers=1).outputs)
    kinds = {d.path: d.kind for d in compare(after, before)}
    assert kinds[costs.NAME] == "stale"
    edited = {**before, costs.NAME: before[costs.NAME].replace(b",4,", b",3,")}
    (found,) = compare(before, edited)
    assert (found.kind, found.path) == ("edited", costs.NAME)
    assert any("COSTS.csv" in line for line in report([found], "generated"))


def test_rows_of_one_routine_take_the_place_of_its_old_ones(tmp_path: Path) -> None:
    one = costs.row(piece(tree(tmp_path, SUM)))
    other = replace(one, routine="demo_zero")
    both = costs.text([other, one])
    assert both.index("demo_sum") < both.index("demo_zero")
    dearer = replace(one, cycles_most=9)
    assert costs.merged(both, [dearer]) == costs.text([dearer, other])
    assert costs.merged("", [one]) == costs.text([one])
    assert costs.merged("damaged\n" + both, []) == both
