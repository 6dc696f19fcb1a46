# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A core more: the file that begins it, and an invented one that gets a working library by one file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gen.__main__ import main
from gen.cores.core import FOLDER, all_cores, load_core
from gen.cores.new import NAME, text_of
from tests.conftest import ROOT
from tests.lib.boards import linking, qemu

FIRST = [key for key in all_cores() if load_core(key).isa and not load_core(key).pretend]


@pytest.mark.parametrize("key", FIRST)
def test_the_file_says_what_the_other_core_is(key: str, tmp_path: Path) -> None:
    like = load_core(key)
    for path in FOLDER.glob("*.toml"):
        shutil.copy(path, tmp_path)
    (tmp_path / "mine.toml").write_text(text_of("mine", like), encoding="utf-8")
    mine = load_core("mine", tmp_path)
    assert mine.nature == like.nature and mine.cc == like.cc and mine.like == key


def test_every_price_and_rule_is_explained() -> None:
    text = text_of("mine", load_core("cortex-m4f"))
    prices = text[text.index("[cycles]") :].splitlines()
    rows = [row for row in prices if " = " in row]
    assert len(rows) > 40 and all("  # " in row for row in rows)
    for key in ("like", "cc", "isa", "features", "registers", "fp-registers"):
        assert f"# `{key}`: " in text


def test_wrong_names(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (["cortex-m4"], "there is a core cortex-m4 already"),
        (["My Core"], "My Core is no name of a core"),
        (["mine", "--like", "cortex-m5"], "no core is called cortex-m5"),
        (["mine", "--like", "portable"], "has no instructions to start from"),
        (["mine", "--like", "cortex-m23"], "has no instructions to start from"),
    ):
        assert main(["--root", str(ROOT), "core", "new", *words]) == 1
        assert said in capsys.readouterr().err
    assert not (FOLDER / "mine.toml").exists()
    assert not NAME.fullmatch("../x") and NAME.fullmatch("my-core2")


# --- an invented core --------------------------------------------------------------------------------

MAIN = """#include <string.h>
#include "armscribe/mlkem.h"

int main(void)
{
    static uint8_t ek[ARMSCRIBE_MLKEM768_EK_BYTES], dk[ARMSCRIBE_MLKEM768_DK_BYTES];
    static uint8_t ct[ARMSCRIBE_MLKEM768_CT_BYTES], sent[32], received[32], seed[64];
    static uint32_t work[ARMSCRIBE_MLKEM768_ENCAPS_WORKSPACE / 4];

    if (armscribe_mlkem768_keygen_derand(ek, dk, seed, work) != 0 ||
        armscribe_mlkem768_encaps_derand(ct, sent, ek, sizeof ek, seed, work) != 0 ||
        armscribe_mlkem768_decaps(received, ct, sizeof ct, dk, sizeof dk, work) != 0) {
        return 2;
    }
    return memcmp(sent, received, 32) == 0 && sent[0] != sent[1] ? 7 : 3;
}
"""
CHANGES = (
    ('["dsp", "umaal"]', '["dsp"]'),
    (" r12 lr", " lr"),
    ("\nstore = 1 ", "\nstore = 3 "),
)


@pytest.mark.slow
def test_an_invented_core_by_one_file(tmp_path: Path) -> None:
    """No UMAAL, slow stores, 13 registers: a working library."""
    for name in ("gen", "templates", "asm-src", "lib", "generated"):
        shutil.copytree(ROOT / name, tmp_path / name)
    before = {path for path in tmp_path.rglob("*") if path.suffix != ".pyc"}
    generator = [sys.executable, "-m", "gen"]
    subprocess.run([*generator, "core", "new", "tiny"], cwd=tmp_path, check=True)
    made = {path for path in tmp_path.rglob("*") if path.suffix != ".pyc"} - before
    assert [path.name for path in made if path.is_file()] == ["tiny.toml"]
    file = tmp_path / "gen/cores/tiny.toml"
    text = file.read_text(encoding="utf-8")
    for old, new in CHANGES:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    subprocess.run([*generator, "build"], cwd=tmp_path, check=True)
    own = [path.read_text(encoding="utf-8") for path in (tmp_path / "generated/tiny").glob("*.S")]
    assert own and not any(re.search(r"\br12\b|\bumaal\b", one) for one in own)
    _agrees(tmp_path)


def _agrees(tree: Path) -> None:
    command = ["make", "-s", "-C", "lib", "CORE=tiny", "FORM=gas", "ALGORITHMS=mlkem768"]
    subprocess.run([*command, "CFLAGS=-O1"], cwd=tree, check=True)
    source, program = tree / "main.c", tree / "main.elf"
    source.write_text(MAIN, encoding="utf-8")
    boards = ROOT / "tests/boards"
    files = [source, boards / "board.c", tree / "build/tiny/gas/libarmscribe.a"]
    paths = [f"-I{boards}", f"-I{tree / 'lib/include'}", *linking("cortex-m4")]
    options = ["-mcpu=cortex-m4", "-mthumb", "-DARMSCRIBE_WITH_MLKEM768", *paths]
    subprocess.run(["arm-none-eabi-gcc", *options, *files, "-o", program], check=True)
    done = subprocess.run(
        [*qemu("cortex-m4", program), "-semihosting-config", "enable=on,target=native"], check=False
    )
    assert done.returncode == 7
