# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Characters to lines of tokens."""

from __future__ import annotations

import pytest

from gen.diag import Bag, Failed
from gen.read.lex import Line, lex
from gen.read.source import Source


def lines(text: str) -> list[Line]:
    bag = Bag()
    found = lex(Source("x.rasm", text), bag)
    bag.close()
    return found


def code(text: str) -> tuple[str, int, int]:
    """Code, line and column of the first error."""
    with pytest.raises(Failed) as caught:
        lines(text)
    first = caught.value.bag.items[0]
    return first.code, *first.span.source.line_column(first.span.start)


def test_tokens_keep_their_places() -> None:
    (line,) = lines("    ldr  a[i], [p, #64*i]  // the word\n")
    assert [token.text for token in line.tokens] == [
        "ldr",
        "a",
        "[",
        "i",
        "]",
        ",",
        "[",
        "p",
        ",",
        "#",
        "64",
        "*",
        "i",
        "]",
    ]
    assert line.indent == 4
    assert line.comment == "the word"
    source = "    ldr  a[i], [p, #64*i]"
    assert all(source[token.start : token.end] == token.text for token in line.tokens)


def test_two_character_operators() -> None:
    (line,) = lines("a ** b << c >= d -> e .. f != g")
    assert [t.text for t in line.tokens if t.kind == "op"] == ["**", "<<", ">=", "->", "..", "!="]


def test_a_bracket_continues_the_line() -> None:
    text = "table t : u8[3] = [\n    1,  // one\n\n    2,\n    3\n]\nconst A = 1\n"
    first, second = lines(text)
    assert [token.text for token in first.tokens][-6:] == ["1", ",", "2", ",", "3", "]"]
    assert second.tokens[0].text == "const"


def test_an_unindented_line_ends_an_open_bracket() -> None:
    assert code("const A = (1 +\nconst B = 2\n") == ("syntax", 1, 11)


def test_blank_lines_and_comment_lines() -> None:
    first, second, third = lines("// one\n\n// two\nconst A = 1\n")
    assert (first.blank, second.blank, third.blank) == (False, True, False)
    assert second.comment == "two" and not second.tokens


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("const A = 1\n\tnop\n", ("tab", 2, 1)),
        ("const A = 1\r\n", ("unreadable", 1, 12)),
        ("\ufeffconst A = 1\n", ("unreadable", 1, 1)),
        ("const A = 1 // \0\n", ("unreadable", 1, 16)),
        ("const A = 1 // \u202e\n", ("unreadable", 1, 16)),
        ("const A = 1x\n", ("syntax", 1, 11)),
        ("const A = \u00e9\n", ("syntax", 1, 11)),
        ("const A = (1]\n", ("syntax", 1, 13)),
        ("const A = 1)\n", ("syntax", 1, 12)),
        ('import "common\n', ("syntax", 1, 8)),
        ("const A = 7 // 2\n", ("syntax", 1, 13)),
        ("const A = (7 + 1) // 2)\n", ("syntax", 1, 19)),
        ("const A = " + "(" * 50 + "1" + ")" * 50, ("syntax", 1, 51)),
    ],
)
def test_refused(text: str, place: tuple[str, int, int]) -> None:
    assert code(text) == place


def test_a_comment_about_numbers_is_no_division() -> None:
    (line,) = lines("const A = 7  // 2 of them\n")
    assert line.comment == "2 of them"


def test_every_line_with_a_tab_is_named() -> None:
    with pytest.raises(Failed) as caught:
        lines("\tconst\n\tconst\nconst A = 1\n\tconst\n")
    assert [item.span.line for item in caught.value.bag.items] == [1, 2, 4]
