# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Each rule of tests/lint.py shouts at a planted fault, and is content without it."""

import pytest

from tests.lint import LICENCE, File, findings, functions, sources

TOP = f"# {LICENCE}\n"
LONG = "def f(x):\n" + 40 * "    x += 1\n"

FAULTS = {
    "licence": ("gen/a.py", '"""Text."""\n', "no line `SPDX"),
    "end of line": ("gen/a.py", TOP + "a = 1\r\n", "CR LF"),
    "last line": ("lib/a.c", f"/* {LICENCE} */\nint a;", "no end of line"),
    "blanks": ("lib/a.c", f"/* {LICENCE} */\nint a; \n", "blanks at the end"),
    "mnemonic": ("gen/passes/a.py", TOP + 'x = "smlabb {d}"\n', "mnemonic `smlabb`"),
    "mnemonic in a template": ("templates/a.j2", "{{ x }} ldr\n", "mnemonic `ldr`"),
    "core": ("gen/a.py", TOP + 'if core == "cortex-m4":\n    pass\n', "by the name of a core"),
    "core's name": ("gen/a.py", TOP + 'b = "cortex-m4" == f.core.name\n', "by the name of a core"),
    "cores": ("gen/a.py", TOP + 'b = core.name in ("a", "b")\n', "by the name of a core"),
    "file": ("gen/a.py", TOP + 400 * "a = 1\n", "401 lines, the limit is 400"),
    "template": ("templates/a.j2", 61 * "{{ x }}\n", "61 lines with tags, the limit is 60"),
    "function": ("gen/a.py", TOP + LONG, "f has 41 lines, the limit is 40"),
}

SOUND = {
    "documentation": ("gen/a.py", TOP + '"""An smlabb is exact."""\n'),
    "homonym": ("gen/a.py", TOP + 'x = "add it, and push"\n'),
    "the table": ("gen/isa/a.py", TOP + 'x = "smlabb"\n'),
    "a test": ("tests/a.py", TOP + 'x = "smlabb"\n'),
    "text in a template": ("templates/a.j2", 61 * "text\n"),
    "a collection": ("gen/a.py", TOP + 'b = "lr" in core\n'),
    "two cores": ("gen/a.py", TOP + "b = core == other\n"),
    "a feature": ("gen/a.py", TOP + 'b = "fpregs" in core.features\n'),
    "just fits": ("gen/a.py", TOP + LONG.replace("    x += 1\n", "", 1)),
    "docstring": ("gen/a.py", TOP + LONG.replace("    x", '    """T.\n    U.\n    """\n    x', 1)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_fault_is_found(name: str) -> None:
    path, text, message = FAULTS[name]
    found = list(findings([File(path, text)]))
    assert len(found) == 1, found
    assert message in found[0]


@pytest.mark.parametrize("name", SOUND)
def test_sound_file_passes(name: str) -> None:
    assert [line for line in findings([File(*SOUND[name])]) if "lines" not in line] == []


def test_docstring_does_not_count() -> None:
    ((_, length, name),) = functions(
        File("gen/a.py", 'def f():\n    """A.\n\n    B."""\n    g()\n')
    )
    assert (length, name) == (2, "f")


def test_sources_leave_out_what_is_generated() -> None:
    names = [file.path for file in sources()]
    assert "tests/test_lint.py" in names
    assert not [name for name in names if name.startswith(("generated/", "build/", ".venv/"))]
