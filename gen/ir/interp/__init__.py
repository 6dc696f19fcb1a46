# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Executes the linear code of a routine over a domain.

machine    one instruction at a time: registers, flags, memory
state      what a run knows at one place
paths      follows the control flow: forks at unknown conditions, meets where paths come together
refine     what a taken or not taken branch says about the operands of the comparison before it
preds      assertions and claims
entry      what is known when a routine is called
observer   what a pass may watch
oracle     `execute`: a routine on integers
"""

from gen.ir.interp.oracle import Outcome, execute

__all__ = ["Outcome", "execute"]
