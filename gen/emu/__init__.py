# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Runs Cortex-M machine code: linking, the machine, what it costs, what it must not touch."""
