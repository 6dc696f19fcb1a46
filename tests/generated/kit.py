# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Routines as the generator sees them, inputs within their promises, and machines to run them on."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gen.cores.core import Core, all_cores, load_core
from gen.driver import jobs
from gen.emit.view import c_type, element_bytes
from gen.emu.build import link
from gen.emu.machine import Machine
from gen.ir.interp.entry import length_of
from gen.ir.ir import CType, Param, Routine
from gen.manifest import NAME, entries
from gen.passes import BUILD
from gen.passes.timing import timing
from gen.pieces import piece, routine
from gen.read.load import index
from gen.sharing import SUFFIX
from gen.sharing import entries as listed
from tests.conftest import ROOT
from tests.generated.contracts import CONTRACTS

GENERATED = ROOT / "generated"
INCLUDE = f"-I{GENERATED / 'include'}"
REAL_FORMS = ("gas", "inline")
RANDOM, CHUNK = 10_000, 500
Batch = dict[str, NDArray[np.int64]]


@cache
def taken(core: str, form: str) -> dict[str, Path]:
    """The file of each source that a core takes: its own, that of a core it is like, or portable C."""
    if form == "portable":
        return {path.stem: path for path in (GENERATED / "portable").glob("*.c")}
    text = (GENERATED / core / f"{form}{SUFFIX}").read_text(encoding="utf-8")
    return {stem: GENERATED / path for stem, path in listed(text).items()}


def assembly(core: str, form: str) -> dict[str, Path]:
    """As `taken`, without portable C."""
    return {s: path for s, path in taken(core, form).items() if path.parent.name != "portable"}


def generated_cores() -> tuple[str, ...]:
    """Real M-profile cores that have code of their own in generated/."""
    keys = (key for key in all_cores() if "thumb2" in load_core(key).isa)
    return tuple(key for key in keys if list((GENERATED / key).glob("*.S")))


@cache
def routines(core: str) -> dict[str, Routine]:
    """Every routine for a core, after the passes that `build` runs."""
    loaded = load_core(core)
    work = jobs(ROOT, index(ROOT), loaded)
    held = assembly(core, "gas") if not loaded.pretend else symbols()
    made = (
        piece(ROOT, job, BUILD) for job in work if job.symbol in symbols() and job.symbol in held
    )
    return {one.routine.symbol: one.routine for one in made if one.routine is not None}


@cache
def routines_of(core: str, symbol: str) -> Routine:
    """One routine for a core, with its cost."""
    job = next(job for job in jobs(ROOT, index(ROOT), load_core(core)) if job.symbol == symbol)
    return timing(routine(ROOT, job, BUILD))


@cache
def symbols() -> tuple[str, ...]:
    """Routines that generated/ holds; that it holds all is what `gen check` says."""
    held = entries((GENERATED / NAME).read_text(encoding="utf-8"))
    return tuple(sorted({r.symbol for r in index(ROOT) if f"portable/{r.symbol}.c" in held}))


def text_of(core: str, symbol: str, form: str) -> Path:
    return taken(core, form)[symbol]


def distinct() -> list[tuple[str, str]]:
    """(core, symbol) of code that is not word for word another core's."""
    return [
        (core, symbol)
        for core in generated_cores()
        for symbol in symbols()
        if text_of(core, symbol, "gas").parent.name == core
    ]


def backend(core: str, form: str) -> str:
    name = "PORTABLE" if form == "portable" else f"{core}_{form}".upper().replace("-", "_")
    return f"-DARMSCRIBE_BACKEND_{name}"


# --- inputs --------------------------------------------------------------------------------------


def count_of(param: Param) -> int:
    """Elements of a buffer; of one whose length is an argument, the most."""
    if not param.ctype.pointer:
        return 1
    return param.ctype.count or 504


def elements(param: Param, given: Batch, row: int) -> int:
    """Elements of a buffer in one call: what the arguments say, else the most."""
    if param.length is None:
        return count_of(param)
    scalars = {name: int(rows[row][0]) for name, rows in given.items() if rows.shape[1] == 1}
    return length_of(param.length, scalars)


def limits(param: Param) -> tuple[int, int]:
    """What an element may be before the call: the promise, else the type."""
    bits = param.ctype.bits
    low, high = (
        (-(1 << bits - 1), (1 << bits - 1) - 1) if param.ctype.signed else (0, (1 << bits) - 1)
    )
    for bound in param.pre:
        if bound.kind == "each":
            low, high = max(low, bound.lo), min(high, bound.hi)
    return low, high


def after(param: Param) -> tuple[int, int]:
    """What an element may be after the call."""
    bits, signed = param.ctype.bits, param.ctype.signed
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    for bound in param.post:
        low, high = max(low, bound.lo), min(high, bound.hi)
    return low, high


def inputs(routine: Routine, rng: np.random.Generator, count: int) -> Batch:
    """Random inputs over the whole promised range, behind the extreme ones."""
    contract = CONTRACTS[routine.symbol]
    made: Batch = {}
    for param in rows_of(routine):
        low, high = limits(param)
        shape = (min(count, contract.rows), count_of(param))
        random = contract.draw(rng, low, high, shape)
        fixed = [np.clip(one(low, high, shape[1]), low, high) for one in contract.extremes]
        made[param.name] = np.concatenate([np.stack(fixed), random]).astype(np.int64)
    for param in routine.params:
        if param.length is not None and param.ctype.bits == 8:
            made[param.length.text] -= made[param.length.text] % contract.step
    return made


def wrong(routine: Routine, given: Batch, got: Batch) -> str:
    """Why results are not what the contract says, or ""."""
    contract = CONTRACTS[routine.symbol]
    scalars = {p.name for p in routine.params if not p.ctype.pointer}
    arrays = {name: rows[:, 0] if name in scalars else rows for name, rows in given.items()}
    for name, values in contract.wanted(arrays).items():
        mine = np.ma.masked_array(got[name], np.ma.getmaskarray(values))
        off = contract.view(mine) - contract.view(values)
        modulus = contract.modulus if name != "return" else 0
        bad = np.ma.filled((off % modulus if modulus else off) != 0, False)
        if np.any(bad):
            where = tuple(int(at[0]) for at in np.nonzero(bad))
            return f"{name}{list(where)} is {mine[where]}"
        param = next((p for p in routine.params if p.name == name), None)
        low, high = after(param) if param is not None else (mine.min(), mine.max())
        if np.any(np.ma.filled((mine < low) | (mine > high), False)):
            return f"{name} leaves [{low}, {high}]"
    return ""


# --- a loop around a routine ---------------------------------------------------------------------


def data_type(ctype: CType) -> str:
    return ("int" if ctype.signed else "uint") + f"{ctype.bits}_t"


def numpy_type(ctype: CType) -> str:
    return ("i" if ctype.signed else "u") + str(ctype.bits // 8)


def rows_of(routine: Routine) -> list[Param]:
    return [param for param in routine.params if param.table is None]


def driver(routine: Routine) -> str:
    """C of `batch(count, rows...)`: calls the routine for each row of its inputs; then the results."""
    takes, passes = ["uint32_t count"], []
    steps = []
    for param in routine.params:
        if param.table is not None:
            passes.append(param.table.symbol)
            continue
        takes.append(f"{data_type(param.ctype)} *{param.name}")
        passes.append(param.name if param.ctype.pointer else f"*{param.name}")
        steps.append(f"{param.name} += {count_of(param)};")
    call = f"{routine.symbol}({', '.join(passes)});"
    if routine.result is not None:
        takes.append(f"{data_type(routine.result[0])} *result")
        call = f"*result++ = {call}"
    return (
        '#include "armscribe_routines.h"\n'
        f"void batch({', '.join(takes)});\n"
        f"void batch({', '.join(takes)})\n{{\n    while (count-- > 0) {{\n        {call}\n"
        f"        {' '.join(steps)}\n    }}\n}}\n"
    )


def pack(routine: Routine, given: Batch) -> list[bytes]:
    """Rows as memory holds them, in the order of `driver`."""
    return [given[p.name].astype(f"<{numpy_type(p.ctype)}").tobytes() for p in rows_of(routine)]


def unpack(routine: Routine, memory: Sequence[bytes], count: int) -> Batch:
    got: Batch = {}
    for param, raw in zip(rows_of(routine), memory, strict=False):
        values = np.frombuffer(raw, f"<{numpy_type(param.ctype)}").astype(np.int64)
        got[param.name] = values.reshape(count, -1)
    if routine.result is not None:
        raw = memory[len(rows_of(routine))]
        got["return"] = np.frombuffer(raw, f"<{numpy_type(routine.result[0])}").astype(np.int64)[
            :, None
        ]
    return got


@dataclass(frozen=True)
class Emulated:
    """A routine in one form on the emulated core, with the loop around it."""

    routine: Routine
    machine: Machine

    def run(self, given: Batch) -> Batch:
        """The rows after the calls, chunk by chunk."""
        count = len(next(iter(given.values())))
        parts = [
            self._chunk({name: rows[at : at + CHUNK] for name, rows in given.items()})
            for at in range(0, count, CHUNK)
        ]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _chunk(self, given: Batch) -> Batch:
        count = len(next(iter(given.values())))
        mark = self.machine.mark()
        memory = pack(self.routine, given)
        if self.routine.result is not None:
            memory.append(bytes(4 * count))
        places = [self.machine.alloc(raw, align=4) for raw in memory]
        self.machine.call("batch", count, *places)
        after = [self.machine.read(at, len(raw)) for at, raw in zip(places, memory, strict=True)]
        self.machine.release(mark)
        return unpack(self.routine, after, count)


@cache
def _table_stems() -> dict[str, str]:
    """Symbol of a table -> stem of the file that holds it."""
    work = jobs(ROOT, index(ROOT), load_core("portable"))
    pieces = (
        piece(ROOT, job, BUILD[:1]) for job in work if not job.symbol or job.symbol in symbols()
    )
    return {table.symbol: one.stem for one in pieces for table in one.tables}


def files(routine: Routine, form: str) -> list[Path]:
    """The generated file of a routine, and those of the tables that it is called with."""
    stems = [routine.symbol]
    stems += [_table_stems()[p.table.symbol] for p in routine.params if p.table is not None]
    return [taken(routine.core.key, form)[stem] for stem in dict.fromkeys(stems)]


def emulated(core: str, symbol: str, form: str, scratch: Path) -> Emulated:
    """Builds what is needed of the form with the loop."""
    loaded: Core = load_core(core)
    routine = routines(core)[symbol]
    (scratch / "batch.c").write_text(driver(routine))
    image = link(
        [scratch / "batch.c", *files(routine, form)],
        loaded,
        ["-O2", INCLUDE, backend(core, form), "-Wl,--gc-sections", "-Wl,-u,batch"],
    )
    return Emulated(routine, Machine(image))


@dataclass(frozen=True)
class Hosted:
    """A routine in portable C in a program of this host that reads rows and writes rows."""

    routine: Routine
    program: Path

    def run(self, given: Batch) -> Batch:
        count = len(next(iter(given.values())))
        memory = pack(self.routine, given)
        done = subprocess.run(
            [self.program],
            input=count.to_bytes(4, "little") + b"".join(memory),
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr.decode()
        sizes = [len(raw) for raw in memory]
        if self.routine.result is not None:
            sizes.append(4 * count)
        ends = np.cumsum([0, *sizes])
        parts = [done.stdout[a:b] for a, b in zip(ends[:-1], ends[1:], strict=True)]
        return unpack(self.routine, parts, count)


def _host_main(routine: Routine) -> str:
    lines = [
        "#include <stdio.h>",
        "#include <stdlib.h>",
        "int main(void)",
        "{",
        "    uint32_t rows;",
    ]
    lines += ["    if (fread(&rows, 4, 1, stdin) != 1) return 1;"]
    names = []
    for param in rows_of(routine):
        size = f"sizeof(*{param.name}) * {count_of(param)} * rows"
        names.append((param.name, size))
        lines.append(f"    {data_type(param.ctype)} *{param.name} = malloc({size});")
        lines.append(f"    if (fread({param.name}, 1, {size}, stdin) != {size}) return 1;")
    if routine.result is not None:
        names.append(("result", "sizeof(*result) * rows"))
        lines.append(
            f"    {data_type(routine.result[0])} *result = malloc(sizeof(*result) * rows);"
        )
    lines.append(f"    batch(rows, {', '.join(name for name, _ in names)});")
    lines += [f"    fwrite({name}, 1, {size}, stdout);" for name, size in names]
    lines += [f"    free({name});" for name, _ in names]
    return "\n".join([*lines, "    return 0;", "}", ""])


def hosted(symbol: str, scratch: Path, flags: Sequence[str]) -> Hosted:
    """Builds the portable form with the loop and a main."""
    routine = routines("portable")[symbol]
    source, program = scratch / "batch.c", scratch / "batch"
    source.write_text(driver(routine) + _host_main(routine))
    parts = map(str, (source, *files(routine, "portable")))
    command = ["gcc", "-std=c99", *flags, INCLUDE, backend("", "portable")]
    subprocess.run([*command, *parts, "-o", str(program)], check=True)
    return Hosted(routine, program)


__all__ = ["c_type", "element_bytes"]
