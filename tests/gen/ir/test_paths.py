# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Control flow of runs: known conditions are followed, unknown ones fork, meet and say something about operands."""

from __future__ import annotations

from gen.ir.domains.halves import Range
from gen.ir.domains.interval import Intervals
from gen.ir.interp.machine import Machine
from gen.ir.interp.observer import Observer
from gen.ir.interp.paths import Paths
from gen.ir.interp.state import State
from gen.ir.ir import Imm, Insn, Item, Label, Mem, Reg, Var
from gen.ir.memory import Memory, Region
from tests.gen.ir.build import branch, insn

DOM = Intervals()
n, x, y, p, q = (Var(name) for name in "nxypq")


class Notes(Observer[Range]):
    def __init__(self) -> None:
        self.said: list[str] = []

    def bad_access(self, insn: Insn, code: str, message: str, help: str = "") -> None:
        self.said.append(code)

    def endless(self, label: Label) -> None:
        self.said.append("endless")

    def unset(self, insn: Insn, what: str) -> None:
        self.said.append(what)


def run(
    items: list[Item], regs: dict[Var, Range], regions: tuple[Region, ...] = ()
) -> tuple[State[Range], Notes, Paths[Range]]:
    notes = Notes()
    machine = Machine(DOM, regions, notes)
    memory: Memory[Range] = Memory(DOM, partly=True)
    for region in regions:
        for at in range(region.base, region.end, 2):
            memory.store(at, 2, Range(0, 100))
    paths = Paths(machine, items)
    end = paths.run(State(0, dict(regs), {}, memory))
    assert end is not None
    return end, notes, paths


def test_a_counted_loop_runs_round_by_round() -> None:
    items: list[Item] = [
        Label("0", 100),
        insn("add", Reg(x), Reg(x), Imm(3)),
        insn("subs", Reg(n), Reg(n), Imm(1)),
        branch("0", "ne"),
    ]
    end, notes, paths = run(items, {n: DOM.const(50), x: DOM.const(0)})
    assert end.regs[x] == Range(150, 150) and paths.forks == 0 and not notes.said
    _, notes, _ = run([Label("0", 49), *items[1:]], {n: DOM.const(49), x: DOM.const(0)})
    assert not notes.said


def test_a_loop_with_more_rounds_than_promised_is_reported() -> None:
    items: list[Item] = [Label("0", 9), insn("subs", Reg(n), Reg(n), Imm(1)), branch("0", "ne")]
    notes = Notes()
    paths = Paths(Machine(DOM, (), notes), items)
    assert paths.run(State(0, {n: DOM.const(10)}, {}, Memory(DOM))) is None
    assert notes.said == ["endless"]


def test_each_way_knows_its_condition() -> None:
    """if n < 5 (unsigned): x = n, else x = n - 5; n in [0, 9]."""
    items: list[Item] = [
        insn("cmp", Reg(n), Imm(5)),
        branch("1", "lo"),
        insn("sub", Reg(x), Reg(n), Imm(5)),
        branch("2"),
        Label("1"),
        insn("mov", Reg(x), Reg(n)),
        Label("2"),
    ]
    end, _, paths = run(items, {n: Range(0, 9)})
    assert paths.forks == 1
    assert end.regs[x] == Range(0, 4) and end.regs[n] == Range(0, 9)


def test_an_impossible_way_is_not_taken() -> None:
    items: list[Item] = [
        insn("cmp", Reg(n), Imm(3)),
        branch("1", "ls"),
        insn("mov", Reg(x), Imm(99)),
        Label("1"),
    ]
    end, _, _ = run(items, {n: Range(0, 3), x: DOM.const(1)})
    assert end.regs[x] == Range(1, 1)


def test_signed_conditions_narrow_too() -> None:
    s = Var("s", "i32")
    items: list[Item] = [
        insn("cmp", Reg(s), Imm(0)),
        branch("1", "ge"),
        insn("rsb", Reg(s), Reg(s), Imm(0)),
        Label("1"),
    ]
    end, _, _ = run(items, {s: Range(-50, 20)})
    assert end.regs[s] == Range(0, 50)


def test_an_it_block_meets_behind_itself() -> None:
    region = Region("r", 0x1000, 64)
    items: list[Item] = [
        insn("cmp", Reg(x), Imm(7)),
        insn("strh", Reg(x), Mem(p, Imm(2), mode="post"), cond="lo"),
        insn("add", Reg(n), Reg(n), Imm(1), cond="lo"),
        insn("mov", Reg(y), Imm(1)),
    ]
    end, notes, paths = run(
        items, {x: Range(0, 9), p: DOM.const(0x1000), n: DOM.const(0)}, (region,)
    )
    assert end.regs[p] == Range(0x1000, 0x1002, None, None, 2) and end.regs[n] == Range(0, 1)
    assert end.memory.cells[0x1000] == (2, Range(0, 100)) and not notes.said
    assert paths.steps < 15


def filter_loop(limit: int) -> list[Item]:
    """Copies values below 7, as long as p < q and n rounds are left."""
    return [
        Label("0", limit),
        insn("cmp", Reg(p), Reg(q)),
        branch("9", "hs"),
        insn("ldrh", Reg(x), Mem(y, Imm(2), mode="post")),
        insn("cmp", Reg(x), Imm(7)),
        insn("strh", Reg(x), Mem(p, Imm(2), mode="post"), cond="lo"),
        insn("subs", Reg(n), Reg(n), Imm(1)),
        branch("0", "ne"),
        Label("9"),
    ]


def test_a_pointer_that_moves_on_some_paths_stays_in_its_buffer() -> None:
    out, source = Region("r", 0x1000, 16), Region("a", 0x2000, 64)
    regs = {p: DOM.const(0x1000), q: DOM.const(0x1010), y: DOM.const(0x2000), n: DOM.const(32)}
    end, notes, _ = run(filter_loop(32), regs, (out, source))
    assert not notes.said
    assert end.regs[p] == Range(0x1000, 0x1010, None, None, 2)
    too_far = {**regs, q: DOM.const(0x1012)}
    _, notes, _ = run(filter_loop(32), too_far, (out, source))
    assert "out-of-bounds" in notes.said


def test_what_nobody_wrote_is_reported_and_the_run_goes_on() -> None:
    region = Region("r", 0x1000, 4)
    items: list[Item] = [insn("add", Reg(x), Reg(y), Imm(1)), insn("adc", Reg(x), Reg(x), Reg(x))]
    _, notes, _ = run(items, {}, (region,))
    assert notes.said == ["y", "flag C"]
