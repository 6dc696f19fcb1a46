# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The set-up script on machines that lack something; without network and without apt-get.

Each test runs a copy of the script in a folder of its own. Where the machine matters, PATH holds
nothing but links to the tools that this machine is meant to have, and stand-ins that write down how
they were called. Making a real virtual environment takes seconds, so most tests have a stand-in for
that too: a folder whose python notes which requirements it was told to install.
"""

import base64
import hashlib
import os
import pty
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("bootstrap.sh")
BASICS = ["sh", "cat", "cut", "dirname", "rm", "sha256sum", "env"]
APT_OPTIONS = "install -y --no-install-recommends -o DPkg::Lock::Timeout=300"


def make_wheel(folder: Path, name: str) -> str:
    """Write a wheel of an empty package NAME 1.0; give its line in a requirements file."""
    info = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        record += f"{path},sha256={digest.decode()},{len(text)}\n"
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(path, text)
    return f"{name}==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


class Machine:
    """A copy of the script, its requirements, and a PATH."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.bin = home / "bin"
        self.pins = home / "tests" / "setup"
        self.venv = home / ".venv"
        self.called = home / "called"
        self.noted = home / "noted"
        self.pins.mkdir(parents=True)
        self.bin.mkdir()
        shutil.copy(SCRIPT, self.pins)
        source = f"--no-index\n--find-links {self.pins}\n"
        one, two = make_wheel(self.pins, "one"), make_wheel(self.pins, "two")
        (self.pins / "generate.txt").write_text(source + one)
        (self.pins / "demo.txt").write_text(source + one + "# and an emulator\n")
        (self.pins / "test.txt").write_text(source + one + two)
        (self.pins / "matrix.txt").write_text(source + one + two + "# and a compiler\n")
        for tool in BASICS:
            self.stand_in(tool, f'exec {shutil.which(tool)} "$@"')
        pip = f"""[ "$2" = pip ] || exit 0\nfor last; do :; done; echo "$last" >>{self.noted}"""
        self.stand_in("pip", pip)
        self.stand_in(
            "python3",
            f'[ "$2" = venv ] || exit 0\n{shutil.which("mkdir")} -p "$3/bin"\n'
            f'{shutil.which("cp")} {self.bin}/pip "$3/bin/python"',
        )

    def stand_in(self, tool: str, body: str) -> None:
        path = self.bin / tool
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": str(self.bin),
            "HOME": str(self.home),
            "PIP_CONFIG_FILE": os.devnull,
            **more,
        }

    def run(self, level: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.bin / "sh", self.pins / SCRIPT.name, level],
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def run_on_terminal(self, level: str, answer: str) -> tuple[int, str]:
        """Run with a terminal that types ANSWER: exit code and what was printed."""
        ours, theirs = pty.openpty()
        os.write(ours, answer.encode() + b"\n")
        command = [self.bin / "sh", self.pins / SCRIPT.name, level]
        done = subprocess.run(
            [str(word) for word in command],
            env=self.environment(),
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
            timeout=120,
        )
        os.close(theirs)
        os.close(ours)
        return done.returncode, done.stdout

    def bare(self, user: int) -> None:
        """No compiler; apt-get writes its arguments down and brings every tool; id says USER."""
        compiler = 'printf "%s" "/lib/$1"'
        self.stand_in("id", f"echo {user}")
        tools = "gcc arm-none-eabi-gcc arm-none-eabi-as qemu-system-arm git g++ clang cmake ninja"
        tools += " aarch64-linux-gnu-gcc arm-linux-gnueabihf-gcc qemu-aarch64 ld.lld"
        self.stand_in(
            "apt-get",
            f'echo "$@" >>{self.called}\n[ "$1" = install ] || exit 0\n'
            f"for tool in {tools}; do\n"
            f"printf '#!/bin/sh\\n%s\\n' '{compiler}' >{self.bin}/$tool\n"
            f"{shutil.which('chmod')} +x {self.bin}/$tool\ndone",
        )

    def real_python(self) -> None:
        self.stand_in("python3", f'exec {sys.executable} "$@"')

    def packages(self) -> set[str]:
        """What a real virtual environment holds."""
        return {path.stem for path in self.venv.glob("lib/*/site-packages/*.py")} & {"one", "two"}

    def installations(self) -> list[str]:
        """The requirements files that the stand-in was told to install."""
        return [Path(line).name for line in self.noted.read_text().splitlines()]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_real_packages_with_hashes_and_a_second_run(machine: Machine) -> None:
    machine.bare(user=0)
    machine.real_python()
    assert machine.run("generate").returncode == 0
    assert machine.packages() == {"one"}
    stamp = (machine.venv / "installed").stat().st_mtime_ns
    again = machine.run("generate")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert (machine.venv / "installed").stat().st_mtime_ns == stamp
    assert machine.run("test").returncode == 0
    assert machine.packages() == {"one", "two"}


@pytest.mark.parametrize("line", ["one==1.0 --hash=sha256:" + 64 * "0", "one"])
def test_package_without_its_hash_is_refused(machine: Machine, line: str) -> None:
    machine.real_python()
    (machine.pins / "generate.txt").write_text(f"--no-index\n--find-links {machine.pins}\n{line}\n")
    refused = machine.run("generate")
    assert refused.returncode != 0
    assert "hash" in refused.stderr.lower()
    assert machine.packages() == set()
    assert not (machine.venv / "installed").exists()


def test_packages_are_added_and_serve_the_smaller_levels(machine: Machine) -> None:
    machine.bare(user=0)
    levels = ("generate", "demo", "test", "matrix")
    assert machine.run("generate").returncode == 0
    (machine.venv / "kept").touch()
    for done, level in enumerate(levels, 1):
        assert machine.run(level).returncode == 0
        for smaller in levels[:done]:
            assert machine.run(smaller).stderr == ""
    assert machine.installations() == [f"{level}.txt" for level in levels]
    assert (machine.venv / "kept").exists()


@pytest.mark.parametrize("damage", ["no stamp", "no python", "other requirements", "empty"])
def test_half_made_or_outdated_venv_is_rebuilt(machine: Machine, damage: str) -> None:
    assert machine.run("generate").returncode == 0
    (machine.venv / "rubbish").touch()
    if damage == "no stamp":
        (machine.venv / "installed").unlink()
    elif damage == "no python":
        (machine.venv / "bin" / "python").unlink()
    elif damage == "empty":
        shutil.rmtree(machine.venv)
        machine.venv.mkdir()
    else:
        with (machine.pins / "generate.txt").open("a") as pins:
            pins.write("# another\n")
    assert machine.run("generate").returncode == 0
    assert not (machine.venv / "rubbish").exists()
    assert machine.run("generate").stderr == ""
    assert machine.installations() == 2 * ["generate.txt"]


def test_installation_that_fails_leaves_no_stamp(machine: Machine) -> None:
    machine.stand_in("pip", '[ "$2" = pip ] && exit 1')
    assert machine.run("generate").returncode != 0
    assert not (machine.venv / "installed").exists()


def test_without_rights_prints_the_command_and_stops(machine: Machine) -> None:
    machine.bare(user=1000)
    stopped = machine.run("test", YES="1")
    assert stopped.returncode == 1
    packages = "gcc libc6-dev gcc-arm-none-eabi binutils-arm-none-eabi libnewlib-arm-none-eabi"
    command = f"sudo apt-get update && sudo apt-get {APT_OPTIONS} {packages} qemu-system-arm"
    more = "git g++ clang cmake ninja-build gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    more += " gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user"
    assert stopped.stdout == f"{command} {more}\n"
    assert not machine.called.exists()
    assert not machine.venv.exists()


def test_without_apt_get_prints_the_command_and_stops(machine: Machine) -> None:
    machine.stand_in("id", "echo 0")
    stopped = machine.run("demo", YES="1")
    assert stopped.returncode == 1
    assert stopped.stdout.startswith("sudo apt-get update")


def test_root_updates_and_installs_once(machine: Machine) -> None:
    machine.bare(user=0)
    machine.stand_in("arm-none-eabi-as", "exit 0")
    assert machine.run("demo").returncode == 0
    update, install = machine.called.read_text().splitlines()
    assert update.startswith("update")
    assert install.startswith(APT_OPTIONS)
    assert "gcc-arm-none-eabi libnewlib" in install  # a tool already on PATH counts
    assert "clang" not in install
    assert machine.run("demo").stderr == ""
    assert len(machine.called.read_text().splitlines()) == 2


def test_sudo_is_used_where_it_works(machine: Machine) -> None:
    machine.bare(user=1000)
    machine.stand_in("sudo", '[ "$1" = -n ] && exit 0\nexec "$@"')
    assert machine.run("demo").returncode == 0
    assert len(machine.called.read_text().splitlines()) == 2


def test_update_that_fails_does_not_stop(machine: Machine) -> None:
    machine.bare(user=0)
    tool = machine.bin / "apt-get"
    tool.write_text(tool.read_text().replace("|| exit 0", "|| exit 100"))
    assert machine.run("demo").returncode == 0


def test_installation_that_brings_nothing_is_named(machine: Machine) -> None:
    machine.bare(user=0)
    machine.stand_in("apt-get", "exit 0")
    stopped = machine.run("demo")
    assert stopped.returncode == 1
    assert "still not found" in stopped.stderr
    assert "qemu-system-arm" in stopped.stderr


def test_terminal_is_asked(machine: Machine) -> None:
    machine.bare(user=0)
    code, printed = machine.run_on_terminal("demo", "n")
    assert code == 1
    assert printed.startswith("sudo apt-get update")
    assert not machine.called.exists()
    code, printed = machine.run_on_terminal("demo", "y")
    assert code == 0
    assert machine.called.exists()


def test_unknown_level_is_an_error(machine: Machine) -> None:
    assert machine.run("everything").returncode == 1
