# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Values as terms: what an instruction computes, written down instead of computed.

Equal terms are one object, so two pieces of code that do the same give the same terms. Constants
are folded, and sums of a term and constants are kept in one piece, so that addresses in the frame
are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from gen import isa
from gen.ir.domains.ints import Ints
from gen.ir.ir import Base, Half, Imm, Insn, Mem, Operand, Reg, Var, physical

FLAGS = ("N", "Z", "C", "V", "Q", "GE")
_INTS = Ints()


@dataclass(frozen=True, eq=False, slots=True)
class Term:
    """An operation on values; made by `Terms.make` alone."""

    op: str
    args: tuple[Value, ...]


Value = Term | int | str


class Terms:
    """The domain."""

    def __init__(self, word: int = 32) -> None:
        self.word = word  # bits of a general register
        self.known: dict[tuple[Value, ...], Term] = {}
        self.wide: dict[Term, int] = {}  # leaves of more bits than a word

    def make(self, op: str, *args: Value) -> Term:
        key = (op, *args)
        if key not in self.known:
            self.known[key] = Term(op, args)
        return self.known[key]

    def leaf(self, name: str, bits: int = 0) -> Term:
        """A value that nothing is known of, of a word or of so many bits."""
        made = self.make("leaf", name, bits) if bits > self.word else self.make("leaf", name)
        if bits > self.word:
            self.wide[made] = bits
        return made

    def const(self, value: int) -> Value:
        return value

    def add(self, x: Value, y: Value) -> Value:
        if isinstance(x, int) and isinstance(y, int):
            return x + y
        if isinstance(x, int):
            x, y = y, x
        if not isinstance(y, int):
            return self.make("add", x, y)
        base, offset = self.split(x)
        return self.make("plus", base, offset + y) if offset + y else base

    def split(self, x: Value) -> tuple[Value, int]:
        """A value as a base and a constant added to it."""
        if isinstance(x, Term) and x.op == "plus":
            base, offset = x.args
            assert isinstance(offset, int)
            return base, offset
        return x, 0

    def place(self, address: Value) -> tuple[Value, int]:
        """An address as a base and what is added to it, modulo the size of memory."""
        offset = 0
        while isinstance(address, Term) and (
            address.op == "plus" or address.args[1:] == (self.word,)
        ):
            if address.op == "plus":
                offset += self.split(address)[1]
            elif address.op != "u":
                break
            address = address.args[0]
        return address, offset % (1 << self.word)

    def sub(self, x: Value, y: Value) -> Value:
        if isinstance(y, int):
            return self.add(x, -y)
        return self.make("sub", x, y)

    def u(self, x: Value, bits: int) -> Value:
        if isinstance(x, int):
            return _INTS.u(x, bits)
        if bits >= self.word and self._is_word(x, bits):
            return x
        return self.make("u", x, bits)

    def _is_word(self, x: Value, bits: int) -> bool:
        """Whether x is from 0 to 2**bits-1, bits at least those of a word; an address in the frame counts as such."""
        assert isinstance(x, Term)
        if x.op == "load":
            return isinstance(x.args[2], int) and 8 * x.args[2] <= bits
        if x.op in ("leaf", "result"):
            return self.wide.get(x, self.word) <= bits
        if x.op == "u":
            return isinstance(x.args[1], int) and x.args[1] <= bits
        if x.op == "plus":
            return self.split(x)[0] is self.leaf("sp")
        return x.op == "ite" and all(
            isinstance(a, int) or self._is_word(a, bits) for a in x.args[1:]
        )

    def __getattr__(self, name: str) -> Callable[..., Value]:
        """Every other operation of a domain: folded over integers, else a term."""
        fold = attrgetter(name)(_INTS)

        def apply(*args: Value) -> Value:
            if all(isinstance(arg, int) for arg in args):
                return fold(*args)  # type: ignore[no-any-return]
            return self.make(name, *args)

        self.__dict__[name] = apply
        return apply

    def ite(self, cond: Value, x: Value, y: Value) -> Value:
        if isinstance(cond, int):
            return x if cond else y
        return x if x is y or x == y else self.make("ite", cond, x, y)


class Unknown(Exception):
    """Something is read that the state does not hold."""


class Machine:
    """Registers, flags, frame and other memory as terms; meanings run on it."""

    def __init__(self, dom: Terms, objects: frozenset[int] = frozenset()) -> None:
        self.dom = dom
        self.objects = objects  # offsets in the frame that are memory as any other
        self.regs: dict[Var, Value] = {}
        self.flags: dict[str, Value] = {"Q": dom.leaf("Q")}  # sticky: added to, never set anew
        self.frame: dict[int, Value] = {}  # words, by offset from the caller's SP
        self.memory: Value = dom.leaf("memory")

    def step(self, insn: Insn) -> None:
        """Executes an instruction, under its condition if it has one."""
        if insn.cond is None:
            isa.run(insn, self)
            return
        holds: Value = isa.condition_value(insn.cond, self)
        before = {var: self.register(var) for var in isa.writes(insn)}
        flags = {name: self.flag(name) for name in isa.flags_set(insn)}
        memory = self.memory
        isa.run(insn, self)
        for var, value in before.items():
            self.regs[var] = self.dom.ite(holds, self.regs[var], value)
        for name, value in flags.items():
            self.flags[name] = self.dom.ite(holds, self.flags[name], value)
        self.memory = self.dom.ite(holds, self.memory, memory)

    def call(
        self, name: str, ins: Iterable[Var], outs: Iterable[Var], spoilt: Iterable[Var]
    ) -> None:
        """What a sub gives back is a term of what it was given; the rest is lost."""
        given = [self.register(var) for var in ins]
        what = self.dom.make("call", name, self.memory, *given)
        for var in spoilt:
            self.regs[var] = self.dom.make("rest", what, var.name)
        for number, var in enumerate(outs):
            self.regs[var] = self.dom.make("result", what, number)
        self.flags = {flag: self.dom.make("flag", what, flag) for flag in FLAGS}
        self.memory = self.dom.make("memory", what)

    def register(self, var: Var) -> Value:
        if var not in self.regs:
            raise Unknown(f"{var.name} holds nothing here")
        return self.regs[var]

    def get(self, operand: Operand) -> Value:
        if isinstance(operand, Reg | Base):
            return self.register(operand.var)
        if isinstance(operand, Half):
            return self.dom.half(self.register(operand.var), operand.which == "t")
        assert isinstance(operand, Imm), operand
        return operand.value

    def set(self, operand: Operand, value: Value) -> None:
        assert isinstance(operand, Reg | Base), operand
        self.regs[operand.var] = self.dom.u(value, max(operand.var.bits, self.dom.word))

    def flag(self, name: str) -> Value:
        if name not in self.flags:
            raise Unknown(f"the flag {name} is not set here")
        return self.flags[name]

    def set_flag(self, name: str, value: Value) -> None:
        self.flags[name] = value

    def address(self, mem: Mem) -> Value:
        base = self.register(mem.base)
        moved = self.dom.add(base, mem.offset.value)
        if mem.index is not None:
            moved = self.dom.add(base, self.dom.shl(self.register(mem.index), mem.shift))
        moved = self.dom.u(moved, self.dom.word)
        if mem.mode != "offset":
            self.regs[mem.base] = moved
        return base if mem.mode == "post" else moved

    def in_frame(self, address: Value) -> int | None:
        """Offset from the caller's SP of an address that is made from SP."""
        base, offset = self.dom.split(address)
        return offset if base is self.dom.leaf("sp") and offset not in self.objects else None

    def load(self, address: Value, size: int) -> Value:
        address = self.dom.u(address, self.dom.word)
        offset = self.in_frame(address)
        if offset is None:
            return self._loaded(address, size)
        if offset not in self.frame or 8 * size != self.dom.word:
            raise Unknown(f"the frame holds nothing at {offset}")
        return self.frame[offset]

    def store(self, address: Value, size: int, value: Value) -> None:
        address = self.dom.u(address, self.dom.word)
        offset = self.in_frame(address)
        if offset is not None:
            self.frame[offset] = self.dom.u(value, max(8 * size, self.dom.word))
        else:
            self.memory = self._stored(self.memory, address, size, self.dom.u(value, 8 * size))

    def _loaded(self, address: Value, size: int) -> Value:
        """What a load gives: the last stores, as far as they went elsewhere for sure, are nothing to it."""
        memory = self.memory
        while (store := _store(memory)) is not None and self._apart(store, address, size):
            memory = store.args[0]
        place = self.dom.place
        same = store is not None and place(store.args[1]) == place(address)
        if store is not None and same and store.args[2] == size:
            return store.args[3]
        return self.dom.make("load", memory, address, size)

    def _stored(self, memory: Value, address: Value, size: int, value: Value) -> Value:
        """Memory after a store. Stores to places that are apart for sure have one order, that of their addresses."""
        above: list[tuple[Value, ...]] = []
        store = _store(memory)
        while store is not None and self._apart(store, address, size):
            if self.dom.place(store.args[1])[1] < self.dom.place(address)[1]:
                break
            above.append(store.args[1:])
            memory = store.args[0]
            store = _store(memory)
        memory = self.dom.make("store", memory, address, size, value)
        for args in reversed(above):
            memory = self.dom.make("store", memory, *args)
        return memory

    def _apart(self, store: Term, address: Value, size: int) -> bool:
        """Whether a store and an access share no byte: both count from one base, and are not near."""
        (base, first), (other, second) = map(self.dom.place, (store.args[1], address))
        length = store.args[2]
        assert isinstance(length, int)
        whole = 1 << self.dom.word
        ahead, behind = (second - first) % whole, (first - second) % whole
        return base is other and ahead >= length and behind >= size

    def exact(self, value: Value, bits: int) -> Value:
        return value

    def wrap(self, value: Value, dest: Any) -> Value:
        return value


def _store(memory: Value) -> Term | None:
    return memory if isinstance(memory, Term) and memory.op == "store" else None


SP, PC = physical("sp"), physical("pc")
