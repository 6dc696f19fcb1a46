# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Sources are read and code is made once for cores that cannot tell it apart, and anew for those that can, however a
source asks."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gen import driver, pieces
from gen.cores.core import Core, load_core
from gen.emit import FORMS
from gen.ir.ir import Routine
from gen.read.load import Unit, index

HEAD = """{before}
fn uint32_t demo_sum(uint32_t a, uint32_t b):
    param a : secret in
    param b : secret in
    result c : u32
{declared}

{body}
"""
MACROS = """macro step(out c : u32, in a : u32, in b : u32):
    add     c, a, b

macro step(out c : u32, in a : u32, in b : u32) requires fpregs:
    sub     c, a, b
"""
# How a source asks for a feature: what stands before the routine, its registers, its body.
ASKING = {
    "if": ("", "", "    if has(fpregs):\n        add c, a, b\n    else:\n        sub c, a, b"),
    "const": ("const K = 1 if has(fpregs) else 2\n", "", "    add c, a, b\n    add c, c, #K"),
    "function": (
        "const k(x) = x if has(fpregs) else 2\n",
        "",
        "    add c, a, b\n    add c, c, #k(1)",
    ),
    "macro": (MACROS, "", "    step(c, a, b)"),
    "park": (
        "",
        "    reg x : u32 park",
        "    add x, a, b\n    spill x\n    mov c, b\n    fill x\n    add c, c, x",
    ),
}
SILENT = ("", "", "    add c, a, b")
CORES = ("cortex-m4", "cortex-m4f")
GUARD = re.compile(r"^#if [^\n]*defined\(ARMSCRIBE_(?:CODE|BACKEND)_(?:[^\n]*\\\n)*[^\n]*$", re.M)


def made(root: Path, *cores: str, costs: int | None = None) -> dict[str, str]:
    """Texts that these cores take of one source, without what says who takes them, and costs; made in one go.
    `costs`: how many have any."""
    refs = index(root)
    jobs = [job for key in cores for job in driver.routine_jobs(refs, load_core(key))]
    found = driver.make(root, tuple(FORMS), jobs)
    assert all(one.bag is None for one in found)
    rows = {f"cost of {one.job.core}": str(one.cost) for one in found if one.cost is not None}
    assert len(rows) == (len(cores) if costs is None else costs)
    texts = {output.path: output.text for one in found for output in one.outputs}
    taken = {f"{t.form} of {t.core}": texts[t.path] for one in found for t in one.taken}
    return {key: GUARD.sub("", text) for key, text in taken.items()} | rows


def tree(folder: Path, parts: tuple[str, str, str]) -> Path:
    before, declared, body = parts
    source = folder / "asm-src" / "demo" / "sum.rasm"
    source.parent.mkdir(parents=True)
    text = HEAD.format(before=before, declared=declared, body=body)
    source.write_text(text, newline="\n")
    return folder


@pytest.mark.parametrize("how", ASKING)
def test_together_as_alone(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, ASKING[how])
    alone = {path: text for core in CORES for path, text in made(root, core).items()}
    assert made(root, *CORES) == alone
    assert made(root, *reversed(CORES)) == alone
    monkeypatch.setattr(Core, "takes", lambda *_: True)
    assert made(root, *CORES) != alone


def test_what_asks_for_nothing_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path, SILENT)
    alone = {path: text for core in CORES for path, text in made(root, core).items()}
    made_for: list[str] = []
    monkeypatch.setattr(pieces, "elaborate", noting(pieces.elaborate, made_for))
    assert made(root, *CORES) == alone
    assert made_for == ["cortex-m4"]


def test_c_is_written_from_what_was_read_for_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path, SILENT)
    alone = made(root, "portable", costs=0)
    made_for: list[str] = []
    monkeypatch.setattr(pieces, "elaborate", noting(pieces.elaborate, made_for))
    assert alone.items() <= made(root, "cortex-m4", "portable", costs=1).items()
    assert made_for == ["cortex-m4"]


def test_c_of_what_other_tables_give_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = ("", "", "    if has(fpregs):\n        add c, a, b\n    else:\n        sub c, a, b")
    root = tree(tmp_path, parts)
    alone = made(root, "portable", costs=0)
    assert alone.items() <= made(root, "cortex-m4f", "portable", costs=1).items()
    monkeypatch.setattr(Core, "takes", lambda *_: True)
    assert not alone.items() <= made(root, "cortex-m4f", "portable", costs=1).items()


def noting(real: Callable[..., Routine], keys: list[str]) -> Callable[..., Routine]:
    """`elaborate`, with the cores it is asked for."""

    def elaborate(unit: Unit, symbol: str, core: Core) -> Routine:
        keys.append(core.key)
        return real(unit, symbol, core)

    return elaborate
