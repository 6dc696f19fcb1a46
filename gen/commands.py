# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verbs: from parsed arguments to an exit code."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gen import costs, driver
from gen import explain as explaining
from gen.console import Progress, command, say
from gen.cores.core import all_cores, distinct_cores
from gen.diag import fail
from gen.driver import FOLDER
from gen.emit import FORMS
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
from gen.sharing import SUFFIX, Taken, lists
from gen.tree import add_files, replace_tree


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
    _said(args, result.outputs, args.folder or Path(FOLDER), changed)
    for core, routines in result.fallen.items():
        say(f"{core}: portable C for {len(routines)} routines, see {FOLDER}/{core}/*{SUFFIX}")
    _unproved(root, (), distinct_cores())
    return 0


def _build_some(args: argparse.Namespace, root: Path) -> int:
    """Some routines, cores or forms: their files are written, all others stay."""
    forms = [driver.form_named(name) for name in args.form] or list(FORMS)
    cores = {driver.core_named(key).key for key in args.core} or {*all_cores()}
    found, wanted = driver.surveyed(root, args.routine)
    work = _work(root, found, wanted)
    made = sorted(
        driver.make_all(root, work, forms, args.jobs, Progress()), key=lambda one: one.job.stem
    )
    driver.raise_all(made, None if args.routine else found.bag)
    asked = [one for one in made if one.job.core in cores]
    paths = {taken.path for one in asked for taken in one.taken}
    outputs = [output for one in made for output in one.outputs if output.path in paths]
    if not outputs:
        raise fail(
            "unknown-name", NOWHERE, "no core that was named has one of the forms that were named"
        )
    if args.routine and args.core:  # asked for by name: portable C would be another thing
        driver.raise_all([replace(one, bag=one.unfit) for one in asked])
    for core, routines in driver.fallen(asked).items():
        say(f"{core}: portable C for {', '.join(routines)}")
    taken = [taken for one in asked for taken in one.taken]
    if args.folder is not None:
        outputs += [*lists(taken), *driver.shared(made)]
        add_files(args.folder, {output.path: output.text.encode() for output in outputs})
        changed = True
    else:
        rows = [one.cost for one in asked if one.cost is not None]
        changed = _merged(root / FOLDER, outputs, taken, rows)
    _said(args, outputs, args.folder or Path(FOLDER), changed)
    symbols = sorted({one.job.symbol for one in asked if one.taken and one.job.symbol})
    if symbols:
        _unproved(root, symbols, sorted({one.job.core for one in asked if one.taken}))
    return 0


def _unproved(root: Path, symbols: Sequence[str], cores: Sequence[str]) -> None:
    """Building proves nothing; what is not proved as it stands now is said."""
    from gen.prove.job import unproved

    count = len(unproved(root, symbols, cores))
    if count:
        routines = "1 routine" if count == 1 else f"{count} routines"
        say(f"{routines} not proved since {'it' if count == 1 else 'they'} changed: make prove")


def _work(root: Path, found: Survey, wanted: set[str]) -> list[Job]:
    """The jobs of some routines, or of all, for every core: what a file holds is for all that take it."""
    work: list[Job] = []
    for core in driver.written_cores():
        if wanted:
            jobs = driver.routine_jobs(found.refs, core)
            work += [job for job in jobs if job.symbol in wanted]
        else:
            work += driver.jobs(root, found.refs, core)
    return work


def _merged(
    folder: Path, made: Sequence[Output], taken: Sequence[Taken], rows: Sequence[costs.Row]
) -> bool:
    """Puts outputs, lists and costs into the tree that is there, and into its manifest."""
    tree = read_tree(folder)
    old = tree.get(costs.NAME, b"").decode("utf-8", "replace")
    outputs = [*made, *lists(taken, tree)]
    if rows:
        outputs.append(driver.costs_output(costs.merged(old, rows)))
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
        print(json.dumps({"differences": rows, "accept": command("build")}, indent=1))
    elif differences:
        for line in report(differences, FOLDER):
            say(line)
        say(f"   help: {command('build')}   (accepts what the sources give)")
    else:
        print(f"{FOLDER}/ is what the sources give ({len(result.outputs)} files)")
    return 1 if differences else 0


def prove(args: argparse.Namespace) -> int:
    from gen.prove.command import run

    return run(args, _root(args))


def diff(args: argparse.Namespace) -> int:
    from gen.diff.command import run

    return run(args, args.root or driver.find_root())


def fmt(args: argparse.Namespace) -> int:
    from gen import habits

    return habits.fmt(args, args.root or driver.find_root())


def lint(args: argparse.Namespace) -> int:
    from gen import habits

    return habits.lint(args, _root(args))


def vendor(args: argparse.Namespace) -> int:
    from gen.vendor.command import run

    return run(args, args.root or driver.find_root())


def core(args: argparse.Namespace) -> int:
    """Writes the file of a new core. Errors: `unknown-name`, `duplicate`."""
    from gen.cores import new
    from gen.cores.core import FOLDER as CORES

    like = driver.core_named(args.like)
    path = CORES / f"{args.name}.toml"
    if not new.NAME.fullmatch(args.name):
        raise fail("unknown-name", NOWHERE, f"{args.name} is no name of a core", help="my-core")
    if not like.isa or like.pretend:
        raise fail("unknown-name", NOWHERE, f"{like.key} has no instructions to start from")
    if path.exists():
        raise fail("duplicate", NOWHERE, f"there is a core {args.name} already: {path}")
    path.write_text(new.text_of(args.name, like), encoding="utf-8", newline="\n")
    print(f"{path} is written: edit it, then")
    print(f"  {sys.executable} -m gen build")
    print(f"  make lib CORE={args.name} FORM=gas")
    return 0


def optimise(args: argparse.Namespace) -> int:
    from gen import optimise as orders

    return orders.optimise(args, _root(args))


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
    named = [driver.core_named(key) for key in args.core]
    cores = named or [core for core in driver.written_cores() if not core.pretend]
    work = [job for core in cores for job in driver.routine_jobs(found.refs, core)]
    figures = list(driver.figures(root, work, args.jobs, Progress()))
    order = [core.key for core in cores]
    figures.sort(key=lambda one: (order.index(one.job.core), one.job.stem))
    if args.json:
        print(json.dumps([one.facts or _fallen(one) for one in figures if not one.bag], indent=1))
    else:
        _table(figures)
    sys.stdout.flush()
    driver.raise_all(figures, found.bag, "")
    return 0


def _fallen(one: driver.Figures) -> dict[str, str]:
    return {"symbol": one.job.symbol, "core": one.job.core, "portable": one.lacks}


def _table(figures: Sequence[driver.Figures]) -> None:
    head = ("routine", "core", "cycles", "instructions", "code", "rodata", "stack")
    rows = [one.facts for one in figures if one.facts is not None]
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
    for one in figures:
        if one.lacks:
            print(f"{one.job.symbol}  {one.job.core}  portable C: {one.lacks}")
