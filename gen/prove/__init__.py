# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The proofs: `python3 -m gen prove [ROUTINE ...] [--core CORE ...]`.

jobs      what there is to prove; one job's work
engine    all jobs, in parallel, with what is known already
cache     results by the hash of what they rest on
ensures   conditions of a macro, tried on every input
program   the C program that does so; inputs, cpred: its loops, its conditions
symbolic  conditions of a macro, as polynomials
smt       conditions of a routine, by a solver; formula: in its terms; content: what that rests on
subs      what subs ensure, as identities
chain     ranges from routine to routine
"""
