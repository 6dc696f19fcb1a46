# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The verb `vendor`: what a kit holds, that it works, edits, updates, mistakes."""

from __future__ import annotations

import errno
import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from gen.__main__ import main
from gen.manifest import read_tree
from gen.vendor import command
from gen.vendor.kit import MANIFEST, SBOM
from tests.gen.vendor.making import ROOT, build, run, sources, vendor
from tests.lib.boards import compiler


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vendor") / "armscribe"
    assert vendor(folder, "--cores", "cortex-m4,cortex-m33") == 0
    return folder


@pytest.fixture
def own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "kit"
    assert vendor(folder, algorithms="x25519") == 0
    capsys.readouterr()
    return folder


@pytest.mark.parametrize(
    ("form", "core"),
    [
        ("gas", "cortex-m33"),
        pytest.param("inline", "cortex-m4", marks=pytest.mark.slow),  # as the kits are built
        pytest.param("portable", "cortex-m4", marks=pytest.mark.slow),
    ],
)
def test_it_runs_without_options(form: str, core: str, tmp_path: Path) -> None:
    folder = tmp_path / "kit"
    assert vendor(folder, "--form", form, "--cores", "cortex-m4,cortex-m33") == 0
    build(sources(folder), [folder / "include"], tmp_path / "program.elf", core)
    assert run(tmp_path / "program.elf", core) == 0


def test_every_file_is_needed(kit: Path, tmp_path: Path) -> None:
    """Each source defines something on one of the cores; each header is included by a file of the kit."""
    for path in sources(kit):
        held = []
        for core in ("cortex-m4", "cortex-m33"):
            target = tmp_path / "file.o"
            flags = [f"-I{kit / 'include'}", "-c", str(path), "-o", str(target)]
            subprocess.run([*compiler(core), *flags], check=True)
            words = ["arm-none-eabi-nm", "--defined-only", str(target)]
            held.append(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        assert any(" T " in text or " R " in text for text in held), path
    text = "\n".join(path.read_text() for path in kit.rglob("*.[chS]"))
    headers = {path.name for path in kit.rglob("*.h")} - {
        "armscribe_version.h",
        "mlkem.h",
        "x25519.h",
    }
    assert all(f'{name}"' in text for name in headers)


def test_a_core_that_is_not_in_the_kit_is_told(kit: Path, tmp_path: Path) -> None:
    words = [
        *compiler("cortex-m0plus"),
        f"-I{kit / 'include'}",
        "-c",
        str(kit / "src/x25519/x25519.c"),
    ]
    done = subprocess.run([*words, "-o", str(tmp_path / "o")], capture_output=True, text=True)
    assert "these files are for Cortex-M" in done.stderr


def test_files_say_whence_and_whose(kit: Path) -> None:
    for path in kit.rglob("*.[chS]"):
        head = "\n".join(path.read_text().splitlines()[:4])
        assert "SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT" in head
        assert "Copyright (c) the armscribe contributors" in head
    licences = {path.name for path in (kit / "LICENSES").iterdir()}
    assert licences == {"Apache-2.0.txt", "ISC.txt", "MIT.txt"}


def test_manifest_and_bill_of_materials(kit: Path) -> None:
    data = json.loads((kit / MANIFEST).read_text())
    found = {p: hashlib.sha256(c).hexdigest() for p, c in read_tree(kit).items() if p != MANIFEST}
    assert data["sha256"] == found
    assert data["options"]["cores"] == ["cortex-m4", "cortex-m33"]
    text = (kit / SBOM).read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text.replace('"library"', '"x"'))
    listed = {
        c["name"]: c["hashes"][0]["content"]
        for c in json.loads(text)["metadata"]["component"]["components"]
    }
    assert listed == {p: d for p, d in found.items() if p != SBOM}


def test_the_same_bytes_each_time(kit: Path, tmp_path: Path) -> None:
    assert vendor(tmp_path / "again", "--cores", "cortex-m4,cortex-m33") == 0
    assert read_tree(tmp_path / "again") == read_tree(kit)


def test_edits_are_shown_and_kept(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited, mine = own / "src/common/ct.c", own / "notes.txt"
    edited.write_text("/* mine */\n")
    mine.write_text("of mine\n")
    assert main(["vendor", "--verify", str(own)]) == 1
    assert "src/common/ct.c differs" in capsys.readouterr().err
    assert vendor(own, algorithms="x25519") == 1
    said = capsys.readouterr().err
    assert "src/common/ct.c was edited" in said
    assert "vendor --update -o" in said
    (own / "include/armscribe_asm.h").unlink()
    assert main(["vendor", "--update", "-o", str(own)]) == 0
    assert "kept as edited: " in capsys.readouterr().out
    assert edited.read_text() == "/* mine */\n"
    assert mine.read_text() == "of mine\n"
    assert (own / "include/armscribe_asm.h").exists()


def test_update_takes_what_was_asked_for_and_says_what_changed(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vendor", "--update", "-o", str(own), "--form", "gas"]) == 0
    data = json.loads((own / MANIFEST).read_text())
    assert data["options"] == {
        "kit": "plain", "algorithms": ["x25519"], "cores": ["cortex-m4"], "form": "gas",
    }  # fmt: skip
    assert (
        "| `x25519_scalarmult` | cortex-m4 | **changed** |" in (own / command.SUMMARY).read_text()
    )
    assert not list(own.rglob("*_inline.c"))
    assert main(["vendor", "--verify", str(own)]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--algorithms", "mlkem76"], "no algorithm is called mlkem76\n   help: mlkem768"),
        (["--algorithms", "x25519", "--cores", "cortex-m44"], "no core is called cortex-m44"),
        (["--algorithms", "x25519", "--kit", "plan"], "no kit is called plan\n   help: plain"),
        (["--algorithms", "x25519", "--form", "gass"], "no form is called gass\n   help: gas"),
        ([], "which algorithms?"),
        (["--update"], "holds no kit to update"),
    ],
)
def test_mistakes(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--root", str(ROOT), "vendor", "-o", str(tmp_path / "kit"), *words]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "kit").exists()


def test_a_folder_of_somebody_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "work.c").write_text("int x;\n")
    assert vendor(tmp_path) == 1
    assert "holds 1 files and is no kit" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["work.c"]
    (tmp_path / MANIFEST).write_text("{}")
    assert vendor(tmp_path) == 1
    assert f"{MANIFEST}: " in capsys.readouterr().err


def test_no_room_leaves_the_old_kit(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_tree(own)
    writes = 0

    def full(path: Path, content: bytes) -> int:
        nonlocal writes
        writes += 1
        if writes > 3:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return len(content)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert vendor(own, "--form", "gas", algorithms="sha3") == 1
    monkeypatch.undo()
    assert "No space left on device" in capsys.readouterr().err
    assert read_tree(own) == before
    assert [path.name for path in own.parent.iterdir()] == [own.name]
