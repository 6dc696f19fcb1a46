# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""One public function of a library, linked alone, and calls of it on the emulated core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gen.bench.api import PREFIX, Api, Param
from gen.bench.figures import Figure
from gen.bench.library import Library, MeasureError
from gen.emu.machine import Machine
from gen.emu.trace import Trace, Tracer

PATIENCE = 1800.0  # seconds of one call: a signature may take dozens of attempts
NULL = 0

Given = Mapping[str, bytes | int]


@dataclass(frozen=True)
class Done:
    """A call that went well: its trace, and what it wrote, by parameter."""

    trace: Trace
    outputs: Mapping[str, bytes]


class Program:
    """Arguments are given by the names that the header has for them. What follows from the prototype is not given:
    lengths of what is given, room for arrays that are written, work space. What is left out is NULL or 0."""

    def __init__(self, library: Library, api: Api, function: str) -> None:
        self.library, self.prototype = library, api[PREFIX + function]
        self.image = library.needed(self.prototype.symbol)
        self.machine = Machine(self.image)
        self.tracer = Tracer(self.machine, library.core)
        names = {param.name for param in self.prototype.params}
        self.work = api.workspace(self.prototype.symbol) if "work" in names else 0

    def call(self, given: Given) -> Done:
        """Calls it. Errors: `MeasureError` when it answers an error, or `given` does not fit."""
        unknown = given.keys() - {param.name for param in self.prototype.params}
        if unknown:
            raise MeasureError(f"{self.prototype.symbol} has no {' '.join(sorted(unknown))}")
        mark = self.machine.mark()
        values: list[int] = []
        written: dict[str, tuple[int, int]] = {}
        before: Param | None = None
        for param in self.prototype.params:
            values.append(self._value(param, before, given, written))
            before = param
        trace = self.tracer.call(self.prototype.symbol, *values, timeout=PATIENCE)
        if self.prototype.answers and trace.result != 0:
            raise MeasureError(f"{self.prototype.symbol} answered {trace.result}")
        outputs = {name: self.machine.read(*place) for name, place in written.items()}
        self.machine.release(mark)
        return Done(trace, outputs)

    def _value(
        self, param: Param, before: Param | None, given: Given, written: dict[str, tuple[int, int]]
    ) -> int:
        value = given.get(param.name)
        if isinstance(value, bytes):
            return self.machine.alloc(value)
        if value is not None:
            return value
        if param.name == "work":
            return self.machine.alloc(self.work)
        if param.pointer and not param.const:
            return self._room(param, given, written)
        if param.const and param.size is not None:
            raise MeasureError(f"{self.prototype.symbol}: {param.name} is not given")
        source = given.get(before.name) if before is not None and param.type == "size_t" else None
        return len(source) if isinstance(source, bytes) else NULL

    def _room(self, param: Param, given: Given, written: dict[str, tuple[int, int]]) -> int:
        """Memory for what is written; of nothing that has a length there is none."""
        stated = given.get(f"{param.name}_n")
        size = stated if isinstance(stated, int) else param.size
        if size is None:
            return NULL
        written[param.name] = self.machine.alloc(size), size
        return written[param.name][0]

    def figure(self, trace: Trace, name: str = "") -> Figure:
        """Code and read-only data are those of all it links."""
        code = self.image.sections[".text"][1]
        rodata = self.image.sections.get(".rodata", (0, 0))[1]
        return self.library.figure(name or self.prototype.symbol, trace, code, rodata, self.work)
