# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What each routine promises about values, one module a family; a new family is one module here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.generated.contracts.contract import Contract

_FAMILIES = sorted(
    path.stem for path in Path(__file__).parent.glob("[a-z]*.py") if path.stem != "contract"
)
CONTRACTS: dict[str, Contract] = {
    symbol: contract
    for family in _FAMILIES
    for symbol, contract in import_module(f"{__name__}.{family}").CONTRACTS.items()
}
