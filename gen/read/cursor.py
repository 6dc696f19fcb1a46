# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A position in the tokens of one line, and the pieces every construct is made of: words,
expressions, references."""

from __future__ import annotations

import keyword

from gen.diag import Failed, fail
from gen.read.expression import condition, expression
from gen.read.lex import Line, Token
from gen.read.source import Source, Span
from gen.read.syntax import Expr, Ref, Word

LONGEST = 20_000  # tokens of an expression
STOPS = frozenset([",", ":", "->", ")", "]", "}", "=", "#", "@", "{", "!", ".."])

COMMENTS = ("@", "/", "#", "!", "|")  # what begins one for other assemblers, or /* in C


class Cursor:
    """Reads the tokens of a line from left to right; every method raises `Failed` with code
    `syntax`."""

    __slots__ = ("i", "line", "source", "tokens")

    def __init__(self, source: Source, line: Line) -> None:
        self.source = source
        self.line = line
        self.tokens = [*line.tokens, Token("end", "", line.end, line.end)]
        self.i = 0

    # --- looking ---

    @property
    def token(self) -> Token:
        return self.tokens[self.i]

    def at(self, text: str) -> bool:
        """Whether the next token is this one."""
        return self.tokens[self.i].text == text

    def after(self, text: str) -> bool:
        """Whether the token after the next is this one."""
        return self.i + 1 < len(self.tokens) and self.tokens[self.i + 1].text == text

    def span(self, token: Token | None = None) -> Span:
        """The place of a token, by default the next."""
        token = token or self.token
        return Span(self.source, token.start, token.end)

    def since(self, start: int) -> Span:
        """From the token with number `start` to the last one taken."""
        return Span(self.source, self.tokens[start].start, self.tokens[max(start, self.i - 1)].end)

    # --- taking ---

    def next(self) -> Token:
        token = self.tokens[self.i]
        if token.kind != "end":
            self.i += 1
        return token

    def take(self, text: str) -> bool:
        """Takes the token if it is this one."""
        if self.tokens[self.i].text != text or not text:
            return False
        self.i += 1
        return True

    def expect(self, text: str, help: str = "") -> Token:
        if not self.at(text):
            raise self.wrong(f"`{text}`", help)
        return self.next()

    def wrong(self, wanted: str, help: str = "") -> Failed:
        """The error "expected this, found that" at the next token."""
        token = self.token
        found = f"`{token.text}`" if token.text else "the end of the line"
        return fail("syntax", self.span(), f"expected {wanted}, found {found}", help=help)

    def word(self, what: str) -> Word:
        """Any name."""
        if self.token.kind != "name":
            raise self.wrong(what)
        token = self.next()
        return Word(token.text, self.span(token))

    def constant_name(self, what: str) -> Word:
        """A name that expressions can use."""
        word = self.word(what)
        if keyword.iskeyword(word.text):
            raise fail(
                "syntax", word.span, f"`{word.text}` is a word of expressions and cannot be {what}"
            )
        return word

    def end(self) -> None:
        if self.token.kind != "end":
            help = "// a comment" if self.token.text in COMMENTS else ""
            raise self.wrong("the end of the line", help=help)

    # --- pieces ---

    def _extent(self, words: tuple[str, ...]) -> list[Token]:
        start, depth = self.i, 0
        while (token := self.tokens[self.i]).kind != "end":
            if token.kind == "op":
                if depth == 0 and token.text in STOPS:
                    break
                if token.text in "([{":
                    depth += 1
                elif token.text in ")]}":
                    depth -= 1
            elif depth == 0 and token.text in words:
                break
            self.i += 1
        if self.i == start:
            raise self.wrong("an expression")
        if self.i - start > LONGEST:
            last = self.tokens[start + LONGEST]
            raise fail("syntax", self.span(last), f"an expression of more than {LONGEST} words")
        return self.tokens[start : self.i]

    def expr(self, *words: str) -> Expr:
        """A compile-time expression, up to a `,` `:` `->` `=` ... or one of `words` outside
        brackets."""
        return expression(self.source, self._extent(words))

    def cond(self, *words: str) -> Expr:
        """A condition on values: `|x|` and halves allowed."""
        return condition(self.source, self._extent(words))

    def ref(self, what: str = "a register") -> Ref:
        """`name`, `name[i]`, `name[i..j]`, `.b` or `.t` behind them."""
        start = self.i
        name = self.word(what)
        index = last = half = None
        if self.take("["):
            index = self.expr()
            if self.take(".."):
                last = self.expr()
            self.expect("]")
        if self.take("."):
            half = self.word("`b` or `t`")
            if half.text not in ("b", "t"):
                raise fail("syntax", half.span, f"`.{half.text}` is no half; write `.b` or `.t`")
        return Ref(name, self.since(start), index, last, half)
