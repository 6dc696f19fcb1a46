# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Points of Ed25519's curve: the formulas, coordinate by coordinate, on any numbers. That these are the group's law is
tested in the library, against affine points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.generated.contracts.contract import Arrays, Contract, Expected, Ints
from tests.generated.contracts.fe25519 import elements, field, numbers

Coordinates = list[int]


def _rows(points: list[Coordinates]) -> Ints:
    return np.stack([elements(point).reshape(-1) for point in points])


def _coordinates(rows: Ints) -> list[Coordinates]:
    return [numbers(row.reshape(-1, 8)) for row in rows]


def completed_double(p: Coordinates) -> Coordinates:
    x, y, z = p[:3]
    h, g = y * y + x * x, y * y - x * x
    return [(x + y) ** 2 - h, h, g, 2 * z * z - g]


def settled(c: Coordinates) -> Coordinates:
    """X, Y, Z, T of the completed point x = X/Z, y = Y/T."""
    e, h, g, f = c
    return [e * f, h * g, g * f, e * h]


def double(p: Coordinates) -> Coordinates:
    return settled(completed_double(p))


def add(p: Coordinates, q: Coordinates, sign: int) -> Coordinates:
    """q: y + x, y - x, z, 2*d*t."""
    x, y, z, t = p
    plus, minus = q[:2] if sign > 0 else q[1::-1]
    a, b, c, d = (y - x) * minus, (y + x) * plus, sign * t * q[3], 2 * z * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return [e * f, g * h, g * f, e * h]


def _with_t(made: list[Coordinates], x: Arrays) -> Expected:
    """T is made where it is asked for."""
    keeps = np.arange(32)[None, :] >= 24 + 8 * x["with_t"][:, None]
    return {"point": np.where(keeps, x["point"], _rows(made))}


def _double(x: Arrays) -> Expected:
    return _with_t([double(p) for p in _coordinates(x["point"])], x)


def _p2_dbl(x: Arrays) -> Expected:
    return {"sum": _rows([completed_double(p) for p in _coordinates(x["point"])])}


def _settled(x: Arrays) -> Expected:
    return {"point": _rows([settled(c) for c in _coordinates(x["sum"])])}


def _settled_p2(x: Arrays) -> Expected:
    return {"point": _settled(x)["point"][:, :24]}


def _addition(sign: int, affine: bool) -> Contract:
    def wanted(x: Arrays) -> Expected:
        points = []
        for p, q in zip(_coordinates(x["point"]), _coordinates(x["other"]), strict=True):
            points.append(add(p, [*q[:2], 1, q[2]] if affine else q, sign))
        return _with_t(points, x)

    return field(wanted, 500)


def _contracts() -> dict[str, Contract]:
    makers: dict[str, Callable[[], Contract]] = {
        "double": lambda: field(_double, 500),
        "p2_dbl": lambda: field(_p2_dbl, 500),
        "p1p1_to_p2": lambda: field(_settled_p2, 500),
        "p1p1_to_p3": lambda: field(_settled, 500),
        "add": lambda: _addition(1, False),
        "sub": lambda: _addition(-1, False),
        "madd": lambda: _addition(1, True),
        "msub": lambda: _addition(-1, True),
    }
    return {f"ge25519_{name}": make() for name, make in makers.items()}


CONTRACTS = _contracts()
