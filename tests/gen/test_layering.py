# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The generator's modules import in one direction, and packages only where they belong."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# From left to right: a module imports from its own layer and from those before it.
LAYERS = (
    ("gen.codes", "gen.console", "gen.diag", "gen.read.source", "gen.workers"),
    ("gen.read",),
    ("gen.cores",),
    ("gen.ir", "gen.isa"),
    ("gen.passes",),
    ("gen.orders",),
    ("gen.emu",),
    ("gen.emit",),
    ("gen.prove",),
    ("gen",),
)
# Packages that generating needs: the one module that imports each.
HOMES = {"jinja2": "gen.emit.render", "pycparser": "gen.read.proto"}


def imports(source: str, name: str) -> Iterator[tuple[str, bool]]:
    """Modules that a module imports, and whether it does so when it is loaded itself."""
    tree = ast.parse(source, name)
    late = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) or _for_types(node)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) not in late
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}: relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else str(node.module), id(node) not in late


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def _modules() -> dict[str, str]:
    found = {}
    for path in sorted((ROOT / "gen").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = path.read_text(encoding="utf-8")
    return found


MODULES: dict[str, str] = {}
MODULES.update(_modules())


def layer(name: str) -> int:
    """The layer of the longest prefix that LAYERS names."""
    fitting = [
        (len(prefix), number)
        for number, prefixes in enumerate(LAYERS)
        for prefix in prefixes
        if name == prefix or name.startswith(prefix + ".")
    ]
    return max(fitting)[1]


def backward(name: str, source: str) -> list[str]:
    """The imports of a module that point to the right."""
    return [
        f"{name} imports {other}"
        for other, _ in imports(source, name)
        if other.split(".")[0] == "gen" and layer(other) > layer(name)
    ]


def astray(name: str, source: str) -> list[str]:
    """The imports of a module that belong to another."""
    return [
        f"{name} imports {other}"
        for other, _ in imports(source, name)
        if HOMES.get(other.split(".")[0], name) != name
    ]


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_to_the_left(name: str) -> None:
    assert backward(name, MODULES[name]) == []
    assert astray(name, MODULES[name]) == []


def test_backward_imports_are_seen() -> None:
    assert backward("gen.read.lex", "import gen.passes") != []
    assert backward("gen.read.lex", "def f():\n    from gen.passes import flow") != []
    assert backward("gen.passes.flow", "import gen.read.lex") == []
    assert astray("gen.emit.gas", "import jinja2") != []
    assert astray("gen.emit.render", "from jinja2 import Environment") == []


def loaded(start: str) -> set[str]:
    """What Python loads, directly or not, on importing a module of the generator."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in MODULES:
            parents = [name.rsplit(".", depth)[0] for depth in range(1, name.count(".") + 1)]
            waiting += parents + [other for other, now in imports(MODULES[name], name) if now]
    return seen


def test_generator_needs_two_packages() -> None:
    """Whoever only generates has jinja2 and pycparser; the rest is imported where it is used."""
    packages = {name.split(".")[0] for name in loaded("gen.__main__")}
    extras = {"capstone", "elftools", "hypothesis", "numpy", "pytest", "rich", "unicorn"}
    assert "gen.driver" in loaded("gen.__main__")
    assert packages & extras == set()
    assert loaded("gen.emu.machine") & extras != set()
