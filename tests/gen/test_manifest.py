# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Differences between trees are named for what they are."""

from __future__ import annotations

from pathlib import Path

from gen.manifest import (
    NAME,
    Difference,
    Output,
    Recorded,
    compare,
    contents,
    entries,
    manifest,
    read_tree,
    report,
)

OUTPUTS = (
    Output("b/two.c", "two\nlines\n", "asm-src/two.rasm", "portable", "portable"),
    Output("a/one.S", "one\n", "asm-src/one.rasm", "cortex-m4", "gas"),
)


def kinds(found: dict[str, bytes], wanted: dict[str, bytes] | None = None) -> dict[str, str]:
    return {d.path: d.kind for d in compare(wanted or contents(OUTPUTS), found)}


def test_equal_trees_do_not_differ() -> None:
    assert compare(contents(OUTPUTS), contents(reversed(OUTPUTS))) == ()


def test_manifest_lists_every_file_by_path() -> None:
    rows = manifest({o.path: Recorded.of(o) for o in OUTPUTS}).splitlines()
    assert [row.split()[0] for row in rows[1:]] == ["a/one.S", "b/two.c"]
    assert entries("\n".join(rows))["a/one.S"] == Recorded.of(OUTPUTS[1])
    assert rows[1].split()[1:4] == ["asm-src/one.rasm", "cortex-m4", "gas"]


def test_missing_and_orphaned() -> None:
    tree = contents(OUTPUTS)
    left = {path: text for path, text in tree.items() if path != "a/one.S"}
    assert kinds({**left, "c/other.c": b""}) == {"a/one.S": "missing", "c/other.c": "orphaned"}


def test_an_edit_by_hand_is_not_a_stale_file() -> None:
    tree = contents(OUTPUTS)
    assert kinds({**tree, "a/one.S": b"ones\n"}) == {"a/one.S": "edited"}
    older = contents(
        [Output("a/one.S", "old\n", "asm-src/one.rasm", "cortex-m4", "gas"), OUTPUTS[0]]
    )
    assert kinds(older) == {"a/one.S": "stale", NAME: "stale"}


def test_a_crlf_checkout_is_called_that() -> None:
    tree = {path: text.replace(b"\n", b"\r\n") for path, text in contents(OUTPUTS).items()}
    assert set(kinds(tree).values()) == {"line-ends"}


def test_report_shows_the_difference() -> None:
    tree = {**contents(OUTPUTS), "b/two.c": b"two\nlimes\n"}
    text = "\n".join(report(compare(contents(OUTPUTS), tree), "generated"))
    assert "edited: generated/b/two.c was edited by hand" in text
    assert "-limes" in text and "+lines" in text


def test_a_long_difference_is_cut() -> None:
    one = {"x": b"".join(b"%d\n" % n for n in range(500))}
    two = {"x": b"".join(b"%d\n" % (n + 1000) for n in range(500))}
    (found,) = compare(one, two)
    assert isinstance(found, Difference) and found.diff.splitlines()[-1].startswith("... ")
    assert len(found.diff.splitlines()) < 60


def test_a_tree_is_read_with_forward_slashes(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.S").write_bytes(b"x")
    assert read_tree(tmp_path) == {"a/b/c.S": b"x"}
    assert read_tree(tmp_path / "none") == {}
