# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Lines -> a File. Blocks by indentation; after an error the next line is tried, so that one run
shows several."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from gen.diag import Bag, Failed
from gen.read.cursor import Cursor
from gen.read.lex import Line, lex
from gen.read.parse_declaration import declaration
from gen.read.parse_statement import statement
from gen.read.source import Source, Span
from gen.read.syntax import Block, Decl, File, Import, Remark, Stmt

DEEPEST = 20  # nested blocks


@lru_cache(maxsize=128)
def parse(path: str, text: str) -> File:
    """The syntax of one text, known by `path`. Raises `Failed` with all errors found (`syntax`,
    `tab`, ...)."""
    return parse_source(Source(path, text))


def parse_source(source: Source) -> File:
    """The same for a Source."""
    bag = Bag()
    parser = Parser(source, lex(source, bag), bag)
    imports, decls = parser.file()
    bag.items.sort(key=lambda item: item.span.start)
    bag.close()
    return File(source.path, Span(source, 0, 0), parser.above, imports, decls)


class Parser:
    """The lines of a file and how far they have been read. `inside` is "fn", "macro" or "sub" in
    their blocks."""

    def __init__(self, source: Source, lines: list[Line], bag: Bag) -> None:
        self.source = source
        self.lines = lines
        self.bag = bag
        self.i = 0
        self.depth = 0
        self.inside = ""
        self.above = ""  # the file's first comment
        self.indents = _indents(lines)

    def file(self) -> tuple[tuple[Import, ...], tuple[Decl, ...]]:
        """All declarations; errors go into the bag."""
        imports: list[Import] = []
        decls: list[Decl] = []
        above: list[str] = []
        while self.i < len(self.lines):
            line = self.lines[self.i]
            if line.blank:
                self._first_comment(above, decls)
                above = []
            if not line.tokens:
                self._comment_above(line, above)
                continue
            found = self._top(line, _paragraphs(above))
            above = []
            if isinstance(found, Import):
                imports.append(found)
            elif found is not None:
                decls.append(found)
        return tuple(imports), tuple(decls)

    def _first_comment(self, above: list[str], decls: list[Decl]) -> None:
        """A comment with an empty line below, before all declarations, is about the file (a
        licence line is not)."""
        if not self.above and not decls:
            self.above = _paragraphs([line for line in above if not line.startswith("SPDX-")])

    def _comment_above(self, line: Line, above: list[str]) -> None:
        self.i += 1
        if line.comment is not None:
            above.append(line.comment)

    def _top(self, line: Line, above: str) -> Decl | Import | None:
        self.i += 1
        self.depth, self.inside = 0, ""
        found = None
        if line.indent and not line.broken:
            span = Span(self.source, line.start, line.tokens[0].end)
            self.bag.error("syntax", span, "a declaration starts at the left margin")
            line.broken = True
        if not line.broken:
            try:
                return declaration(self, Cursor(self.source, line), above)
            except Failed as failed:
                self.bag.take(failed)
        self._skip(line, self.depth)
        return found

    # --- blocks ---

    def block(self, header: Line) -> Block:
        """The statements indented below `header`."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.bag.error("syntax", self._span(header), f"blocks nested deeper than {DEEPEST}")
            self._drop(header.indent)
            return ()
        statements: list[Stmt] = []
        level = -1
        while self.i < len(self.lines) and self.indents[self.i] > header.indent:
            line = self.lines[self.i]
            if not line.tokens:
                self.i += 1
                if not line.broken:
                    statements.append(self._remark(line))
                continue
            level = self._level(line, level)
            if level == line.indent:
                self._statement(line, statements)
        if level < 0:
            end = Span(self.source, header.end, header.end)
            self.bag.error(
                "syntax",
                end,
                "an indented block is missing",
                help="indent the next line by four spaces",
            )
        self.depth -= 1
        return tuple(statements)

    def _remark(self, line: Line) -> Remark:
        return Remark(self._span(line), line.comment or "")

    def _span(self, line: Line) -> Span:
        return Span(self.source, line.start, line.end)

    def _level(self, line: Line, level: int) -> int:
        """The indentation of the block; a line that leaves it is reported, deeper ones are passed
        over."""
        if level in (-1, line.indent):
            return line.indent
        span = Span(self.source, line.start, line.tokens[0].end)
        if line.indent > level:
            self.bag.error("syntax", span, "this line is indented further than its block")
            self._drop(level)
            return level
        self.bag.error("syntax", span, "the indentation fits no block above")
        return line.indent

    def _statement(self, line: Line, statements: list[Stmt]) -> None:
        self.i += 1
        if line.broken:
            self._skip(line, self.depth)
            return
        depth = self.depth
        try:
            statements.append(statement(self, Cursor(self.source, line)))
        except Failed as failed:
            self.bag.take(failed)
            self._skip(line, depth)

    def _skip(self, line: Line, depth: int) -> None:
        """After an error in `line`: reads the block below it for its errors only."""
        self.depth = depth
        if (
            self.i < len(self.lines)
            and self.indents[self.i] > line.indent
            and self.lines[self.i].tokens
        ):
            inside, self.inside = self.inside, self.inside or "?"
            self.block(line)
            self.inside = inside
            self.depth = depth

    def _drop(self, level: int) -> None:
        while self.i < len(self.lines) and self.indents[self.i] > level:
            self.i += 1

    def follow(self, header: Line, accept: Callable[[Line], bool]) -> tuple[Line | None, Block]:
        """The next line at the header's level if it is accepted (taken), and the comments before
        it."""
        at = self.i
        remarks: list[Stmt] = []
        while at < len(self.lines) and not self.lines[at].tokens:
            remarks.append(self._remark(self.lines[at]))
            at += 1
        if at < len(self.lines):
            line = self.lines[at]
            if line.indent == header.indent and not line.broken and accept(line):
                self.i = at + 1
                return line, tuple(remarks)
        return None, ()


def _indents(lines: list[Line]) -> list[int]:
    """Indentation of each line; a comment line counts at least as deep as the code line after
    it."""
    indents = [line.indent for line in lines]
    code = 0
    for at in range(len(lines) - 1, -1, -1):
        if lines[at].tokens:
            code = indents[at]
        else:
            indents[at] = max(indents[at], code)
    return indents


def _paragraphs(lines: list[str]) -> str:
    text = "\n".join(line.strip() for line in lines)
    return "\n".join(" ".join(part.split("\n")) for part in text.split("\n\n")).strip()
