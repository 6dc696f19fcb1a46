# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Replaces a folder as a whole, so that whoever is killed, or looks, finds it complete: old or new.

The new tree is written beside the old one and the two change places. Linux and macOS exchange two folders in one step;
elsewhere there are two renames, and what an interruption between them leaves is put right by the next command.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from gen.manifest import read_tree


def replace_tree(folder: Path, tree: Mapping[str, bytes]) -> bool:
    """Makes `folder` hold exactly `tree` (path -> bytes); False when it does. Unchanged files keep their times."""
    recover(folder)

    old = read_tree(folder)
    if old == dict(tree):
        return False
    fresh = _beside(folder, "new")
    for path, content in sorted(tree.items()):
        target = fresh / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if old.get(path) == content:
            shutil.copy2(folder / path, target)
        else:
            target.write_bytes(content)
    _swap(fresh, folder)
    return True


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
        part.write_bytes(content)
        part.replace(target)


def _beside(folder: Path, what: str) -> Path:
    return folder.with_name(f"{folder.name}.{what}.tmp")


def _remove(folder: Path) -> None:
    if folder.exists():
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
