# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The library's public functions and constants, as its headers state them."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen.cores.core import Core
from gen.emu.build import BuildError

PREFIX = "armscribe_"
PERMUTATION = '#include "keccak/keccakf1600.h"\n'
_PROTOTYPE = re.compile(rf"\b(int|void)\s+({PREFIX}\w+)\s*\(([^()]*)\)\s*;")
_PARAM = re.compile(
    r"(?P<type>[\w\s]+?)\s*(?P<star>\**)\s*(?P<name>\w+)\s*(?:\[(?P<bound>[^\]]*)\])?$"
)
_OPERATIONS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter. `size`: bytes of an array whose length the prototype states."""

    name: str
    type: str
    pointer: bool
    size: int | None

    @property
    def const(self) -> bool:
        return self.type.split()[0] == "const"


@dataclass(frozen=True, slots=True)
class Prototype:
    """A public function; `answers`: whether it returns an error code."""

    symbol: str
    answers: bool
    params: tuple[Param, ...]


@dataclass(frozen=True)
class Api:
    """Prototypes by symbol, and integer macros by name."""

    prototypes: Mapping[str, Prototype]
    constants: Mapping[str, int]

    @classmethod
    def read(cls, root: Path, core: Core, flags: Sequence[str] = ()) -> Api:
        """What lib/include/armscribe/*.h say where the compiler is given `flags`, and of the layer below the
        permutation. `BuildError` when they do not compile."""
        folders = [root / "lib" / "include", root / "lib", root / "generated" / "include"]
        headers = sorted(path.name for path in (folders[0] / "armscribe").glob("*.h"))
        includes = "".join(f'#include "armscribe/{name}"\n' for name in headers) + PERMUTATION
        defined = _preprocessed(includes, folders, core, *flags, "-dM")
        macros = sorted(set(re.findall(r"^#define ARMSCRIBE_(\w+) ", defined, re.M)))
        asked = "".join(f"\n@{name} ARMSCRIBE_{name}" for name in macros)
        text = _preprocessed(includes + asked, folders, core, *flags, "-P")
        values = re.findall(r"^@ ?(\w+) (.*)$", text, re.M)
        constants = {
            f"ARMSCRIBE_{name}": value
            for name, term in values
            if (value := number(term)) is not None
        }
        found = (prototype(*match.groups()) for match in _PROTOTYPE.finditer(text))
        return cls({one.symbol: one for one in found}, constants)

    def __getitem__(self, symbol: str) -> Prototype:
        """The function called `symbol`. `KeyError` when no header declares it."""
        if symbol not in self.prototypes:
            raise KeyError(f"no header of the library declares {symbol}")
        return self.prototypes[symbol]

    def workspace(self, symbol: str) -> int:
        """Bytes that the `work` of a function has: ARMSCRIBE_MLDSA65_SIGN_WORKSPACE for
        armscribe_mldsa65_sign, sign_mu and so on. `KeyError` when there is none."""
        parts = symbol.upper().split("_")
        for end in range(len(parts), 1, -1):
            name = "_".join((*parts[:end], "WORKSPACE"))
            if name in self.constants:
                return self.constants[name]
        raise KeyError(f"no header says how much work space {symbol} needs")


def _preprocessed(text: str, folders: Iterable[Path], core: Core, *flags: str) -> str:
    command = [
        f"{core.cross}gcc",
        *core.cc,
        "-E",
        *(f"-I{folder}" for folder in folders),
        *flags,
        "-xc",
        "-",
    ]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def number(term: str) -> int | None:
    """The value of a constant expression of sums and products; None when it is none."""
    try:
        node = ast.parse(term.strip(), mode="eval")
    except SyntaxError:
        return None
    for part in ast.walk(node):
        plain = isinstance(part, ast.Constant) and isinstance(part.value, int)
        known = isinstance(part, ast.Expression | ast.BinOp | ast.operator)
        if not (plain or known) or (
            isinstance(part, ast.operator) and type(part) not in _OPERATIONS
        ):
            return None
    return int(
        eval(compile(node, "constant", "eval"), {"__builtins__": {}})
    )  # sums and products only


def prototype(result: str, symbol: str, params: str) -> Prototype:
    """From the three parts of a declaration."""
    words = (" ".join(part.split()) for part in params.split(","))
    return Prototype(symbol, result == "int", tuple(_params(symbol, words)))


def _params(symbol: str, texts: Iterable[str]) -> Iterable[Param]:
    for text in texts:
        match = _PARAM.match(text)
        if match is None:
            raise BuildError(f"{symbol}: cannot read the parameter `{text}`")
        bound = match["bound"]
        size = number(bound) if bound else None
        yield Param(match["name"], match["type"], bool(match["star"]) or bound is not None, size)
