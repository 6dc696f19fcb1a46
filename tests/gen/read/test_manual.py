# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every example of asm-src/README.md is what the manual says.

Blocks are whole files (`rasm`, `rasm-VARIANT`), which pass the whole pipeline, or statements
(`rasm-body`) of a routine with the registers of BODY, which find their forms.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.ir.ir import Routine
from gen.passes import PIPELINE, run
from gen.passes.elaborate import elaborate, tables
from gen.read.builtins import BUILTINS
from gen.read.load import load
from gen.read.syntax import FnDecl

BODY = """\
fn void demo_body(uint32_t r[64]):
    param r : secret inout, align 4
    reg p : ptr
    reg a, b, c, w, x : u32
    reg s : i32
    reg n : u32 slot
    reg v[4] : u32

"""


ROOT = Path(__file__).parents[3]
MANUAL = (ROOT / "asm-src" / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\S+)\n(.*?)^```$", MANUAL, re.S | re.M)
EXAMPLES = [(kind, text) for kind, text in BLOCKS if kind.startswith("rasm")]


def placed(text: str, kind: str, tmp_path: Path) -> Routine | None:
    """The routine of a block, elaborated in a copy of what it imports; None for a file without."""
    found = re.search(r"^fn \w+ demo_(\w+)", text, re.M)
    variant = kind.partition("-")[2]
    stem = (found[1] if found else "file") + (f"_{variant}" if variant else "")
    path = tmp_path / "asm-src" / "demo" / f"{stem}.rasm"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    for name in re.findall(r'^import "(.*)"', text, re.M):
        copy = tmp_path / "asm-src" / f"{name}.rasm"
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / "asm-src" / f"{name}.rasm").read_bytes())
    unit = load(tmp_path, f"asm-src/demo/{stem}.rasm")
    if not any(isinstance(decl, FnDecl) for decl in unit.file.decls):
        assert tables(unit) or unit.file.decls
        return None
    core = load_core({"": "cortex-m4", "aarch64": "cortex-a53"}.get(variant, "cortex-m4f"))
    return elaborate(unit, f"demo_{found[1] if found else ''}", core)


def test_there_are_examples() -> None:
    kinds = [kind for kind, _ in EXAMPLES]
    assert kinds.count("rasm") >= 6 and kinds.count("rasm-body") >= 3


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example(number: int, tmp_path: Path) -> None:
    kind, text = EXAMPLES[number]
    if kind == "rasm-body":
        routine = placed(BODY + text, "rasm", tmp_path)
        assert routine is not None and run(routine, ("select",)).body
        return
    routine = placed(text, kind, tmp_path)
    if routine is not None:
        assert run(routine, PIPELINE[1:]).final


def test_the_message_is_the_real_one() -> None:
    (shown,) = [text for kind, text in BLOCKS if kind == "text"]
    told = (ROOT / "tests" / "gen" / "fail" / "undefined.expected").read_text(encoding="utf-8")
    assert shown in told


def test_functions_of_the_table_exist() -> None:
    for name in BUILTINS:
        assert f"`{name}" in MANUAL, name
