# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Proofs by exhaustion: what holds is found to hold, each planted fault has a counterexample."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.emit.cmeaning import helpers
from gen.ir.domains.ints import Ints
from gen.ir.interp.preds import Judge
from gen.ir.interp.state import State
from gen.ir.ir import Half, Pred, Reg, Var
from gen.ir.memory import Memory
from gen.passes.elaborate import macro_routine
from gen.passes.select import select
from gen.prove.cpred import PRELUDE, Writer
from gen.prove.ensures import compiler, refute
from gen.prove.job import Job
from gen.prove.jobs import prove_job
from gen.prove.program import MOST_CASES, Program, build
from gen.read.load import load
from tests.gen.passes.trees import LICENCE, ROOT, planted

M4 = load_core("cortex-m4")


def text_program(root: Path, macro: str, name: str = "m") -> Program:
    path = root / "asm-src" / "t" / "m.rasm"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LICENCE + macro, encoding="utf-8", newline="\n")
    return build(select(macro_routine(load(root, "asm-src/t/m.rasm"), name, M4)))


def outcome(root: Path, macro: str) -> tuple[int, tuple[int, ...]] | None:
    return refute(text_program(root, macro), root / "build", "m")


HALVES = "macro m(out r : i32, in x : i16, in y : i16) requires dsp ensures {what}:\n"
PRODUCT = "    smulxy  r, x, y\n"


def test_what_holds_for_all_halves(tmp_path: Path) -> None:
    program = text_program(tmp_path, HALVES.format(what="r == old(x) * old(y)") + PRODUCT)
    assert program.cases == 1 << 32
    bounded = "    assert |x| <= 50\n    assert 0 <= y < 300\n"
    what = HALVES.format(what="r == old(x) * old(y) and |r| <= 50 * 299")
    program = text_program(tmp_path, what + bounded + PRODUCT)
    assert program.cases == 101 * 300
    assert refute(program, tmp_path, "m") is None


def test_a_bound_one_too_low_has_its_counterexample(tmp_path: Path) -> None:
    bounded = "    assert |x| <= 50\n    assert 0 <= y < 300\n"
    found = outcome(tmp_path, HALVES.format(what="|r| < 50 * 299") + bounded + PRODUCT)
    assert found is not None
    x, y = (Ints().s(word, 16) for word in found[1])
    assert (abs(x), y) == (50, 299)


def test_listed_values_are_the_only_ones(tmp_path: Path) -> None:
    body = "    assert w in [3, 5, -7]\n    assert |x| < 4\n    mul     r, w, x\n"
    head = "macro m(out r : i32, in w : i32, in x : i32) ensures {}:\n"
    program = text_program(tmp_path, head.format("|r| <= 21") + body)
    assert program.cases == 3 * 7 and refute(program, tmp_path, "m") is None
    assert outcome(tmp_path, head.format("|r| <= 20") + body) is not None
    assert outcome(tmp_path, head.format("r != 15") + body) is not None


def test_claims_and_inner_asserts_are_tried_too(tmp_path: Path) -> None:
    head = "macro m(out r : i32, in x : i32) ensures r >= 0:\n    assert |x| < 100\n"
    body = "    mul     r, x, x\n    claim   r < {}      // squares\n"
    assert outcome(tmp_path, head + body.format(9802)) is None
    assert outcome(tmp_path, head + body.format(9801)) is not None


def test_conditional_instructions_and_flags(tmp_path: Path) -> None:
    head = "macro m(inout x : i32) ensures x == abs(old(x)):\n    assert |x| < 1000\n"
    body = "    cmp     x, #0\n    then {}:\n        rsb     x, x, #0\n"
    assert outcome(tmp_path, head + body.format("lt")) is None
    assert outcome(tmp_path, head + body.format("gt")) is not None


def test_too_many_inputs_are_counted(tmp_path: Path) -> None:
    head = "macro m(inout x : i32, in y : i32) ensures x == old(x) + y:\n"
    assert text_program(tmp_path, head + "    orr     x, x, y\n").cases > MOST_CASES


# --- the real reductions ---

# right, wrong in plantard.rasm; the macro that is refuted
FAULTS = [
    ("LEAST = -1527254272", "LEAST = -1527254272 - 1", "reduce_product"),
    (
        "[plant(x) for x in range(Q)]",
        "[plant(x) + (x == 7) * 2**20 for x in range(Q)]",
        "mul_const",
    ),
    ("QA    = 8 * Q", "QA    = 64 * Q", "mul_const"),
    ("HALF  = (Q + 1) / 2", "HALF  = (Q - 3) / 2", "mul_const"),
    ("smlaxy  r, r.b, q.b, qa", "smlaxy  r, r.t, q.b, qa", "mul_const"),
    ("QINV  = powmod(Q, -1, 2**32)", "QINV  = powmod(Q, -1, 2**32) + 2**17", "reduce_product"),
]


@pytest.mark.parametrize(("right", "wrong", "macro"), FAULTS)
def test_a_planted_fault_is_refuted(tmp_path: Path, right: str, wrong: str, macro: str) -> None:
    path = "asm-src/mlkem/plantard.rasm"
    job = Job("macro", macro, "cortex-m4", path, "planted")
    proof = prove_job(planted(tmp_path, "plantard", right, wrong), tmp_path / "build", job)
    assert proof.codes == ("ensures-refuted",)
    assert "counterexample: " in proof.errors and "plantard.rasm" in proof.errors


def test_the_real_multiplication_holds(tmp_path: Path) -> None:
    job = Job("macro", "mul_const", "cortex-m4", "asm-src/mlkem/plantard.rasm", "real")
    proof = prove_job(ROOT, tmp_path, job)
    assert proof.holds, proof.errors
    assert proof.facts == {"cases": 3329 * 65536}
    assert prove_job(ROOT, tmp_path, job).cached


# --- conditions in C ---

CONDITIONS = [
    "x % 3329 == 0",
    "(x * 2**32 + y * 12345) % 3329 == 7",
    "abs(x) < 5 or not y > -3",
    "-7 <= h < 100 and x != y",
    "x // 7 == y // 9 - 1",
    "u - x > 2**31",
    "(u * u * u + x) % (2**61 - 1) < 2**60",
    "(x + 2**31) % 2**32 - 2**31 == x",
]


def test_conditions_mean_in_c_what_they_mean_in_python(tmp_path: Path) -> None:
    import subprocess

    x, y, u = Var("x", "i32"), Var("y", "i32"), Var("u", "u32")
    env = {"x": Reg(x), "y": Reg(y), "u": Reg(u), "h": Half(u, "b")}
    preds = [Pred(_folded(text), env, text) for text in CONDITIONS]
    writer = Writer(lambda subject: subject.var.name)  # type: ignore[union-attr]
    rng = random.Random(3)
    words = [[_word(rng) for _ in range(3)] for _ in range(500)]
    rows = ",\n".join(f"{{{a}u, {b}u, {c}u}}" for a, b, c in words)
    prints = "".join(f'putchar("01"[!!{writer.condition(pred)}]);' for pred in preds)
    main = (
        f"#include <stdio.h>\nstatic const uint32_t rows[][3] = {{{rows}}};\nint main(void) {{\n"
        "for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {\n"
        "const uint32_t x = rows[i][0], y = rows[i][1], u = rows[i][2];\n"
        f"{prints} putchar('\\n'); }} }}\n"
    )
    source, binary = tmp_path / "c.c", tmp_path / "c.exe"
    source.write_text(helpers() + PRELUDE + main, encoding="utf-8")
    subprocess.run([compiler(), "-std=gnu11", "-o", binary, source], check=True)
    printed = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.split()
    dom = Ints()
    for row, line in zip(words, printed, strict=True):
        state = State(0, dict(zip((x, y, u), row, strict=True)), {}, Memory(dom))
        expected = "".join("01"[bool(Judge(dom, state).holds(pred))] for pred in preds)
        assert line == expected, row


def _word(rng: random.Random) -> int:
    small = rng.randrange(-12, 12) * rng.choice([1, 3329, 7])
    return (small if rng.random() < 0.5 else rng.getrandbits(32)) % (1 << 32)


class _Fold(ast.NodeTransformer):
    """Constants as the front end folds them."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return ast.Constant(eval(ast.unparse(node)))
        return node


def _folded(text: str) -> ast.expr:
    made: ast.expr = _Fold().visit(ast.parse(text, mode="eval").body)
    return made


def test_a_message_shows_signed_inputs(tmp_path: Path) -> None:
    head = "macro m(inout x : i32) ensures x != -5:\n    assert -9 < x < 0\n"
    path = tmp_path / "asm-src" / "t" / "m.rasm"
    path.parent.mkdir(parents=True)
    path.write_text(LICENCE + head + "    orr     x, x, #0\n", encoding="utf-8")
    job = Job("macro", "m", "cortex-m4", "asm-src/t/m.rasm", "k")
    proof = prove_job(tmp_path, tmp_path / "build", job)
    assert "counterexample: x = -5" in proof.errors
