#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
#
# Pins the newest versions of the Python packages that pyproject.toml names, for each level of
# bootstrap.sh, with the hashes of every file of a version: they fit any Python and any machine.
# Needs pip-tools on PATH: pip-compile.

set -eu
cd "$(dirname -- "$0")/../.."
pin() { # pin LEVEL OPTION...
    level=$1
    shift
    pip-compile --quiet --upgrade --generate-hashes --strip-extras --allow-unsafe --no-header \
        --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
        "$@" --output-file "tests/setup/$level.txt" pyproject.toml
}
pin generate
pin demo --extra emulate --constraint tests/setup/generate.txt
pin test --extra emulate --extra prove --extra test --constraint tests/setup/demo.txt
pin matrix --all-extras --constraint tests/setup/test.txt
