# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Builds the library in every way of the plan: `python -m tests.matrix`, or `make matrix`.

Exit codes: 0 all right, 1 something does not build or is built wrong, or less was tried than axes.toml asks for.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.matrix.build import build
from tests.matrix.plan import Plan, Row, pairs


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.matrix", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--only", metavar="WORD", action="append", default=[], help="rows that hold this value"
    )
    parser.add_argument(
        "--list", action="store_true", help="show the rows and what is not tried, build nothing"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="rows built at a time (2)")
    return parser.parse_args()


def _one(row: Row) -> tuple[Row, list[str], float]:
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="matrix-") as folder:
        wrong = build(row, Path(folder))
    return row, wrong, time.monotonic() - started


def _built(rows: list[Row], jobs: int) -> Iterator[tuple[Row, list[str]]]:
    """Rows as they are done, with a line of progress for each."""
    with ThreadPoolExecutor(jobs) as pool:
        for number, (row, wrong, took) in enumerate(pool.map(_one, rows), 1):
            verdict = "failed" if wrong else "right"
            print(
                f"{number:3} of {len(rows)}  {verdict:6} {took:5.1f} s  {row}",
                *wrong[:1],
                flush=True,
            )
            yield row, wrong


def _table(failed: dict[str, list[str]]) -> None:
    """What went wrong, each complaint once, with the rows that it came from."""
    for complaint, rows in sorted(failed.items(), key=lambda one: -len(one[1])):
        print(f"\n{len(rows)} x  {complaint}")
        for row in rows[:3]:
            print(f"        {row}")


def main() -> int:
    asked = _arguments()
    plan = Plan()
    rows = plan.rows()
    short = plan.short_of(rows)
    for line in plan.absent:
        print(f"not tried: {line}")
    wanted = [row for row in rows if all(f" {word} " in f" {row} " for word in asked.only)]
    if asked.only and not wanted:
        sys.exit(f"no row holds {' and '.join(asked.only)}; --list shows them")
    if asked.list:
        print(*wanted, sep="\n")
        return 0
    failed: dict[str, list[str]] = defaultdict(list)
    count = 0
    for row, wrong in _built(wanted, asked.jobs):
        count += bool(wrong)
        for complaint in wrong:
            failed[complaint].append(str(row))
    _table(failed)
    for line in short:
        print(f"too little was tried: {line}")
    print(f"{len(pairs(wanted))} pairs of values in {len(wanted)} rows")
    print(f"{len(wanted) - count} passed, {count} failed")
    return 1 if count or short else 0


if __name__ == "__main__":
    sys.exit(main())
