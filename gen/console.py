# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is shown on a terminal and nowhere else: progress, and colour."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TextIO

_RED, _GREEN, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[0m"


def on_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(text: str, stream: TextIO) -> str:
    """`text` with what messages begin with in colour, on a terminal that has not said NO_COLOR."""
    if not on_terminal(stream) or "NO_COLOR" in os.environ:
        return text
    text = re.sub(
        r"(error\[[\w-]+\]:|^(?:missing|orphaned|edited|stale):)",
        rf"{_RED}\1{_PLAIN}",
        text,
        flags=re.M,
    )
    return re.sub(r"^( *help:)", rf"{_GREEN}\1{_PLAIN}", text, flags=re.M)


def command(verb: str) -> str:
    """A verb of this program as a user types it, the way it was started."""
    installed = Path(sys.argv[0]).stem == "armscribe"
    return f"{'armscribe' if installed else 'python3 -m gen'} {verb}"


def say(text: str) -> None:
    """An error or a remark, on standard error."""
    print(coloured(text, sys.stderr), file=sys.stderr)


class Progress:
    """One line on a terminal, written over; nothing elsewhere."""

    def __init__(self) -> None:
        self.shown = on_terminal(sys.stderr)

    def __call__(self, number: int, total: int, what: str) -> None:
        if self.shown:
            end = "\n" if number == total else ""
            print(f"\r\x1b[K[{number}/{total}] {what}", end=end, file=sys.stderr, flush=True)
