# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verb `vendor`: a kit is made, renewed, or compared with what this version makes."""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from gen.console import command, say
from gen.diag import fail
from gen.diff import markdown
from gen.diff.compare import compare as compared
from gen.diff.tree import Side
from gen.driver import ROOT, core_named, form_named
from gen.manifest import read_tree
from gen.read.source import NOWHERE
from gen.tree import replace_tree
from gen.vendor.choose import algorithms, choose
from gen.vendor.kit import MANIFEST, Options, digest, load_kit, recorded, tree

SUMMARY = "armscribe-changes.md"  # what --update changed; of no account to --verify
Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Held:
    """A folder as it is: its files, and what its manifest says of them."""

    files: Files
    version: str = ""
    options: Options | None = None
    digests: Mapping[str, str] = field(default_factory=dict)

    @property
    def edits(self) -> list[tuple[str, str]]:
        """(path, what happened to it) of the kit's files that are not as they were written."""
        found = []
        for path, wanted in sorted(self.digests.items()):
            if path not in self.files:
                found.append((path, "is gone"))
            elif digest(self.files[path]) != wanted:
                found.append((path, "was edited"))
        return found


def version() -> str:
    """Of this armscribe."""
    project = ROOT / "pyproject.toml"
    if project.is_file():
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    from importlib.metadata import version as installed

    return installed("armscribe")


def run(args: argparse.Namespace, root: Path) -> int:
    if args.verify is not None:
        return _verify(args.verify, root, args.json)
    if args.folder is None:
        raise fail("unknown-name", NOWHERE, "which folder? Name it with -o", help="-o armscribe")
    held = _held(args.folder)
    options = _options(args, root, held)
    made = make(options, root)
    edits = _edits(held, made)
    if edits and not args.update:
        return _refuse(args.folder, edits)
    kept = {path: held.files[path] for path, _ in edits if path in held.files}
    left = {path: text for path, text in held.files.items() if path not in held.digests}
    whole = {**left, **made, **kept}
    if args.update and held.options is not None:
        whole |= _summary(held, made)
    changed = replace_tree(args.folder, whole)
    _said(args, options, len(made), changed, sorted(kept))
    return 0


def make(options: Options, root: Path) -> dict[str, bytes]:
    """The kit of these options. Errors: `Failed`, `OSError`."""
    kit = load_kit(options.kit)
    cores = [core_named(key) for key in options.cores]
    chosen = choose(root, options.algorithms, cores, form_named(options.form), kit.portable)
    return tree(kit, options, chosen, root, version())


def _held(folder: Path) -> Held:
    files = read_tree(folder)
    if MANIFEST not in files:
        if files:
            raise fail(
                "unknown-name",
                NOWHERE,
                f"{folder} holds {len(files)} files and is no kit: {MANIFEST} is missing",
                help="name a folder that is empty or does not exist",
            )
        return Held(files)
    try:
        return Held(files, *recorded(files[MANIFEST]))
    except ValueError as problem:
        raise fail("unreadable", NOWHERE, f"{folder}/{MANIFEST}: {problem}") from None


def _options(args: argparse.Namespace, root: Path, held: Held) -> Options:
    """What is asked for; with --update what was asked for, where nothing else is said."""
    if args.update and held.options is None:
        raise fail("unknown-name", NOWHERE, f"{args.folder} holds no kit to update")
    base = held.options if args.update else None
    if base is None and not args.algorithms:
        known = ",".join(algorithms(root))
        raise fail(
            "unknown-name", NOWHERE, "which algorithms? Name them with --algorithms", help=known
        )
    base = base or Options("plain", (), ("cortex-m4",), "inline")
    given = {
        "kit": args.kit,
        "algorithms": _words(args.algorithms),
        "cores": _words(args.cores),
        "form": args.form,
    }
    return replace(base, **{key: value for key, value in given.items() if value})


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",")) if text else ()


def _edits(held: Held, made: Files) -> list[tuple[str, str]]:
    """Local changes, and files of somebody else where the kit has one."""
    foreign = [
        (path, "is not the kit's")
        for path in sorted(held.files)
        if path in made
        and path not in held.digests
        and path != MANIFEST
        and held.files[path] != made[path]
    ]
    return [*held.edits, *foreign]


def _refuse(folder: Path, edits: list[tuple[str, str]]) -> int:
    for path, what in edits:
        say(f"{folder.as_posix()}/{path} {what}")
    say("nothing is written, since these would be lost")
    say(
        f"   help: {command('vendor --update -o ' + folder.as_posix())}   (keeps them, renews the rest)"
    )
    return 1


def _summary(held: Held, made: Files) -> dict[str, bytes]:
    """What an update changed, as `gen diff` says it; nothing where nothing did."""
    before = {path: held.files.get(path, b"") for path in held.digests}
    if all(before.get(path) == text for path, text in made.items() if path != MANIFEST):
        return {}
    sides = [
        Side(f"{name}", {_short(path): text for path, text in files.items()})
        for name, files in ((held.version or "before", before), (version(), made))
    ]
    report = compared(*sides)
    return {SUMMARY: markdown.text(report, {}).encode()}


def _short(path: str) -> str:
    """core/file of a routine's path; a path of one's own for everything else."""
    parts = path.split("/")
    if len(parts) > 2 and parts[-2].startswith(("cortex", "portable")):
        return "/".join(parts[-2:])
    return f"include/{path}"


def _said(
    args: argparse.Namespace, options: Options, count: int, changed: bool, kept: list[str]
) -> None:
    folder = args.folder.as_posix()
    if args.json:
        data = {"folder": folder, "changed": changed, "files": count, "kept": kept}
        print(json.dumps({**data, "options": options.as_json()}, indent=1))
        return
    state = "written" if changed else "already as they should be"
    print(f"{count} files of kit {options.kit} in {folder}/ {state}")
    for path in kept:
        print(f"kept as edited: {folder}/{path}")


def _verify(folder: Path, root: Path, as_json: bool) -> int:
    held = _held(folder)
    if held.options is None:
        raise fail("unknown-name", NOWHERE, f"{folder} holds no kit")
    made = make(held.options, root)
    wrong = [
        (path, "is gone" if path not in held.files else "differs")
        for path in sorted(made)
        if held.files.get(path) != made[path]
    ]
    wrong += [(path, "is not made any more") for path in held.digests if path not in made]
    same = held.version == version()
    if as_json:
        rows = [{"path": path, "what": what} for path, what in wrong]
        print(json.dumps({"version": held.version, "current": same, "differences": rows}, indent=1))
        return 1 if wrong else 0
    for path, what in wrong:
        say(f"{folder.as_posix()}/{path} {what}")
    if not same:
        say(f"made by armscribe {held.version}; this is {version()}")
    if not wrong:
        print(f"{folder.as_posix()}/ is what armscribe {version()} gives ({len(made)} files)")
    return 1 if wrong else 0
