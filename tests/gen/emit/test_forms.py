# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Routines made to be awkward: 64-bit arguments, holes, arguments on the stack, parked values, both kinds of loop.

Each is built from its text in all forms and called with the same arguments; `gas` and `inline` on the emulated core
under the full check of the convention, `portable` on this host.
"""

from __future__ import annotations

import random
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from gen import driver, pieces
from gen.cores.core import load_core
from gen.emit.aapcs import words
from gen.emit.view import c_number, number_rows
from gen.emu.abi import Buffer, check_call
from gen.emu.build import link
from gen.emu.machine import Machine, Wide
from gen.ir.ir import Insn, Routine, Table
from gen.isa import writes
from gen.passes import BUILD
from gen.read.load import index
from gen.sharing import SUFFIX, entries

CORES = ("cortex-m4", "cortex-m4f")

WIDE = """// Sums of everything, with a hole in r1 and five words on the stack.
fn uint32_t odd_wide(uint32_t *p, uint64_t a, uint32_t b, uint64_t c, int16_t d, uint8_t e):
    param p : secret inout, align 4, len(p) = 1
    param a : secret in
    param b : secret in
    param c : secret in
    param d : secret in
    param e : secret in
    result sum : u32
    reg   s, x : u32

    ldr     x, [p]
    adds    s, a[0], b -> k
    adcs    x, x, a[1], k -> k
    str     x, [p]
    adc     s, s, c[0], k
    eor     s, s, c[1], ror #7
    add     s, s, d
    add     sum, s, e, lsl #4       // the last */ one /* of them
"""
PARK = """// Values that leave the registers and come back.
fn uint32_t odd_park(const uint32_t p[4]):
    param p : secret in, align 4
    result s : u32
    reg   x[4] : u32 park
    reg   n : u32 slot
    reg   big : u32 = 2**31 + 77

    ldm     p, {x[0..3]}
    for i in range(4):
        spill   x[i]
    mov     n, #3
    spill   n
    mov     s, #0
    for i in range(4):
        fill    x[i]
        mla     s, s, big, x[i]
    fill    n
    add     s, s, n
"""
LOOPS = """// A do inside a loop, a choice, an IT block and a conditional store.
fn uint32_t odd_loops(uint8_t *r, uint32_t n):
    param r : public inout, len(r) = n
    param n : public in, 0 <= n <= 40, lengths [0, 1, 40]
    result sum : u32
    reg   s, i, x, b : u32

    mov     s, #0
    loop at most 41:
        cmp     n, #0
        break   eq
        ldrb    x, [r]
        mov     i, #0
        do:
            lsrs    b, x, #1
            then cs:
                add     s, s, #1
            mov     x, b
            add     i, i, #1
            cmp     i, #8
        while ne
        tst     n, #1
        when ne:
            eor     s, s, #0x55
        otherwise:
            rsb     s, s, #0
        strb    s, [r], #1
        sub     n, n, #1
    mov     sum, s
    tst     sum, #1
    then ne:
        add     sum, sum, #3
"""
NAMES = """// Locals of macros are called as the parameters and as a stack object.
macro sum_of(out r : u32, x : ptr, kept : ptr):
    local p, keep : u32
    ldr     p, [x]
    ldr     keep, [kept]
    add     r, p, keep

fn uint32_t odd_names(const uint32_t p[1], uint32_t r):
    param p : secret in, align 4
    param r : secret in
    result s : u32
    stack keep[1] : u32
    reg   x : ptr

    str     r, [keep]
    mov     x, p
    sum_of(s, x, keep)
"""
SOURCES = {"wide": WIDE, "park": PARK, "loops": LOOPS, "names": NAMES}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with the sources, built."""
    root = tmp_path_factory.mktemp("odd")
    folder = root / "asm-src" / "odd"
    folder.mkdir(parents=True)
    for name, text in SOURCES.items():
        (folder / f"{name}.rasm").write_text(text)
    for output in driver.everything(root, workers=1).outputs:
        path = root / "generated" / output.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(output.text)
    return root


def routine(tree: Path, core: str, symbol: str) -> Routine:
    work = driver.jobs(tree, index(tree), load_core(core))
    return pieces.routine(tree, next(job for job in work if job.symbol == symbol), BUILD)


@dataclass
class Case:
    """Arguments in order: a number, a 64-bit number, or the bytes of a buffer; what comes back."""

    symbol: str
    arguments: tuple[int | Wide | bytes, ...]
    result: int
    after: bytes


def _wide(rng: random.Random) -> Case:
    a, b, c = rng.getrandbits(64), rng.getrandbits(32), rng.getrandbits(64)
    d, e, p = rng.randrange(-(2**15), 2**15), rng.getrandbits(8), rng.getrandbits(32)
    low = (a % 2**32) + b
    high = p + (a >> 32) + (low >> 32)
    s = (low + (c % 2**32) + (high >> 32)) % 2**32
    top = c >> 32
    s ^= (top >> 7 | top << 25) % 2**32
    s = (s + d + (e << 4)) % 2**32
    start, end = p.to_bytes(4, "little"), (high % 2**32).to_bytes(4, "little")
    return Case("odd_wide", (start, Wide(a), b, Wide(c), d % 2**32, e), s, end)


def _park(rng: random.Random) -> Case:
    x, s = [rng.getrandbits(32) for _ in range(4)], 0
    for one in x:
        s = (s * (2**31 + 77) + one) % 2**32
    raw = b"".join(one.to_bytes(4, "little") for one in x)
    return Case("odd_park", (raw,), (s + 3) % 2**32, raw)


def _loops(rng: random.Random) -> Case:
    raw = rng.randbytes(rng.choice((0, 1, 2, 39, 40)))
    s, out = 0, bytearray()
    for n, byte in zip(range(len(raw), 0, -1), raw, strict=True):
        s += byte.bit_count()
        s = (s ^ 0x55) if n % 2 else -s % 2**32
        out.append(s & 255)
    return Case("odd_loops", (raw, len(raw)), (s + 3) % 2**32 if s % 2 else s, bytes(out))


def _names(rng: random.Random) -> Case:
    p, r = rng.getrandbits(32), rng.getrandbits(32)
    raw = p.to_bytes(4, "little")
    return Case("odd_names", (raw, r), (p + r) % 2**32, raw)


CASES = {"odd_wide": _wide, "odd_park": _park, "odd_loops": _loops, "odd_names": _names}


def _flags(tree: Path, core: str, form: str) -> list[str]:
    name = f"{core}_{form}".upper().replace("-", "_")
    return ["-O2", f"-I{tree / 'generated' / 'include'}", f"-DARMSCRIBE_BACKEND_{name}"]


def _file(tree: Path, core: str, form: str, symbol: str) -> Path:
    """What the core takes."""
    text = (tree / "generated" / core / f"{form}{SUFFIX}").read_text()
    return tree / "generated" / entries(text)[symbol]


@pytest.mark.parametrize("form", ["gas", "inline"])
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("symbol", CASES)
def test_on_the_core(tree: Path, core: str, form: str, symbol: str) -> None:
    image = link([_file(tree, core, form, symbol)], load_core(core), _flags(tree, core, form))
    machine, rng = Machine(image), random.Random(9)
    for _ in range(40):
        case = CASES[symbol](rng)
        given = [machine.alloc(x, 8, 4) if isinstance(x, bytes) else x for x in case.arguments]
        buffers = [
            Buffer(at, len(raw))
            for at, raw in zip(given, case.arguments, strict=True)
            if isinstance(raw, bytes) and isinstance(at, int)
        ]
        verdict = check_call(machine, symbol, given, buffers, rng)
        assert verdict.broken == ()
        assert verdict.result == case.result
        assert machine.read(buffers[0].address, buffers[0].size) == case.after


MAIN = """
#include <inttypes.h>
#include <stdio.h>
#include "armscribe_routines.h"
int main(void)
{{
{calls}
    return 0;
}}
"""


def _host_call(case: Case, number: int, types: list[str]) -> str:
    lines, passed = [], []
    for given, ctype in zip(case.arguments, types, strict=True):
        if isinstance(given, bytes):
            if ctype.startswith("uint32_t"):
                numbers = [
                    int.from_bytes(given[i : i + 4], "little") for i in range(0, len(given), 4)
                ]
            else:
                numbers = list(given) or [0]
            name = f"b{number}"
            lines.append(f"    {ctype} {name}[] = {{ {', '.join(f'{x}u' for x in numbers)} }};")
            passed.append(name)
        else:
            value = given.value if isinstance(given, Wide) else given
            passed.append(f"({ctype}){value}{'ull' if isinstance(given, Wide) else 'u'}")
    lines.append(f'    printf("%" PRIu32 "\\n", {case.symbol}({", ".join(passed)}));')
    size = len(case.after)
    shown = f'for (unsigned i = 0; i < {size}; i++) printf("%02x", ((const unsigned char *)b{number})[i]);'
    return "\n".join([*lines, f'    {shown if size else ""} printf("\\n");'])


TYPES = {
    "odd_wide": ["uint32_t", "uint64_t", "uint32_t", "uint64_t", "int16_t", "uint8_t"],
    "odd_park": ["uint32_t"],
    "odd_names": ["uint32_t", "uint32_t"],
    "odd_loops": ["uint8_t", "uint32_t"],
}


@pytest.mark.parametrize("symbol", CASES)
def test_portable(tree: Path, symbol: str, tmp_path: Path) -> None:
    rng = random.Random(10)
    cases = [CASES[symbol](rng) for _ in range(40)]
    calls = "\n".join(_host_call(case, number, TYPES[symbol]) for number, case in enumerate(cases))
    (tmp_path / "main.c").write_text(MAIN.format(calls=calls))
    include = f"-I{tree / 'generated' / 'include'}"
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Werror"]
    portable = tree / "generated" / "portable" / f"{symbol}.c"
    for source, flags in ((portable, warnings), (tmp_path / "main.c", [])):
        command = [
            "gcc",
            "-std=c99",
            "-fsanitize=undefined,address",
            include,
            "-DARMSCRIBE_BACKEND_PORTABLE",
        ]
        subprocess.run(
            [*command, *flags, "-c", str(source), "-o", str(tmp_path / f"{source.stem}.o")],
            check=True,
        )
    objects = [str(tmp_path / f"{symbol}.o"), str(tmp_path / "main.o")]
    subprocess.run(
        ["gcc", "-fsanitize=undefined,address", *objects, "-o", "all"], cwd=tmp_path, check=True
    )
    done = subprocess.run(["./all"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = done.stdout.split("\n")
    for number, case in enumerate(cases):
        assert int(rows[2 * number]) == case.result
        assert bytes.fromhex(rows[2 * number + 1]) == case.after


# --- what the text promises ----------------------------------------------------------------------


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("symbol", CASES)
def test_a_line_an_instruction(tree: Path, core: str, symbol: str) -> None:
    """The listing has the instructions of the IR and no other; labels are the IR's."""
    one = routine(tree, core, symbol)
    text = _file(tree, core, "gas", symbol).read_text()
    body = text[text.index(".cfi_startproc") : text.index(".cfi_endproc")]
    lines = [line for line in body.splitlines() if re.match(r"\t[a-z]", line)]
    assert len(lines) == sum(isinstance(item, Insn) for item in one.final)


def clobbered(text: str) -> set[str]:
    """Registers in the clobber list of an inline file."""
    listed = re.search(r': : \[args\] "r" \(args\) : (.*)\);', text)
    assert listed is not None
    return set(re.findall(r'"([rs]\d+)"', listed[1]))


def lost(one: Routine, text: str) -> set[str]:
    """Registers that the routine changes, does not give back and does not list."""
    changed = {var.name for item in one.final if isinstance(item, Insn) for var in writes(item)}
    saved = {save.register for save in one.frame.saved}
    return changed - saved - clobbered(text) - {"sp", "pc"}


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("symbol", CASES)
def test_clobbers_are_complete(tree: Path, core: str, symbol: str) -> None:
    text = _file(tree, core, "inline", symbol).read_text()
    one = routine(tree, core, symbol)
    assert lost(one, text) == set()
    assert '"cc", "memory");' in text and '"sp"' not in text and '"pc"' not in text


def test_each_lost_clobber_is_noticed(tree: Path) -> None:
    one = routine(tree, "cortex-m4f", "odd_park")
    text = (tree / "generated" / "cortex-m4f" / "odd_park_inline.c").read_text()
    changed = {v.name for i in one.final if isinstance(i, Insn) for v in writes(i)}
    parked = changed & clobbered(text)
    assert any(name.startswith("s") for name in parked)
    for name in sorted(parked):
        assert lost(one, text.replace(f'"{name}", ', "")) == {name}


def test_the_row_of_words(tree: Path) -> None:
    one = routine(tree, "cortex-m4", "odd_wide")
    row = [(word.param.name if word.param else "", word.part) for word in words(one.params)]
    assert row == [
        ("p", 0),
        ("", 0),
        ("a", 0),
        ("a", 1),
        ("b", 0),
        ("", 0),
        ("c", 0),
        ("c", 1),
        ("d", 0),
        ("e", 0),
    ]


def test_comments_cannot_end_early(tree: Path) -> None:
    for path in sorted((tree / "generated").rglob("odd_wide*")):
        assert "the last * / one / * of them" in path.read_text()


def test_contract_block(tree: Path) -> None:
    text = (tree / "generated/cortex-m4f/odd_park.S").read_text()
    head = text[: text.index("#include")]
    for words_ in (
        "Values that leave the registers",
        "uint32_t odd_park(const uint32_t p[4]);",
        "p  secret in, aligned to 4",
        "parked in s",
        "stack: ",
    ):
        assert words_ in head
    other = (tree / "generated/cortex-m4/odd_park.S").read_text()
    assert "FP registers: none" in other and "vmov" not in other and "vmov" in text


def test_numbers_of_tables_are_constants_of_their_type() -> None:
    signed = Table("t", "t", "i32", (-(2**31), -1, 2**31 - 1))
    unsigned = Table("t", "t", "u32", (0, 2**31, 2**32 - 1))
    assert [c_number(value, signed) for value in signed.values] == [
        "(-2147483647 - 1)",
        "-1",
        "2147483647",
    ]
    assert [c_number(value, unsigned) for value in unsigned.values] == [
        "0u",
        "2147483648u",
        "4294967295u",
    ]
    assert list(number_rows(signed)) == ["-2147483648,          -1,  2147483647"]
