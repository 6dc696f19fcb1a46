# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Which generated file comes from what, and how a tree differs from what it should be."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

NAME = "MANIFEST"
DIFF_LINES = 40  # shown of one file
HEAD = "# path source core form sha256"


@dataclass(frozen=True, slots=True)
class Output:
    """A file of the tree. `path` has forward slashes; `core` is "-" where a file serves all."""

    path: str
    text: str
    source: str
    core: str
    form: str

    @property
    def digest(self) -> str:
        return digest(self.text.encode())


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the manifest says of a file."""

    source: str
    core: str
    form: str
    digest: str

    @classmethod
    def of(cls, output: Output) -> Recorded:
        return cls(output.source, output.core, output.form, output.digest)


def manifest(files: Mapping[str, Recorded]) -> str:
    """Text of the manifest: one file a line, sorted by path."""
    rows = [f"{path} {r.source} {r.core} {r.form} {r.digest}" for path, r in sorted(files.items())]
    return "\n".join([HEAD, *rows]) + "\n"


def entries(text: str) -> dict[str, Recorded]:
    """Files of a manifest's text by path; lines that are none are left out."""
    found = {}
    for line in text.splitlines():
        parts = line.split(" ")
        if len(parts) == 5 and not line.startswith("#"):
            found[parts[0]] = Recorded(*parts[1:])
    return found


def contents(outputs: Iterable[Output]) -> dict[str, bytes]:
    """The whole tree: path -> bytes, the manifest included."""
    outputs = list(outputs)
    tree = {output.path: output.text.encode() for output in outputs}
    files = {output.path: Recorded.of(output) for output in outputs}
    return {**tree, NAME: manifest(files).encode()}


def read_tree(folder: Path) -> dict[str, bytes]:
    """Path -> bytes of every file below a folder; {} when it does not exist."""
    if not folder.is_dir():
        return {}
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


# --- comparison ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not as it should be."""

    kind: str  # missing orphaned edited stale line-ends
    path: str
    diff: str = ""


def compare(wanted: Mapping[str, bytes], found: Mapping[str, bytes]) -> tuple[Difference, ...]:
    """Differences of the tree `found` from `wanted`, by path."""
    recorded = entries(found.get(NAME, b"").decode("utf-8", "replace"))
    return tuple(
        difference
        for path in sorted({*wanted, *found})
        if (difference := _one(path, wanted.get(path), found.get(path), recorded)) is not None
    )


def _one(
    path: str,
    wanted: bytes | None,
    found: bytes | None,
    recorded: Mapping[str, Recorded],
) -> Difference | None:
    if wanted == found:
        return None
    if wanted is None:
        return Difference("orphaned", path)
    if found is None:
        return Difference("missing", path)
    if found.replace(b"\r\n", b"\n") == wanted:
        return Difference("line-ends", path)
    written = recorded.get(path)
    edited = written is not None and written.digest != digest(found.replace(b"\r\n", b"\n"))
    return Difference("edited" if edited else "stale", path, _diff(path, found, wanted))


def _diff(path: str, found: bytes, wanted: bytes) -> str:
    before, after = (text.decode("utf-8", "replace").splitlines() for text in (found, wanted))
    rows = list(
        difflib.unified_diff(before, after, f"{path} (now)", f"{path} (new)", lineterm="", n=2)
    )
    more = [f"... {len(rows) - DIFF_LINES} more lines"] if len(rows) > DIFF_LINES else []
    return "\n".join(rows[:DIFF_LINES] + more)


SAYS = {
    "missing": "is not there",
    "orphaned": "comes from no source",
    "edited": "was edited by hand",
    "stale": "is older than its source",
    "line-ends": "has CRLF line ends (the repository's .gitattributes asks for LF: git add --renormalize)",
}


def report(differences: Iterable[Difference], folder: str) -> Iterator[str]:
    """Lines for people."""
    for one in differences:
        yield f"{one.kind}: {folder}/{one.path} {SAYS[one.kind]}"
        if one.diff:
            yield one.diff
