# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The two sides of a comparison: a folder, a revision of git, or the working tree, as path -> bytes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gen.diag import Failed, fail, nearest
from gen.manifest import NAME, read_tree
from gen.read.source import NOWHERE

FOLDER = "generated"
SOURCES = "asm-src"
TREE = "the working tree"


@dataclass(frozen=True)
class Side:
    """A tree of generated files. `revision`, `root`: where its sources are, if they are anywhere."""

    name: str
    files: Mapping[str, bytes]
    root: Path | None = None  # the folder that holds asm-src/
    revision: str = ""  # of the repository at `root`; "" for the files as they lie there

    @contextmanager
    def sources(self) -> Iterator[Path | None]:
        """A folder with the asm-src/ of this side, while it is needed."""
        if not self.revision or self.root is None:
            yield self.root
            return
        with TemporaryDirectory(prefix="armscribe-") as name:
            folder = Path(name)
            for path, content in _at(self.root, self.revision, SOURCES).items():
                target = folder / SOURCES / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            yield folder if (folder / SOURCES).is_dir() else None


def side(name: str, root: Path) -> Side:
    """The side called `name`; "" is the working tree. Errors: `Failed` (unknown-name), `OSError`."""
    if not name:
        return _checked(Side(TREE, read_tree(root / FOLDER), root), str(root / FOLDER))
    folder = Path(name)
    if folder.is_dir():
        return _checked(_folder(folder), name)
    if folder.exists():
        raise fail("unknown-name", NOWHERE, f"{name} is a file, not a folder or a revision")
    commit = _git(root, "log", "-1", "--format=%H", "--end-of-options", name, "--")
    if not commit:
        raise _unknown(name, root)
    files = _at(root, commit.decode().strip(), FOLDER)
    return _checked(Side(name, files, root, commit.decode().strip()), f"{name}:{FOLDER}")


def _folder(folder: Path) -> Side:
    """A tree, or a folder that holds one as generated/."""
    if not (folder / NAME).exists() and (folder / FOLDER).is_dir():
        folder = folder / FOLDER
    beside = folder.resolve().parent
    return Side(str(folder), read_tree(folder), beside if (beside / SOURCES).is_dir() else None)


def _checked(made: Side, where: str) -> Side:
    if not any(path.endswith((".S", ".c", ".h")) for path in made.files):
        raise fail("unknown-name", NOWHERE, f"{where} holds no generated files")
    return made


def _unknown(name: str, root: Path) -> Failed:
    listed = _git(root, "for-each-ref", "--format=%(refname:short)")
    if listed is None:
        message = f"{name} is no folder, and {root} is no repository of git"
        return fail("unknown-name", NOWHERE, message)
    known = [*listed.decode("utf-8", "replace").split(), "HEAD"]
    close = nearest(name, known)
    message = f"{name} is neither a folder nor a revision"
    return fail("unknown-name", NOWHERE, message, help=close or "git log --oneline")


def _git(root: Path, *words: str, given: bytes = b"") -> bytes | None:
    """What git prints; None when it fails."""
    program = shutil.which("git")
    if program is None:
        raise fail("unknown-name", NOWHERE, "a revision needs git, which is not installed")
    done = subprocess.run([program, *words], cwd=root, input=given, capture_output=True)
    return done.stdout if done.returncode == 0 else None


def _at(root: Path, commit: str, folder: str) -> dict[str, bytes]:
    """Path below `folder` -> bytes, at a commit."""
    prefix = f"{folder}/"
    listed = _git(root, "ls-tree", "-r", "-z", commit, prefix)
    rows = [row.split("\t", 1) for row in (listed or b"").decode("utf-8").split("\0") if row]
    blobs = [
        (head.split()[2], path.removeprefix(prefix)) for head, path in rows if " blob " in head
    ]
    asked = "".join(f"{blob}\n" for blob, _ in blobs).encode()
    stream = _git(root, "cat-file", "--batch", given=asked)
    if stream is None:
        raise fail("unknown-name", NOWHERE, f"git cannot read {commit}:{folder}")
    found, at = {}, 0
    for _, path in blobs:
        end = stream.index(b"\n", at)
        size = int(stream[at:end].split()[2])
        found[path] = stream[end + 1 : end + 1 + size]
        at = end + 2 + size
    return found
