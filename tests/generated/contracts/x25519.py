# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""X25519 on words."""

from __future__ import annotations

import numpy as np

from tests.generated.contracts.contract import Arrays, Contract, Expected
from tests.generated.contracts.fe25519 import draw, extreme, numbers
from tests.ref import fe25519 as field
from tests.ref.x25519 import x25519


def _scalarmult(x: Arrays) -> Expected:
    pairs = zip(numbers(x["scalar"]), numbers(x["point"]), strict=True)
    made = [x25519(k.to_bytes(32, "little"), u.to_bytes(32, "little")) for k, u in pairs]
    words = [field.words(int.from_bytes(one, "little")) for one in made]
    return {"product": np.array(words, dtype=np.int64)}


LADDER = Contract(_scalarmult, extremes=(extreme(2**256 - 1),), draw=draw, rows=50)
CONTRACTS = {"x25519_scalarmult": LADDER, "x25519_scalarmult_small": LADDER, "x25519_scalarmult_fast": LADDER}
