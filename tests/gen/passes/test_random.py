# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Random routines: whatever is accepted passes the check, and computes the same before and after."""

from __future__ import annotations

from random import Random

import pytest

from gen.diag import Failed
from gen.ir.interp import execute
from tests.gen.passes.make import routine

EXPECTED = {"reg-pressure", "no-colouring"}


class Author:
    """Writes lines in which every value is read again, so that nothing is in vain."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = self.random.randrange(3, 12)
        self.away: set[int] = set()  # spilled
        self.depth = 0

    def here(self) -> str:
        return f"a[{self.random.choice([n for n in range(self.count) if n not in self.away])}]"

    def lines(self) -> list[str]:
        pin = f" @ r{self.random.randrange(3, 12)}" if self.random.random() < 0.3 else ""
        out = [f"reg a[{self.count}] : u32 slot", f"reg p : u32{pin}", "reg n, m : u32"]
        out += ["ldr p, [k, #28]"]
        out += [f"ldr a[{n}], [k, #{4 * (n % 8)}]" for n in range(self.count)]
        out += self.block(self.random.randrange(3, 25))
        out += [f"str a[{n}], [r, #{4 * n}]" for n in range(self.count)]
        return [*out, "str p, [r, #60]"]

    def block(self, count: int) -> list[str]:
        out: list[str] = []
        for _ in range(count):
            out += self.statement()
        return out

    def statement(self) -> list[str]:
        x, y, z = self.here(), self.here(), self.here()
        kinds = [self.plain, self.plain, self.multiply, self.chosen, self.spilled, self.listed]
        if self.depth < 2:
            kinds += [self.loop, self.choice]
        return self.random.choice(kinds)(x, y, z)

    def plain(self, x: str, y: str, z: str) -> list[str]:
        op = self.random.choice(["add", "eor", "sub", "adds", "eors"])
        shift = self.random.choice(["", ", ror #7", ", lsl #3"])
        return [f"{op} {x}, {x}, {y}{shift}", f"add p, p, {x}"]

    def multiply(self, x: str, y: str, z: str) -> list[str]:
        return [f"umlal {x}, {y}, {z}, p"] if x != y else [f"mla {x}, {x}, {z}, p"]

    def chosen(self, x: str, y: str, z: str) -> list[str]:
        cond = self.random.choice(["eq", "lo", "gt", "mi"])
        return [
            f"cmp {x}, {y}",
            f"then {cond}:",
            f"    add {z}, {z}, {x}",
            "    eor p, p, p, ror #3",
        ]

    def spilled(self, x: str, y: str, z: str) -> list[str]:
        """Something else is done while a register is away."""
        if len(self.away) + 4 > self.count:
            return self.plain(x, y, z)
        number = int(x[2:-1])
        self.away.add(number)
        inside = self.block(2)
        self.away.discard(number)
        return [f"spill {x}", *inside, f"fill {x}"]

    def listed(self, x: str, y: str, z: str) -> list[str]:
        row = sorted({x, y, z})
        if len(row) == 1:
            return self.plain(x, y, z)
        return [f"stm k, {{{', '.join(row)}}}"]

    def loop(self, x: str, y: str, z: str) -> list[str]:
        counter = "nm"[self.depth]
        self.depth += 1
        inside = self.block(4)
        self.depth -= 1
        rounds = self.random.randrange(1, 4)
        head = [f"mov {counter}, #{rounds}", "do:"]
        end = [f"    subs {counter}, {counter}, #1", "while ne"]
        return [*head, *(f"    {line}" for line in inside), *end]

    def choice(self, x: str, y: str, z: str) -> list[str]:
        self.depth += 2
        one, other = self.block(2), self.block(2)
        self.depth -= 2
        out = [f"cmp {x}, {y}", "when hi:", *(f"    {line}" for line in one)]
        return [*out, "otherwise:", *(f"    {line}" for line in other)]


HEAD = "fn void t_f(uint32_t r[64], uint32_t k[8]):\n    param r : secret inout, align 4\n"
HEAD += "    param k : secret inout, align 4\n"


@pytest.mark.parametrize("seed", range(60))
def test_accepted_means_equal(seed: int) -> None:
    lines = "\n".join(Author(seed).lines())
    try:
        made = routine(lines, "check_result", "cortex-m4f" if seed % 2 else "cortex-m4", HEAD)
    except Failed as failed:
        assert {item.code for item in failed.bag.items} <= EXPECTED, lines
        return
    given = {"r": [0] * 64, "k": [Random(seed).randrange(1 << 32) for _ in range(8)]}
    code, final = (execute(made, given, stage) for stage in ("code", "final"))
    assert code.buffers == final.buffers, lines


def test_most_are_accepted() -> None:
    """So the test above is about something."""
    good = 0
    for seed in range(20):
        try:
            routine("\n".join(Author(seed).lines()), "frame", head=HEAD)
            good += 1
        except Failed:
            pass
    assert good >= 12
