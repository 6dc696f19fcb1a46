# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Routines for the tests of passes: from text, or the real ones with a planted fault."""

from __future__ import annotations

import shutil
from pathlib import Path

from gen.cores.core import load_core
from gen.diag import Bag, Failed
from gen.ir.ir import Routine
from gen.passes import run
from gen.passes.elaborate import elaborate
from gen.read.load import load

ROOT = Path(__file__).resolve().parents[3]
LICENCE = "// SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT\n\n"
CODE = ("select", "flow", "liveness")


def made(root: Path, body: str, passes: tuple[str, ...], core: str = "cortex-m4") -> Routine:
    """The routine `t_r` of a text, after `passes`."""
    path = root / "asm-src" / "t" / "r.rasm"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LICENCE + body, encoding="utf-8", newline="\n")
    return run(elaborate(load(root, "asm-src/t/r.rasm"), "t_r", load_core(core)), passes)


def real(name: str, passes: tuple[str, ...], root: Path = ROOT, core: str = "cortex-m4") -> Routine:
    """A routine of asm-src/mlkem."""
    unit = load(root, f"asm-src/mlkem/{name}.rasm")
    return run(elaborate(unit, f"mlkem_{name}", load_core(core)), passes)


def planted(root: Path, file: str, right: str, wrong: str) -> Path:
    """A copy of asm-src with one place of one file changed."""
    shutil.copytree(ROOT / "asm-src", root / "asm-src")
    path = root / "asm-src" / "mlkem" / f"{file}.rasm"
    text = path.read_text(encoding="utf-8")
    assert text.count(right) >= 1, f"{file} no longer says {right!r}"
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8", newline="\n")
    return root


def errors(made: object, *args: object) -> Bag:
    """What a call complains about; an empty bag when nothing."""
    try:
        made(*args)  # type: ignore[operator]
    except Failed as failed:
        return failed.bag
    return Bag()


def codes(bag: Bag) -> set[str]:
    return {item.code for item in bag.items}
