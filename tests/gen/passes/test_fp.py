# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Registers that live in the FP unit: written and read by moves, kept apart from parks and from those of subs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gen.emit import FORMS
from gen.emit.view import Piece
from gen.ir.interp import execute
from gen.ir.ir import Insn, Routine
from gen.passes import PIPELINE
from gen.passes.check_result import check_result
from gen.passes.timing import timing
from tests.gen.passes.trees import codes, errors, made

HEAD = "fn void t_r(uint32_t r[4], const uint32_t a[4]):\n    param r : secret inout\n    param a : secret in\n"
SUB = """\
// x <- x + 3, by way of the FP unit.
sub three(inout x : u32 @ r2) clobbers r3:
    reg f : u32 fp
    reg y : u32 park

    mov y, #3
    spill y
    vmov f, x
    fill y
    vmov x, f
    add x, x, y

"""
BODY = """\
    reg f[4], g : u32 fp
    reg x, y : u32
    reg z : u32 park

    vldm a, {f[0..3]}
    vmov x, f[2]
    ldr z, [a, #4]
    spill z
    vmov g, x
    mov x, #1
    call three(x)
    str x, [r]
    vmov y, g
    str y, [r, #4]
    fill z
    str z, [r, #8]
    vmov y, f[3]
    str y, [r, #12]
"""


def routine(root: Path, body: str = BODY, last: str = "check_result") -> Routine:
    return made(root, SUB + HEAD + body, PIPELINE[1 : PIPELINE.index(last) + 1], "cortex-m4f")


def test_values_come_back(tmp_path: Path) -> None:
    found = routine(tmp_path, last="timing")
    for stage in ("code", "final"):
        out = execute(found, {"a": [10, 20, 30, 40]}, stage)  # type: ignore[arg-type]
        assert out.buffers["r"] == [4, 30, 20, 40]


def test_nothing_shares_a_register(tmp_path: Path) -> None:
    found = routine(tmp_path)
    (sub,) = found.subs
    own = {name for var, name in found.places.items() if var.home == "fp"}
    assert len(own) == 5 and len(sub.fp) == 2
    parks = set(found.frame.parks.values())
    assert not own & parks and not set(sub.fp) & (own | parks)
    assert set(found.fp) == own | parks | set(sub.fp)


def test_inline_lists_them_all(tmp_path: Path) -> None:
    found = routine(tmp_path)
    [text] = FORMS["inline"].emit(Piece("t_r", found.source, found.core, found, ())).values()
    assert all(f'"{name}"' in text for name in found.fp)


def test_many_save_those_of_the_caller(tmp_path: Path) -> None:
    body = "    reg f[20] : u32 fp\n    reg x : u32\n    ldr x, [a]\n    vmov f[19], x\n"
    found = routine(tmp_path, body + "    vmov x, f[19]\n    str x, [r]\n")
    assert [save.register for save in found.frame.saved] == ["s19", "s18", "s17", "s16"]
    assert timing(found).frame.stack == 16
    entry = [i for i in found.final if isinstance(i, Insn) and i.part == "entry"]
    assert entry


def test_what_cannot_be(tmp_path: Path) -> None:
    def said(body: str, core: str = "cortex-m4f") -> set[str]:
        return codes(errors(made, tmp_path, HEAD + body, PIPELINE[1:], core))

    use = "    reg x : u32\n    ldr x, [a]\n    vmov f, x\n    vmov x, f\n    str x, [r]\n"
    assert not said("    reg f : u32 fp\n" + use)
    assert said("    reg f : u32 fp\n" + use, "cortex-m4") == {"missing-feature"}
    assert said("    reg f : u32 fp = 1\n" + use) == {"syntax"}
    assert said(
        "    reg f : u32 fp\n    reg x : u32\n    ldr x, [a]\n    add f, x, x\n    vmov x, f\n    str x, [r]\n"
    ) == {"bad-operands"}
    lists = "    reg f[3] : u32 fp\n    vldm a, {f[0], f[2]}\n    vstm r, {f[0], f[2]}\n"
    assert said(lists) == {"no-colouring"}
    many = "    reg f[33] : u32 fp\n" + use.replace("f", "f[32]")
    assert said(many) == {"no-colouring"}


def test_a_sub_that_takes_its_callers_registers_is_found(tmp_path: Path) -> None:
    found = routine(tmp_path)
    (sub,) = found.subs
    own = next(name for var, name in found.places.items() if var.name == "g")
    taken = {var: own if var.home == "fp" else name for var, name in sub.places.items()}
    wrong = replace(found, subs=(replace(sub, places=taken),))
    assert codes(errors(check_result, wrong)) == {"bad-check"}
