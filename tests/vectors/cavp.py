# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Reads NIST's text files of this folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent / "cavp"
_CASE = re.compile(r"Len = (\d+)\s+Msg = ([0-9a-f]+)\s+MD = ([0-9a-f]+)")


def short_messages(digest_bytes: int) -> Iterator[tuple[bytes, bytes]]:
    """Messages and digests of SHA-256 or SHA-512. With `Len = 0` the `Msg` stands for no byte."""
    text = (FOLDER / f"SHA{8 * digest_bytes}ShortMsg.rsp").read_text(encoding="ascii")
    for bits, message, digest in _CASE.findall(text):
        yield bytes.fromhex(message)[: int(bits) // 8], bytes.fromhex(digest)
