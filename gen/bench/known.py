# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The routines that exist for a core, with what their params promise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gen.cores.core import Core
from gen.ir.ir import Routine
from gen.passes.elaborate import elaborate
from gen.read.load import choose, index, load


def described(root: Path, core: Core) -> Iterator[Routine]:
    """Every routine of `root`/asm-src that `core` can have. Raises `gen.diag.Failed`."""
    refs = index(root)
    for symbol in sorted({ref.symbol for ref in refs}):
        chosen = choose(refs, symbol, core.features)
        if chosen is not None:
            yield elaborate(load(root, chosen.path), symbol, core)
