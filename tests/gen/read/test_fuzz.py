# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Whatever is typed: messages with a place, never a traceback, in bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gen.cores.core import load_core
from gen.diag import Failed, render_all
from gen.passes.elaborate import elaborate, ensured_macros, macro_routine, tables
from gen.read.load import Unit
from gen.read.parse import parse_source
from gen.read.source import Source
from gen.read.syntax import FnDecl

EXAMPLES = Path(__file__).parent.parent / "examples" / "asm-src" / "demo"
SEEDS = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.rasm"))]
CORE = load_core("cortex-m4")
SLOWEST = 5.0  # seconds for one text

VOCABULARY = """
import const table macro sub fn variant requires uses ensures clobbers param result reg stack local
slot park fp over for in if else elif do while loop at most break when otherwise then call spill
fill align assert split by claim public secret inout out noalias flash len lengths value old and or
not abs range powmod has void int16_t uint32_t u32 i32 i16 i16x2 ptr flag eq ne cs ldr str mov
smulxy adds adcs ldm a b x y z n i Q r0 r4 lr dsp umaal demo_x
"""
PUNCTUATION = "( ) [ ] { } , : . .. # @ = + - * / ** % & | ^ ~ << >> < > <= == != ! -> // ; $"
WORDS = VOCABULARY.split()
MARKS = [*PUNCTUATION.split(), '"', "\t", "\0", "\r", "\u00e9"]
NUMBERS = [
    "0",
    "1",
    "2",
    "31",
    "32",
    "65536",
    "4294967296",
    "0x7fff",
    "0b101",
    "10**9",
    "9" * 300,
    "007",
    "1_0",
]
token = st.one_of(st.sampled_from(WORDS), st.sampled_from(MARKS), st.sampled_from(NUMBERS))
line = st.tuples(st.integers(0, 3), st.lists(token, max_size=12)).map(
    lambda pair: "    " * pair[0] + " ".join(pair[1])
)


def everything(text: str) -> str:
    """Runs the whole front end on one text; the messages, "" if there are none."""
    if "fn" not in text:
        text += ROUTINE
    began = time.process_time()
    said: list[str] = []
    try:
        file = parse_source(Source("asm-src/demo/x.rasm", text))
        unit = Unit(Path(), file, ())
        jobs = [lambda: tables(unit), lambda: ensured_macros(unit, CORE)]
        for decl in file.decls:
            if isinstance(decl, FnDecl):
                jobs.append(lambda name=decl.name.text: elaborate(unit, name, CORE))
        try:
            for name in ensured_macros(unit, CORE):
                jobs.append(lambda name=name: macro_routine(unit, name, CORE))
        except Failed:
            pass
        for job in jobs:
            try:
                job()
            except Failed as failed:
                said.append(_rendered(failed))
    except Failed as failed:
        said.append(_rendered(failed))
    assert time.process_time() - began < SLOWEST
    return "\n".join(said)


def _rendered(failed: Failed) -> str:
    assert 0 < len(failed.bag.items) <= 10
    return render_all(failed.bag)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.sampled_from(["insert", "delete", "copy", "replace"]))
        end = min(len(text), at + draw(st.integers(1, 30)))
        if kind == "delete":
            text = text[:at] + text[end:]
        elif kind == "copy":
            text = text[:end] + text[at:end] + text[end:]
        else:
            new = draw(token)
            text = text[:at] + new + text[at if kind == "insert" else at + 1 :]
    return text


ROUTINE = "\nfn void demo_x(void):\n    nop\n"
EASY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@EASY
@given(mutated())
def test_mutated_files(text: str) -> None:
    everything(text)


@EASY
@given(st.lists(line, max_size=15).map("\n".join))
def test_token_soup(text: str) -> None:
    everything(text)


@EASY
@given(st.lists(token, max_size=20).map(" ".join), st.sampled_from(SEEDS))
def test_soup_in_a_routine(soup: str, seed: str) -> None:
    everything(seed.rstrip() + "\n    " + soup + "\n")


@EASY
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    everything(text)


HEAD = "fn void demo_x(int16_t r[4]):\n    param r : secret inout\n    reg a, b : u32\n"
NASTY = {
    "power": "const A = 2**10**9",
    "tower": "const A = 9**9**9**9",
    "powmod": "const A = powmod(3, 2**8000, 2**8000 - 1)\n"
    + "const B = [powmod(3, 2**8000 + i, 2**8000 - 1) for i in range(60000)]",
    "shift": "const A = 1 << 10**12",
    "range": "const A = range(10**12)",
    "huge range": "const A = range(-10**500, 10**500)",
    "list": "const A = [0] * 10**9",
    "nested lists": "const A = [[[0] * 60000 for i in range(60000)] for j in range(60000)]",
    "doubling": "\n".join(f"const L{i + 1} = L{i} + L{i}" for i in range(40)) + "\nconst L0 = [1]",
    "recursion": "const f(x) = f(x + 1)\nconst A = f(0)",
    "two recursions": "const f(x) = f(x - 1) + f(x - 2) if x > 1 else x\nconst A = f(90)",
    "self": "const A = B\nconst B = A",
    "loops": HEAD
    + "".join("    " * (k + 1) + f"for i{k} in range(60000):\n" for k in range(8))
    + "    " * 9
    + "nop\n",
    "macro": "macro m():\n    m()\n    m()\n" + HEAD + "    m()\n",
    "macros": "macro m(n : const):\n    m(n + 1)\n    m(n + 2)\n" + HEAD + "    m(0)\n",
    "brackets": "const A = " + "(" * 5000 + "1" + ")" * 5000,
    "minus": "const A = " + "-" * 20000 + "1",
    "sum": "const A = " + "1 + " * 30000 + "1",
    "not": "const A = " + "not " * 20000 + "1",
    "choice": "const A = " + "1 if 0 else " * 5000 + "2",
    "digits": "const A = " + "7" * 100000,
    "name": "const " + "A" * 100000 + " = 1",
    "long line": "const A = [" + "1, " * 200000 + "1]",
    "blocks": HEAD + "".join("    " * (k + 1) + "do:\n" for k in range(400)),
    "ifs": HEAD + "".join("    " * (k + 1) + "if 1:\n" for k in range(400)),
    "blank lines": "const A = (" + "\n" * 100000,
    "comments": "// x\n" * 50000 + "const",
    "prototype": "fn void demo_x(" + "int (*" * 300 + "):\n    nop\n",
    "parameters": "fn void demo_x(" + ", ".join(f"int a{i}" for i in range(400)) + "):\n    nop\n",
    "registers": HEAD + "    reg c[10**9] : u32\n",
    "arguments": "macro m(in x : u32):\n    nop\n" + HEAD + "    m(" + "a, " * 5000 + "a)\n",
    "inlining": f"const f(x) = x + x\n{HEAD}    assert {'f(' * 30}a{')' * 30} < 1\n",
    "nul": "const A = 1\0",
    "carriage return": "const A = 1\r\nconst B = 2\r\n",
    "byte order mark": "\ufeffconst A = 1\n",
    "reordering": "const A = 1 // \u202e\n",
    "form feed": "const A = 1\f\n",
    "tabs": "\tconst A = 1\n" * 40,
    "every line wrong": "const = \n" * 5000,
    "every statement wrong": HEAD + "    mov c, #1\n" * 5000,
}  # fmt: skip


LARGE = {
    "product": "const A = [2**4000 for i in range(60000)]\nconst B = sum([x * x for x in A])",
    "sharing": "const L0 = [1]\n" + "\n".join(f"const L{i + 1} = [L{i}, L{i}]" for i in range(80)),
    "comment": "// " + "x" * 900000 + "\n",
    "statements": HEAD + "    nop\n" * 20000,
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_large_texts(name: str) -> None:
    everything(LARGE[name])


@pytest.mark.parametrize("name", NASTY)
def test_nasty_texts(name: str) -> None:
    assert "error[" in everything(NASTY[name])
