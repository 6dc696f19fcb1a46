# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Orders of instructions: their files, and the searches that find them."""
