# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""How messages are collected and printed."""

from __future__ import annotations

import pytest

from gen.codes import CODES
from gen.diag import Bag, Diagnostic, Failed, Frame, fail, nearest, render, render_all
from gen.read.source import Source, Span

TEXT = "first\n    ldr a, [p]\nlast"
SOURCE = Source("asm-src/demo/x.rasm", TEXT)


def span(piece: str) -> Span:
    start = TEXT.index(piece)
    return Span(SOURCE, start, start + len(piece))


def test_everything_a_message_can_say() -> None:
    trail = (Frame("outer", span("first"), "i = 1, k = 2"), Frame("inner", span("last")))
    item = Diagnostic(
        "undefined", span("[p]"), "no `p`", trail, ("a fact", "another"), "reg p : ptr"
    )
    assert render(item) == (
        "asm-src/demo/x.rasm:2:12: error[undefined]: no `p`\n"
        "    2 |     ldr a, [p]\n"
        "      |            ^^^\n"
        "   a fact\n"
        "   another\n"
        "   in inner, from asm-src/demo/x.rasm:3\n"
        "   in outer, from asm-src/demo/x.rasm:1, for i = 1, k = 2\n"
        "   help: reg p : ptr"
    )


def test_a_loop_without_a_macro() -> None:
    item = Diagnostic("undefined", span("[p]"), "no", (Frame("", span("first"), "i = 3"),))
    assert render(item).endswith("   for i = 3, from asm-src/demo/x.rasm:1")


def test_the_end_of_a_line_and_of_the_file() -> None:
    end = len(TEXT)
    assert render(Diagnostic("syntax", Span(SOURCE, end, end), "x")).endswith("|     ^")
    long = Span(SOURCE, TEXT.index("a,"), end)
    assert render(Diagnostic("syntax", long, "x")).splitlines()[-1] == "      |         ^^^^^^"


def test_a_long_line_is_shown_around_its_place() -> None:
    source = Source("x.rasm", "y" * 5000 + "!" + "z" * 5000)
    place, shown, caret = render(Diagnostic("syntax", Span(source, 5000, 5001), "x")).splitlines()
    assert place.startswith("x.rasm:1:5001:")
    assert len(shown) < 200 and shown[caret.index("^")] == "!"


def test_what_a_screen_cannot_show_is_replaced() -> None:
    source = Source("x.rasm", "a\tb\0\u202ec!")
    shown = render(Diagnostic("syntax", Span(source, 6, 7), "x")).splitlines()[1]
    assert shown == "    1 | a b??c!"


def test_a_long_trail_is_shortened() -> None:
    trail = tuple(Frame(f"m{n}", span("first")) for n in range(40))
    rows = render(Diagnostic("unending", span("last"), "x", trail)).splitlines()[3:]
    assert [row.split()[1].rstrip(",") for row in rows] == [
        "m39", "m38", "m37", "m36", "33", "m2", "m1", "m0",
    ]  # fmt: skip
    assert rows[4] == "   ... 33 more"


def test_ten_are_shown_and_the_rest_counted() -> None:
    bag = Bag()
    bag.close()
    for n in range(15):
        for _ in range(2):
            bag.error("syntax", Span(SOURCE, n, n + 1), "x")
    with pytest.raises(Failed) as caught:
        bag.close()
    text = render_all(caught.value.bag)
    assert text.count("error[syntax]") == 10
    assert text.endswith("too many errors: 5 more not shown")


def test_taking_errors_over() -> None:
    bag = Bag()
    inner = Frame("inner", span("last"))
    failed = fail("undefined", span("[p]"), "no", trail=(inner,))
    outer = Frame("outer", span("first"))
    bag.take(failed, (outer,))
    assert bag.items[0].trail == (outer, inner)


def test_nearest() -> None:
    assert nearest("smulx", ["smulxy", "smlaxy", "mul"]) == "smulxy"
    assert nearest("q", ["smulxy"]) == ""
    assert nearest("x" * 100000, ["smulxy"]) == ""


def test_every_code_is_explained() -> None:
    assert all(code and text and not text.endswith(".") for code, text in CODES.items())
    with pytest.raises(AssertionError):
        Diagnostic("no-such-code", span("last"), "x")
