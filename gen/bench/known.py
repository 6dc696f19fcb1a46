# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The routines that exist for a core, with what their params promise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gen.cores.core import Core
from gen.cores.fit import misfit
from gen.diag import Failed
from gen.ir.ir import Routine
from gen.passes import BUILD, run
from gen.passes.elaborate import elaborate
from gen.read.load import choose, index, load


def described(root: Path, core: Core) -> Iterator[Routine]:
    """Every routine of `root`/asm-src that fits `core`. Raises `gen.diag.Failed`."""
    refs = index(root)
    for symbol in sorted({ref.symbol for ref in refs}):
        chosen = choose(refs, symbol, core.features)
        if chosen is None:
            continue
        try:
            yield run(elaborate(load(root, chosen.path), symbol, core), BUILD[:1])
        except Failed as failed:
            if not misfit(core, failed.bag):
                raise
