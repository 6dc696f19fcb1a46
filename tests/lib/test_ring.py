# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Decompose of ML-DSA (FIPS 204, algorithm 36) for every coefficient there is."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.lib.driver import ROOT

CHECK = """#include "mldsa/ring.c"

int main(void)
{
    for (unsigned k = 0; k < 2; k++) {
        const divisor *d = &divisors[k];

        for (int32_t x = 0; x < MLDSA_Q; x++) {
            const int32_t rest = x % (2 * d->gamma2), near = rest - (rest > d->gamma2 ? 2 * d->gamma2 : 0);
            const int wraps = x - near == MLDSA_Q - 1;
            int32_t low;

            if (decompose(d, x, &low) != (wraps ? 0 : (x - near) / (2 * d->gamma2)) || low != near - wraps) {
                return 1;
            }
        }
    }
    return 0;
}
"""


def test_every_coefficient(tmp_path: Path) -> None:
    program, source = tmp_path / "check", tmp_path / "check.c"
    flags = ["-O2", "-ffunction-sections", "-Wl,--gc-sections", "-DARMSCRIBE_BACKEND_PORTABLE"]
    paths = [f"-I{ROOT / part}" for part in ("lib/include", "lib", "generated/include")]
    for text, code in ((CHECK, 0), (CHECK.replace("== MLDSA_Q - 1", "== MLDSA_Q"), 1)):
        source.write_text(text, encoding="utf-8")
        subprocess.run(["cc", *flags, *paths, str(source), "-o", str(program)], check=True)
        assert subprocess.run([program], check=False).returncode == code
