# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The vectors of RFC 7748 and RFC 8032, and Wycheproof's of the same algorithms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def load(name: str) -> dict[str, Any]:
    """A file by its path in this folder."""
    content: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return content


def rfc7748() -> dict[str, Any]:
    return load("rfc/rfc7748_x25519.json")


def rfc8032() -> list[dict[str, str]]:
    tests: list[dict[str, str]] = load("rfc/rfc8032_ed25519.json")["tests"]
    return tests


def wycheproof(name: str) -> list[dict[str, Any]]:
    """All test groups."""
    groups: list[dict[str, Any]] = load(f"wycheproof/{name}_test.json")["testGroups"]
    return groups
