# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""`python3 -m gen.bench`: figures of a built library beside the peers'."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gen.bench import curves
from gen.bench.calls import CallError
from gen.bench.figures import Figure, peers, targets
from gen.bench.known import described
from gen.bench.measure import Library, MeasureError, operations, permutation, routines
from gen.bench.report import comma_separated, markdown
from gen.bench.signing import SEEDS, signatures
from gen.cores.core import all_cores, load_core
from gen.diag import Failed, render_all
from gen.emu.build import BuildError
from gen.emu.machine import Fault

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when every figure was measured."""
    options = _parser().parse_args(arguments)
    try:
        found = [_measure(core, options.form, options.seeds) for core in options.core]
        figures = [figure for figures, _ in found for figure in figures]
        lines = "".join(f"\n{line}\n" for _, line in found)
    except Failed as failed:
        print(render_all(failed.bag), file=sys.stderr)
        return 1
    except (MeasureError, CallError, BuildError, Fault, KeyError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    known = peers()
    text = markdown(figures, known, targets()) + lines
    print(text)
    for path, content in (
        (options.markdown, text),
        (options.csv, comma_separated(figures, known)),
    ):
        if path is not None:
            path.write_text(content, encoding="utf-8", newline="\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m gen.bench", description=__doc__)
    parser.add_argument("--core", nargs="+", choices=all_cores(), default=["cortex-m4"])
    parser.add_argument("--form", default="gas")
    parser.add_argument(
        "--seeds",
        type=int,
        default=SEEDS,
        help="of signing, at least two; with more it takes longer",
    )
    parser.add_argument("--csv", type=Path, help="write the figures here too, all peers included")
    parser.add_argument("--markdown", type=Path, help="write the table here too")
    return parser


def _measure(key: str, form: str, seeds: int) -> tuple[list[Figure], str]:
    core = load_core(key)
    library = Library.built(ROOT, core, form)
    found = [*routines(library, described(ROOT, core)), permutation(library)]
    signing, line = signatures(library, seeds)
    text = f"{key}, {form}: ML-DSA-65 signs in {line} cycles, from {seeds} seeds."
    return [*found, *operations(library), *signing, *curves.operations(library)], text


if __name__ == "__main__":
    sys.exit(main())
