# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""X25519 and Ed25519 of the built library on the emulated core."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gen.bench.figures import Figure
from gen.bench.measure import SEED, Library, MeasureError, run

MESSAGE = 32  # bytes that are signed


def operations(library: Library) -> Iterator[Figure]:
    """A key agreement; a key pair, a signature of a short message and its verification."""
    source = random.Random(SEED)
    secrets = source.randbytes(32), source.randbytes(32)
    figure, (public,) = run(library, "armscribe_x25519_public", [32], [secrets[0]])
    _, (other,) = run(library, "armscribe_x25519_public", [32], [secrets[1]])
    yield figure
    figure, (shared,) = run(library, "armscribe_x25519", [32], [secrets[1], public])
    _, (again,) = run(library, "armscribe_x25519", [32], [secrets[0], other])
    if shared != again:
        raise MeasureError("x25519: the secrets differ")
    yield figure
    figure, (key,) = run(library, "armscribe_ed25519_keygen_derand", [64], [source.randbytes(32)])
    yield figure
    message = source.randbytes(MESSAGE)
    figure, (signature,) = run(library, "armscribe_ed25519_sign", [64], [message, MESSAGE, key])
    yield figure
    inputs: list[bytes | int] = [signature, message, MESSAGE, key[32:]]
    figure, _ = run(library, "armscribe_ed25519_verify", [], inputs)
    yield figure
