# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Characters -> lines of tokens. A logical line goes on while a bracket is open and the text is
indented further."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from gen.diag import Bag, fail
from gen.read.source import Source, Span

Kind = Literal["name", "number", "string", "op", "end"]

MOST_TOKENS = 40_000  # of a logical line
DEEPEST = 40  # nested brackets
LONGEST = 200  # characters of a name, digits of a number

_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<number>(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|[0-9][0-9_]*)(?![A-Za-z0-9_]))"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<op>->|\.\.|\*\*|<<|>>|<=|>=|==|!=|[()\[\]{},:.#@=+\-*/%&|^~<>!])"
)
# Control characters, line separators and the marks that reorder text on a screen.
_REFUSED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
_DIVISOR = re.compile(r"\s*[0-9]+[\s)\]]*")  # a comment that was meant as a division
_CLOSER = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """A word of the text with the offsets of its first character and of the one after it."""

    kind: Kind
    text: str
    start: int
    end: int


@dataclass
class Line:
    """One logical line. `comment` is what follows `//`, None without one; `blank`: an empty line
    stands above."""

    indent: int
    start: int
    end: int
    tokens: list[Token] = field(default_factory=list)
    comment: str | None = None
    blank: bool = False
    broken: bool = False  # an error in it has been reported


def lex(source: Source, bag: Bag) -> list[Line]:
    """All logical lines with tokens or a comment. Errors: `tab`, `syntax`, `unreadable`."""
    _refuse(source, bag)
    lexer = _Lexer(source, bag)
    offset = 0
    for text in source.text.split("\n"):
        lexer.physical(text, offset)
        offset += len(text) + 1
    lexer.finish()
    return lexer.lines


def _refuse(source: Source, bag: Bag) -> None:
    last = -1
    for found in _REFUSED.finditer(source.text):
        span = Span(source, found.start(), found.end())
        char = found.group()
        if char != "\t":
            raise _refusal(span, char)
        line = span.line
        if line != last:
            bag.error("tab", span, "a tab; use spaces", help="four spaces for each level")
            last = line
            if len(bag.items) >= 10:
                break
    bag.close()


def _refusal(span: Span, char: str) -> Exception:
    if char == "\r":
        return fail(
            "unreadable",
            span,
            "the line ends in CR LF; lines end in LF alone",
            help="git config core.autocrlf input, then check the file out again",
        )
    if char == "\ufeff":
        return fail(
            "unreadable", span, "a byte order mark", help="save the file as UTF-8 without BOM"
        )
    return fail(
        "unreadable", span, f"the character U+{ord(char):04X} is not text", help="delete it"
    )


class _Lexer:
    def __init__(self, source: Source, bag: Bag) -> None:
        self.source = source
        self.bag = bag
        self.lines: list[Line] = []
        self.open: list[Token] = []
        self.blank = False

    def physical(self, text: str, offset: int) -> None:
        """Takes one line of the file."""
        code, slashes, comment = text.partition("//")
        body = code.lstrip(" ")
        indent = len(code) - len(body)
        if not body.strip():
            self._without_code(indent, offset, slashes, comment, len(text))
            return
        if self.open and not self._goes_on(indent, body):
            self._unclosed()
        if not self.open:
            self.lines.append(Line(indent, offset + indent, offset + len(code), blank=self.blank))
            self.blank = False
        line = self.lines[-1]
        self._tokens(line, code, indent, offset)
        line.end = line.tokens[-1].end if line.tokens else offset + len(code.rstrip())
        if slashes and line.comment is None:
            line.comment = _prose(comment)
            if _DIVISOR.fullmatch(comment):
                at = offset + len(code)
                self._error(
                    at, at + 2, "`//` starts a comment", "div(x, y) rounds down, x / y is exact"
                )
                line.broken = True

    def _without_code(self, indent: int, offset: int, slashes: str, comment: str, end: int) -> None:
        if self.open:
            return
        if slashes:
            line = Line(
                indent, offset + indent, offset + end, comment=_prose(comment), blank=self.blank
            )
            self.lines.append(line)
        self.blank = not slashes

    def _goes_on(self, indent: int, body: str) -> bool:
        return indent > self.lines[-1].indent or body[0] in ")]}"

    def _unclosed(self) -> None:
        token = self.open[-1]
        self._error(
            token.start,
            token.end,
            f"this `{token.text}` is never closed",
            f"add `{_CLOSER[token.text]}`, or indent the lines that go on",
        )
        self.lines[-1].broken = True
        self.open.clear()

    def finish(self) -> None:
        """Ends the file."""
        if self.open:
            self._unclosed()

    def _tokens(self, line: Line, code: str, at: int, offset: int) -> None:
        end = len(code)
        tokens = line.tokens
        match = _TOKEN.match
        while at < end:
            if code[at] == " ":
                at += 1
                continue
            found = match(code, at)
            if found is None:
                self._unknown(line, code, at, offset)
                return
            token = Token(found.lastgroup, found.group(), offset + at, offset + found.end())  # type: ignore[arg-type]
            at = found.end()
            if len(tokens) >= MOST_TOKENS:
                self._error(token.start, token.end, f"a line of more than {MOST_TOKENS} words", "")
                line.broken = True
                self.open.clear()
                return
            tokens.append(token)
            if token.kind == "op":
                if token.text in "([{" and not self._opened(line, token):
                    return
                if token.text in ")]}" and not self._closed(line, token):
                    return
            elif len(token.text) > LONGEST:
                self._error(token.start, token.end, f"longer than {LONGEST} characters", "")
                line.broken = True

    def _opened(self, line: Line, token: Token) -> bool:
        self.open.append(token)
        if len(self.open) <= DEEPEST:
            return True
        self._error(token.start, token.end, f"brackets nested deeper than {DEEPEST}", "")
        line.broken = True
        self.open.clear()
        return False

    def _closed(self, line: Line, token: Token) -> bool:
        if self.open and _CLOSER[self.open[-1].text] == token.text:
            self.open.pop()
            return True
        meant = f"; `{self.open[-1].text}` is open" if self.open else ""
        self._error(token.start, token.end, f"`{token.text}` closes nothing{meant}", "")
        line.broken = True
        self.open.clear()
        return False

    def _unknown(self, line: Line, code: str, at: int, offset: int) -> None:
        text = code[at]
        if text == '"':
            message = "the quotation mark is never closed"
        elif text.isdigit():
            message = "a number cannot go on in letters"
        else:
            message = f"the character `{text}` means nothing here"
        self._error(offset + at, offset + at + 1, message, "")
        line.broken = True
        self.open.clear()

    def _error(self, start: int, end: int, message: str, help: str) -> None:
        self.bag.error("syntax", Span(self.source, start, end), message, help=help)


def _prose(text: str) -> str:
    return (text[1:] if text.startswith(" ") else text).rstrip()
