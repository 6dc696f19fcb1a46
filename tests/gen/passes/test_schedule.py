# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Without a committed order the author's stays."""

from __future__ import annotations

from gen.passes.schedule import schedule
from tests.gen.passes.make import routine


def test_order_is_the_authors() -> None:
    made = routine("reg x : u32\nldr x, [k]\nstr x, [r]", "liveness")
    assert schedule(made).code == made.code
