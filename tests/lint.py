# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Style, types, and the rules of this repository that no ready-made tool knows.

    python -m tests.lint             all of it; exit code 1 if anything is wrong
    python -m tests.lint --fix       format Python and C instead
    python -m tests.lint --budget    print the size of every file and its longest function

A rule is a function from a File to messages; RULES is the list of them.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gen.isa.kinds import KIND_OF

ROOT = Path(__file__).resolve().parent.parent
LICENCE = "SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT"
SOURCES = (".py", ".sh", ".c", ".h", ".S", ".ld", ".mk", ".rasm", ".toml", ".j2")
GENERATED = ("generated/",)
# Shown to a reader of messages as they stand, wrong on purpose, or published by others.
SAMPLES = ("tests/gen/fail/", "tests/gen/golden/", "tests/vectors/")
FILE_LINES, TEMPLATE_LINES, FUNCTION_LINES = 400, 60, 40

# Words that are mnemonics and also something else: English, a statement of the language, the shift
# of an operand, a feature of a core, a function of the meanings. (So are the kinds.)
HOMONYMS = {"add", "and", "b", "hint", "pop", "push", "sub"}
HOMONYMS |= {"subs", "lsl", "lsr", "asr", "ror", "rrx", "umaal", "usat"}
MNEMONICS = set(KIND_OF) - set(KIND_OF.values()) - HOMONYMS


@dataclass(frozen=True)
class File:
    """A source file: its path from the root, with slashes, and its text."""

    path: str
    text: str

    def tree(self) -> ast.Module:
        """The syntax tree; an empty one of a file that does not parse, which ruff has told."""
        try:
            return ast.parse(self.text, self.path)
        except SyntaxError:
            return ast.Module([], [])


Rule = Callable[[File], Iterator[tuple[int, str]]]


def licence_line(file: File) -> Iterator[tuple[int, str]]:
    """The licence stands near the top of every source file."""
    if LICENCE not in "\n".join(file.text.splitlines()[:3]) and not file.path.endswith(".j2"):
        yield 1, f"no line `{LICENCE}` at the top"


def plain_text(file: File) -> Iterator[tuple[int, str]]:
    """Lines end in LF, without blanks before it, and the last one does too."""
    if "\r" in file.text:
        yield 1, "lines end in CR LF; .gitattributes asks for LF: git add --renormalize ."
    if file.text and not file.text.endswith("\n"):
        yield file.text.count("\n") + 1, "no end of line at the end of the file"
    for number, line in enumerate(file.text.split("\n"), 1):
        if line.rstrip("\r") != line.rstrip():
            yield number, "blanks at the end of the line"


def _docstrings(tree: ast.Module) -> set[ast.AST]:
    """Strings that stand alone: documentation, not data."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def mnemonic_outside_isa(file: File) -> Iterator[tuple[int, str]]:
    """The names of instructions are written once, in gen/isa."""
    if not file.path.startswith(("gen/", "templates/")) or file.path.startswith("gen/isa/"):
        return
    if not file.path.endswith(".py"):
        strings = list(enumerate(file.text.splitlines(), 1)) if file.path.endswith(".j2") else []
    else:
        tree = file.tree()
        documentation = _docstrings(tree)
        strings = [
            (node.lineno, node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in documentation
        ]
    for number, text in strings:
        for word in sorted(set(re.findall(r"[a-z][a-z0-9]*", text)) & MNEMONICS):
            yield number, f"mnemonic `{word}` outside gen/isa"


def core_by_name(file: File) -> Iterator[tuple[int, str]]:
    """What differs between cores is data in gen/cores/*.toml."""
    if not (file.path.startswith("gen/") and file.path.endswith(".py")):
        return
    for node in ast.walk(file.tree()):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            # `x in core` asks what a collection of that name holds.
            asked = [node.left] if isinstance(node.ops[0], ast.In | ast.NotIn) else sides
            if any(map(_is_core, asked)) and any(map(_is_text, sides)):
                yield node.lineno, "decision by the name of a core; make it a key of the core file"


def _is_core(node: ast.AST) -> bool:
    """`core`, `x.core`, and the same with `.name` or `.key`."""
    if isinstance(node, ast.Attribute) and node.attr in ("name", "key"):
        node = node.value
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == "core"


def _is_text(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Constant) and inner.value for inner in ast.walk(node))


def functions(file: File) -> Iterator[tuple[int, int, str]]:
    """Line, length in lines without the docstring, and name of each function of a Python file."""
    for node in ast.walk(file.tree()):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            documentation = body[0].lineno - node.body[0].lineno
            yield (
                node.lineno,
                (node.end_lineno or node.lineno) - node.lineno + 1 - documentation,
                node.name,
            )


def size(file: File) -> Iterator[tuple[int, str]]:
    """A file is read in one go, a function seen at one glance; a template is text."""
    lines = file.text.count("\n")
    if lines > FILE_LINES and not file.path.endswith(".rasm"):
        yield FILE_LINES, f"{lines} lines, the limit is {FILE_LINES}"
    if file.path.endswith(".j2"):
        tags = len(re.findall(r"^.*{[{%].*$", file.text, re.MULTILINE))
        if tags > TEMPLATE_LINES:
            yield 1, f"{tags} lines with tags, the limit is {TEMPLATE_LINES}"
    if file.path.endswith(".py"):
        for number, length, name in functions(file):
            if length > FUNCTION_LINES:
                yield number, f"{name} has {length} lines, the limit is {FUNCTION_LINES}"


RULES: tuple[Rule, ...] = (licence_line, plain_text, mnemonic_outside_isa, core_by_name, size)


def sources() -> list[File]:
    """Every source file that git knows or would take, but for generated ones and samples."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [
        File(name, (ROOT / name).read_bytes().decode("utf-8"))
        for name in sorted(set(listed))
        if name.endswith(SOURCES)
        and not name.startswith((*GENERATED, *SAMPLES))
        and (ROOT / name).is_file()
    ]


def findings(files: list[File]) -> Iterator[str]:
    """Messages `path:line: text` of every rule about every file."""
    for file in files:
        for rule in RULES:
            for line, message in rule(file):
                yield f"{file.path}:{line}: {message}"


def tools(files: list[File], fix: bool) -> bool:
    """Run the formatters, the linter and the type checker; true if all are content."""
    c_files = [file.path for file in files if file.path.endswith((".c", ".h"))]
    clang_format = str(Path(sys.executable).parent / "clang-format")
    commands = [
        [sys.executable, "-m", "ruff", "check", "--quiet", *(["--fix"] if fix else []), "."],
        [sys.executable, "-m", "ruff", "format", "--quiet", *([] if fix else ["--diff"]), "."],
        [sys.executable, "-m", "gen", "fmt", *([] if fix else ["--check"])],
        [clang_format, *(["-i"] if fix else ["--dry-run", "-Werror"]), *c_files],
    ]
    if not fix:
        commands.append(
            [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", "build/mypy"]
        )
    codes = [subprocess.run(command, cwd=ROOT).returncode for command in commands]
    return not any(codes)


def print_budget(files: list[File]) -> None:
    """One line a file: lines, and the longest function, each beside its limit."""
    print(f"{'lines':>5} of {FILE_LINES}  {'longest function':>16} of {FUNCTION_LINES}")
    for file in files:
        longest = (
            max((entry[1] for entry in functions(file)), default=0)
            if file.path.endswith(".py")
            else 0
        )
        print(f"{file.text.count(chr(10)):>5}  {longest or '':>16}  {file.path}")


def main(arguments: list[str]) -> int:
    files = sources()
    if arguments == ["--budget"]:
        print_budget(files)
        return 0
    content = tools(files, fix=arguments == ["--fix"])
    messages = list(findings(files))
    print(*messages, sep="\n", end="\n" if messages else "")
    return 0 if content and not messages else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
