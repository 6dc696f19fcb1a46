# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What memory each public function takes on the machine of gen/emu: stack, and work space."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen.cores.core import load_core
from gen.emu.build import link
from gen.emu.decode import Decoder
from gen.emu.image import Image
from gen.emu.machine import Machine
from tests.lib.driver import ROOT
from tests.lib.emulated import SIZES as MLKEM

# Set -> bytes of public key, secret key, signature (FIPS 204, table 2).
MLDSA = {44: (1312, 2560, 2420), 65: (1952, 4032, 3309), 87: (2592, 4896, 4627)}
FRAME = 64  # bytes behind a work space that stay as they are
_PATTERN = 0xC3
_WORKSPACE = re.compile(r"^(?:ARMSCRIBE_)(\w+)_WORKSPACE (\d+)$", re.M)


@dataclass(frozen=True)
class Taken:
    """Bytes of stack below the caller, and of work space by the header and by what was written."""

    stack: int
    work: int
    used: int


def workspaces(*options: str) -> dict[str, int]:
    """The constants ARMSCRIBE_*_WORKSPACE of the public headers, by what stands for the star."""
    names = re.compile(r"#define (ARMSCRIBE_(\w+)_WORKSPACE) ")
    headers = sorted((ROOT / "lib/include/armscribe").glob("*.h"))
    found = [m[1] for header in headers for m in names.finditer(header.read_text("utf-8"))]
    text = "".join(f'#include "{header}"\n' for header in headers)
    text += "".join(f"int {name[:-10]}_VALUE[{name}];\n" for name in found)
    command = ["cc", *options, f"-I{ROOT / 'lib/include'}", "-E", "-P", "-xc", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    values = re.findall(r"int ARMSCRIBE_(\w+)_VALUE\[([-+*() \d]+)\];", done.stdout)
    return {name: int(eval(size, {"__builtins__": {}})) for name, size in values}


def program(archive: Path, folder: Path) -> Image:
    """The whole library, with an erasure that does nothing: what was written can be seen."""
    stub = folder / "stub.c"
    text = "void __wrap_armscribe_wipe(void);\nvoid __wrap_armscribe_wipe(void)\n{\n}\n"
    stub.write_text(text, encoding="utf-8", newline="\n")
    whole = ["-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive"]
    return link([stub], load_core("cortex-m4"), ["-Wl,--wrap=armscribe_wipe", *whole])


class Meter:
    """Calls the public functions on one machine."""

    def __init__(self, image: Image, sizes: dict[str, int]) -> None:
        self.machine, self.sizes = Machine(image), sizes
        self._alloc, self._random = self.machine.alloc, random.Random(0)
        self._work = self._alloc(max(sizes.values()) + FRAME)
        decoder = Decoder()
        for start, end in image.code:
            code = decoder.run(start, self.machine.read(start, end - start))
            moves = [d.event for d in code if d.writes_sp]
            at = (e.address + e.size for e in moves if e.address is not None)
            self.machine.at(at, lambda _address: self.machine.note_sp())

    def call(self, name: str, *args: int, work: str = "", void: bool = False) -> Taken:
        """The memory that a call takes. `work`: the name of its work space, which comes last."""
        size = self.sizes[work] if work else 0
        self.machine.write(self._work, bytes((_PATTERN,)) * (size + FRAME))
        values = (*args, self._work) if work else args
        result = self.machine.call(f"armscribe_{name}", *values)
        assert void or result == 0, f"{name} answered {result}"
        left = self.machine.read(self._work, size + FRAME).rstrip(bytes((_PATTERN,)))
        return Taken(self.machine.entry_sp - self.machine.lowest_sp, size, len(left))

    def fresh(self, size: int) -> int:
        """The address of random bytes."""
        return self._alloc(self._random.randbytes(size))

    def all(self) -> Iterator[tuple[str, Taken]]:
        """Each public function that takes much memory, by name without the prefix."""
        for number in MLKEM:
            yield from self.mlkem(number)
        for number in MLDSA:
            yield from self.mldsa(number)
        yield from self.curve()
        yield from self.hashes()

    def mlkem(self, number: int) -> Iterator[tuple[str, Taken]]:
        ek_n, dk_n, ct_n = MLKEM[number]
        ek, dk, ct, ss, seed = (self._alloc(n) for n in (ek_n, dk_n, ct_n, 32, 0))
        seed, name = self.fresh(64), f"mlkem{number}"
        for operation, args in (
            ("keygen_derand", (ek, dk, seed)),
            ("encaps_derand", (ct, ss, ek, ek_n, seed)),
            ("decaps", (ss, ct, ct_n, dk, dk_n)),
            ("decaps_checked", (ss, ct, ct_n, dk, dk_n)),
        ):
            work = f"{name}_{operation.split('_')[0]}".upper()
            yield f"{name}_{operation}", self.call(f"{name}_{operation}", *args, work=work)
        for check, key in (("check_ek", (ek, ek_n)), ("check_dk", (dk, dk_n))):
            yield f"{name}_{check}", self.call(f"{name}_{check}", *key)

    def mldsa(self, number: int) -> Iterator[tuple[str, Taken]]:
        pk_n, sk_n, sig_n = MLDSA[number]
        pk, sk, sig, seed = self._alloc(pk_n), self._alloc(sk_n), self._alloc(sig_n), self.fresh(64)
        message, name = (seed, 32, 0, 0), f"mldsa{number}"
        calls: Sequence[tuple[str, tuple[int, ...]]] = (
            ("keygen_derand", (pk, sk, seed)),
            ("sign", (sig, sk, sk_n, *message, 0, 0)),
            ("verify", (pk, pk_n, *message, sig, sig_n)),
            ("sign_mu", (sig, sk, sk_n, seed, 0, 0)),
            ("verify_mu", (pk, pk_n, seed, sig, sig_n)),
        )
        for operation, args in calls:
            work = f"{name}_{operation.split('_')[0]}".upper()
            yield f"{name}_{operation}", self.call(f"{name}_{operation}", *args, work=work)
        yield f"{name}_mu", self.call(f"{name}_mu", sig, pk, pk_n, *message)

    def curve(self) -> Iterator[tuple[str, Taken]]:
        seed, public, key, sig = self.fresh(64), self._alloc(32), self._alloc(64), self._alloc(64)
        calls: Sequence[tuple[str, tuple[int, ...]]] = (
            ("x25519_public", (public, seed)),
            ("x25519", (sig, seed, public)),
            ("ed25519_keygen_derand", (key, seed)),
            ("ed25519_sign", (sig, seed, 32, key)),
            ("ed25519_verify", (sig, seed, 32, key + 32)),
            ("ed25519ph_sign", (sig, seed, seed, 32, key)),
            ("ed25519ph_verify", (sig, seed, seed, 32, key + 32)),
        )
        for name, args in calls:
            yield name, self.call(name, *args)

    def hashes(self) -> Iterator[tuple[str, Taken]]:
        text, out = self.fresh(300) + 1, self._alloc(64)
        for name in ("sha256", "sha512", "sha3_256"):
            yield name, self.call(name, out, text, 299, void=True)
        yield "shake256", self.call("shake256", out, 64, text, 299, void=True)
