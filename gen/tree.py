# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Replaces a folder as a whole, so that whoever is killed, or looks, finds it complete: old or new.

The new tree is written beside the old one and the two change places. Linux and macOS exchange two folders in one step;
elsewhere there are two renames, and what an interruption between them leaves is put right by the next command that
writes. Writers of one folder wait for each other by a lock of the system, which ends with its process.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from gen.manifest import read_tree


def replace_tree(folder: Path, tree: Mapping[str, bytes]) -> bool:
    """Makes `folder` hold exactly `tree` (path -> bytes); False when it does. Unchanged files keep their times.

    Errors: `OSError`; the folder is then as it was."""
    with _alone(folder):
        _plain(folder)
        recover(folder)
        old = read_tree(folder)
        if old == dict(tree):
            return False
        fresh = _beside(folder, "new")
        try:
            _fill(fresh, folder, old, tree)
        except OSError:
            _remove(fresh)
            raise
        _swap(fresh, folder)
    return True


def _fill(fresh: Path, folder: Path, old: Mapping[str, bytes], tree: Mapping[str, bytes]) -> None:
    for path, content in sorted(tree.items()):
        target = fresh / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if old.get(path) == content:
            shutil.copy2(folder / path, target)
        else:
            target.write_bytes(content)


def _plain(folder: Path) -> None:
    """Only a real folder, or nothing, can be exchanged as a whole."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotADirectoryError(errno.ENOTDIR, "is no plain folder; move it away", str(folder))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keeps other writers of the folder out."""
    name = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    with (Path(tempfile.gettempdir()) / f"armscribe-{name}.lock").open("a+b") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def recover(folder: Path) -> None:
    """Puts back what an interrupted exchange moved away, and clears what it left."""
    away = _beside(folder, "old")
    if away.exists() and not folder.exists():
        away.rename(folder)
    _remove(away)
    _remove(_beside(folder, "new"))


def add_files(folder: Path, tree: Mapping[str, bytes]) -> None:
    """Writes files into a folder that may hold others; each appears whole."""
    for path, content in sorted(tree.items()):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".tmp")
        try:
            part.write_bytes(content)
            part.replace(target)
        except OSError:
            part.unlink(missing_ok=True)
            raise


def _beside(folder: Path, what: str) -> Path:
    return folder.with_name(f"{folder.name}.{what}.tmp")


def _remove(folder: Path) -> None:
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)


def _swap(fresh: Path, folder: Path) -> None:
    if folder.exists() and _exchange(fresh, folder):
        _remove(fresh)
        return
    away = _beside(folder, "old")
    if folder.exists():
        folder.rename(away)
    fresh.rename(folder)
    _remove(away)


def _exchange(one: Path, other: Path) -> bool:
    """Exchanges two folders in one step; False where the system or the file system cannot."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            here = -100  # AT_FDCWD: paths are relative to the working directory
            return bool(libc.renameat2(here, os.fsencode(one), here, os.fsencode(other), 2) == 0)
        if sys.platform == "darwin":
            return bool(libc.renamex_np(os.fsencode(one), os.fsencode(other), 2) == 0)
    except (OSError, AttributeError, TypeError):
        pass
    return False
