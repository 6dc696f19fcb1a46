# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Refutes a wrong result of schedule, allocate or frame, knowing nothing of how they work.

Block by block both `code` and `final` are executed over terms. Where a block begins, each live
web is given one unknown value, in the code and in the register that `places` claims for it;
where it ends, the claims of the blocks that follow must hold again, memory must have been
accessed alike, and branches must depend on equal values. The entry establishes the claims of the
first block from the calling convention; the exit must give back every register that belongs to
the caller, and SP.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gen import isa
from gen.diag import Bag, Frame
from gen.ir.interp.abi import places as argument_places
from gen.ir.interp.entry import vars_of
from gen.ir.ir import Call, Insn, Item, LabelRef, Move, Routine, Var, physical
from gen.passes.dataflow import FLAGS, Flow, blocks, conditional_insn, target
from gen.passes.liveness import results
from gen.passes.reach import parts
from gen.passes.terms import PC, SP, Machine, Terms, Unknown, Value


def check_result(routine: Routine) -> Routine:
    """The pass. Raises `Failed`: bad-check."""
    checker = _Checker(routine)
    checker.run()
    checker.bag.close()
    return routine


def callees(routine: Routine) -> tuple[Var, ...]:
    """Registers that hold their caller's values again at return; of a sub all but its contract's."""
    contract, abi = routine.contract, routine.core.abi
    kept = tuple(map(physical, (*abi.kept, *abi.kept_fp)))
    if contract is None:
        return kept
    own = spoilt(routine) | {*placed(contract.ins)}
    every = (*map(physical, routine.core.registers), *kept)
    return tuple(var for var in dict.fromkeys(every) if var not in own)


def spoilt(sub: Routine) -> frozenset[Var]:
    """What a sub overwrites: by its contract, and FP registers that it or a callee keeps values in."""
    assert sub.contract is not None
    return frozenset(map(physical, (*sub.contract.spoils, *sub.fp)))


def placed(row: Iterable[Var]) -> list[Var]:
    """The registers that pinned Vars are in."""
    return [physical(var.pin or "") for var in row]


class _Refuted(Exception):
    """What does not agree."""


class _Checker:
    def __init__(self, routine: Routine) -> None:
        self.routine, self.bag, self.dom = routine, Bag(), Terms(routine.core.abi.bits)
        self.abi, self.link = routine.core.abi, physical(routine.core.abi.link)
        self.flow = Flow(routine.code, results(routine))
        self.subs = {sub.name: sub for sub in routine.subs}
        self.entry, self.body, self.exit = parts(routine.final)
        self.homes = {var.name: var for var in routine.frame.slots}
        self.depth = -routine.frame.stack  # of SP in the body
        self.saved: dict[int, Value] = {}
        self.callees = callees(routine)
        self.objects = frozenset(
            self.depth + routine.frame.objects[one.var] + byte
            for one in routine.objects
            for byte in range(one.bytes)
        )

    def run(self) -> None:
        """Checks every part; after the first error in one, goes on with the next."""
        self.attempt(self.check_it)
        self.attempt(self.check_writes)
        self.attempt(self.check_entry)
        made = blocks(self.body)
        if len(made) != len(self.flow.blocks):
            self.refute("the blocks of the code are not those of the body", self.body)
            return
        for number, block in enumerate(made):
            items = self.body[block.start : block.end]
            self.attempt(lambda n=number, i=items: self.check_block(n, i))

    def attempt(self, check: object) -> None:
        assert callable(check)
        try:
            check()
        except (_Refuted, Unknown) as error:
            items: Sequence[Item] = error.args[1] if len(error.args) > 1 else ()
            self.refute(str(error.args[0]), items)

    def refute(self, message: str, items: Iterable[Item]) -> None:
        span, trail = self.routine.span, tuple[Frame, ...]()
        for item in items:
            if isinstance(item, Insn) and item.origin is not None:
                span, trail = item.span, item.trail
                break
        self.bag.error("bad-check", span, message, trail=trail, help="report this: it is a fault")

    # --- entry, blocks, exit ---

    def check_it(self) -> None:
        """Each conditional instruction stands in an IT block, where its condition does; on cores that have IT."""
        if "it" not in self.routine.core.cycles:
            return
        left: list[str] = []
        for item in self.routine.final:
            if not isinstance(item, Insn):
                continue
            assert item.form is not None
            if left or conditional_insn(item):
                if not left or item.cond != left.pop(0):
                    raise _Refuted(f"{isa.render(item)} does not fit the IT block", [item])
            elif item.form.kind == "it":
                first = next(op.name for op in item.ops if isinstance(op, LabelRef))
                turns = item.mnemonic[2:]
                left = [first, *(first if t == "t" else isa.inverse(first) for t in turns)]

    def check_writes(self) -> None:
        """Of the caller's registers only saved ones are written, in a sub those of its contract."""
        saved = {physical(save.register) for save in self.routine.frame.saved}
        for item in self.body:
            if isinstance(item, Insn):
                written = {*isa.writes(item), *self.spoilt(item)}
                for var in (written & {*self.callees, self.link}) - saved:
                    raise _Refuted(f"{var.name} is overwritten", [item])

    def spoilt(self, insn: Insn) -> frozenset[Var]:
        """What a call overwrites."""
        name = isa.callee(insn)
        return frozenset() if name is None else spoilt(self.subs[name])

    def check_entry(self) -> None:
        """From the calling convention to the claims of the first block."""
        final, given = Machine(self.dom, self.objects), dict[Var, Value]()
        final.regs = {SP: self.dom.leaf("sp"), self.link: self.dom.leaf("lr")}
        final.regs |= {var: self.dom.leaf(f"{var.name} of the caller") for var in self.callees}
        for var in self.routine.contract.ins if self.routine.contract is not None else ():
            given[var] = final.regs[physical(var.pin or "")] = self.dom.leaf(f"word {var.name}")
        places = argument_places(self.routine.params, self.abi)
        for param, where in zip(self.routine.params, places, strict=True):
            for number, place in enumerate(where):
                value: Value = self.dom.leaf(f"word {number} of {param.name}")
                given[vars_of(param)[number]] = value
                if place.register is not None:
                    final.regs[physical(place.register)] = value
                else:
                    final.frame[place.stack or 0] = value
        for item in self.entry:
            final.step(_insn(item))
        for var in self.flow.names(self.flow.live_in[0]):
            if var in FLAGS.values() or var.type == "home":
                raise _Refuted(f"{var.name} is needed at entry")
            start = given.get(var, var.init if var.init is None else self.dom.u(var.init, var.bits))
            self.agree(start, final.register(self.place(var)), f"{var.name} at entry")
        self.agree(final.regs[SP], self.dom.add(self.dom.leaf("sp"), self.depth), "SP")
        self.saved = {at: v for at, v in final.frame.items() if v in self.kept()}

    def kept(self) -> set[Value]:
        """Values that belong to the caller."""
        return {
            self.dom.leaf("lr"),
            *(self.dom.leaf(f"{v.name} of the caller") for v in self.callees),
        }

    def place(self, var: Var) -> Var:
        if var not in self.routine.places:
            raise _Refuted(f"{var.name} has no register")
        return physical(self.routine.places[var])

    def begin(self, number: int) -> tuple[Machine, Machine, dict[str, Value]]:
        """States of code, of final, and homes, where block `number` is entered."""
        code, final = (Machine(self.dom, self.objects) for _ in range(2))
        homes: dict[str, Value] = {}
        code.regs |= {
            var: self.dom.add(self.dom.leaf("sp"), self.depth + offset)
            for var, offset in self.routine.frame.objects.items()
        }
        final.regs[SP] = self.dom.add(self.dom.leaf("sp"), self.depth)
        final.frame = dict(self.saved)
        owner: dict[Var, Var] = {}
        for index, var in enumerate(self.flow.names(self.flow.live_in[number])):
            value = self.dom.leaf(f"live {index}", var.bits)
            if var in FLAGS.values():
                code.flags[var.name] = final.flags[var.name] = value
            elif var.type == "home":
                homes[var.name] = value
                self.put_home(final, var, value)
            else:
                place = self.place(var)
                if place in owner:
                    raise _Refuted(f"{var.name} and {owner[place].name} are both in {place.name}")
                owner[place] = var
                code.regs[var] = final.regs[place] = value
        for var in self.callees:
            final.regs.setdefault(var, self.dom.leaf(f"{var.name} of the caller"))
        final.regs.setdefault(self.link, self.dom.leaf("lr"))
        return code, final, homes

    def home(self, name: str) -> tuple[int | None, Var | None]:
        """Where a home is: offset from the caller's SP, or an FP register."""
        frame = self.routine.frame
        for var, offset in frame.slots.items():
            if var.name == name:
                return self.depth + offset, None
        for var, register in frame.parks.items():
            if var.name == name:
                return None, physical(register)
        raise _Refuted(f"{name} has no home")

    def put_home(self, final: Machine, var: Var, value: Value) -> None:
        offset, register = self.home(var.name.removeprefix("home of "))
        if register is not None:
            final.regs[register] = value
        else:
            assert offset is not None
            final.frame[offset] = value

    def check_block(self, number: int, items: Sequence[Item]) -> None:
        """One block, executed both ways."""
        code, final, homes = self.begin(number)
        block = self.flow.blocks[number]
        ends: list[tuple[str | None, Value]] = []
        for machine, row in ((code, self.routine.code[block.start : block.end]), (final, items)):
            end: tuple[str | None, Value] = (None, 1)
            for item in row:
                end = self.step(machine, item, homes) or end
            ends.append(end)
        if ends[0] != ends[1]:
            raise _Refuted(f"the branch to {ends[0][0]} is another one", items)
        self.agree(code.memory, final.memory, "memory", items)
        self.check_frame(final, items)
        needed = self.flow.live_out(number)
        for var in self.flow.names(needed):
            self.check_live(var, code, final, homes, items)
        if self.flow.leaves(number):
            self.check_exit(final)

    def step(
        self, machine: Machine, item: Item, homes: dict[str, Value]
    ) -> tuple[str | None, Value] | None:
        """Executes one item; what a branch goes to, and on what."""
        try:
            if isinstance(item, Move):
                home = f"home of {item.var.name}"
                if item.kind == "spill":
                    homes[home] = machine.register(item.var)
                else:
                    machine.regs[item.var] = homes[home]
            elif isinstance(item, Call):
                machine.call(item.contract.name, item.ins, item.outs, ())
            elif isinstance(item, Insn) and (name := isa.callee(item)) is not None:
                contract = self.subs[name].contract
                assert contract is not None
                ins, outs = placed(contract.ins), placed(contract.outs)
                machine.call(name, ins, outs, self.spoilt(item))
            elif isinstance(item, Insn):
                name = target(item)
                if name is not None:
                    return name, 1 if item.cond is None else isa.condition_value(item.cond, machine)
                machine.step(item)
        except Unknown as error:
            raise _Refuted(str(error), [item]) from None
        return None

    def check_frame(self, final: Machine, items: Sequence[Item]) -> None:
        """SP is where it was, and what was saved is still there."""
        self.agree(final.regs[SP], self.dom.add(self.dom.leaf("sp"), self.depth), "SP", items)
        for offset, value in self.saved.items():
            self.agree(final.frame.get(offset), value, f"what was saved at {offset}", items)

    def check_live(
        self,
        var: Var,
        code: Machine,
        final: Machine,
        homes: dict[str, Value],
        items: Sequence[Item],
    ) -> None:
        """One value that is needed behind a block."""
        if var in FLAGS.values():
            self.agree(code.flag(var.name), final.flag(var.name), f"flag {var.name}", items)
        elif var.type == "home":
            offset, register = self.home(var.name.removeprefix("home of "))
            found = final.frame.get(offset or 0) if register is None else final.register(register)
            self.agree(homes[var.name], found, f"the {var.name}", items)
        else:
            place = self.place(var)
            found = final.register(place)
            self.agree(code.register(var), found, f"{var.name} in {place.name}", items)

    def check_exit(self, final: Machine) -> None:
        """The caller finds its registers, its SP, and the result."""
        before = dict(final.regs)
        for offset in range(self.depth, 0, self.abi.bytes):  # slots nobody needs any more
            final.frame.setdefault(offset, self.dom.leaf(f"rest {offset}"))
        last = None
        for item in self.exit:
            last = _insn(item)
            final.step(last)
        for var in self.callees:
            value = self.dom.leaf(f"{var.name} of the caller")
            self.agree(value, final.register(var), f"{var.name} at return")
        self.agree(self.dom.leaf("sp"), final.regs[SP], "SP at return")
        returns = PC if PC in final.regs else self.link
        assert last is not None and last.form is not None
        if returns is self.link and last.form.kind != "return":
            raise _Refuted("the routine does not return")
        self.agree(self.dom.leaf("lr"), final.register(returns), "the return address")
        for var in results(self.routine):
            place = self.place(var)
            wanted = self.abi.result if self.routine.contract is None else var.pin or ""
            self.agree(before[place], final.regs[physical(wanted)], "the result")

    def agree(
        self, x: Value | None, y: Value | None, what: str, items: Sequence[Item] = ()
    ) -> None:
        """Two values are one term."""
        if x is None or y is None or (x is not y and x != y):
            raise _Refuted(f"{what} is not what the code computes", items)


def _insn(item: Item) -> Insn:
    assert isinstance(item, Insn)
    return item
