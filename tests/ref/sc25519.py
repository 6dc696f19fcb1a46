# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Numbers modulo the order of Ed25519's base point, the slow and obvious way: Python's whole numbers."""

from __future__ import annotations

from tests.ref.ed25519 import L


def reduce(x: int) -> int:
    return x % L


def muladd(a: int, b: int, c: int) -> int:
    return (a * b + c) % L
