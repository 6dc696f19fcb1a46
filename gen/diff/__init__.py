# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What changed between two trees of generated files, in meaning: `gen diff`."""
