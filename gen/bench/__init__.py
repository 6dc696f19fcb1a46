# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What the routines and the library cost on the cycle model, beside the best public code."""
