# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Files, imports, the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.diag import Failed
from gen.read.load import RoutineRef, choose, index, load, symbol_of


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / "asm-src" / f"{name}.rasm"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return root


def codes(root: Path, path: str) -> list[str]:
    with pytest.raises(Failed) as caught:
        load(root, path)
    return [item.code for item in caught.value.bag.items]


def test_a_file_imported_twice_is_one_unit(tmp_path: Path) -> None:
    files = {"a/x": 'import "a/y"\nimport "a/z"\n', "a/y": 'import "a/z"\n', "a/z": "const A = 1\n"}
    unit = load(write(tmp_path, files), "asm-src/a/x.rasm")
    y, z = unit.imports
    assert y.imports == (z,)


def test_a_circle_is_shown(tmp_path: Path) -> None:
    files = {"a/x": 'import "a/y"\n', "a/y": 'import "a/z"\n', "a/z": 'import "a/y"\n'}
    with pytest.raises(Failed) as caught:
        load(write(tmp_path, files), "asm-src/a/x.rasm")
    (item,) = caught.value.bag.items
    assert item.code == "circular-import"
    assert item.span.source.path == "asm-src/a/z.rasm"
    assert item.details == ("asm-src/a/y.rasm -> asm-src/a/z.rasm -> asm-src/a/y.rasm",)


@pytest.mark.parametrize("path", ["a/none", "../x", "/etc/passwd", "", "a/./b", "a\\b"])
def test_paths_that_lead_nowhere(tmp_path: Path, path: str) -> None:
    assert codes(write(tmp_path, {"a/x": f'import "{path}"\n'}), "asm-src/a/x.rasm") == [
        "unreadable"
    ]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert codes(tmp_path, "asm-src/a/x.rasm") == ["unreadable"]
    (tmp_path / "asm-src" / "d.rasm").mkdir(parents=True)
    assert codes(tmp_path, "asm-src/d.rasm") == ["unreadable"]
    (tmp_path / "asm-src" / "big.rasm").write_bytes(b"//" + b"x" * (1 << 20))
    assert codes(tmp_path, "asm-src/big.rasm") == ["unreadable"]


def test_errors_of_all_files_are_collected(tmp_path: Path) -> None:
    files = {"a/x": 'import "a/y"\nimport "a/z"\n', "a/y": "const\n", "a/z": "table\n"}
    assert codes(write(tmp_path, files), "asm-src/a/x.rasm") == ["syntax", "syntax"]


def test_symbols() -> None:
    assert symbol_of("asm-src/mlkem/ntt.rasm") == "mlkem_ntt"
    assert symbol_of("asm-src/a/b-c/d.rasm") == "a_b_c_d"


FN = "fn void a_x(void){}:\n    nop\n"


def test_the_index_and_the_choice(tmp_path: Path) -> None:
    files = {
        "a/x": FN.format(""),
        "a/x_fp": FN.format(" variant fp requires fp, dsp"),
        "b/m": "const A = 1\n",
    }
    refs = index(write(tmp_path, files))
    assert refs == (
        RoutineRef("a_x", "asm-src/a/x.rasm", "", ()),
        RoutineRef("a_x", "asm-src/a/x_fp.rasm", "fp", ("fp", "dsp")),
    )
    assert choose(refs, "a_x", {"dsp"}) is refs[0]
    assert choose(refs, "a_x", {"dsp", "fp"}) is refs[1]
    assert choose(refs, "a_y", {"dsp", "fp"}) is None


def test_two_files_of_one_symbol(tmp_path: Path) -> None:
    with pytest.raises(Failed) as caught:
        index(write(tmp_path, {"a/x": FN.format(""), "a/y": FN.format("")}))
    assert [item.code for item in caught.value.bag.items] == ["duplicate"]
