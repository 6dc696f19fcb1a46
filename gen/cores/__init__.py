# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The cores: one TOML file of pure data each, what it means, what instructions cost."""
