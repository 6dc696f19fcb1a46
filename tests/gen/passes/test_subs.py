# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A routine with two subs, one of which calls the other: the same in every form, counted exactly."""

from __future__ import annotations

import ctypes
import random
import subprocess
from pathlib import Path

import pytest

from gen.cores.core import load_core
from gen.emit import FORMS
from gen.emit.view import Piece
from gen.emu.abi import Buffer, check_call
from gen.emu.build import link
from gen.emu.machine import Machine
from gen.emu.trace import Tracer
from gen.ir.interp import execute
from gen.ir.interp.calls import Calls
from gen.ir.ir import Routine
from gen.passes import BUILD, PIPELINE, run
from gen.passes.elaborate import elaborate
from gen.passes.timing import timing
from gen.read.load import load

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
GENERATED = ROOT / "generated" / "include"
MODULUS = 2**64
HEADER = "#include <stdint.h>\nvoid demo_poly(uint32_t r[2], const uint32_t a[2]);\n"


def poly(core: str = "cortex-m4", passes: tuple[str, ...] = BUILD) -> Routine:
    unit = load(EXAMPLES, "asm-src/demo/poly.rasm")
    return run(elaborate(unit, "demo_poly", load_core(core)), passes)


def wanted(r: int, a: int) -> int:
    for _ in range(5):
        r = (r + a**4 + a**2) % MODULUS
    return r


def words(x: int) -> list[int]:
    return [x % 2**32, x >> 32]


def cases() -> list[tuple[int, int]]:
    rng = random.Random(3)
    extreme = [(0, 0), (MODULUS - 1, MODULUS - 1), (0, 2**32 - 1), (1, 2**32)]
    return extreme + [(rng.randrange(MODULUS), rng.randrange(MODULUS)) for _ in range(20)]


def written(form: str, core: str, folder: Path) -> Path:
    """The file of a form, with a header for it."""
    passes = BUILD if form != "portable" else BUILD[:1]
    routine = poly(core, passes)
    piece = Piece("demo_poly", routine.source, routine.core, routine, ())
    [(path, text)] = FORMS[form].emit(piece).items()
    (folder / "armscribe_routines.h").write_text(HEADER)
    out = folder / Path(path).name
    out.write_text(text)
    return out


@pytest.mark.parametrize("core", ["cortex-m4", "cortex-m4f"])
@pytest.mark.parametrize("stage", ["code", "final"])
def test_oracle(core: str, stage: str) -> None:
    routine = poly(core)
    for r, a in cases():
        made = execute(routine, {"r": words(r), "a": words(a)}, stage)  # type: ignore[arg-type]
        assert made.buffers["r"] == words(wanted(r, a))


def image_of(form: str, core: str, folder: Path, *flags: str) -> Machine:
    file = written(form, core, folder)
    (folder / "start.c").write_text(
        HEADER + "void start(uint32_t *r, const uint32_t *a);\n"
        "void start(uint32_t *r, const uint32_t *a) { demo_poly(r, a); }\n"
    )
    chosen = "-DARMSCRIBE_BACKEND_" + f"{core}_{form}".upper().replace("-", "_")
    options = [f"-I{folder}", f"-I{GENERATED}", chosen, "-Wl,-u,start", *flags]
    return Machine(link([folder / "start.c", file], load_core(core), options))


@pytest.mark.parametrize("form", ["gas", "inline"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_machine_code(form: str, level: str, tmp_path: Path) -> None:
    machine = image_of(form, "cortex-m4", tmp_path, level, "-Wall", "-Wextra", "-Werror")
    for seed, (r, a) in enumerate(cases()[:8]):
        row = [b"".join(w.to_bytes(4, "little") for w in words(x)) for x in (r, a)]
        at = [machine.alloc(data, align=4) for data in row]
        buffers = [Buffer(at[0], 8), Buffer(at[1], 8, writable=False)]
        verdict = check_call(machine, "demo_poly", at, buffers, random.Random(seed))
        assert not verdict.broken
        assert int.from_bytes(machine.read(at[0], 8), "little") == wanted(r, a)


def test_portable(tmp_path: Path) -> None:
    file, library = written("portable", "portable", tmp_path), tmp_path / "poly.so"
    command = "-std=c99 -O2 -fPIC -shared -Wall -Wextra -Wpedantic -Wconversion -Wcast-qual -Werror"
    flags = [*command.split(), f"-I{tmp_path}", f"-I{GENERATED}", "-DARMSCRIBE_BACKEND_PORTABLE"]
    subprocess.run(["gcc", *flags, str(file), "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    for r, a in cases():
        out, given = (ctypes.c_uint32 * 2)(*words(r)), (ctypes.c_uint32 * 2)(*words(a))
        loaded.demo_poly(out, given)
        assert list(out) == words(wanted(r, a))


@pytest.mark.parametrize("core", ["cortex-m4", "cortex-m4f"])
def test_timing_and_stack_are_the_machines(core: str, tmp_path: Path) -> None:
    routine = timing(poly(core))
    assert routine.cost is not None
    machine = image_of("gas", core, tmp_path)
    trace = Tracer(machine, routine.core).call(
        "demo_poly", *(machine.alloc(bytes(8)) for _ in "ra")
    )
    assert routine.cost.cycles == (trace.cycles, trace.cycles)
    assert routine.cost.instructions == (trace.instructions, trace.instructions)
    assert routine.frame.depth == trace.stack == routine.frame.stack + routine.frame.below


def test_what_is_remembered_is_what_a_run_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    routine = poly()
    with_memory = timing(routine).cost
    first = Calls.__init__

    def forgetful(self: object, *args: object, **kwargs: object) -> None:
        first(self, *args, **{**kwargs, "remember": False})  # type: ignore[arg-type]

    monkeypatch.setattr(Calls, "__init__", forgetful)
    assert timing(routine).cost == with_memory


def test_every_proof_goes_into_subs() -> None:
    routine = poly(passes=PIPELINE[1:])
    assert [sub.name for sub in routine.subs] == ["mac2", "fourth"]
    assert routine.open_claims == ()
