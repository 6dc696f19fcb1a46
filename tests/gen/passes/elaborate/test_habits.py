# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What hands that know other assemblers write is answered with how it is written here."""

from __future__ import annotations

import pytest

from gen.diag import Failed
from gen.passes import run
from tests.gen.passes.make import complaints, routine


@pytest.mark.parametrize(
    ("line", "code", "help"),
    [
        ("ldr x, =0x12345678", "syntax", "reg NAME : u32 = VALUE"),
        ("add x, x, #1 @ why", "syntax", "// a comment"),
        ("add x, x, x /* why */", "syntax", "// a comment"),
        ("add x, x, x # why", "undefined", ""),
        ("add x, r0, #4", "undefined", "reg NAME : u32 @ r0"),
        ("mov pc, x", "undefined", "reg NAME : u32 @ r0"),
        ("again:", "syntax", "do: ... while ne"),
    ],
)
def test_habits(line: str, code: str, help: str) -> None:
    (said,) = complaints(f"reg x : u32\nldr x, [k]\n{line}\nstr x, [r]", "select")
    assert (said.code, said.help) == (code, help)


@pytest.mark.parametrize("lengths", ["[-1]", "[1, 5000000000]"])
def test_lengths_that_no_proof_could_run_with(lengths: str) -> None:
    head = "fn void t_f(uint32_t *r, uint32_t n):\n    param r : secret out, len(r) = n\n"
    head += f"    param n : public in, lengths {lengths}\n"
    (said,) = complaints("reg x : u32\nmov x, #1\nstr x, [r]", "select", head=head)
    assert said.code == "bad-expression" and "lengths [0, 3, 504]" in said.help


def test_a_length_without_bounds_is_refused_and_not_tried() -> None:
    head = "fn void t_f(uint32_t *r, uint32_t n):\n    param r : secret inout, len(r) = n\n"
    head += "    param n : public in\n"
    made = routine("reg x : u32\nldr x, [r]\nstr x, [r]", "liveness", head=head)
    with pytest.raises(Failed) as refused:
        run(made, ["initialised"])
    (said,) = refused.value.bag.items
    assert said.code == "bad-expression" and "lengths [0, 3, 504]" in said.help
