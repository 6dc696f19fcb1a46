# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verbs: from parsed arguments to an exit code."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from gen import costs, driver
from gen import explain as explaining
from gen.console import Progress, say
from gen.cores.core import Core, all_cores, load_core
from gen.diag import fail
from gen.driver import FOLDER
from gen.emit import FORMS, forms_of
from gen.manifest import (
    NAME,
    Output,
    Recorded,
    compare,
    contents,
    entries,
    manifest,
    read_tree,
    report,
)
from gen.passes import PIPELINE
from gen.pieces import Job, routine
from gen.read.load import Survey, survey
from gen.read.source import NOWHERE
from gen.tree import add_files, replace_tree

ACCEPT = "python3 -m gen build"


def _root(args: argparse.Namespace) -> Path:
    root: Path = args.root or driver.find_root()
    if not (root / "asm-src").is_dir():
        raise fail("unknown-name", NOWHERE, f"{root} holds no asm-src/", help="--root DIR")
    return root


# --- build -----------------------------------------------------------------------------------------


def build(args: argparse.Namespace) -> int:
    root = _root(args)
    if args.routine or args.core or args.form:
        return _build_some(args, root)
    result = driver.everything(root, args.jobs, Progress())
    tree = contents(result.outputs)
    if args.folder is not None:
        add_files(args.folder, tree)
        changed = True
    else:
        changed = replace_tree(root / FOLDER, tree)
    for core, why in sorted(result.left_out.items()):
        say(f"{core} is left out: {why}")
    _said(args, result.outputs, args.folder or Path(FOLDER), changed)
    _unproved(root, (), [key for key in all_cores() if key not in result.left_out])
    return 0


def _build_some(args: argparse.Namespace, root: Path) -> int:
    """Some routines, cores or forms: their files are written, all others stay."""
    forms = [driver.form_named(name) for name in args.form] or list(FORMS)
    found, wanted = driver.surveyed(root, args.routine)
    work = _work(args, root, forms, found, wanted)
    made = sorted(
        driver.make_all(root, work, forms, args.jobs, Progress()), key=lambda one: one.job.stem
    )
    asked = bool(args.core)
    wrong = None if args.routine else found.bag
    driver.raise_all([one for one in made if asked or not one.lacks], wrong)
    outputs = [output for one in made for output in one.outputs]
    if not outputs:
        driver.raise_all(made)
        raise fail(
            "unknown-name", NOWHERE, "no core that was named has one of the forms that were named"
        )
    if args.folder is not None:
        used = sorted({one.job.core for one in made if one.outputs})
        outputs += driver.shared(made, [load_core(key) for key in used])
        add_files(args.folder, {output.path: output.text.encode() for output in outputs})
        changed = True
    else:
        rows = [one.cost for one in made if one.cost is not None]
        changed = _merged(root / FOLDER, outputs, rows)
    _said(args, outputs, args.folder or Path(FOLDER), changed)
    symbols = sorted({one.job.symbol for one in made if one.entry and one.job.symbol})
    if symbols:
        _unproved(root, symbols, sorted({one.job.core for one in made if one.outputs}))
    return 0


def _unproved(root: Path, symbols: Sequence[str], cores: Sequence[str]) -> None:
    """Building proves nothing; what is not proved as it stands now is said."""
    from gen.prove.job import unproved

    count = len(unproved(root, symbols, cores))
    if count:
        routines = "1 routine" if count == 1 else f"{count} routines"
        say(f"{routines} not proved since {'it' if count == 1 else 'they'} changed: make prove")


def _work(
    args: argparse.Namespace, root: Path, forms: Sequence[str], found: Survey, wanted: set[str]
) -> list[Job]:
    cores = [driver.core_named(key) for key in args.core] or _cores(forms)
    work: list[Job] = []
    for core in cores:
        if not any(name in forms for name in forms_of(core)):
            continue
        if wanted:
            jobs = driver.routine_jobs(found.refs, core)
            work += [job for job in jobs if job.symbol in wanted]
        else:
            work += driver.jobs(root, found.refs, core)
    return work


def _cores(forms: Sequence[str]) -> list[Core]:
    cores = (load_core(key) for key in all_cores())
    return [core for core in cores if any(name in forms for name in forms_of(core))]


def _merged(folder: Path, made: Sequence[Output], rows: Sequence[costs.Row]) -> bool:
    """Puts outputs and costs into the tree that is there, and into its manifest."""
    tree = read_tree(folder)
    old = tree.get(costs.NAME, b"").decode("utf-8", "replace")
    outputs = [*made, driver.costs_output(costs.merged(old, rows))] if rows else made
    known = entries(tree.get(NAME, b"").decode("utf-8", "replace"))
    written = {output.path: Recorded.of(output) for output in outputs}
    tree |= {output.path: output.text.encode() for output in outputs}
    tree[NAME] = manifest({**known, **written}).encode()
    return replace_tree(folder, tree)


def _said(args: argparse.Namespace, outputs: Sequence[Output], folder: Path, changed: bool) -> None:
    if args.json:
        rows = [
            {"path": o.path, "source": o.source, "core": o.core, "form": o.form, "sha256": o.digest}
            for o in outputs
        ]
        print(
            json.dumps({"folder": folder.as_posix(), "changed": changed, "files": rows}, indent=1)
        )
    else:
        state = "written" if changed else "already as they should be"
        print(f"{len(outputs)} files in {folder.as_posix()}/ {state}")


# --- check -----------------------------------------------------------------------------------------


def check(args: argparse.Namespace) -> int:
    root = _root(args)
    result = driver.everything(root, args.jobs, Progress())
    differences = compare(contents(result.outputs), read_tree(root / FOLDER))
    if args.json:
        rows = [{"kind": d.kind, "path": f"{FOLDER}/{d.path}", "diff": d.diff} for d in differences]
        print(json.dumps({"differences": rows, "accept": ACCEPT}, indent=1))
    elif differences:
        for line in report(differences, FOLDER):
            say(line)
        say(f"   help: {ACCEPT}   (accepts what the sources give)")
    else:
        print(f"{FOLDER}/ is what the sources give ({len(result.outputs)} files)")
    return 1 if differences else 0


def prove(args: argparse.Namespace) -> int:
    from gen.prove.command import run

    return run(args, _root(args))


# --- explain, list -------------------------------------------------------------------------------------


def explain(args: argparse.Namespace) -> int:
    if not args.what:
        raise fail(
            "unknown-name",
            NOWHERE,
            "explain what? A routine or an instruction",
            help="explain mlkem/ntt --core cortex-m4, or explain I=smlaxy; list names all routines",
        )
    if args.what.startswith("I="):
        rows = [explaining.form_facts(form) for form in explaining.forms_called(args.what[2:])]
        text = "\n\n".join(map(explaining.form_text, rows))
        print(json.dumps(rows, indent=1) if args.json else text)
        return 0
    root = _root(args)
    found, (symbol,) = driver.surveyed(root, [args.what.removeprefix("R=")])
    core = driver.core_named(args.core)
    job = next(job for job in driver.routine_jobs(found.refs, core) if job.symbol == symbol)
    facts = explaining.routine_facts(routine(root, job, PIPELINE[1:]))
    print(json.dumps(facts, indent=1) if args.json else explaining.routine_text(facts))
    return 0


def listing(args: argparse.Namespace) -> int:
    root = _root(args)
    found = survey(root)
    cores = [driver.core_named(key) for key in args.core] or [
        c for c in _cores(list(FORMS)) if c.cc
    ]
    work = [job for core in cores for job in driver.routine_jobs(found.refs, core)]
    figures = list(driver.figures(root, work, args.jobs, Progress()))
    order = [core.key for core in cores]
    figures.sort(key=lambda one: (order.index(one.job.core), one.job.stem))
    without = {one.job.core for one in figures if one.lacks and not args.core}
    rows = [one.facts for one in figures if one.facts is not None and one.job.core not in without]
    if args.json:
        print(json.dumps(rows, indent=1))
    else:
        _table(rows)
    sys.stdout.flush()
    driver.raise_all([one for one in figures if one.job.core not in without], found.bag, "")
    return 0


def _table(rows: Sequence[explaining.Facts]) -> None:
    head = ("routine", "core", "cycles", "instructions", "code", "rodata", "stack")
    cells = [head] + [
        (
            row["symbol"] + (f" ({row['variant']})" if row["variant"] else ""),
            row["core"],
            explaining.span_text(row["cycles"]),
            explaining.span_text(row["instructions"]),
            str(row["code"]),
            str(row["rodata"]),
            str(row["stack"]),
        )
        for row in rows
    ]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        texts = [
            f"{c:<{w}}" if i < 2 else f"{c:>{w}}"
            for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(texts).rstrip())
