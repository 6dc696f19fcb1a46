# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The layout of sources: stable, and never a change in what is generated."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.diag import Bag, Failed
from gen.driver import routine_jobs
from gen.emit.gas import emit
from gen.fmt import formatted
from gen.passes import BUILD
from gen.pieces import piece
from gen.read.lex import lex
from gen.read.load import survey
from gen.read.source import Source

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "asm-src").rglob("*.rasm"))

BEFORE = """
fn   uint32_t demo_sum( uint32_t a , uint32_t b ) :
  param a : secret in
  param   b   : secret in
  result c : u32
  //close to the code
  for k in range( 2 ):
     add c,a ,b   //the only   step
     smulbt c, a , b



  // of the level above
  mov     c, #(1 +
        2)
"""
AFTER = """fn uint32_t demo_sum( uint32_t a, uint32_t b ) :
    param a : secret in
    param b   : secret in
    result c : u32
    // close to the code
    for k in range( 2 ):
        add     c, a, b // the only   step
        smulxy  c, a.b, b.t

    // of the level above
    mov     c, #(1 +
          2)
"""


def words(text: str) -> list[tuple[str, str | None]]:
    bag = Bag()
    lines = lex(Source("x.rasm", text), bag)
    return [(" ".join(token.text for token in line.tokens), line.comment) for line in lines]


def test_an_example() -> None:
    assert formatted("demo/sum.rasm", BEFORE) == AFTER
    assert formatted("demo/sum.rasm", AFTER) == AFTER


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_sources_are_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(path.name, text) == text


def messed(text: str, dice: random.Random) -> str:
    """The same words with other blanks, indentations, empty lines and comment columns."""
    step = dice.choice([1, 2, 3, 7])
    found = []
    for row in text.split("\n"):
        code, slashes, comment = row.partition("//")
        body = code.lstrip(" ")
        indent = len(code) - len(body)
        if body.strip():
            parts = body.rstrip().split('"')
            parts[::2] = [_spread(part, dice) for part in parts[::2]]
            body = '"'.join(parts) + " " * dice.randrange(9) * bool(slashes)
        lead = indent // 4 * step + (indent % 4 and 1)
        end = " " * dice.choice([0, 0, 3]) + "\n" * dice.choice([0, 0, 0, 2])
        found.append(" " * lead + body + slashes + comment + end)
    return "\n".join(found)


def _spread(text: str, dice: random.Random) -> str:
    """More blanks where there are some; some around commas."""
    made = ""
    for char in text:
        made += " " * dice.choice([1, 1, 2, 5]) if char == " " else char
        made += " " * dice.choice([0, 1, 2]) if char == "," else ""
    return made


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_formatting_twice_is_formatting_once(path: Path) -> None:
    dice = random.Random(path.name)
    text = messed(path.read_text(encoding="utf-8"), dice)
    once = formatted(path.name, text)
    assert formatted(path.name, once) == once
    assert words(once) == words(text)  # and so the same comments
    assert not any(row.endswith(" ") for row in once.split("\n"))


@pytest.mark.parametrize("symbol", ["mlkem_reduce", "fe25519_mul", "mlkem_rej_uniform"])
def test_what_is_generated_does_not_change(symbol: str, tmp_path: Path) -> None:
    core = load_core("cortex-m4")
    refs = [ref for ref in survey(ROOT, [symbol]).refs if ref.symbol == symbol]
    texts = []
    for folder in ("as-it-is", "messed", "formatted"):
        for path in FILES:
            target = tmp_path / folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            other = text if folder == "as-it-is" else messed(text, random.Random(path.name))
            target.write_text(formatted(path.name, other) if folder == "formatted" else other)
        (job,) = routine_jobs(refs, core)
        texts.append(emit(piece(tmp_path / folder, job, BUILD)))
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.parametrize("text", ["fn void f(:\n", "\tmov r0, r1\n", "if:\n", "const A = (1\n"])
def test_what_does_not_parse_is_not_touched(text: str) -> None:
    with pytest.raises(Failed):
        formatted("x.rasm", text)


def test_line_ends_of_another_system() -> None:
    assert formatted("x.rasm", "const A = 1\r\n\r\n") == "const A = 1\n"
    assert formatted("x.rasm", "") == ""
