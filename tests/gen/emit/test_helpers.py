# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The functions that portable C is made of: no branch in their text or in what compilers make of it, right values."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from gen.emit.cmeaning import helpers

CHECK = """#include "helpers.h"
#include <stdio.h>

static uint64_t state = 1;

static uint64_t next(void)
{
    const uint64_t corners[] = {0, 1, 0x7fffffff, 0x80000000u, 0xffffffffu, 1ull << 63, (1ull << 63) - 1, ~0ull};

    state = state * 6364136223846793005ull + 1442695040888963407ull;
    if ((state >> 60) == 0)
        return corners[(state >> 40) & 7];
    return ((state >> 59) & 1 ? 0 - (state >> ((state >> 53) & 63)) : state >> ((state >> 53) & 63)) ^ (state >> 40);
}

static int64_t asr(int64_t x, uint32_t n)
{
    return x < 0 ? ~(~x >> n) : x >> n;
}

int main(void)
{
    static const uint32_t amounts[] = {0, 1, 15, 30, 31, 32, 33, 62, 63, 64, 65, 255, 0x7fffffff, 0x80000000u, ~0u};

    for (int turn = 0; turn < 200000; turn++) {
        const uint64_t r = next(), low = (uint32_t)r;
        const int64_t x = (int64_t)next(), most = (int64_t)(next() >> 33), least = -1 - (int64_t)(next() >> 33);
        const int32_t a = (int32_t)(uint32_t)r, b = (int32_t)(uint32_t)next();
        const uint32_t bits = 1 + (uint32_t)(next() & 63);

        for (unsigned i = 0; i < sizeof amounts / sizeof *amounts; i++) {
            const uint32_t n = amounts[i];

            if (sar32(a, n) != (int32_t)asr(a, n < 31 ? n : 31) || sar64(x, n) != asr(x, n < 63 ? n : 63))
                return printf("sar %llx %u", (unsigned long long)x, n), 1;
            if (shl32((uint32_t)r, n) != (n < 32 ? (uint32_t)(low << n) : 0) || shl64(r, n) != (n < 64 ? r << n : 0))
                return printf("shl %llx %u", (unsigned long long)r, n), 1;
            if (shr32((uint32_t)r, n) != (n < 32 ? low >> n : 0) || shr64(r, n) != (n < 64 ? r >> n : 0))
                return printf("shr %llx %u", (unsigned long long)r, n), 1;
        }
        if (clamp64(x, least, most) != (x < least ? least : x > most ? most : x))
            return printf("clamp %llx", (unsigned long long)x), 1;
        if (udiv32((uint32_t)r, (uint32_t)b) != (b ? (uint32_t)r / (uint32_t)b : 0))
            return printf("udiv %llx %x", (unsigned long long)r, (unsigned)b), 1;
        if (sdiv32(a, b) != (b ? (int64_t)a / b : 0))
            return printf("sdiv %x %x", (unsigned)a, (unsigned)b), 1;
        if (sign64(r, bits) != asr((int64_t)(r << (64 - bits)), 64 - bits))
            return printf("sign64 %llx %u", (unsigned long long)r, bits), 1;
        if (umul64((uint32_t)r, (uint32_t)b) != (uint64_t)(uint32_t)r * (uint32_t)b || smul64(a, b) != (int64_t)a * b)
            return printf("product %x %x", (unsigned)a, (unsigned)b), 1;
        if (choose(r & 1, (uint32_t)r, (uint32_t)b) != (r & 1 ? (uint32_t)r : (uint32_t)b))
            return printf("choose"), 1;
    }
    return 0;
}
"""


@pytest.mark.parametrize(
    "flags",
    [
        ["-fsanitize=undefined", "-fno-sanitize-recover=all"],
        ["-D__CC_ARM"],
        ["-DARMSCRIBE_SHORT_PRODUCTS", "-fsanitize=undefined", "-fno-sanitize-recover=all"],
    ],
)
def test_values(flags: list[str], tmp_path: Path) -> None:
    (tmp_path / "helpers.h").write_text(helpers())
    (tmp_path / "check.c").write_text(CHECK)
    command = ["gcc", "-std=c99", "-O1", *flags, "check.c", "-o", "check"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run(["./check"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_branch_is_written() -> None:
    code = re.sub(r"/\*.*?\*/|^#.*$", "", helpers(), flags=re.S | re.M)
    assert not re.search(r"\?|&&|\|\||\b(if|while|for|switch)\b", code)


# functions of the helpers, with the types of their arguments
_SHIFTS = {f"{name}{bits}": bits for name in ("shl", "shr", "sar") for bits in (32, 64)}
_CONDITIONAL = re.compile(
    r"\t(j(?!mp)[a-z]+|b(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)(\.n|\.w)?|cbn?z)\t"
)


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-Os", "-O3"])
@pytest.mark.parametrize(
    "compiler",
    [["gcc"], ["clang"], ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"]],
    ids="/".join,
)
def test_no_branch_is_made(compiler: list[str], level: str, tmp_path: Path) -> None:
    """What shifts, clamps, chooses and reads signs; a division is for public values only."""
    rows = []
    for name, bits in _SHIFTS.items():
        kind = f"int{bits}_t" if name.startswith("sar") else f"uint{bits}_t"
        rows.append(f"{kind} f_{name}({kind} x, uint32_t n) {{ return {name}(x, n); }}\n")
    rows.append("int64_t f_clamp(int64_t x) { return clamp64(x, -2147483648ll, 2147483647ll); }\n")
    rows.append("int64_t f_sign(uint64_t x) { return sign64(x, 40); }\n")
    rows.append("uint32_t f_c(uint32_t c, uint32_t x, uint32_t y) { return choose(c, x, y); }\n")
    rows.append("int64_t f_product(int32_t x, int32_t y) { return smul64(x, y); }\n")
    (tmp_path / "one.c").write_text(
        "#define ARMSCRIBE_SHORT_PRODUCTS\n" + helpers() + "".join(rows)
    )
    command = [*compiler, "-std=gnu99", level, "-S", "one.c", "-o", "-"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "f_clamp" in done.stdout and not re.search(r"\t[us]m(ull|lal)\t", done.stdout)
    body = done.stdout if level != "-O0" else _without_division(done.stdout)
    assert not _CONDITIONAL.search(body)


def _without_division(text: str) -> str:
    return re.sub(r"^[us]div32:.*?^\t\.size", "", text, flags=re.S | re.M)


def test_a_branch_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("int f(int x, int *p) { if (x) *p = 1; return x; }\n")
    for compiler in (["gcc"], ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"]):
        command = [*compiler, "-O0", "-S", "one.c", "-o", "-"]
        done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
        assert _CONDITIONAL.search(done.stdout)
