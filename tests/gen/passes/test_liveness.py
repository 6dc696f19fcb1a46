# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Webs: what shares a register and what need not; values that are missing or in vain."""

from __future__ import annotations

from gen.ir.interp import execute
from gen.ir.ir import Insn, Mark, Move, Old, Reg, Routine, Var
from tests.gen.passes.make import HEAD, complaints, routine, shipped


def webs(made: Routine, name: str) -> list[Var]:
    """The webs of a name, in order of appearance."""
    found: dict[Var, None] = {}
    for item in made.code:
        if isinstance(item, Insn):
            for op in item.ops:
                for attribute in ("var", "base", "index"):
                    var = getattr(op, attribute, None)
                    if isinstance(var, Var) and var.name == name:
                        found[var] = None
        elif isinstance(item, Move) and item.var.name == name:
            found[item.var] = None
    return list(found)


def test_one_name_two_values() -> None:
    made = routine("reg x : u32\nldr x, [k]\nstr x, [r]\nldr x, [k, #4]\nstr x, [r]", "liveness")
    assert len(webs(made, "x")) == 2


def test_read_and_written_at_once_by_different_roles() -> None:
    made = routine("reg x : u32\nldr x, [k]\neor x, x, x, ror #3\nstr x, [r]", "liveness")
    assert len(webs(made, "x")) == 2


def test_tied_roles_are_one_web() -> None:
    made = routine("reg x : u32\nldr x, [k]\nbfi x, k, #0, #8\nstr x, [r], #4", "liveness")
    assert len(webs(made, "x")) == 1
    assert len(webs(made, "r")) == 1


def test_ways_that_meet_are_one_web() -> None:
    made = routine(
        "reg x : u32\nldr x, [k]\ncmp x, #1\nwhen eq:\n    mov x, #2\notherwise:\n    mov x, #3\n"
        "str x, [r]",
        "liveness",
    )
    assert len(webs(made, "x")) == 2


def test_around_a_loop_is_one_web() -> None:
    made = routine("reg n : u32\nmov n, #3\ndo:\n    subs n, n, #1\nwhile ne", "liveness")
    assert len(webs(made, "n")) == 1


def test_spill_and_fill_part_webs() -> None:
    made = routine("reg x : u32 slot\nldr x, [k]\nspill x\nfill x\nstr x, [r]", "liveness")
    assert len(webs(made, "x")) == 2


def test_parameters_and_initial_values_belong_to_entry() -> None:
    made = routine(
        "reg q : u32 = 33*100\nreg x : u32\nmul x, q, q\nldr q, [k]\nadd x, x, q\nstr x, [r]",
        "liveness",
    )
    first, second = webs(made, "q")
    assert first.init == 3300 and second.init is None
    assert {param.var for param in made.params} == {webs(made, "r")[0], webs(made, "k")[0]}


def test_instructions_remember_their_source() -> None:
    made = routine("reg x : u32\nldr x, [k]\nstr x, [r]", "liveness")
    origins = [item.origin for item in made.code if isinstance(item, Insn)]
    assert all(origin is not None and origin.form is not None for origin in origins)


MACRO = """
macro twice(inout x : u32) ensures x - 2*old(x) == 0:
    assert x < 4
    add x, x, x

"""


def test_marks_speak_of_the_webs_of_their_place() -> None:
    lines = "reg x : u32\nmov x, #3\ntwice(x)\nstr x, [r]"
    made = routine(lines, "liveness", head=MACRO + HEAD)
    before, after = webs(made, "x")
    marks = {item.kind: item for item in made.code if isinstance(item, Mark)}
    checked = marks["assert"].pred
    ensured = marks["ensures"].pred
    assert checked is not None and ensured is not None
    assert Reg(before) in checked.env.values()
    assert Reg(after) in ensured.env.values()
    olds = [what.operand for what in ensured.env.values() if isinstance(what, Old)]
    assert olds == [Reg(before)]
    assert execute(made, {"r": [0] * 64, "k": [0] * 8}).buffers["r"][0] == 6


def test_dead_results_beside_live_ones_are_no_mistake() -> None:
    lines = "reg x, lo, hi : u32\nldr x, [k]\numull lo, hi, x, x\nstr hi, [r]"
    assert complaints(lines, "liveness") == []
    assert (
        complaints("reg x : u32\nldr x, [k]\nsubs x, x, #1\nthen eq:\n    str k, [r]", "liveness")
        == []
    )


def test_written_in_vain() -> None:
    said = complaints("reg x : u32\nldr x, [k]\nmov x, #1\nstr x, [r], #4", "liveness")
    assert [(item.code, item.message.split()[0]) for item in said] == [("unused", "x")]


def test_missing_on_one_way_only() -> None:
    lines = "reg x, y : u32\nldr y, [k]\ncmp y, #1\nwhen eq:\n    mov x, #1\nstr x, [r]"
    assert [item.code for item in complaints(lines, "liveness")] == ["uninitialised"]


def test_flag_before_anything_set_it() -> None:
    (said,) = complaints("reg x : u32\nldr x, [k]\nadcs x, x, x\nstr x, [r]", "liveness")
    assert said.code == "uninitialised" and "flag C" in said.message


def test_result_is_read_at_return() -> None:
    head = "fn uint32_t t_f(const uint32_t k[8]):\n    param k : secret in, align 4\n"
    made = routine("result x : u32\nldr x, [k]", "liveness", head=head)
    assert made.result is not None
    assert made.result[1] is webs(made, "x")[0]


def test_shipped_routines_have_no_such_mistakes() -> None:
    assert sum(1 for _ in shipped(last="liveness")) > 10
