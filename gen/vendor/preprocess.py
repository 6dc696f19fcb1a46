# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What of a C file a choice of macros leaves: enough of the preprocessor to tell which files hold anything.

Conditions have three values. Macros of the library are defined or not; what a compiler says of itself is unknown, and
both ways are then taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

Value = int | None  # None: unknown
ABSENT = "#absent"  # of a macro that is certainly not defined
PERHAPS = "#perhaps"  # of one that may be, with whatever value
_TOKEN = re.compile(r"defined|[A-Za-z_]\w*|\d+[uUlL]*|'.'|\|\||&&|[<>=!]=|[-+*()<>!]")
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^\s*#\s*(\w+)\s*(.*?)\s*$")
_GUARD = re.compile(r"^#ifndef \w+_H$", re.M)
_PLACEHOLDER = re.compile(r"extern int \w+;")  # in a file that holds nothing
_INCLUDE = re.compile(r'"([^"]+)"')

Find = Callable[[str, str], str | None]  # (file, name it includes) -> path


@dataclass
class Left:
    """What is left of the files that were read: lines by file, defines included, in the order of reading."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    macros: dict[str, str] = field(default_factory=dict)

    def holds(self, path: str, files: Mapping[str, str]) -> bool:
        """Whether code is left of a file or of what it is made of: included files without a guard."""
        made = [path, *(name for name in self.lines if not _GUARD.search(files[name]))]
        rows = [row.strip() for name in made for row in self.lines[name]]
        return any(row and row[0] != "#" and not _PLACEHOLDER.fullmatch(row) for row in rows)


def preprocess(path: str, files: Mapping[str, str], find: Find, macros: Mapping[str, str]) -> Left:
    """Reads a file and what it includes. Errors: `ValueError`, a condition that cannot be read."""
    left = Left(macros=dict(macros))
    _read(path, files, find, left)
    return left


def _rows(text: str) -> Iterator[str]:
    """Lines without comments, joined where they go on."""
    plain = _COMMENT.sub(" ", text)
    yield from plain.replace("\\\n", " ").split("\n")


def _read(path: str, files: Mapping[str, str], find: Find, left: Left) -> None:
    mine = left.lines.setdefault(path, [])
    taken: list[
        list[Value]
    ] = []  # for each open #if: this branch, and whether one was certainly taken
    for row in _rows(files[path]):
        found = _DIRECTIVE.match(row)
        active = all(state[0] != 0 for state in taken)
        if found is None:
            if active:
                mine.append(row)
            continue
        word, rest = found[1], found[2]
        if word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            _condition(word, rest, taken, left.macros, active)
        elif active:
            sure = all(state[0] is not None for state in taken)
            _act(word, rest, row, path, files, find, left, sure)


def _condition(
    word: str, rest: str, taken: list[list[Value]], macros: Mapping[str, str], active: bool
) -> None:
    if word == "endif":
        taken.pop()
    elif word == "else":
        taken[-1][0] = 0 if taken[-1][1] == 1 else 1
    elif word == "elif":
        value = 0 if taken[-1][1] == 1 else evaluate(rest, macros)
        taken[-1] = [value, 1 if value not in (0, None) else taken[-1][1]]
    else:
        text = {"ifdef": f"defined({rest})", "ifndef": f"!defined({rest})"}.get(word, rest)
        value = evaluate(text, macros) if active else 0
        taken.append([value, 1 if value not in (0, None) else 0])


def _act(
    word: str,
    rest: str,
    row: str,
    path: str,
    files: Mapping[str, str],
    find: Find,
    left: Left,
    sure: bool,
) -> None:
    if word == "include":
        quoted = _INCLUDE.match(rest)
        target = find(path, quoted[1]) if quoted else None
        if target is not None:
            _read(target, files, find, left)
    elif word == "define":
        name, _, value = rest.partition(" ")
        left.macros[name.split("(")[0]] = value.strip() if sure else PERHAPS
        left.lines[path].append(row)
    elif word == "undef":
        left.macros.pop(rest, None) if sure else left.macros.update({rest: PERHAPS})


# --- conditions -------------------------------------------------------------------------------------------


def evaluate(text: str, macros: Mapping[str, str]) -> Value:
    """The value of a condition. Errors: `ValueError`."""
    reader = _Reader(_TOKEN.findall(text), macros)
    value = reader.alternatives()
    if reader.at != len(reader.tokens):
        raise ValueError(f"the condition {text} cannot be read")
    return value


class _Reader:
    def __init__(self, tokens: list[str], macros: Mapping[str, str]) -> None:
        self.tokens, self.macros, self.at = tokens, macros, 0

    def _next(self, *wanted: str) -> str:
        """The next token if it is one of these."""
        if self.at < len(self.tokens) and self.tokens[self.at] in wanted:
            self.at += 1
            return self.tokens[self.at - 1]
        return ""

    def alternatives(self) -> Value:
        value = self._all()
        while self._next("||"):
            other = self._all()
            value = 1 if value or other else None if None in (value, other) else 0
        return value

    def _all(self) -> Value:
        value = self._compared()
        while self._next("&&"):
            other = self._compared()
            value = 0 if 0 in (value, other) else None if None in (value, other) else 1
        return value

    def _compared(self) -> Value:
        value = self._sum()
        while sign := self._next("<", ">", "<=", ">=", "==", "!="):
            other = self._sum()
            value = None if value is None or other is None else int(_COMPARE[sign](value, other))
        return value

    def _sum(self) -> Value:
        value = self._one()
        while sign := self._next("+", "-", "*"):
            other = self._one()
            value = None if value is None or other is None else _SUM[sign](value, other)
        return value

    def _one(self) -> Value:
        if self._next("!"):
            value = self._one()
            return None if value is None else int(not value)
        if self._next("("):
            value = self.alternatives()
            self._closed()
            return value
        if self._next("defined"):
            bracket = self._next("(")
            name = self._word()
            if bracket:
                self._closed()
            return self._defined(name)
        return self._value(self._word())

    def _defined(self, name: str) -> Value:
        value = self.macros.get(name)
        if value is None:
            return 0 if _ours(name) else None
        return {ABSENT: 0, PERHAPS: None}.get(value, 1)

    def _closed(self) -> None:
        if not self._next(")"):
            raise ValueError("a bracket is not closed")

    def _word(self) -> str:
        if self.at >= len(self.tokens):
            raise ValueError("a condition ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def _value(self, word: str) -> Value:
        if word[0].isdigit():
            return int(word.rstrip("uUlL"))
        if word[0] == "'":
            return ord(word[1])
        text = self.macros.get(word, ABSENT)
        if text == PERHAPS:
            return None
        if text != ABSENT:
            return evaluate(text, self.macros) if text and text != word else None
        return 0 if _ours(word) else None


def _ours(name: str) -> bool:
    """Macros that no compiler has: without a definition they are not defined."""
    return not name.startswith("_")


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_SUM: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
