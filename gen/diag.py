# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is said to a user about a mistake: one type, one rendering, one list of codes.

A user's mistake is a `Diagnostic` in a `Bag`; `Failed` carries a bag out of the pipeline. A Python exception of any
other kind is a fault of the tool (exit code 2).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gen.codes import CODES
from gen.read.source import Span

MOST = 10


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of the expansion that led to a place: "in ct_pair, from line 65, for i = 1"."""

    what: str
    span: Span


Trail = tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: code, place, sentence, how it was reached, facts, and a help that can be typed in."""

    code: str
    span: Span
    message: str
    trail: Trail = ()
    details: tuple[str, ...] = ()
    help: str = ""

    def __post_init__(self) -> None:
        assert self.code in CODES, f"unlisted code {self.code}"


class Failed(Exception):
    """Raised when a bag with errors is closed; the driver prints it and exits with 1."""

    def __init__(self, bag: Bag) -> None:
        super().__init__(f"{len(bag.items)} errors")
        self.bag = bag


@dataclass
class Bag:
    """Errors collected so far; full at ten."""

    items: list[Diagnostic] = field(default_factory=list)
    dropped: int = 0

    def add(self, item: Diagnostic) -> None:
        """Keeps the first ten different messages and counts the rest."""
        if any(i.code == item.code and i.span == item.span for i in self.items):
            return
        if len(self.items) < MOST:
            self.items.append(item)
        else:
            self.dropped += 1

    def error(self, code: str, span: Span, message: str, *, trail: Trail = (),
              details: tuple[str, ...] = (), help: str = "") -> None:
        self.add(Diagnostic(code, span, message, trail, details, help))

    def close(self) -> None:
        """Raises `Failed` when anything was collected."""
        if self.items:
            raise Failed(self)


def fail(code: str, span: Span, message: str, *, trail: Trail = (),
         details: tuple[str, ...] = (), help: str = "") -> Failed:
    """A `Failed` with a single error, to be raised where going on makes no sense."""
    bag = Bag()
    bag.error(code, span, message, trail=trail, details=details, help=help)
    return Failed(bag)


def render(item: Diagnostic) -> str:
    """The message as printed: place, source line, caret, details, trail, help."""
    source = item.span.source
    line, column = source.line_column(item.span.start)
    text = source.line(line)
    width = max(1, min(item.span.end, item.span.start + len(text) - column + 1) - item.span.start)
    margin = f"{line:5d} | "
    rows = [
        f"{source.path}:{line}:{column}: error[{item.code}]: {item.message}",
        margin + text,
        " " * (len(margin) - 2) + "| " + " " * (column - 1) + "^" * width,
    ]
    rows += [f"   {detail}" for detail in item.details]
    rows += [f"   in {frame.what}, from {frame.span.source.path}:{frame.span.line}" for frame in reversed(item.trail)]
    if item.help:
        rows.append(f"   help: {item.help}")
    return "\n".join(rows)


def render_all(bag: Bag) -> str:
    """All messages of a bag, and how many more there were."""
    rows = [render(item) for item in bag.items]
    if bag.dropped:
        rows.append(f"too many errors: {bag.dropped} more not shown")
    return "\n\n".join(rows)
