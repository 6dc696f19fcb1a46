# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Portable C compiles, without a warning, and computes the same, whatever an author calls a register, and however
loops are left."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gen import driver, pieces
from gen.cores.core import load_core
from gen.diag import Failed
from gen.emit import portable_c
from gen.emit.backend import PORTABLE
from gen.emit.cnames import Names
from gen.passes import BUILD
from gen.read.load import index

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror".split()

WORDS = """// Registers are called like words of C, like helpers, like what the form makes beside them.
table pack : u32[1] = [7]

macro scaled(inout v : u32, p : ptr):
    local t, q, int, keep : u32
    ldr     t, [p]
    rbit    q, t
    mov     int, q
    rbit    keep, int
    mla     v, v, keep, t

fn uint32_t odd_words(const uint32_t *t, const uint32_t q[2], uint32_t n):
    param t : secret in, len(t) = 2, align 4
    param q : secret in, align 4
    param n : secret in
    result int : u32
    stack keep[2] : u32
    reg   p, keep_4, t_at : ptr
    reg   x, x_2, memcpy, uint32_t, linux, odd_words, t_1, odd_pack : u32
    reg   x_home : u32 slot
    reg   n_home : u32
    reg   pack : u32 = 9
    reg   home : u32 slot

    str     t, [keep, #4]
    add     p, t, #4
    mov     home, n
    spill   home
    mov     n_home, n
    scaled(n_home, p)
    mov     x_home, n_home
    spill   x_home
    ldr     x, [q]
    add     x_2, x, n
    ldr     keep_4, [keep, #4]
    scaled(x_2, keep_4)
    rbit    t_1, x_2
    rbit    memcpy, t_1
    add     t_at, q, #4
    ldr     uint32_t, [t_at]
    fill    x_home
    eor     linux, uint32_t, x_home
    fill    home
    add     odd_words, home, pack
    add     odd_pack, memcpy, linux
    mul     int, odd_pack, odd_words
"""


def words(t: list[int], q: list[int], n: int) -> int:
    """What WORDS computes."""
    first = n * t[1] + t[1]
    second = (q[0] + n) * t[0] + t[0]
    mask = 2**32 - 1
    return (second + (q[1] ^ first & mask)) * (n + 9) & mask


LEAVES = """// A loop is left from inside a counted loop, and from inside another loop's counted loop.
fn uint32_t odd_leaves(uint32_t n):
    param n : public in, 0 <= n <= 40
    result sum : u32
    reg   s, i, j : u32

    mov     s, #0
    mov     j, #0
    loop at most 9:
        mov     i, #0
        do:
            add     s, s, #1
            cmp     s, n
            break   hs
            do:
                add     i, i, #1
                add     s, s, #2
                cmp     s, #50
                break   hs
                cmp     i, #3
            while lo
            cmp     i, #5
        while lo
        loop at most 4:
            do:
                add     s, s, #1
                cmp     s, #20
                break   eq
                tst     s, #3
            while ne
            cmp     s, #0
            break   ne
        add     j, j, #1
        cmp     j, #8
        break   eq
    mov     sum, s
"""


def leaves(n: int) -> int:
    """What LEAVES computes."""
    s = 0
    for _ in range(8):
        i = 0
        while True:
            s += 1
            if s >= n:
                return s
            while True:
                i, s = i + 1, s + 2
                if s >= 50:
                    return s
                if i >= 3:
                    break
            if i >= 5:
                break
        while True:
            s += 1
            if s == 20 or not s & 3:
                break
    return s


def built(root: Path, name: str, text: str) -> str:
    """The portable C of a routine."""
    folder = root / "asm-src" / "odd"
    folder.mkdir(parents=True)
    (folder / f"{name}.rasm").write_text(text)
    (job,) = driver.jobs(root, index(root), load_core("portable"))
    made = pieces.piece(root, job, BUILD[:1])
    for output in driver.shared(driver.make(root, ["portable"], [job])):
        path = root / output.path
        path.parent.mkdir(exist_ok=True)
        path.write_text(output.text)
    return portable_c.emit(made)[f"portable/odd_{name}.c"]


def ran(root: Path, text: str, compiler: str, calls: list[str]) -> list[int]:
    """The values of these expressions over the function."""
    shown = "".join(f'    printf("%u\\n", (unsigned)({call}));\n' for call in calls)
    (root / "one.c").write_text(text)
    (root / "main.c").write_text(
        f'#include <stdio.h>\n#include "armscribe_routines.h"\nint main(void)\n{{\n{shown}}}\n'
    )
    command = [compiler, "-std=gnu99", f"-I{root / 'include'}", f"-D{PORTABLE}", "-O1"]
    subprocess.run([*command, *WARNINGS, "-c", "one.c"], cwd=root, check=True)
    subprocess.run([*command, "one.o", "main.c", "-o", "all"], cwd=root, check=True)
    done = subprocess.run(["./all"], cwd=root, check=True, capture_output=True, text=True)
    return [int(row) for row in done.stdout.split()]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_any_name_goes(compiler: str, tmp_path: Path) -> None:
    cases = [([3, 5], [7, 11], 2), ([2**32 - 1, 2**31], [12345, 2**32 - 7], 2**32 - 3)]
    calls = [
        f"odd_words((const uint32_t[]){{{t[0]}u, {t[1]}u}}, (const uint32_t[]){{{q[0]}u, {q[1]}u}}, {n}u)"
        for t, q, n in cases
    ]
    found = ran(tmp_path, built(tmp_path, "words", WORDS), compiler, calls)
    assert found == [words(*case) for case in cases]


def test_loops_are_left_from_inside_others(tmp_path: Path) -> None:
    text = built(tmp_path, "leaves", LEAVES)
    assert text.count("goto out1;") == 2 and text.count("out1:;") == 1 and "break;" in text
    found = ran(tmp_path, text, "gcc", [f"odd_leaves({n}u)" for n in range(41)])
    assert found == [leaves(n) for n in range(41)]


@pytest.mark.parametrize("name", ["N", "choose", "s32", "linux"])
def test_parameters_that_c_would_take_for_something_else(name: str, tmp_path: Path) -> None:
    text = (
        f"fn uint32_t odd_bad(uint32_t {name}):\n    param {name} : secret in\n    result s : u32\n"
    )
    text += f"    mov     s, {name}\n"
    with pytest.raises(Failed) as refused:
        built(tmp_path, "bad", text)
    (item,) = refused.value.bag.items
    assert item.code == "bad-prototype" and item.span.line == 2


def test_no_name_is_given_out_twice() -> None:
    free = Names(["x_2"])
    assert [free.new("x"), free.new("x"), free.new("int"), free.new("uint8_t")] == [
        "x",
        "x_3",
        "int_2",
        "uint8_t_2",
    ]
    assert free.new("x_home") == "x_home" and free.new("y", ("_home",)) == "y"
    assert free.new("y_home") == "y_home_2" and free.new("x", ("_home",)) == "x_4"
