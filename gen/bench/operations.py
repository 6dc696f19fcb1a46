# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Whole operations of the library: what is called with what, and that the results agree."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from gen.bench.api import Api
from gen.bench.figures import Figure
from gen.bench.library import Library, MeasureError
from gen.bench.program import Done, Given, Program

SEED = (
    20240813  # of the inputs of each algorithm; cycles of constant-time code do not depend on them
)
MESSAGE = 32  # bytes that are signed
HASHED = 1024  # bytes that are hashed
DIGEST = 32  # bytes that an extendable function puts out
Key = tuple[object, ...]


class Session:
    """Calls of one library. `known`: what equal programs took, for sessions of several libraries."""

    def __init__(self, library: Library, api: Api, known: dict[Key, Done] | None = None) -> None:
        self.library, self.api = library, api
        self.known = known if known is not None else {}
        self.programs: dict[str, Program] = {}

    def program(self, function: str) -> Program:
        """A public function without its prefix, linked once."""
        if function not in self.programs:
            self.programs[function] = Program(self.library, self.api, function)
        return self.programs[function]

    def call(
        self, function: str, given: Given, name: str = ""
    ) -> tuple[Figure, Mapping[str, bytes]]:
        """The figure of a call, called `name` if not by its symbol, and what it wrote."""
        program = self.program(function)
        done = self.done(program, given)
        return program.figure(done.trace, name), done.outputs

    def done(self, program: Program, given: Given) -> Done:
        image = program.image
        entry = image[program.prototype.symbol].address
        key = (self.library.core.key, image.segments, entry, tuple(sorted(given.items())))
        if key not in self.known:
            self.known[key] = program.call(given)
        return self.known[key]


def _equal(what: str, one: bytes, other: bytes) -> None:
    if one != other:
        raise MeasureError(f"{what}: the secrets differ")


def mlkem(name: str, session: Session) -> Iterator[Figure]:
    """Key generation, encapsulation, decapsulation with and without the check of the key."""
    random_bytes = random.Random(SEED).randbytes
    figure, keys = session.call(f"{name}_keygen_derand", {"seed": random_bytes(64)})
    yield figure
    figure, sent = session.call(f"{name}_encaps_derand", {"ek": keys["ek"], "m": random_bytes(32)})
    yield figure
    for decaps in ("decaps", "decaps_checked"):
        figure, opened = session.call(f"{name}_{decaps}", {"ct": sent["ct"], "dk": keys["dk"]})
        _equal(f"{name}_{decaps}", opened["ss"], sent["ss"])
        yield figure


def x25519(session: Session) -> Iterator[Figure]:
    """A public key; a shared secret."""
    source = random.Random(SEED)
    mine, other = (source.randbytes(32) for _ in range(2))
    figure, one = session.call("x25519_public", {"secret_key": mine})
    yield figure
    _, two = session.call("x25519_public", {"secret_key": other})
    figure, shared = session.call("x25519", {"secret_key": mine, "peer_key": two["public_key"]})
    _, again = session.call("x25519", {"secret_key": other, "peer_key": one["public_key"]})
    _equal("x25519", shared["shared"], again["shared"])
    yield figure


def ed25519(session: Session) -> Iterator[Figure]:
    """A key pair; a signature of a short message; its verification."""
    source = random.Random(SEED)
    figure, made = session.call("ed25519_keygen_derand", {"seed": source.randbytes(32)})
    yield figure
    key, message = made["key"], source.randbytes(MESSAGE)
    figure, signed = session.call("ed25519_sign", {"message": message, "key": key})
    yield figure
    given = {"signature": signed["signature"], "message": message, "public_key": key[32:]}
    figure, _ = session.call("ed25519_verify", given)
    yield figure


def hashes(functions: Mapping[str, Mapping[str, int]], session: Session) -> Iterator[Figure]:
    """Digests of one message."""
    message = random.Random(SEED).randbytes(HASHED)
    for function, more in functions.items():
        name = f"armscribe_{function}, {HASHED} bytes"
        yield session.call(function, {"in": message, **more}, name)[0]


def permutation(session: Session) -> Iterator[Figure]:
    """The Keccak permutation of the library, whoever wrote it."""
    yield session.call("keccak_permute", {"s": bytes(range(200))})[0]


Operations = Callable[[Session], Iterator[Figure]]
SHA2: Mapping[str, Mapping[str, int]] = {"sha256": {}, "sha512": {}}
SHA3: Mapping[str, Mapping[str, int]] = {
    "sha3_256": {},
    "sha3_512": {},
    "shake128": {"out_n": DIGEST},
    "shake256": {"out_n": DIGEST},
}
# By algorithm, in the order of the tables; signatures with attempts are in signing.py.
ALGORITHMS: Mapping[str, Operations] = {
    **{name: partial(mlkem, name) for name in ("mlkem512", "mlkem768", "mlkem1024")},
    "x25519": x25519,
    "ed25519": ed25519,
    "sha2": partial(hashes, SHA2),
    "sha3": partial(hashes, SHA3),
    "keccak": permutation,
}
