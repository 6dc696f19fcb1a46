# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""`python3 -m gen.bench`: what routines and whole operations cost on the cycle model, beside the peers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gen.bench.boot import CLOCK
from gen.bench.calls import CallError
from gen.bench.figures import REACHED, reached
from gen.bench.library import FORMS, MeasureError
from gen.bench.run import ALL, PARTS, Wanted, report
from gen.bench.signing import SEEDS
from gen.console import say
from gen.cores.core import all_cores, load_core
from gen.diag import Failed, render_all
from gen.emu.build import BuildError
from gen.emu.machine import Fault

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when every figure was measured."""
    options = _parser().parse_args(arguments)
    wanted = Wanted(
        options.core,
        tuple(options.form),
        tuple(options.part),
        tuple(options.only),
        options.seeds,
        options.other_seeds,
        options.clock,
        options.jobs,
    )
    try:
        found = report(ROOT, wanted)
    except Failed as failed:
        say(render_all(failed.bag))
        return 1
    except (MeasureError, CallError, BuildError, Fault, KeyError, ValueError) as error:
        say(f"error: {error.args[0] if isinstance(error, KeyError) else error}")
        return 1
    print(found.markdown)
    if options.accept:
        kept = reached(found.gas)
        REACHED.write_text(kept, encoding="utf-8", newline="\n")
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        for ending, content in (("md", found.markdown), ("csv", found.csv), ("json", found.json)):
            file = options.folder / f"bench.{ending}"
            file.write_text(content, encoding="utf-8", newline="\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m gen.bench", description=__doc__)
    add = parser.add_argument
    add(
        "--core",
        choices=[k for k in all_cores() if "thumb2" in load_core(k).isa and k != "portable"],
        default="cortex-m4",
    )
    add("--form", nargs="+", choices=tuple(FORMS), default=tuple(FORMS), help="default: all")
    add("--part", nargs="+", choices=PARTS, default=PARTS, help="default: all")
    add("--only", nargs="+", choices=ALL, default=(), metavar="ALGORITHM", help=" ".join(ALL))
    add("--seeds", type=_two, default=SEEDS, help=f"signatures in form gas (default {SEEDS})")
    add(
        "--other-seeds",
        type=_two,
        default=4,
        help="signatures in the other forms, whose line is the same but for its scale (default 4)",
    )
    add("--clock", type=_clock, default=CLOCK, help=f"MHz (default {CLOCK:g})")
    add("--jobs", "-j", type=int, default=0, help="processes (default: one for each processor)")
    add("--accept", action="store_true", help=f"keep figures of form gas in {REACHED.name}")
    add("--folder", type=Path, metavar="DIR", help="write bench.md, bench.csv and bench.json here")
    return parser


def _two(text: str) -> int:
    if int(text) < 2:
        raise argparse.ArgumentTypeError("a line goes through two points at least")
    return int(text)


def _clock(text: str) -> float:
    if not float(text) > 0:
        raise argparse.ArgumentTypeError("a clock has more than 0 MHz")
    return float(text)


if __name__ == "__main__":
    sys.exit(main())
