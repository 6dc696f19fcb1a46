# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The tracer, which prices blocks once, against pricing every executed instruction by itself."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from gen.cores.core import Core, load_core
from gen.cores.price import Event, Pricer
from gen.emu.build import assemble
from gen.emu.decode import Decoded, Decoder
from gen.emu.image import Image
from gen.emu.machine import Machine
from gen.emu.trace import Tracer

FUNCTIONS = 8
PIECES = """\
ldr r4, [r0, #4]
ldr.w r5, [r0, #8]
ldrh r6, [r1, #1]
ldr r6, [r1, #3]
ldr r4, [r2]
ldr.w r5, [r2, #4]
str r3, [r0]
str.w r3, [r1, #8]
strb r3, [r1, r7]
ldrd r4, r5, [r0, #8]
ldm r0, {r4-r6}
push {r4, r5}; pop {r4, r5}
add r6, r0, #4; ldr r4, [r6]
str r0, [r1]; ldr r4, [r1]; ldr r5, [r4]
adds r3, #5
add.w r3, r3, r3, ror #7
mul r4, r3, r3
umull r4, r5, r3, r3
umlal r4, r5, r3, r7
mls r4, r3, r7, r3
udiv r4, r3, r7
tst r3, #1; it ne; ldrne r4, [r0]
tst r3, #2; ite ne; strne r3, [r0]; ldreq r4, [r1]
cmp r3, #100; itt hi; umullhi r4, r5, r3, r7; addhi r3, #1
tst r3, #4; bne.n 8f; nop; 8: nop
tst r3, #8; beq.n 8f; ldr r4, [r0]; 8: add.w r4, r4, #1
cbz r7, 8f; nop; 8: str r4, [r1]
bl helper
mov r4, #3; 8: ldr r5, [r0]; subs r4, #1; bne.n 8b
""".splitlines()

HELPER = """\
.type helper, %function
helper:
cmp r3, #50
it lo
bxlo lr
ldr.w r4, [r2]
bx lr
.size helper, . - helper
"""


@cache
def image(key: str) -> Image:
    """Functions of random pieces."""
    source = random.Random(7)
    text = f".syntax unified\n.thumb\n.text\n{HELPER}"
    for number in range(FUNCTIONS):
        body = "; ".join(source.choices(PIECES, k=30)).replace("; ", "\n")
        text += f".balign 4\n.type f{number}, %function\nf{number}:\npush {{r4-r7, lr}}\n"
        text += f"mov r7, #{number % 3 * 300}\n{body}\npop {{r4-r7, pc}}\n"
        text += f".size f{number}, . - f{number}\n"
    return assemble(text, load_core(key))


def arguments(machine: Machine, number: int) -> tuple[int, ...]:
    near = machine.alloc(bytes(1024))
    return near, near + 512, machine.image["helper"].address, 37 * number


class Reference:
    """Writes down what runs, and prices it afterwards one by one."""

    def __init__(self, machine: Machine, core: Core) -> None:
        self.machine, self.core = machine, core
        self.ran: list[tuple[int, list[int], list[int]]] = []
        runs = machine.image.code
        self.decoded = {
            decoded.event.address: decoded
            for start, end in runs
            for decoded in Decoder().run(start, machine.read(start, end - start))
        }
        machine.each_instruction(self.instruction)
        machine.each_access(lambda _write, address, _size: self.ran[-1][1].append(address))

    def instruction(self, address: int) -> None:
        if not self.machine.stale:
            values = [self.machine.get(name) for name in self.decoded[address].sources]
            self.ran.append((address, [], values))

    def cycles(self) -> tuple[int, int]:
        """Instructions and cycles."""
        pricer = Pricer(self.core)
        costs = [pricer.step(event) for event in self.events()]
        return len(costs), sum(costs)

    def events(self) -> Iterator[Event]:
        following = [address for address, _, _ in self.ran[1:]] + [-1]
        for (address, accesses, values), after in zip(self.ran, following, strict=True):
            decoded = self.decoded[address]
            event = decoded.event
            event.executed = True
            event.mem = accesses[0] if accesses else None
            event.operands = (values[0], values[1]) if values else None
            behind = address + event.size
            event.taken = decoded.may_jump and after != behind
            event.target_address = after
            event.target_size = self.decoded[after].event.size if after in self.decoded else 2
            yield event
            if not event.taken and after >= 0:
                yield from self.skipped(behind, after)

    def skipped(self, address: int, until: int) -> Iterator[Event]:
        """Conditional instructions between two that ran."""
        while address != until:
            decoded: Decoded = self.decoded[address]
            assert decoded.conditional, decoded.text
            decoded.event.executed = False
            decoded.event.taken = False
            yield decoded.event
            address += decoded.event.size


@pytest.mark.parametrize("key", ["cortex-m3", "cortex-m4"])
def test_blocks_cost_what_their_instructions_cost(key: str) -> None:
    core = load_core(key)
    machine = Machine(image(key))
    tracer = Tracer(machine, core)
    for number in range(FUNCTIONS):
        mark = machine.mark()
        trace = tracer.call(f"f{number}", *arguments(machine, number))
        machine.release(mark)
        other = Machine(image(key))
        reference = Reference(other, core)
        assert other.call(f"f{number}", *arguments(other, number)) == trace.result
        assert reference.cycles() == (trace.instructions, trace.cycles), f"f{number}"
