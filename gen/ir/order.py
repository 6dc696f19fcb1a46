# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""A committed order: which item of a routine's code comes when, and the register of each web."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gen.read.source import Span


@dataclass(frozen=True)
class Row:
    """The order of a routine or of one of its subs."""

    code: str  # digest of the code that it orders
    items: tuple[int, ...]  # numbers of instructions, moves and calls, in the new order
    places: tuple[
        str, ...
    ]  # the register of each web, in the order in which webs occur in the code
    span: Span


@dataclass(frozen=True)
class Order:
    """The orders of a source for a core, by name of the routine or sub."""

    core: str
    rows: Mapping[str, Row]
