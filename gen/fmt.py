# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The layout of sources: what is between words, never the words.

* Lines end in LF, nothing stands behind the last character, one line end closes the file.
* Four blanks for each level; lines that go on move with the line they belong to.
* One empty line at most.
* An instruction's operands begin eight columns after it; so do those of statements that are written like one.
* One blank between words that had any; none before a comma, one behind it. What an author put in columns (`:` and `=`
  of declarations, the words behind a keyword up to the operands' column, numbers of a matrix) stays so.
* A comment is `// ` and text; behind code it begins at a multiple of four, a blank or more behind it.
* `smulbt d, n, m` becomes `smulxy d, n.b, m.t`, its name in the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from gen.diag import Bag
from gen.isa import aliases, forms_named, mnemonics
from gen.read.lex import Line, Token, lex
from gen.read.parse import parse_source
from gen.read.source import Source

LEVEL = 4
OPERANDS = 8  # columns from the start of an instruction to its operands
REG = 6  # and of a declaration that begins with reg
MOVES = ("spill", "fill")  # statements that are written like instructions
ALIGNED = (":", "=")  # may stand in columns in these:
DECLARATIONS = ("param", "reg", "local", "const", "table", "stack", "result")


def formatted(path: str, text: str) -> str:
    """The text in the layout above. Errors: `Failed`, what the parser says of it; layout is no reason to guess."""
    source = Source(path, text.replace("\r\n", "\n"))
    parse_source(source)
    bag = Bag()
    lines = lex(source, bag)
    bag.close()
    return _Layout(source, lines).text()


@dataclass(frozen=True)
class _Row:
    """A line of the file: the words on it, of which logical line they are, where its comment begins (or -1)."""

    start: int
    text: str
    words: list[Token]
    line: Line | None
    first: bool = False  # of its logical line
    comment: int = -1


class _Layout:
    def __init__(self, source: Source, lines: list[Line]) -> None:
        self.source = source
        self.depths: dict[int, int] = {}  # id of a logical line -> depth
        self.levels = [0]
        self.rows = list(_rows(source, lines))
        self._measure(lines)

    def _measure(self, lines: list[Line]) -> None:
        """How deep each logical line stands; a comment stands as the code below it, where that is as deep as it."""
        waiting: list[Line] = []
        for line in lines:
            if not line.tokens:
                waiting.append(line)
                continue
            old = list(self.levels)
            if line.indent > self.levels[-1]:
                self.levels.append(line.indent)
            while line.indent < self.levels[-1]:
                self.levels.pop()
            self.depths[id(line)] = len(self.levels) - 1
            for comment in waiting:
                known = self.levels if comment.indent == line.indent else old
                self.depths[id(comment)] = _depth(known, comment.indent)
            waiting.clear()
        for comment in waiting:
            self.depths[id(comment)] = _depth(self.levels, comment.indent)

    def text(self) -> str:
        found: list[str] = []
        for row in self.rows:
            made = self._row(row)
            if made or (found and found[-1]):
                found.append(made)
        while found and not found[-1]:
            found.pop()
        return "\n".join(found) + "\n" if found else ""

    def _row(self, row: _Row) -> str:
        if row.line is None:
            return _comment(row.text[row.comment :]) if row.comment >= 0 else ""
        depth = self.depths[id(row.line)] * LEVEL
        indent = len(row.text) - len(row.text.lstrip(" "))
        start = depth if row.first else max(0, indent + depth - row.line.indent)
        code = " " * start + _words(row, self.source) if row.words else ""
        if row.comment < 0:
            return code
        remark = _comment(row.text[row.comment :])
        if not code:
            return " " * start + remark
        column = max(row.comment + start - indent, len(code) + 1)
        return f"{code:<{-(-column // LEVEL) * LEVEL}}{remark}"


def _depth(levels: Sequence[int], indent: int) -> int:
    return max(at for at, level in enumerate(levels) if level <= indent)


def _comment(text: str) -> str:
    prose = text.removeprefix("//").rstrip()
    return f"//{prose}" if not prose or prose.startswith(" ") else f"// {prose}"


def _rows(source: Source, lines: list[Line]) -> Iterator[_Row]:
    """Lines of the file with the words on each."""
    words = [(token, line) for line in lines for token in line.tokens]
    comments = {line.start: line for line in lines if not line.tokens}
    at = start = 0
    open_line: Line | None = None
    for text in source.text.split("\n"):
        end = start + len(text)
        mine: list[Token] = []
        first = False
        while at < len(words) and words[at][0].start < end:
            token, owner = words[at]
            first = first or owner is not open_line
            open_line = owner
            mine.append(token)
            at += 1
        behind = mine[-1].end - start if mine else 0
        comment = text.find("//", behind)
        line = open_line if mine else comments.get(start + comment) if comment >= 0 else None
        if not mine and line is None and comment >= 0 and at < len(words):
            line = open_line if words[at][1] is open_line else None  # between lines that go on
        yield _Row(
            start, text, mine, line, first or not mine and id(line) != id(open_line), comment
        )
        start = end + 1


# --- the words of a line -----------------------------------------------------------------------------------


def _words(row: _Row, source: Source) -> str:
    """The code of a line, without indentation."""
    words = row.words
    lead = words[0].text if row.first and words[0].kind == "name" else ""
    if row.first and row.text.startswith(" ") and _is_instruction(words):
        return _instruction(words, source)
    text = words[0].text
    for number, (before, word) in enumerate(zip(words, words[1:], strict=False)):
        gap = word.start - before.end
        text += " " * _gap(lead, number, before, word, gap, len(text)) + word.text
    return text


def _gap(lead: str, number: int, before: Token, word: Token, gap: int, column: int) -> int:
    """Blanks between two words."""
    if word.text == ",":
        return 0
    if number == 0 and lead == "reg":
        return max(1, REG - column)
    if number == 0 and lead not in DECLARATIONS and column + gap == OPERANDS:
        return gap
    if gap > 1 and lead in DECLARATIONS and word.text in ALIGNED:
        return gap
    if before.text in (",", "[") and word.kind == "number" and lead not in DECLARATIONS[:3]:
        return max(gap, int(before.text == ","))  # numbers of a matrix stand in columns
    if before.text == ",":
        return 1
    return min(gap, 1)


@cache
def _instructions() -> frozenset[str]:
    return frozenset((*mnemonics(), *aliases(), *MOVES))


def _is_instruction(words: list[Token]) -> bool:
    """A macro may have the name of an instruction: it has parentheses."""
    return words[0].text in _instructions() and (len(words) < 2 or words[1].text != "(")


def _instruction(words: list[Token], source: Source) -> str:
    head = words[0].text
    halves: tuple[str, ...] = ()
    places: list[int] = []
    if head in aliases():
        head, halves = aliases()[head]
        roles = forms_named(head)[0].roles
        places = [at for at, role in enumerate(roles) if role.kind == "half"]
    operands = [_between(part) for part in _operands(words[1:])]
    for at, half in zip(places, halves, strict=True):
        if at < len(operands) and re.fullmatch(r"\w+(\[.*\])?", operands[at]):
            operands[at] += f".{half}"
    return f"{head:<{OPERANDS - 1}} {', '.join(operands)}".rstrip()


def _operands(words: list[Token]) -> Iterator[list[Token]]:
    """What commas divide outside of brackets."""
    depth = 0
    part: list[Token] = []
    for word in words:
        depth += (word.text in ("[", "(", "{")) - (word.text in ("]", ")", "}"))
        if word.text == "," and not depth:
            yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


def _between(words: list[Token]) -> str:
    text = words[0].text if words else ""
    for before, word in zip(words, words[1:], strict=False):
        text += " " * _gap("", 1, before, word, word.start - before.end, 0) + word.text
    return text
