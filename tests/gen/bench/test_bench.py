# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The benchmark: what it measures on a library of known cost, how it reports, what it refuses."""

import ast
import csv
import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gen.bench.__main__ import main
from gen.bench.api import Api
from gen.bench.calls import CallError, arguments
from gen.bench.figures import Figure, Peer, Target, best, peers, targets
from gen.bench.library import FORMS, Library, MeasureError
from gen.bench.measure import routines
from gen.bench.operations import ALGORITHMS, Key, Session
from gen.bench.program import Done, Program
from gen.bench.report import as_json, comma_separated, operations_table, routines_table
from gen.cores.core import load_core
from gen.emu.build import BuildError
from gen.emu.machine import Machine, Wide
from gen.ir.ir import Bound, CType, Param, Pred, Routine, Table, physical

M4 = load_core("cortex-m4")

TEXT = """
.syntax unified
.thumb
.macro function name
.section .text.\\name
.balign 4
.global \\name
.type \\name, %function
\\name:
.endm
.macro end name
.size \\name, . - \\name
.endm
function demo_add
    push {r4, lr}
    ldr r3, [r0]
    str r3, [r0]
    ldr.w r4, [r1]
    pop {r4, pc}
end demo_add
function armscribe_keccak_permute
    mov r1, #1
    bx lr
end armscribe_keccak_permute
function armscribe_mlkem768_keygen_derand
    mov r0, #RESULT
    bx lr
end armscribe_mlkem768_keygen_derand
function armscribe_mlkem768_encaps_derand
    mov r0, #0
    bx lr
end armscribe_mlkem768_encaps_derand
function armscribe_mlkem768_decaps
    mov r1, #SPOIL
    strb r1, [r0]
    mov r0, #0
    bx lr
end armscribe_mlkem768_decaps
function armscribe_mlkem768_decaps_checked
    mov r0, #0
    bx lr
end armscribe_mlkem768_decaps_checked
.section .rodata
.balign 4
.global demo_table
.type demo_table, %object
demo_table: .word 1, 2, 3
.size demo_table, 12
"""

WORD = CType("int32_t", 32, True, True)
TABLE = Table("table", "demo_table", "i32", (1, 2, 3))
BUFFER = Param("r", replace(WORD, count=4), physical("r0"), role="inout", align=4)
CONSTANT = Param("t", replace(WORD, count=3), physical("r1"), align=4, flash=True, table=TABLE)


def routine(*params: Param, symbol: str = "demo_add", tables: tuple[Table, ...] = ()) -> Routine:
    return Routine("add", symbol, "", "", None, params, tables, (), M4)


def library(folder: Path, result: int = 0, spoil: int = 0) -> Library:
    source, thing = folder / "demo.S", folder / "demo.o"
    source.write_text(TEXT, encoding="utf-8", newline="\n")
    archive = folder / "libarmscribe.a"
    command = ["arm-none-eabi-gcc", *M4.cc, f"-Wa,--defsym,RESULT={result},--defsym,SPOIL={spoil}"]
    subprocess.run([*command, "-c", source, "-o", thing], check=True)
    subprocess.run(["arm-none-eabi-ar", "rcs", archive, thing], check=True)
    return Library(archive, M4, "gas")


def test_a_routine_of_known_cost(tmp_path: Path) -> None:
    (figure,) = routines(library(tmp_path), [routine(BUFFER, CONSTANT)])
    # PUSH 3, LDR 2, STR 0, LDR after STR 2 + 1, POP with PC 3 + 2
    assert figure == Figure("demo_add", "cortex-m4", "gas", 5, 13, 12, 12, 8, 0, 0)


def test_tables_count_once(tmp_path: Path) -> None:
    known = [routine(BUFFER, CONSTANT, tables=(TABLE,))]
    assert next(routines(library(tmp_path), known)).rodata == 12


@pytest.fixture(scope="module")
def api(root: Path) -> Api:
    return Api.read(root, M4)


def measured(name: str, library: Library, api: Api) -> list[Figure]:
    return list(ALGORITHMS[name](Session(library, api)))


def test_the_library_as_a_whole(tmp_path: Path, api: Api) -> None:
    built = library(tmp_path)
    (figure,) = measured("keccak", built, api)
    assert figure == Figure("armscribe_keccak_permute", "cortex-m4", "gas", 2, 4, 8, 0, 0, 0, 0)
    assert [figure.instructions for figure in measured("mlkem768", built, api)] == [2, 2, 4, 2]


def test_equal_programs_are_run_once(tmp_path: Path, api: Api) -> None:
    built = library(tmp_path)
    known: dict[Key, Done] = {}
    one = list(ALGORITHMS["keccak"](Session(built, api, known)))
    ((key, done),) = known.items()
    known[key] = replace(done, trace=replace(done.trace, cycles=77))
    other = replace(built, form="inline")
    (figure,) = ALGORITHMS["keccak"](Session(other, api, known))
    assert figure == replace(one[0], form="inline", cycles=77)


def test_a_failed_operation_has_no_figure(tmp_path: Path, api: Api) -> None:
    with pytest.raises(MeasureError, match="keygen_derand answered 7"):
        measured("mlkem768", library(tmp_path, result=7), api)
    with pytest.raises(MeasureError, match="the secrets differ"):
        measured("mlkem768", library(tmp_path, spoil=1), api)


def test_what_does_not_fit_the_prototype_has_no_figure(tmp_path: Path, api: Api) -> None:
    program = Program(library(tmp_path), api, "mlkem768_keygen_derand")
    with pytest.raises(MeasureError, match="seed is not given"):
        program.call({})
    with pytest.raises(MeasureError, match="has no sed"):
        program.call({"seed": bytes(64), "sed": 1})


def test_what_is_not_there_has_no_figure(root: Path, tmp_path: Path, api: Api) -> None:
    with pytest.raises(BuildError, match="FORM is gas, inline, acle or portable, not nonsuch"):
        Library.make(root, M4, "nonsuch")
    with pytest.raises(KeyError, match="no symbol demo_sub"):
        list(routines(library(tmp_path), [routine(symbol="demo_sub")]))
    with pytest.raises(KeyError, match="no header of the library declares armscribe_demo"):
        Program(library(tmp_path), api, "demo")
    with pytest.raises(BuildError, match="armscribe_x25519_public"):
        measured("x25519", library(tmp_path), api)
    with pytest.raises(ValueError, match="nothing was measured"):
        Figure("demo", "cortex-m4", "gas", 3, 0, 4, 0, 0, 0, 0)


def test_arguments_keep_what_the_params_say(tmp_path: Path) -> None:
    machine = Machine(library(tmp_path).whole())
    scalar = CType("uint32_t", 32, False, False)
    count = Param("n", scalar, physical("r1"), pre=(Bound("each", 0, 40, ""),))
    wide = Param("w", replace(scalar, bits=64), physical("r2"), lengths=(5, 9))
    length = Pred(ast.parse("2 * n", mode="eval").body, {}, "2 * n")
    small = CType("int16_t", 16, True, True)
    bounds = (Bound("each", -3, 3, ""), Bound("each", -1, 9, ""))
    data = Param("p", small, physical("r0"), align=2, length=length, pre=bounds)
    values, (buffer,) = arguments(routine(data, count, wide), machine, random.Random(1))
    assert values == [buffer.address, 40, Wide(9)]
    assert buffer.size == 160 and not buffer.writable and buffer.address % 4 == 2
    content = machine.read(buffer.address, buffer.size)
    numbers = [int.from_bytes(content[i : i + 2], "little", signed=True) for i in range(0, 160, 2)]
    assert set(numbers) == {-1, 0, 1, 2, 3}


def test_a_scalar_without_a_bound_is_an_error(tmp_path: Path) -> None:
    machine = Machine(library(tmp_path).whole())
    unknown = Param("n", CType("uint32_t", 32, False, False), physical("r0"))
    with pytest.raises(CallError, match="values n may have"):
        arguments(routine(unknown), machine, random.Random(1))


FIGURE = Figure("mlkem_ntt", "cortex-m4", "gas", 4000, 4215, 1600, 512, 40, 300, 2)
PEERS = (
    Peer("mlkem_ntt", ("cortex-m4",), "C, compiled", 9, 10, 1, 1, 1),
    Peer("mlkem_ntt", ("cortex-m4",), "slow", 9000, 9999, None, 512, None),
    Peer("mlkem_ntt", ("cortex-m3", "cortex-m4"), "fast", 4187, 4430, 1692, 512, 72),
    Peer("mlkem_ntt", ("cortex-m3",), "other core", 4000, 4001, 1, 1, 1),
)


def test_the_peer_to_beat() -> None:
    assert best(FIGURE, PEERS) == PEERS[2]
    assert best(FIGURE, PEERS[:1]) == PEERS[0]
    assert best(FIGURE, PEERS[3:]) is None


def goal(cycles: int, memory: int | None = None) -> dict[tuple[str, str], Target]:
    key = ("mlkem_ntt", "cortex-m4")
    return {key: Target(*key, cycles, None, memory)}


def cells(text: str) -> list[str]:
    return [cell.strip() for cell in text.splitlines()[-1].strip("|").split("|")]


def test_the_table_of_routines() -> None:
    text = routines_table([FIGURE], PEERS, goal(4700))
    expected = "mlkem_ntt 4000 4215 4430 0.951 1600 1692 512 512 40 72 2/300 fast"
    assert cells(text) == [*expected.split(), "4700 met"]
    assert "4200 MISSED by 15" in routines_table([FIGURE], PEERS, goal(4200))
    assert "| none" in routines_table([FIGURE], (), {})
    assert len({len(line) for line in text.splitlines()}) == 1


def test_the_table_of_operations() -> None:
    inline = replace(FIGURE, form="inline", cycles=4300, work=100)
    other = replace(FIGURE, routine="armscribe_other")
    text = operations_table([FIGURE, other, inline], PEERS, goal(4300, 120))
    first, second, third = text.splitlines()[2:]
    assert cells(first) == [
        *"mlkem_ntt gas 4215 4430 0.951 1600 1692 512 512 40 0 72 fast".split(),
        "4300 met, 120 bytes of stack and work met",
    ]
    assert cells(second)[:2] == ["mlkem_ntt", "inline"]
    assert cells(second)[-1] == "4300 met, 120 bytes of stack and work MISSED by 20"
    assert cells(third)[0] == "other" and cells(third)[-2:] == ["none", ""]
    compiled = operations_table([replace(FIGURE, form="C alone")], PEERS, goal(1))
    assert "MISSED" not in compiled  # nothing is asked of a compiler


def test_comma_separated_and_json() -> None:
    rows = list(csv.DictReader(comma_separated([FIGURE], PEERS).splitlines()))
    assert [row["implementation"] for row in rows] == ["armscribe", "C, compiled", "slow", "fast"]
    assert rows[0]["cycles"] == "4215" and rows[2]["code"] == "" and rows[3]["stack"] == "72"
    assert (rows[0]["peer"], rows[0]["peer_cycles"], rows[0]["ratio"]) == ("fast", "4430", "0.951")
    found = json.loads(as_json([FIGURE], PEERS, {"mldsa65, gas": "1 + 2 x attempts"}))
    assert found["figures"][0]["cycles"] == 4215
    assert found["figures"][0]["peer"]["implementation"] == "fast"
    assert found["signing"] == {"mldsa65, gas": "1 + 2 x attempts"}


def test_the_files_of_peers_and_targets() -> None:
    known = {(peer.routine, core) for peer in peers() for core in peer.cores}
    assert set(targets()) <= known
    assert all(any(one.of(FIGURE)) for one in targets().values())
    assert {"mlkem_ntt", "armscribe_mlkem768_decaps", "armscribe_keccak_permute"} <= {
        routine for routine, _ in known
    }


@pytest.mark.parametrize(
    "wrong",
    [["--form", "nonsuch"], ["--seeds", "1"], ["--clock", "0"], ["--only", "rsa"], ["--part", "x"]],
)
def test_wrong_arguments_are_told(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(wrong)
    assert stopped.value.code == 2 and "usage:" in capsys.readouterr().err


def test_a_library_that_cannot_be_built_ends_the_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMS, "gas", ("nonsuch", {}))
    assert main(["--form", "gas", "--part", "operations", "--only", "sha2"]) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and "error: make " in printed.err and "\x1b" not in printed.err
