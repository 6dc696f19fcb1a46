# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verbs `fmt` and `lint`: the layout of sources, and all that is wrong with them."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gen import driver
from gen.console import Progress, command, say
from gen.cores.core import distinct_cores, load_core
from gen.cores.fit import misfit
from gen.diag import Bag, Diagnostic, Failed, fail, nearest, render, render_all
from gen.fmt import formatted
from gen.passes import PIPELINE
from gen.pieces import Job, routine
from gen.read.load import sources, survey
from gen.read.source import NOWHERE
from gen.workers import spread

STDIN = "-"


# --- fmt ---------------------------------------------------------------------------------------------------


def fmt(args: argparse.Namespace, root: Path) -> int:
    """Formats files, or with --check and --diff only says what it would do: exit code 1 where there is something."""
    if STDIN in args.file:
        return _filter(args)
    wrong, other = 0, []
    for path in _files(args.file, root):
        try:
            before = _read(path)
            after = formatted(_shown(path, root), before)
        except Failed as failed:
            say(render_all(failed.bag))
            wrong += 1
            continue
        if after != before:
            other.append(path)
            _put(args, path, root, before, after)
    if args.check and other:
        say(f"{_files_word(len(other))} not formatted: {command('fmt')}")
    return 1 if wrong or (other and (args.check or args.diff)) else 0


def _files_word(count: int) -> str:
    return f"{count} file" + ("" if count == 1 else "s")


def _put(args: argparse.Namespace, path: Path, root: Path, before: str, after: str) -> None:
    if args.diff:
        sys.stdout.write(_difference(_shown(path, root), before, after))
    if args.check:
        print(_shown(path, root))
    elif not args.diff:
        _write(path, after)
        print(f"{_shown(path, root)} formatted")


def _filter(args: argparse.Namespace) -> int:
    """Standard input to standard output, for editors. Nothing is written where the text is wrong."""
    if len(args.file) > 1:
        raise fail("unknown-name", NOWHERE, "standard input is one file; name no other beside -")
    before = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    if any("\udc80" <= char <= "\udcff" for char in before):
        raise fail("unreadable", NOWHERE, "standard input is not UTF-8")
    after = formatted("<stdin>", before)
    if args.diff:
        sys.stdout.write(_difference("<stdin>", before, after))
    elif not args.check:
        sys.stdout.buffer.write(after.encode())
        sys.stdout.buffer.flush()
    return 1 if before != after and (args.check or args.diff) else 0


def _difference(path: str, before: str, after: str) -> str:
    rows = difflib.unified_diff(
        before.splitlines(), after.splitlines(), path, f"{path} (formatted)", lineterm=""
    )
    return "".join(f"{row}\n" for row in rows)


def _files(named: Sequence[str], root: Path) -> Iterator[Path]:
    """Files named, those of folders named, or all sources."""
    known = sources(root)
    for name in named:
        path = Path(name)
        if path.is_dir():
            yield from sorted(path.rglob("*.rasm"))
        elif path.exists():
            yield path
        else:
            close = nearest(name, known)
            raise fail("unknown-name", NOWHERE, f"there is no file {name}", help=close)
    if not named:
        yield from (root / path for path in known)


def _shown(path: Path, root: Path) -> str:
    whole = path.resolve()
    inside = whole.is_relative_to(root.resolve())
    return (whole.relative_to(root.resolve()) if inside else path).as_posix()


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as problem:
        byte = problem.object[problem.start]
        raise fail(
            "unreadable",
            NOWHERE,
            f"{path}: byte 0x{byte:02x} is not UTF-8",
            help="save it as UTF-8",
        ) from None


def _write(path: Path, text: str) -> None:
    """The file is the old or the new one, whole."""
    target = path.resolve()
    part = target.with_name(f"{target.name}.tmp")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


# --- lint ----------------------------------------------------------------------------------------------------


@dataclass
class Finding:
    """A diagnostic, and the cores it is about ([]: the source alone)."""

    item: Diagnostic
    cores: list[str] = field(default_factory=list)


def lint(args: argparse.Namespace, root: Path) -> int:
    """All diagnostics of all sources; with --proofs those of the proofs too. Writes nothing."""
    found = _findings(root, args)
    if args.json:
        print(json.dumps([_json(one) for one in found], indent=1))
    else:
        for one in found:
            say(render(one.item) + (f"\n   for {', '.join(one.cores)}" if one.cores else "") + "\n")
        count = len(found)
        said = f"{count} diagnostic" + ("" if count == 1 else "s") if count else "nothing is wrong"
        print(f"{len(sources(root))} files: {said}")
    return 1 if found else 0


def _findings(root: Path, args: argparse.Namespace) -> list[Finding]:
    whole = survey(root)
    found: dict[str, Finding] = {}
    for bag in whole.wrong.values():
        _take(found, bag, "")
    cores = driver.written_cores()
    work = [job for core in cores for job in driver.jobs(root, whole.refs, core)]
    made = driver.make_all(root, work, (), args.jobs, Progress())
    for one in made:
        if one.bag is not None and not any(
            i.span.source.path in whole.wrong for i in one.bag.items
        ):
            _take(found, one.bag, one.job.core)
    if args.proofs and not found:
        keys = distinct_cores()
        work = [job for key in keys for job in driver.routine_jobs(whole.refs, load_core(key))]
        groups = ([job] for job in work)
        for core, bag in spread(partial(_proved, root), groups, len(work), args.jobs):
            _take(found, bag, core)
    order = sorted(found.values(), key=lambda one: (one.item.span.source.path, one.item.span.start))
    return [Finding(one.item, sorted({*one.cores} - {""})) for one in order]


def _proved(root: Path, jobs: Sequence[Job]) -> list[tuple[str, Bag]]:
    """What the proofs say of each job."""
    found = []
    for job in jobs:
        bag = Bag()
        try:
            routine(root, job, PIPELINE[1:])
        except Failed as failed:
            if not misfit(load_core(job.core), failed.bag):
                bag = failed.bag
        found.append((job.core, bag))
    return found


def _take(found: dict[str, Finding], bag: Bag, core: str) -> None:
    for item in bag.items:
        key = render(item).replace(core, "CORE") if core else render(item)
        found.setdefault(key, Finding(item)).cores.append(core)


def _json(one: Finding) -> dict[str, object]:
    span = one.item.span
    line, column = span.source.line_column(span.start)
    end_line, end_column = span.source.line_column(span.end)
    placed = span != NOWHERE
    return {
        "code": one.item.code,
        "path": span.source.path if placed else "",
        "line": line if placed else 0,
        "column": column if placed else 0,
        "end_line": end_line if placed else 0,
        "end_column": end_column if placed else 0,
        "message": one.item.message,
        "details": list(one.item.details),
        "trail": [
            {"path": f.span.source.path, "line": f.span.line, "what": f.what}
            for f in one.item.trail
        ],
        "help": one.item.help,
        "cores": one.cores,
    }
