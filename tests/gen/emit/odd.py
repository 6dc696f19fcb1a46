# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Routines made to be awkward: 64-bit arguments, holes, arguments on the stack, parked values, both kinds of loop.

Their texts, what a call of each must do, and where their files are once they are built."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from gen import driver, pieces
from gen.cores.core import load_core
from gen.emu.machine import Wide
from gen.ir.ir import Routine
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


def built(root: Path) -> Path:
    """A root with the sources, built."""
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


def file(tree: Path, core: str, form: str, symbol: str) -> Path:
    """What the core takes."""
    text = (tree / "generated" / core / f"{form}{SUFFIX}").read_text()
    return tree / "generated" / entries(text)[symbol]
