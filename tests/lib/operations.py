# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every public function of the library with arguments, and which bytes of them are secret."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gen.cores.core import load_core
from gen.emu.build import link
from gen.emu.machine import Machine

RANDOM = "copy_random"  # the random generator of random.c: copies what its context points to
WORK = 8192  # bytes of work space that are enough for every set of ML-KEM
_MESSAGE, _CONTEXT = b"a message", b"a context"


@dataclass(frozen=True)
class Secret:
    """A buffer of which the bytes in `spans` (start, end) are secret; all without spans."""

    content: bytes
    spans: tuple[tuple[int, int], ...] = ()

    def secrets(self) -> tuple[tuple[int, int], ...]:
        return self.spans or ((0, len(self.content)),)


Buffer = bytes | Secret | int  # public, secret, or so many zero bytes to write to


def size(buffer: Buffer) -> int:
    """Its bytes."""
    if isinstance(buffer, int):
        return buffer
    return len(buffer.content if isinstance(buffer, Secret) else buffer)


Argument = str | int  # the name of a buffer, "&" and the name of a function, or a number


@dataclass(frozen=True)
class Call:
    """A call of a function; `answers` is what it must return, None where it returns nothing."""

    function: str
    arguments: tuple[Argument, ...]
    answers: int | None = 0


@dataclass(frozen=True)
class Operation:
    """Calls one after the other on the same buffers."""

    family: str  # the algorithm with its set: "mlkem768"
    buffers: dict[str, Buffer]
    calls: tuple[Call, ...]

    @property
    def name(self) -> str:
        return self.calls[-1].function.removeprefix("armscribe_")


def _one(family: str, function: str, /, **buffers: Buffer) -> Operation:
    """One call whose arguments are the buffers, in order; `x_n=number` is a length."""
    kept: dict[str, Buffer] = {}
    arguments: list[Argument] = []
    for name, value in buffers.items():
        if name == "rng":
            arguments.append(f"&{RANDOM}")
        elif name.startswith("n_"):
            assert isinstance(value, int)
            arguments.append(value)
        else:
            kept[name] = value
            arguments.append(name)
    return Operation(family, kept, (Call(f"armscribe_{function}", tuple(arguments)),))


class Maker:
    """Calls functions of a built library on a machine that nobody watches, for their outputs."""

    def __init__(self, library: Path) -> None:
        whole = ["-Wl,--whole-archive", str(library), "-Wl,--no-whole-archive"]
        self.machine = Machine(link([], load_core("cortex-m4"), whole))
        self.source = random.Random(1)

    def random(self, size: int) -> bytes:
        return self.source.randbytes(size)

    def make(self, function: str, sizes: tuple[int, ...], *inputs: bytes | int) -> list[bytes]:
        """What a function with outputs of these sizes, then inputs, puts out."""
        mark = self.machine.mark()
        outputs = [self.machine.alloc(size) for size in sizes]
        values = [self.machine.alloc(x) if isinstance(x, bytes) else x for x in inputs]
        assert self.machine.call(f"armscribe_{function}", *outputs, *values) == 0, function
        found = [self.machine.read(at, size) for at, size in zip(outputs, sizes, strict=True)]
        self.machine.release(mark)
        return found


def mlkem(maker: Maker, number: int) -> Iterator[Operation]:
    """ML-KEM (FIPS 203). Of a decapsulation key the embedded encapsulation key is public."""
    k, f = number // 256, f"mlkem{number}"
    ek_n, dk_n = 384 * k + 32, 768 * k + 96
    ct_n = {512: 768, 768: 1088, 1024: 1568}[number]
    seed, m, work = maker.random(64), maker.random(32), bytes(WORK)
    ek, dk = maker.make(f"{f}_keygen_derand", (ek_n, dk_n), seed, work)
    ct, _ = maker.make(f"{f}_encaps_derand", (ct_n, 32), ek, ek_n, m, work)
    key = Secret(dk, ((0, 384 * k), (dk_n - 32, dk_n)))
    yield _one(f, f"{f}_keygen_derand", ek=ek_n, dk=dk_n, seed=Secret(seed), work=WORK)
    yield _one(f, f"{f}_keygen", ek=ek_n, dk=dk_n, rng=0, state=Secret(seed), work=WORK)
    sent: dict[str, Buffer] = {"ct": ct_n, "ss": 32, "ek": ek, "n_ek": ek_n}
    yield _one(f, f"{f}_encaps_derand", **sent, m=Secret(m), work=WORK)
    yield _one(f, f"{f}_encaps", **sent, rng=0, state=Secret(m), work=WORK)
    for name, cipher in (("decaps", ct), ("decaps", ct[:-1] + b"\0"), ("decaps_checked", ct)):
        yield _one(f, f"{f}_{name}", ss=32, ct=cipher, n_ct=ct_n, dk=key, n_dk=dk_n, work=WORK)
    yield _one(f, f"{f}_check_ek", ek=ek, n_ek=ek_n)
    yield _one(f, f"{f}_check_dk", dk=key, n_dk=dk_n)


@dataclass(frozen=True)
class _Dsa:
    """Sizes of an ML-DSA set (FIPS 204, tables 1 and 2)."""

    k: int
    l: int  # noqa: E741 - the standard's name
    pk: int
    sk: int
    sig: int

    def work(self, polynomials: int) -> int:
        return 1024 * (1 + polynomials)

    @property
    def signing(self) -> int:
        return self.work(self.k * self.l + 2 * self.l + 3 * self.k + 2)


_DSA = {
    44: _Dsa(4, 4, 1312, 2560, 2420),
    65: _Dsa(6, 5, 1952, 4032, 3309),
    87: _Dsa(8, 7, 2592, 4896, 4627),
}
SHA256, DIGEST = 1, 32  # ARMSCRIBE_MLDSA_HASH_SHA256 and its digest


def mldsa(maker: Maker, number: int) -> Iterator[Operation]:
    """ML-DSA (FIPS 204). Of a secret key rho and tr are public."""
    f, size = f"mldsa{number}", _DSA[number]
    seed, mu, digest = maker.random(32), maker.random(64), maker.random(DIGEST)
    work = bytes(size.work(size.l + 2))
    pk, sk = maker.make(f"{f}_keygen_derand", (size.pk, size.sk), seed, work)
    key = Secret(sk, ((32, 64), (128, size.sk)))
    yield _one(f, f"{f}_keygen_derand", pk=size.pk, sk=size.sk, seed=Secret(seed), work=len(work))
    yield _one(f, f"{f}_keygen", pk=size.pk, sk=size.sk, rng=0, state=Secret(seed), work=len(work))
    message: dict[str, Buffer] = {"msg": _MESSAGE, "n_msg": len(_MESSAGE)}
    context: dict[str, Buffer] = {"ctx": _CONTEXT, "n_ctx": len(_CONTEXT)}
    hashed: dict[str, Buffer] = {"n_hash": SHA256, "digest": digest, "n_digest": DIGEST}
    signed: dict[str, dict[str, Buffer]] = {
        "": {**message, **context},
        "_hash": {**hashed, **context},
        "_mu": {"mu": mu},
        "_internal": message,
    }
    for kind, what in signed.items():
        hedge: dict[str, Buffer] = {"rng": 0, "state": Secret(maker.random(32))}
        start: dict[str, Buffer] = {"sig": size.sig, "sk": key, "n_sk": size.sk}
        yield _one(f, f"{f}_sign{kind}", **start, **what, **hedge, work=size.signing)
        sig = _signature(maker, f, size, sk, kind, what)
        end: dict[str, Buffer] = {"sig": sig, "n_sig": size.sig, "work": size.work(size.l + 3)}
        yield _one(f, f"{f}_verify{kind}", pk=pk, n_pk=size.pk, **what, **end)
    yield _one(f, f"{f}_mu", mu=64, pk=pk, n_pk=size.pk, **message, **context)


def _signature(
    maker: Maker, f: str, size: _Dsa, sk: bytes, kind: str, what: dict[str, Buffer]
) -> bytes:
    values = [value for value in what.values() if isinstance(value, bytes | int)]
    inputs: list[bytes | int] = [sk, size.sk, *values, 0, 0, bytes(size.signing)]
    return maker.make(f"{f}_sign{kind}", (size.sig,), *inputs)[0]


def x25519(maker: Maker) -> Iterator[Operation]:
    """X25519 (RFC 7748)."""
    key = Secret(maker.random(32))
    (peer,) = maker.make("x25519_public", (32,), maker.random(32))
    yield _one("x25519", "x25519", shared=32, key=key, peer=peer)
    yield _one("x25519", "x25519_public", public=32, key=key)
    yield _one("x25519", "x25519_keygen", public=32, key=32, rng=0, state=key)


def ed25519(maker: Maker) -> Iterator[Operation]:
    """Ed25519 (RFC 8032). Of a key pair the second half is public."""
    f, seed, digest = "ed25519", maker.random(32), maker.random(64)
    (pair,) = maker.make("ed25519_keygen_derand", (64,), seed)
    key, public = Secret(pair, ((0, 32),)), pair[32:]
    yield _one(f, "ed25519_keygen_derand", key=64, seed=Secret(seed))
    yield _one(f, "ed25519_keygen", key=64, rng=0, state=Secret(seed))
    message: dict[str, Buffer] = {"message": _MESSAGE, "n_message": len(_MESSAGE)}
    context: dict[str, Buffer] = {"context": _CONTEXT, "n_context": len(_CONTEXT)}
    kinds: dict[str, dict[str, Buffer]] = {
        "ed25519": message,
        "ed25519ctx": {**message, **context},
        "ed25519ph": {"digest": digest, **context},
    }
    for kind, what in kinds.items():
        yield _one(f, f"{kind}_sign", signature=64, **what, key=key)
        values = [value for value in what.values() if isinstance(value, bytes | int)]
        (signature,) = maker.make(f"{kind}_sign", (64,), *values, pair)
        yield _one(f, f"{kind}_verify", signature=signature, **what, public=public)


def sha2(maker: Maker) -> Iterator[Operation]:
    """SHA-2 (FIPS 180-4) of secret data, at once and in pieces; the length is public."""
    data = Secret(maker.random(300))
    for word, names in ((256, ("224", "256")), (512, ("384", "512", "512_224", "512_256"))):
        for name in names:
            bits = int(name.split("_")[-1])
            yield _one("sha2", f"sha{name}", out=bits // 8, data=data, n_data=300)
            start = (f"sha{name}_init", ("ctx",))
            yield _pieces("sha2", start, f"sha{word}_update", f"sha{word}_final", bits // 8, data)


def sha3(maker: Maker) -> Iterator[Operation]:
    """SHA-3 and SHAKE (FIPS 202) of secret data; erasing."""
    data, rest = Secret(maker.random(300)), ("sha3_absorb", "sha3_squeeze")
    for bits in (224, 256, 384, 512):
        yield _one("sha3", f"sha3_{bits}", out=bits // 8, data=data, n_data=300)
    for bits, rate in ((128, 168), (256, 136)):
        yield _one("sha3", f"shake{bits}", out=400, n_out=400, data=data, n_data=300)
        yield _pieces("sha3", ("shake_init", ("ctx", rate)), *rest, 200, data)
    yield _pieces("sha3", ("sha3_init", ("ctx", 32)), *rest, 32, data)
    yield Operation("sha3", {"data": data}, (Call("armscribe_wipe", ("data", 300), None),))


def _pieces(
    family: str,
    start: tuple[str, tuple[Argument, ...]],
    feed: str,
    end: str,
    length: int,
    data: Secret,
) -> Operation:
    """A digest over two pieces; a context fits into 300 bytes."""
    out: tuple[Argument, ...] = ("ctx", "out", length) if family == "sha3" else ("ctx", "out")
    return Operation(
        family,
        {"ctx": 300, "out": length, "data": data},
        (
            Call(f"armscribe_{start[0]}", start[1]),
            Call(f"armscribe_{feed}", ("ctx", "data", 7)),
            Call(f"armscribe_{feed}", ("ctx", "data", 293)),
            Call(f"armscribe_{end}", out),
        ),
    )


# Family -> its operations. What a library must be built with for it: ARMSCRIBE_WITH_*.
FAMILIES: dict[str, Callable[[Maker], Iterator[Operation]]] = {
    **{f"mlkem{number}": partial(mlkem, number=number) for number in (512, 768, 1024)},
    **{f"mldsa{number}": partial(mldsa, number=number) for number in _DSA},
    "x25519": x25519,
    "ed25519": ed25519,
    "sha2": sha2,
    "sha3": sha3,
}


def operations(library: Path, family: str) -> tuple[Operation, ...]:
    """All of a family; `library` makes the keys, ciphertexts and signatures that are inputs."""
    return tuple(FAMILIES[family](Maker(library)))
