# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Layout: branches reach, loops are aligned, and the assembler sees the sizes that were counted."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from gen import isa
from gen.ir.ir import Insn, Item, Label, LabelRef, Routine
from gen.passes.reach import parts
from tests.gen.passes.make import complaints, routine, shipped, text


def layout(items: Sequence[Item]) -> list[tuple[Item, int]]:
    """Items with their addresses."""
    out, at = [], 0
    for item in items:
        out.append((item, at))
        at += isa.size(item) if isinstance(item, Insn) else 0
    return out


def body(made: Routine) -> list[Item]:
    return parts(made.final)[1]


def loop(count: int, extra: str = "") -> str:
    """A loop of `count` 32-bit instructions."""
    out = "reg n, x : u32\nldr x, [k]\nmov n, #3\ndo:\n"
    out += f"    for i in range({count}):\n        eor x, x, x, ror #7\n{extra}"
    return out + "    subs n, n, #1\nwhile ne\nstr x, [r]"


@pytest.mark.parametrize(("count", "width"), [(10, 2), (62, 2), (63, 4), (400, 4)])
def test_branch_is_as_wide_as_it_must_be(count: int, width: int) -> None:
    made = body(routine(loop(count), "reach"))
    (branch,) = [i for i in made if isinstance(i, Insn) and i.form and i.form.kind == "branch"]
    assert isa.size(branch) == width
    places = dict(layout(made))
    head = next(at for item, at in places.items() if isinstance(item, Label))
    assert branch.form is not None
    assert isa.in_reach(branch.form, head - places[branch], width)


def test_forward_branches_too() -> None:
    lines = "reg x : u32\nldr x, [k]\ncmp x, #1\nwhen eq:\n    for i in range(80):\n"
    lines += "        eor x, x, x, ror #7\nstr x, [r]"
    made = body(routine(lines, "reach"))
    (branch,) = [i for i in made if isinstance(i, Insn) and i.form and i.form.kind == "branch"]
    assert isa.size(branch) == 4


def straddling(made: Routine) -> tuple[int, int]:
    """32-bit instructions in loops: those across a word, and all."""
    items = body(made)
    heads = {item.name: at for at, item in enumerate(items) if isinstance(item, Label)}
    inside: set[int] = set()
    for at, item in enumerate(items):
        if isinstance(item, Insn) and item.form is not None and item.form.kind == "branch":
            start = heads[next(op.name for op in item.ops if isinstance(op, LabelRef))]
            inside |= set(range(start, at + 1))
    places = [at for _, at in layout(items)]
    wide = [n for n in sorted(inside) if isinstance(items[n], Insn) and isa.size(items[n]) == 4]
    return sum(places[n] % 4 != 0 for n in wide), len(wide)


@pytest.mark.parametrize("core", ["cortex-m4", "cortex-m4f"])
def test_hardly_any_instruction_straddles_in_loops(core: str) -> None:
    across, wide = map(sum, zip(*map(straddling, shipped(core)), strict=True))
    assert wide > 300
    assert across <= wide // 50


def test_straddling_is_seen() -> None:
    """Without the pass some do straddle, so the test above can fail."""
    across, _ = map(sum, zip(*map(straddling, shipped(last="frame")), strict=True))
    assert across > 20


def test_entry_is_whole_words() -> None:
    for made in shipped():
        entry = parts(made.final)[0]
        assert sum(isa.size(item) for item in entry if isinstance(item, Insn)) % 4 == 0


def test_heads_before_wide_instructions_are_aligned() -> None:
    made = body(routine(loop(3, "    adds n, n, #0\n"), "reach"))
    assert [at % 4 for item, at in layout(made) if isinstance(item, Label)] == [0]


def test_align_pads_by_widening_or_by_a_nop() -> None:
    lines = "reg x, y : u32\nldr x, [k]\nalign 4\nldr y, [k, #4]\nadd x, x, y\nstr x, [r]"
    first = next(item for item in body(routine(lines, "reach")) if isinstance(item, Insn))
    assert isa.size(first) == 4 and first.width == ".w"
    lines = "reg x : u32\nalign 4\nldr.n x, [k]\nalign 4\nstr x, [r]"
    assert text(body(routine(lines, "reach"))) == ["ldr.n r1, [r1]", "nop", "str r1, [r0]"]


def test_written_widths_stay() -> None:
    made = body(routine("reg x : u32\nldr.w x, [k]\nstr.n x, [r]", "reach"))
    assert [isa.size(item) for item in made if isinstance(item, Insn)] == [4, 2]


def test_alignment_that_nobody_keeps() -> None:
    lines = "reg x : u32\nldr x, [k]\nalign 16\nstr x, [r]"
    assert [c.code for c in complaints(lines, "reach")] == ["bad-constant"]


def test_nothing_is_put_into_an_it_block() -> None:
    lines = "reg n, x : u32\nldr x, [k]\nmov n, #3\ndo:\n    cmp x, #1\n    then eq:\n"
    lines += (
        "        mov x, #2\n        eor x, x, x, ror #7\n    subs n, n, #1\nwhile ne\nstr x, [r]"
    )
    made = [line.split()[0] for line in text(body(routine(lines, "check_result")))]
    at = made.index("itt")
    assert [name.partition(".")[0] for name in made[at + 1 : at + 3]] == ["moveq", "eoreq"]


ASSEMBLERS = {
    "gnu": ["arm-none-eabi-as", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mthumb"],
    "clang": [
        "clang",
        "--target=arm-none-eabi",
        "-mcpu=cortex-m4",
        "-mthumb",
        "-c",
        "-x",
        "assembler",
    ],
}


@pytest.mark.parametrize("assembler", ASSEMBLERS)
def test_assembler_agrees_on_every_size(assembler: str, tmp_path: Path) -> None:
    """Each instruction of each routine has a label, which stands where `reach` counted."""
    command = ASSEMBLERS[assembler]
    if shutil.which(command[0]) is None:
        pytest.fail(f"{command[0]} is missing")
    lines = [".syntax unified", ".thumb", ".fpu fpv4-sp-d16", ".text"]
    for number, made in enumerate(shipped("cortex-m4f")):
        lines += [".balign 4", *_labelled(made, f"f{number}_")]
    source, made_object = tmp_path / "all.s", tmp_path / "all.o"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    subprocess.run([*command, str(source), "-o", str(made_object)], check=True)
    places = _symbols(made_object)
    counted = [name.split("_at") for name in places if "_at" in name]
    assert len(counted) > 1000
    for stem, at in counted:
        assert places[f"{stem}_at{at}"] - places[f"{stem}_start"] == int(at)


def _labelled(made: Routine, stem: str) -> list[str]:
    """The routine with a label before every instruction that says where it is."""
    out, at = [f"{stem}start:"], 0
    for item in made.final:
        if isinstance(item, Label):
            out.append(f"{stem}{item.name}:")
        elif isinstance(item, Insn):
            line = isa.render(item)
            for op in item.ops:
                if isinstance(op, LabelRef) and item.form and item.form.kind == "branch":
                    line = f"{line.split()[0]} {stem}{op.name}"
            out += [f"{stem}at{at}:", line]
            at += isa.size(item)
    return out


def _symbols(path: Path) -> dict[str, int]:
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return {symbol.name: symbol["st_value"] & ~1 for symbol in table.iter_symbols()}
