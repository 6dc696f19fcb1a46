# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The frame: saves, slots, arguments, initial values, IT; the final code does what the code did."""

from __future__ import annotations

from random import Random

import pytest

from gen.ir.interp import execute
from gen.ir.interp.entry import element_bytes, size_of
from gen.ir.ir import Insn, Mark, Routine
from gen.passes.running import cases, promised
from tests.gen.passes.make import complaints, routine, shipped, text

MANY = "reg a[10] : u32\nfor i in range(10):\n    ldr a[i], [k, #4*(i % 8)]\n"
MANY += "for i in range(10):\n    str a[i], [r, #4*i]\n"


def part(made: Routine, which: str) -> list[str]:
    return text(item for item in made.final if isinstance(item, Insn) and item.part == which)


def test_leaf_without_saves_only_returns() -> None:
    made = routine("reg x : u32\nldr x, [k]\nstr x, [r]", "frame")
    assert part(made, "entry") == []
    assert part(made, "exit") == ["bx lr"]
    assert made.frame.stack == 0 and made.frame.saved == ()


def test_saves_are_restored_and_listed() -> None:
    made = routine(MANY, "frame")
    (push,) = part(made, "entry")
    (pop,) = part(made, "exit")
    assert push.removeprefix("push ").replace("lr", "pc") == pop.removeprefix("pop ")
    below = {save.register: save.below for save in made.frame.saved}
    assert below["lr"] == 4
    assert sorted(below.values()) == [4 * (n + 1) for n in range(len(below))]
    assert made.frame.stack == 4 * len(below)


def test_slots_lie_below_the_saves() -> None:
    lines = "reg x, y : u32 slot\nldr x, [k]\nldr y, [k, #4]\nspill y\nspill x\nfill x\nfill y\n"
    made = routine(lines + "str x, [r]\nstr y, [r]", "frame")
    assert {var.name: at for var, at in made.frame.slots.items()} == {"y": 0, "x": 4}
    assert part(made, "entry") == ["sub sp, sp, #8"]
    assert part(made, "exit") == ["add sp, sp, #8", "bx lr"]
    stores = [line for line in part(made, "body") if line.startswith("str") and "sp" in line]
    assert len(stores) == 2 and "[sp]" in stores[0] and "[sp, #4]" in stores[1]
    assert made.frame.slot_bytes == made.frame.stack == 8


def test_all_webs_of_a_name_share_its_slot() -> None:
    lines = "reg x : u32 slot\nldr x, [k]\nspill x\nfill x\nstr x, [r]\nldr x, [k, #4]\nspill x\n"
    made = routine(lines + "fill x\nstr x, [r]", "frame")
    assert set(made.frame.slots.values()) == {0}


PARK = "reg x : u32 park\nldr x, [k]\nspill x\nstr k, [r]\nfill x\nstr x, [r]"


def test_parked_in_fp_where_the_core_has_it() -> None:
    made = routine(PARK, "frame", core="cortex-m4f")
    assert set(made.frame.parks.values()) == {"s0"}
    assert [line.split()[0] for line in part(made, "body")].count("vmov") == 2
    assert made.frame.stack == 0
    plain = routine(PARK, "frame")
    assert plain.frame.parks == {} and plain.frame.stack == 4


def test_callers_fp_registers_are_saved() -> None:
    lines = "reg x[18] : u32 park\nfor i in range(18):\n    ldr x[i], [r, #4*i]\n    spill x[i]\n"
    lines += "for i in range(18):\n    fill x[i]\n    str x[i], [r, #4*i]"
    made = routine(lines, "check_result", core="cortex-m4f")
    assert part(made, "entry")[-1] == "vpush {s16, s17}"
    assert part(made, "exit")[0] == "vpop {s16, s17}"
    assert [(save.register, save.below) for save in made.frame.saved] == [("s17", 4), ("s16", 8)]


def test_more_parks_than_registers() -> None:
    lines = "reg x[33] : u32 park\nfor i in range(33):\n    ldr x[i], [r, #4*i]\n    spill x[i]\n"
    lines += "for i in range(33):\n    fill x[i]\n    str x[i], [r, #4*i]"
    assert [c.code for c in complaints(lines, "frame", "cortex-m4f")] == ["no-colouring"]
    assert complaints(lines, "frame") == []


def test_initial_values_are_loaded_if_read() -> None:
    lines = "reg q : u32 = 33*101\nreg m : u32 = 2**32 - 2\nreg w : u32 = 3**18\nreg no : u32 = 7\n"
    lines += "reg x : u32\nldr x, [k]\nmul x, x, q\nadd x, x, m\neor x, x, w\nstr x, [r]"
    made = routine(lines, "frame")
    entry = [item for item in made.final if isinstance(item, Insn) and item.part == "entry"]
    heads = [line.split()[0] for line in text(entry)]
    assert sorted(heads) == ["mov", "movt", "movw", "mvn"]
    assert {item.comment.split()[0] for item in entry} == {"q", "m", "w"}


STACKED = (
    "fn void t_f(uint32_t r[8], uint32_t a, uint64_t b, uint32_t c, uint64_t d):\n"
    "    param r : secret inout, align 4\n    param a : secret in\n    param b : secret in\n"
    "    param c : secret in\n    param d : secret in\n"
)


def test_arguments_beyond_the_fourth() -> None:
    lines = "str a, [r]\nstr b.lo, [r, #4]\nstr b.hi, [r, #8]\nstr c, [r, #12]\n"
    lines = "str a, [r]\nstr c, [r, #12]\n"
    made = routine(lines, "check_result", head=STACKED)
    done = execute(made, {"r": [0] * 8, "a": 5, "b": 6, "c": 7, "d": 8}, "final")
    assert done.buffers["r"] == [5, 0, 0, 7, 0, 0, 0, 0]
    loads = [line for line in part(made, "entry") if line.startswith("ldr")]
    assert len(loads) == 1


def test_it_before_conditional_instructions() -> None:
    lines = "reg x : u32\nldr x, [k]\ncmp x, #1\nthen eq:\n    add x, x, #1\n    add x, x, #2\n"
    lines += "then ne:\n    add x, x, #3\nthen mi:\n    add x, x, #4\nstr x, [r]"
    body = part(routine(lines, "frame"), "body")
    assert [line for line in body if line.startswith("it")] == ["itte eq", "it mi"]
    assert body.index("itte eq") == 2


def test_it_holds_four() -> None:
    adds = "".join(f"    add x, x, #{n}\n" for n in range(4))
    lines = "reg x : u32\nldr x, [k]\ncmp x, #1\nthen eq:\n" + adds + "then eq:\n" + adds
    body = part(routine(lines + "str x, [r]", "frame"), "body")
    assert [line for line in body if line.startswith("it")] == ["itttt eq", "itttt eq"]


def test_declassification_of_a_value_that_is_gone_is_dropped() -> None:
    lines = "reg x, y : u32\nldr x, [k]\npublic x // shown\nstr x, [r]\npublic x // in vain\n"
    lines += "ldr y, [k]\nstr y, [r, #4]"
    made = routine(lines, "frame")
    marks = [item for item in made.final if isinstance(item, Mark)]
    assert [mark.text for mark in marks] == ["shown"]


def arguments(made: Routine, random: Random) -> dict[str, int | list[int]]:
    """Values within the promises; lengths that the proofs are run with."""
    scalars = list(cases(made))[-1]
    out: dict[str, int | list[int]] = {}
    for param in made.params:
        lo, hi = promised(param)
        if param.table is not None:
            continue
        if param.ctype.pointer:
            count = size_of(param, scalars) // element_bytes(param) or 300
            out[param.name] = [random.randint(lo, hi) for _ in range(count)]
        else:
            out[param.name] = scalars.get(param.name, random.randint(lo, hi))
    return out


def short(made: Routine) -> bool:
    """Not a loop around long subs, which takes half a minute on the oracle."""
    return sum(len(sub.code) for sub in made.subs) < 300


@pytest.mark.parametrize("core", ["cortex-m4", "cortex-m4f"])
def test_final_computes_what_the_code_computes(core: str) -> None:
    for made in filter(short, shipped(core)):
        given = arguments(made, Random(7))
        code, final = (execute(made, given, stage) for stage in ("code", "final"))
        assert code.buffers == final.buffers, made.symbol
        assert code.result == final.result, made.symbol
