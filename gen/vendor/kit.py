# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A kit: how files are laid out for a kind of project. Each is a TOML file of kits/; README.md explains its keys."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gen.diag import fail, nearest
from gen.emit.render import render_text
from gen.read.source import NOWHERE
from gen.vendor import sbom
from gen.vendor.choose import GENERATED, HEADERS, LIBRARY, PUBLIC, Chosen

FOLDER = Path(__file__).resolve().parent / "kits"
MANIFEST = "armscribe.json"
SBOM = "armscribe.cdx.json"
VERSION_HEADER = "armscribe_version.h"
LICENCE_FILES = ("LICENSE", "LICENSES/Apache-2.0.txt", "LICENSES/ISC.txt", "LICENSES/MIT.txt")
COPYRIGHT = "Copyright (c) the armscribe contributors"
LICENCE = "SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT"


@dataclass(frozen=True)
class Kit:
    """What a kit's file says."""

    name: str
    title: str
    proved: str
    portable: bool  # C for cores that are not named goes with it
    layout: Mapping[str, str]  # public headers library routines -> folder
    files: tuple[Mapping[str, str], ...]  # path and text, both templates
    amalgamate: bool = False


def all_kits() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load_kit(name: str) -> Kit:
    """The kit of this name. Errors: `Failed` (unknown-name)."""
    known = all_kits()
    if name not in known:
        close = nearest(name, known)
        known_words = f"known: {' '.join(known)}"
        raise fail("unknown-name", NOWHERE, f"no kit is called {name}", help=close or known_words)
    data: dict[str, Any] = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    files = tuple(data.pop("file", ()))
    return Kit(name, files=files, **data)


@dataclass(frozen=True)
class Options:
    """What a kit was asked for; kept in its manifest, so that it can be made again."""

    kit: str
    algorithms: tuple[str, ...]
    cores: tuple[str, ...]
    form: str

    def as_json(self) -> dict[str, Any]:
        return {
            "kit": self.kit,
            "algorithms": list(self.algorithms),
            "cores": list(self.cores),
            "form": self.form,
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Options:
        """Errors: `KeyError`, `TypeError`."""
        return cls(
            str(data["kit"]), tuple(data["algorithms"]), tuple(data["cores"]), str(data["form"])
        )


def tree(kit: Kit, options: Options, chosen: Chosen, root: Path, version: str) -> dict[str, bytes]:
    """The whole kit, path -> bytes. Errors: `OSError`, `Failed` (missing library for the bill of materials)."""
    found = {_place(kit, path): _marked(path, text) for path, text in chosen.files.items()}
    found[f"{kit.layout['headers']}/{VERSION_HEADER}"] = _version_header(version, options)
    for name in LICENCE_FILES:
        found[name] = (root / name).read_text(encoding="utf-8")
    view = _view(kit, options, found, version)
    for file in kit.files:
        found[render_text(file["path"], **view).strip()] = render_text(file["text"], **view).lstrip(
            "\n"
        )
    texts = {path: text.encode() for path, text in sorted(found.items())}
    texts[SBOM] = sbom.text(options, version, texts).encode()
    texts[MANIFEST] = _manifest(options, version, texts)
    return texts


def _place(kit: Kit, path: str) -> str:
    """Where a file of the repository goes."""
    for prefix, key in ((PUBLIC, "public"), (HEADERS, "headers"), (f"{LIBRARY}/", "library")):
        if path.startswith(prefix):
            return f"{kit.layout[key]}/{path.removeprefix(prefix)}"
    return f"{kit.layout['routines']}/{path.removeprefix(f'{GENERATED}/')}"


def _marked(path: str, text: str) -> str:
    """The file with where it comes from and whose it is; its licence line stays where it was."""
    first, rest = text.split("\n", 1)
    return f"{first}\n/* armscribe {path}. {COPYRIGHT} */\n{rest}"


def _version_header(version: str, options: Options) -> str:
    major, minor, patch = (version.split(".") + ["0", "0"])[:3]
    return f"""/* {LICENCE} */
/* {COPYRIGHT} */
#ifndef ARMSCRIBE_VERSION_H
#define ARMSCRIBE_VERSION_H

#define ARMSCRIBE_VERSION       "{version}"
#define ARMSCRIBE_VERSION_MAJOR {major}
#define ARMSCRIBE_VERSION_MINOR {minor}
#define ARMSCRIBE_VERSION_PATCH {patch}
#define ARMSCRIBE_KIT           "{options.kit}"
#define ARMSCRIBE_KIT_HOLDS     "{" ".join(options.algorithms)}"

#endif
"""


def _view(kit: Kit, options: Options, found: Mapping[str, str], version: str) -> dict[str, object]:
    """What a kit's templates may use."""
    public = f"{kit.layout['public']}/"
    return {
        "version": version,
        "kit": kit.name,
        "title": kit.title,
        "proved": kit.proved,
        "algorithms": options.algorithms,
        "cores": options.cores,
        "form": options.form,
        "layout": kit.layout,
        "sources": sorted(path for path in found if path.endswith((".c", ".S"))),
        "headers": sorted(path for path in found if path.endswith(".h")),
        "public": sorted(path for path in found if path.startswith(public) and path.endswith(".h")),
        "files": sorted(found),
        "sbom": SBOM,
        "licence": LICENCE.removeprefix("SPDX-License-Identifier: "),
        "copyright": COPYRIGHT,
    }


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest(options: Options, version: str, texts: Mapping[str, bytes]) -> bytes:
    files = {path: digest(content) for path, content in sorted(texts.items())}
    data = {"armscribe": version, "options": options.as_json(), "sha256": files}
    return (json.dumps(data, indent=1) + "\n").encode()


def recorded(content: bytes) -> tuple[str, Options, dict[str, str]]:
    """Version, options and digests of a manifest. Errors: `ValueError`."""
    try:
        data = json.loads(content)
        return str(data["armscribe"]), Options.of(data["options"]), dict(data["sha256"])
    except (KeyError, TypeError, AttributeError) as problem:
        raise ValueError(f"{MANIFEST} lacks {problem}") from None
