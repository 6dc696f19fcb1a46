# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is proved already, by the hash of everything it rests on; kept below build/prove."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

GEN = Path(__file__).resolve().parent.parent
PARTS = ("cores", "ir", "isa", "passes", "prove", "read")  # of the generator, what a proof runs


@cache
def generator_hash() -> str:
    """Hash of the generator's own text, as far as proofs go through it."""
    paths = [path for part in PARTS for path in (GEN / part).rglob("*.py")]
    paths += [*(GEN / "cores").glob("*.toml"), GEN / "diag.py"]
    return digest(path.relative_to(GEN).as_posix() + "\n" + text_of(path) for path in sorted(paths))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def digest(texts: Iterable[str]) -> str:
    """One hash of several texts."""
    whole = hashlib.sha256()
    for text in texts:
        data = text.encode()
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()[:40]


class Cache:
    """Results of proofs that held. A broken or foreign file counts as none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        try:
            found = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, key: str, result: dict[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{key}.json"
        fresh = path.with_suffix(f".{os.getpid()}.tmp")
        fresh.write_text(json.dumps(result, sort_keys=True), encoding="utf-8", newline="\n")
        fresh.replace(path)
