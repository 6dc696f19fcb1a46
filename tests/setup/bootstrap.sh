#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
#
# Installs what a verb of the Makefile needs and this machine lacks.
#
#   bootstrap.sh generate   Python packages that write text
#   bootstrap.sh demo       and compilers, an emulated board and an emulator
#   bootstrap.sh test       and everything that `make test` uses
#   bootstrap.sh matrix     and a newer clang with its linker, for `make matrix`
#
# System packages come from apt-get, but only for a tool that is not on PATH. Python packages go
# into .venv, pinned with hashes. YES=1 asks no question. Exit 1: something is missing and could
# not be installed; the command that would do it is printed. A second run does nothing.

set -eu

LEVEL=${1:?generate, demo, test or matrix}
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
PINS=$ROOT/tests/setup
VENV=$ROOT/.venv
STAMP=$VENV/installed # the hash of the requirements that .venv holds; written last, removed first

say() { printf 'setup: %s\n' "$*" >&2; }

on_path() { command -v "$1" >/dev/null 2>&1; }

has_file() { # has_file COMPILER NAME: the compiler finds NAME in its library folders
    on_path "$1" && [ "$("$1" -print-file-name="$2")" != "$2" ]
}

need() { # need PACKAGE TEST...: PACKAGE is missing if TEST fails
    package=$1
    shift
    "$@" || MISSING="$MISSING $package"
}

find_missing() {
    MISSING=
    need python3 on_path python3
    # python3-venv is what brings ensurepip; without it `python3 -m venv` stops half-way.
    need python3-venv python3 -c 'import ensurepip, venv' 2>/dev/null
    [ "$LEVEL" = generate ] && return
    need gcc on_path gcc
    need libc6-dev has_file gcc crt1.o
    need gcc-arm-none-eabi on_path arm-none-eabi-gcc
    need binutils-arm-none-eabi on_path arm-none-eabi-as
    need libnewlib-arm-none-eabi has_file arm-none-eabi-gcc libc.a
    need qemu-system-arm on_path qemu-system-arm
    [ "$LEVEL" = demo ] && return
    need git on_path git
    need g++ on_path g++ # C++ includes the public headers
    need clang on_path clang
    need cmake on_path cmake # projects that use a vendored kit
    need ninja-build on_path ninja
    need gcc-aarch64-linux-gnu on_path aarch64-linux-gnu-gcc
    need libc6-dev-arm64-cross has_file aarch64-linux-gnu-gcc crt1.o
    need gcc-arm-linux-gnueabihf on_path arm-linux-gnueabihf-gcc
    need libc6-dev-armhf-cross has_file arm-linux-gnueabihf-gcc crt1.o
    need qemu-user on_path qemu-aarch64
    [ "$LEVEL" = test ] && return
    need lld on_path ld.lld
}

raise() { # sets SUDO; fails where this user may not install packages
    SUDO=
    [ "$(id -u)" = 0 ] && return
    SUDO=sudo
    on_path sudo || return 1
    sudo -n true 2>/dev/null || [ -t 0 ]
}

install_missing() {
    install="apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300$MISSING"
    command="sudo apt-get update && sudo $install"
    say "missing:$MISSING"
    if ! on_path apt-get || ! raise; then
        say "no right to install packages here; this is what is needed:"
        printf '%s\n' "$command"
        exit 1
    fi
    if [ "${YES:-}" != 1 ] && [ -t 0 ] && [ -t 2 ]; then
        printf 'setup: install them with apt-get? (YES=1 does not ask) [Y/n] ' >&2
        read -r answer || answer=n
        case $answer in
        '' | [Yy]*) ;;
        *)
            printf '%s\n' "$command"
            exit 1
            ;;
        esac
    fi
    # A mirror that does not answer is no reason to stop: the lists at hand may do.
    $SUDO apt-get update -o DPkg::Lock::Timeout=300 || say "apt-get update failed; going on"
    # shellcheck disable=SC2086 # a list of words
    $SUDO env DEBIAN_FRONTEND=noninteractive $install
    find_missing
    [ -z "$MISSING" ] || { say "still not found after the installation:$MISSING" && exit 1; }
}

hash_of() { sha256sum <"$1" | cut -d' ' -f1; }

installed() { # installed FILE...: .venv works and holds the packages of one of these files
    [ -f "$STAMP" ] && "$VENV/bin/python" -c '' 2>/dev/null || return 1
    for file; do
        [ "$(cat "$STAMP")" = "$(hash_of "$PINS/$file")" ] && return
    done
    return 1
}

make_venv() {
    # Each level's packages are those of the one before and more.
    case $LEVEL in
    generate) enough='generate.txt demo.txt test.txt matrix.txt' less= ;;
    demo) enough='demo.txt test.txt matrix.txt' less=generate.txt ;;
    test) enough='test.txt matrix.txt' less='generate.txt demo.txt' ;;
    matrix) enough=matrix.txt less='generate.txt demo.txt test.txt' ;;
    esac
    # shellcheck disable=SC2086 # lists of words
    if installed $enough; then return; fi
    # Packages may be added to a whole .venv; a half-made or outdated one is built anew.
    # shellcheck disable=SC2086
    installed $less || rm -rf "$VENV"
    say "Python packages into .venv"
    [ -d "$VENV" ] || python3 -m venv "$VENV"
    rm -f "$STAMP"
    "$VENV/bin/python" -m pip install --disable-pip-version-check --quiet \
        --require-hashes -r "$PINS/$LEVEL.txt"
    hash_of "$PINS/$LEVEL.txt" >"$STAMP"
}

case $LEVEL in
generate | demo | test | matrix) ;;
*) say "unknown level: $LEVEL" && exit 1 ;;
esac
find_missing
[ -z "$MISSING" ] || install_missing
make_venv
