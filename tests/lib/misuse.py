# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every way to misuse each public function, made from its prototype and a call that is right.

`python3 -m tests.lib.misuse LIBRARY TABLE` runs a pickled table on a shared library of the host and prints what was not
answered as the headers say: a library that crashes takes no other process with it.
"""

from __future__ import annotations

import ctypes
import pickle
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gen.bench.api import Param, Prototype
from gen.emu.machine import Fault, Machine
from tests.lib.operations import Operation, Secret, size

OK, RNG, ARGUMENT, STATE = 0, 1, 7, 8
FAILING = "&fail_random"  # of random.c
# Functions whose buffers may overlap; all others must refuse.
OVERLAPPING = re.compile(
    r"armscribe_(x25519(_public)?|ed25519_keygen_derand|sha\d+(_\d+)?|sha3_\d+|shake\d+)$"
)
UNCHANGED = re.compile(r"armscribe_sha\d+_final$")  # writes nothing at all when it refuses
LENGTHS = ("ek_n", "dk_n", "ct_n", "pk_n", "sk_n", "sig_n")  # of which one value is right
BAD_SIZES = {"digest_bytes": (0, 27, 65, 100), "rate": (0, 72, 135, 200, 264)}
ARENA, MARGIN = 1 << 21, 1 << 17


class Runner(Protocol):
    """Memory, and functions that are called with numbers."""

    def mark(self) -> int: ...
    def release(self, mark: int) -> None: ...
    def alloc(self, content: bytes | int) -> int: ...
    def read(self, address: int, size: int) -> bytes: ...
    def write(self, address: int, content: bytes) -> None: ...
    def address(self, function: str) -> int: ...
    def call(self, function: str, *values: int) -> int: ...


class Host:
    """A shared library in this process."""

    def __init__(self, library: Path) -> None:
        self.library = ctypes.CDLL(str(library))
        self.arena = ctypes.create_string_buffer(ARENA)
        self.next = -(-(ctypes.addressof(self.arena) + MARGIN) // 16) * 16

    def mark(self) -> int:
        return self.next

    def release(self, mark: int) -> None:
        self.next = mark

    def alloc(self, content: bytes | int) -> int:
        text = bytes(content)
        at, self.next = self.next, self.next + -(-len(text) // 16) * 16
        self.write(at, text)
        return at

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(address, size)

    def write(self, address: int, content: bytes) -> None:
        ctypes.memmove(address, content, len(content))

    def address(self, function: str) -> int:
        return ctypes.cast(getattr(self.library, function), ctypes.c_void_p).value or 0

    def call(self, function: str, *values: int) -> int:
        return int(self.library[function](*map(ctypes.c_size_t, values)))


class Emulated(Machine):
    """The same of the emulated core."""

    def address(self, function: str) -> int:
        return self.image[function].address | 1


@dataclass(frozen=True)
class Case:
    """A call with some values changed: by position a number, or (position of a buffer, offset), or a function.
    `answers`: None for any error."""

    what: str
    changed: Mapping[int, int | str | tuple[int, int]]
    answers: int | None = ARGUMENT
    content: Mapping[int, bytes] = field(default_factory=dict)  # of a buffer before the call


def cases(
    prototype: Prototype, arguments: tuple[int | str, ...], sizes: list[int]
) -> Iterator[Case]:
    """All for one call; `sizes`: bytes of each argument that is a buffer, else 0."""
    params = prototype.params
    for at, param in enumerate(params):
        value = arguments[at]
        if isinstance(value, str) and not _may_be_null(prototype, param):
            yield Case(f"{param.name} is NULL", {at: 0})
        if param.name == "rng":
            yield Case("rng fails", {at: FAILING}, RNG)
        if param.name == "work":
            yield from (Case(f"work off by {n}", {at: (at, n)}) for n in (1, 2, 3))
        if param.name in LENGTHS and isinstance(value, int):
            yield from (Case(f"{param.name} {d:+d}", {at: value + d}, None) for d in (-1, 1))
        for bad in BAD_SIZES.get(param.name, ()):
            yield Case(f"{param.name} is {bad}", {at: bad})
        if _context(param) and not prototype.symbol.endswith("_init"):
            for byte in (b"\0", b"\xff"):
                yield Case(f"context of {byte!r}", {}, STATE, {at: byte * 240})
    if not OVERLAPPING.match(prototype.symbol):
        yield from _overlaps(params, sizes)


def _overlaps(params: tuple[Param, ...], sizes: list[int]) -> Iterator[Case]:
    buffers = [at for at, size in enumerate(sizes) if size and params[at].name != "rng_ctx"]
    for one in (at for at in buffers if not params[at].const):
        for other in (at for at in buffers if at != one):
            what = f"{params[one].name} over {params[other].name}"
            last = sizes[other] - 1
            if params[one].name in ("work", "ctx"):
                last &= ~3
            elif params[other].name != "work" and not _context(params[other]):
                yield Case(f"{what}, the last byte", {one: (other, last)})
                yield Case(f"{what}, the first byte", {one: (other, 1 - sizes[one])})
            yield Case(what, {one: (other, 0)})


def _context(param: Param) -> bool:
    return param.name == "ctx" and param.type.endswith("_ctx")


def _may_be_null(prototype: Prototype, param: Param) -> bool:
    signs = "_sign" in prototype.symbol
    return param.name == "rng_ctx" or (param.name == "rng" and signs)


Table = tuple[tuple[Operation, tuple[Prototype, ...]], ...]


def failures(runner: Runner, table: Table) -> list[str]:
    """What was not answered as it must be, after all functions were called rightly."""
    found: list[str] = []
    for operation, prototypes in table:
        for number, prototype in enumerate(prototypes):
            if not prototype.answers:
                continue
            call = operation.calls[number]
            sizes = [
                size(operation.buffers[a]) if isinstance(a, str) and a in operation.buffers else 0
                for a in call.arguments
            ]
            for case in (Case("right", {}, OK), *cases(prototype, call.arguments, sizes)):
                mark = runner.mark()
                try:
                    said = _run(runner, operation, number, prototype, case, sizes)
                except Fault as fault:
                    said = str(fault)
                runner.release(mark)
                found += [f"{prototype.symbol}: {case.what}: {said}"] if said else []
    return found


def _run(
    runner: Runner,
    operation: Operation,
    number: int,
    prototype: Prototype,
    case: Case,
    sizes: list[int],
) -> str:
    """What is wrong with the answer, if anything."""
    at = {}
    for name, buffer in operation.buffers.items():
        content = buffer.content if isinstance(buffer, Secret) else buffer
        if isinstance(content, int) or name == "work":
            content = b"\xa5" * size(buffer)
        at[name] = runner.alloc(content)
    for call in operation.calls[:number]:
        runner.call(call.function, *(_value(runner, at, a) for a in call.arguments))
    values = [_value(runner, at, a) for a in operation.calls[number].arguments]
    for position, content in case.content.items():
        runner.write(values[position], content)
    right = list(values)
    for position, new in case.changed.items():
        if isinstance(new, tuple):
            values[position] = right[new[0]] + new[1]
        else:
            values[position] = _value(runner, at, new)
    answer = runner.call(prototype.symbol, *values)
    if case.answers != answer and not (case.answers is None and answer not in (OK, ARGUMENT)):
        return f"answered {answer}"
    if answer == OK or UNCHANGED.match(prototype.symbol):
        return ""
    for param, value, length in zip(prototype.params, values, sizes, strict=True):
        written = length and not param.const and param.type == "uint8_t"
        if written and value and any(runner.read(value, length)):
            return f"{param.name} is not zeros"
    return ""


def _value(runner: Runner, at: dict[str, int], argument: int | str) -> int:
    if isinstance(argument, str):
        return runner.address(argument[1:]) if argument.startswith("&") else at[argument]
    return argument


if __name__ == "__main__":
    print(
        "\n".join(failures(Host(Path(sys.argv[1])), pickle.loads(Path(sys.argv[2]).read_bytes())))
    )
