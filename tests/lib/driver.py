# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Builds the library and the driver (driver.h), for the host or the board, and runs requests."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.lib.boards import BOARDS, USER, compiler, linking, qemu

ROOT = Path(__file__).resolve().parents[2]
SETS = {"ML-KEM-512": 0, "ML-KEM-768": 1, "ML-KEM-1024": 2}
OVERRUN, NOT_WIPED = 0x8000_0000, 0x4000_0000
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
_DRIVER = (
    "driver.c",
    "driver_work.c",
    "driver_mlkem.c",
    "driver_mldsa.c",
    "driver_sha2.c",
    "driver_sha3.c",
    "driver_x25519.c",
    "driver_ed25519.c",
)


@dataclass(frozen=True)
class Request:
    """An operation of the driver. `parameter`: set 0 to 2, digest code, or as driver_*.c say."""

    operation: str
    parameter: int
    fields: tuple[bytes, ...]
    misalign: int = 0

    def encode(self) -> bytes:
        head = bytes((ord(self.operation), self.parameter, self.misalign, len(self.fields)))
        return head + b"".join(struct.pack("<I", len(field)) + field for field in self.fields)


@dataclass(frozen=True)
class Answer:
    """The result of the function under test and the contents of its output buffers."""

    result: int
    outputs: tuple[bytes, ...]


@dataclass(frozen=True)
class Target:
    """A way to build the library: a core, a form, and the compiler's options."""

    core: str
    form: str
    cflags: tuple[str, ...] = ("-O3",)
    cc: str | None = None

    @property
    def name(self) -> str:
        return f"{self.core}-{self.form}"

    @property
    def key(self) -> str:
        """A name of its own for each way to build."""
        options = " ".join((*self.cflags, self.cc or ""))
        return f"{self.name}-{hashlib.sha256(options.encode()).hexdigest()[:8]}"


class Driver:
    """The driver linked with one build of the library, in a folder of its own under build/.

    What is built stays for the next run; processes that want the same wait for each other.
    """

    def __init__(self, target: Target) -> None:
        self.target, self.folder = target, ROOT / "build/tests" / target.key
        self.folder.mkdir(parents=True, exist_ok=True)
        self.program = self.folder / "driver"
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.library = build_library(target, self.folder / "lib")
            self._link()

    def _link(self) -> None:
        target, fresh = self.target, self.folder / "driver.new"
        sources = [ROOT / "tests/lib" / name for name in _DRIVER]
        includes = [f"-I{ROOT / part}" for part in ("lib/include", "lib", "generated/include")]
        command = [*_compiler(target), *WARNINGS, *target.cflags, *includes]
        if target.core == "host" or target.core in USER:
            sources.append(ROOT / "tests/lib/driver_host.c")
            command += ["-static"] * (target.core in USER)
        else:
            sources += [ROOT / "tests/lib/driver_board.c", BOARDS / "board.c"]
            command += [f"-I{BOARDS}", *linking(target.core)]
        _run([*command, *map(str, sources), str(self.library), "-o", str(fresh)])
        fresh.replace(self.program)  # another process may be running the old one

    def run(self, requests: Iterable[Request], timeout: float = 600.0) -> list[Answer]:
        """Answers to the requests, in order. `AssertionError` when the program fails or stops."""
        wanted = list(requests)
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            asked, told = Path(name, "requests"), Path(name, "answers")
            asked.write_bytes(b"".join(request.encode() for request in wanted))
            _run([*self._command(), *self._arguments(asked, told)], timeout)
            answers = list(_decode(told.read_bytes()))
        assert len(answers) == len(wanted), f"{len(answers)} answers to {len(wanted)} requests"
        for request, answer in zip(wanted, answers, strict=True):
            assert not answer.result & OVERRUN, f"{request.operation} wrote outside its buffers"
            assert not answer.result & NOT_WIPED, f"{request.operation} left its work space"
        return answers

    def ask(self, operation: str, parameter: int, *fields: bytes, misalign: int = 0) -> Answer:
        """The answer to one request."""
        return self.run([Request(operation, parameter, fields, misalign)])[0]

    def _command(self) -> list[str]:
        core = self.target.core
        if core == "host" or core in USER:
            return [*USER.get(core, ()), str(self.program)]
        return [*qemu(core, self.program)]

    def _arguments(self, *files: Path) -> list[str]:
        if self.target.core == "host" or self.target.core in USER:
            return [str(file) for file in files]
        names = ",".join(f"arg={name}" for name in ("driver", *map(str, files)))
        return ["-semihosting-config", f"enable=on,target=native,{names}"]


def build_library(target: Target, out: Path) -> Path:
    """libarmscribe.a in the folder `out`. `AssertionError` with what the compiler said."""
    command = ["make", "-s", "-C", str(ROOT / "lib"), f"CORE={target.core}", f"FORM={target.form}"]
    command += [f"OUT={out}", f"CFLAGS={' '.join(target.cflags)}"]
    if target.cc:
        command.append(f"CC={target.cc}")
    _run(command)
    return out / "libarmscribe.a"


def _compiler(target: Target) -> list[str]:
    if target.core == "host":
        return [target.cc or "cc"]
    return compiler(target.core, target.cc)


def _run(command: Sequence[str], timeout: float = 600.0) -> None:
    tool = shutil.which(command[0])
    assert tool, f"{command[0]} is not installed"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    done = subprocess.run(
        [tool, *command[1:]],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def _decode(text: bytes) -> Iterable[Answer]:
    at = 0
    while at < len(text):
        result, outputs = struct.unpack_from("<IB", text, at)
        at += 5
        found = []
        for _ in range(outputs):
            (size,) = struct.unpack_from("<I", text, at)
            found.append(text[at + 4 : at + 4 + size])
            at += 4 + size
        yield Answer(result, tuple(found))
