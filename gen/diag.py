# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What is said to a user about a mistake: one type, one rendering, one list of codes.

A user's mistake is a `Diagnostic` in a `Bag`; `Failed` carries a bag out of the pipeline. A Python
exception of any other kind is a fault of the tool (exit code 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from os.path import commonprefix

from gen.codes import CODES
from gen.read.source import NOWHERE, Span

MOST = 10  # messages shown
STEPS = 8  # lines of a trail shown
LONGEST_NAME = 80  # characters of a mistyped name looked at
SHOWN = 160  # characters of a source line shown


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of the expansion that led to a place: "in ct_pair, from ntt.rasm:65, for i = 1".

    `what` is the macro or function entered, "" for a bare `for`; `loops` the loop variables at
    `span`.
    """

    what: str
    span: Span
    loops: str = ""


Trail = tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: code, place, sentence, how it was reached, facts, and a help that can be typed
    in."""

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

    def __reduce__(self) -> tuple[type[Failed], tuple[Bag]]:
        """So that it comes out of another process whole."""
        return Failed, (self.bag,)


@dataclass
class Bag:
    """Errors collected so far; full at ten."""

    items: list[Diagnostic] = field(default_factory=list)
    dropped: int = 0
    seen: set[tuple[str, Span]] = field(default_factory=set)
    remark: str = ""  # said below the messages

    def add(self, item: Diagnostic) -> None:
        """Keeps the first ten different messages and counts the rest."""
        key = item.code, item.span
        if key in self.seen:
            return
        self.seen.add(key)
        if len(self.items) < MOST:
            self.items.append(item)
        else:
            self.dropped += 1

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        trail: Trail = (),
        details: tuple[str, ...] = (),
        help: str = "",
    ) -> None:
        self.add(Diagnostic(code, span, message, trail, details, help))

    def take(self, failed: Failed, trail: Trail = ()) -> None:
        """Adds the errors of `failed`; `trail` is how the place was reached that raised them."""
        for item in failed.bag.items:
            self.add(replace(item, trail=trail + item.trail) if trail else item)
        self.dropped += failed.bag.dropped

    def close(self) -> None:
        """Raises `Failed` when anything was collected."""
        if self.items:
            raise Failed(self)


def fail(
    code: str,
    span: Span,
    message: str,
    *,
    trail: Trail = (),
    details: tuple[str, ...] = (),
    help: str = "",
) -> Failed:
    """A `Failed` with a single error, to be raised where going on makes no sense."""
    bag = Bag()
    bag.error(code, span, message, trail=trail, details=details, help=help)
    return Failed(bag)


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name with the fewest letters changed, or "" if that would be more than a third of them."""
    name = name[:LONGEST_NAME]
    allowed = max(1, len(name) // 3)
    ranked = sorted(
        (distance(name, other), -len(commonprefix((name, other))), other)
        for other in set(known)
        if abs(len(name) - len(other)) <= allowed
    )
    return ranked[0][2] if ranked and ranked[0][0] <= min(allowed, len(name) - 1) else ""


def distance(one: str, other: str) -> int:
    """Letters to insert, remove, replace, or exchange with their neighbours to get from one name to the other."""
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, x in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == other[j - 2] and one[i - 2] == y:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return row[-1]


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " if char == "\t" else "?" for char in text)


def _place(item: Diagnostic) -> list[str]:
    """Place and message, the source line, the caret."""
    source = item.span.source
    line, column = source.line_column(item.span.start)
    text = source.line(line)
    first = max(0, column - SHOWN + 40)
    shown = _printable(text[first : first + SHOWN])
    at = column - 1 - first
    width = max(1, min(item.span.end - item.span.start, len(shown) - at))
    margin = f"{line:5d} | "
    return [
        f"{source.path}:{line}:{column}: error[{item.code}]: {item.message}",
        (margin + shown).rstrip(),
        " " * (len(margin) - 2) + "| " + " " * at + "^" * width,
    ]


def render(item: Diagnostic) -> str:
    """The message as printed: place, source line, caret, details, trail, help."""
    rows = _place(item) if item.span != NOWHERE else [f"error[{item.code}]: {item.message}"]
    rows += [f"   {detail}" for detail in item.details]
    steps = [_step(frame) for frame in reversed(item.trail)]
    if len(steps) > STEPS:
        between = len(steps) - STEPS + 1
        steps[STEPS // 2 : STEPS // 2 + between] = [f"   ... {between} more"]
    rows += steps
    if item.help:
        rows.append(f"   help: {item.help}")
    return "\n".join(rows)


def _step(frame: Frame) -> str:
    place = f"{frame.span.source.path}:{frame.span.line}"
    if not frame.what:
        return f"   for {frame.loops}, from {place}"
    return f"   in {frame.what}, from {place}" + (f", for {frame.loops}" if frame.loops else "")


def render_all(bag: Bag) -> str:
    """All messages of a bag, and how many more there were."""
    rows = [render(item) for item in bag.items]
    if bag.dropped:
        rows.append(f"too many errors: {bag.dropped} more not shown")
    if bag.remark:
        rows.append(bag.remark)
    return "\n\n".join(rows)
