# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Kits for the tests, and a program that says whether what was vendored works."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from gen.__main__ import main
from tests.lib.boards import BOARDS, MACHINES, compiler, linking, qemu

ROOT = Path(__file__).resolve().parents[3]
# RFC 7748, section 5.2, first vector; and FIPS 203's own consistency: both sides agree.
PROGRAM = """/* A test of what was vendored. */
#include <string.h>
#include "armscribe/mlkem.h"
#include "armscribe/x25519.h"
#include "armscribe_version.h"

static const uint8_t k[32] = {
    0xa5, 0x46, 0xe3, 0x6b, 0xf0, 0x52, 0x7c, 0x9d,
    0x3b, 0x16, 0x15, 0x4b, 0x82, 0x46, 0x5e, 0xdd,
    0x62, 0x14, 0x4c, 0x0a, 0xc1, 0xfc, 0x5a, 0x18,
    0x50, 0x6a, 0x22, 0x44, 0xba, 0x44, 0x9a, 0xc4,
};
static const uint8_t u[32] = {
    0xe6, 0xdb, 0x68, 0x67, 0x58, 0x30, 0x30, 0xdb,
    0x35, 0x94, 0xc1, 0xa4, 0x24, 0xb1, 0x5f, 0x7c,
    0x72, 0x66, 0x24, 0xec, 0x26, 0xb3, 0x35, 0x3b,
    0x10, 0xa9, 0x03, 0xa6, 0xd0, 0xab, 0x1c, 0x4c,
};
static const uint8_t r[32] = {
    0xc3, 0xda, 0x55, 0x37, 0x9d, 0xe9, 0xc6, 0x90,
    0x8e, 0x94, 0xea, 0x4d, 0xf2, 0x8d, 0x08, 0x4f,
    0x32, 0xec, 0xcf, 0x03, 0x49, 0x1c, 0x71, 0xf7,
    0x54, 0xb4, 0x07, 0x55, 0x77, 0xa2, 0x85, 0x52,
};
static uint8_t ek[ARMSCRIBE_MLKEM768_EK_BYTES], dk[ARMSCRIBE_MLKEM768_DK_BYTES], ct[ARMSCRIBE_MLKEM768_CT_BYTES];
static uint8_t seed[64], one[32], two[32], out[32];
static uint32_t work[ARMSCRIBE_MLKEM768_ENCAPS_WORKSPACE / 4];

int main(void)
{
    if (armscribe_x25519(out, k, u) != 0 || memcmp(out, r, 32) != 0) {
        return 1;
    }
    if (armscribe_mlkem768_keygen_derand(ek, dk, seed, work) != 0 ||
        armscribe_mlkem768_encaps_derand(ct, one, ek, sizeof ek, u, work) != 0 ||
        armscribe_mlkem768_decaps(two, ct, sizeof ct, dk, sizeof dk, work) != 0 || memcmp(one, two, 32) != 0) {
        return 2;
    }
    return sizeof ARMSCRIBE_VERSION > 1 ? 0 : 3;
}
"""
ALGORITHMS = "mlkem768,x25519"


def vendor(folder: Path, *words: str, kit: str = "plain", algorithms: str = ALGORITHMS) -> int:
    command = ["vendor", "--kit", kit, "--algorithms", algorithms, "-o", str(folder), *words]
    return main(["--root", str(ROOT), *command])


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".c", ".S"))


def build(
    files: Iterable[Path], includes: Sequence[Path], program: Path, core: str = "cortex-m4"
) -> None:
    """Compiles and links with the test program for the board of a core; no option but the core's."""
    main_file = program.with_suffix(".main.c")
    main_file.write_text(PROGRAM)
    command = [*compiler(core), "-O2", "-Wall", "-Wextra", "-Werror", *(f"-I{i}" for i in includes)]
    command += [str(path) for path in (*files, main_file, BOARDS / "board.c")]
    subprocess.run([*command, *linking(core), "-o", str(program)], check=True)


def run(program: Path, core: str = "cortex-m4") -> int:
    """The exit code of a program on its emulated board."""
    semihosting = ("-semihosting-config", "enable=on,target=native")
    return subprocess.run([*qemu(core, program), *semihosting], timeout=120).returncode


__all__ = ["BOARDS", "MACHINES", "build", "run", "sources", "vendor"]
