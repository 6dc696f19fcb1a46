# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Forms are chosen by operands; what does not fit is named with the forms that exist."""

from __future__ import annotations

from gen.ir.ir import Do, Insn, Then
from tests.gen.passes.make import complaints, routine

NTT = "reg x, y : i32\nldr x, [k]\nldr y, [k, #4]\n"


def test_form_by_operands() -> None:
    made = routine("reg x : u32\nldr x, [k]\nadd x, x, #4\nadd x, x, x, lsl #2", "select")
    forms = [node.form for node in made.body if isinstance(node, Insn)]
    assert [form.syntax for form in forms if form] == [
        "d, a:mem:single",
        "d, n, k:imm:t2",
        "d, n, m, sh:shift:any",
    ]
    assert all(node.roles for node in made.body if isinstance(node, Insn))


def test_exact_spelling_is_its_family() -> None:
    made = routine("reg x : i16x2\nldr x, [k]\nsmulbt x, x, x\nsmulxy x, x.b, x.t", "select")
    exact, family = [node for node in made.body if isinstance(node, Insn)][1:]
    assert exact.form is family.form
    assert exact.roles == family.roles


def test_blocks_are_entered() -> None:
    made = routine(
        "reg n : u32\nmov n, #2\ndo:\n    cmp n, #1\n    then eq:\n        add n, n, #3\n"
        "    subs n, n, #1\nwhile ne",
        "select",
    )
    loop = made.body[1]
    assert isinstance(loop, Do)
    block = loop.body[1]
    assert isinstance(block, Then)
    assert block.body[0].form is not None


def test_feature_of_the_core() -> None:
    (said,) = complaints(NTT + "smuad x, x, y\nstr x, [r]", "select", "cortex-m3")
    assert said.code == "missing-feature"
    assert complaints(NTT + "smuad x, x, y\nstr x, [r]", "select") == []


def test_all_errors_are_collected() -> None:
    said = complaints(NTT + "mul x, x, #3\nfoo x\nand x, x, #51*91\nstr x, [r]", "select")
    assert [item.code for item in said] == ["bad-operands", "unknown-mnemonic", "bad-constant"]
    assert any("mul d, n, m" in line for line in said[0].details)


def test_generators_own_instructions() -> None:
    (said,) = complaints("reg x : u32\npush {x}", "select")
    assert "made by the generator" in said.message
