# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Memory as cells against memory as bytes; packed words keep both halves; paths meet."""

from __future__ import annotations

import random

from gen.ir.domains.halves import Range, packed
from gen.ir.domains.interval import Intervals
from gen.ir.domains.ints import Ints
from gen.ir.memory import Memory

DOM = Intervals()


def test_any_mix_of_sizes_reads_like_bytes() -> None:
    rng = random.Random(1)
    for _ in range(300):
        memory, plain = Memory(Ints()), bytearray(rng.randbytes(16))
        for at, byte in enumerate(plain):
            memory.store(at, 1, byte)
        for _ in range(30):
            size = rng.choice([1, 2, 4])
            at = rng.randrange(0, 17 - size)
            if rng.random() < 0.5:
                value = rng.getrandbits(32) - (1 << 31)
                memory.store(at, size, value)
                plain[at : at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")
            got = memory.load(at, size)
            assert got is not None
            assert got % (1 << 8 * size) == int.from_bytes(plain[at : at + size], "little")


def test_a_word_over_two_elements_keeps_their_ranges() -> None:
    memory = Memory(DOM)
    memory.store(0, 2, Range(-5, 5))
    memory.store(2, 2, Range(-7, 3))
    word = memory.load(0, 4)
    assert word is not None
    assert (DOM.half(word, False), DOM.half(word, True)) == (Range(-5, 5), Range(-7, 3))


def test_an_element_out_of_a_word_keeps_its_range() -> None:
    memory = Memory(DOM)
    memory.store(0, 4, packed((-5, 5), (-7, 3)))
    for at, expected in ((0, Range(-5, 5)), (2, Range(-7, 3))):
        element = memory.load(at, 2)
        assert element is not None and DOM.s(element, 16) == expected


def test_bytes_nobody_wrote_have_no_value() -> None:
    memory = Memory(DOM)
    memory.store(4, 2, Range(0, 1))
    assert memory.load(4, 2) is not None
    assert memory.load(4, 4) is None and memory.load(3, 1) is None and memory.load(6, 1) is None


def test_a_store_that_may_have_happened_keeps_the_old_value_too() -> None:
    memory = Memory(DOM)
    memory.store(0, 2, Range(1, 2))
    memory.weaken(0, 2, Range(9, 9))
    assert memory.load(0, 2) is not None and DOM.s(memory.load(0, 2), 16) == Range(1, 9)  # type: ignore[arg-type]


def test_paths_meet() -> None:
    for partly in (False, True):
        x, y = Memory(DOM, partly=partly), Memory(DOM, partly=partly)
        x.store(0, 2, Range(1, 2))
        y.store(0, 2, Range(5, 6))
        x.store(4, 4, packed((0, 1), (2, 3)))
        y.store(4, 2, Range(7, 7))
        y.store(6, 2, Range(8, 8))
        x.store(8, 4, Range(3, 3))
        met = x.join(y)
        whole = met.load(4, 4)
        assert met.cells[0] == (2, Range(1, 6)) and whole is not None
        assert (DOM.half(whole, False), DOM.half(whole, True)) == (Range(0, 7), Range(2, 8))
        assert (met.load(8, 4) is not None) == partly
        assert (y.join(x).load(8, 4) is not None) == partly
