# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Every error code, with the sentence that explains it. Each has a pair in tests/gen/fail/."""

from __future__ import annotations

CODES: dict[str, str] = {
    # reading
    "unreadable": "a file cannot be read, or is not UTF-8",
    "tab": "indentation and separation are spaces",
    "syntax": "the text does not parse",
    "bad-prototype": "the C prototype does not parse",
    "circular-import": "a file imports itself, directly or not",
    "duplicate": "a name or symbol is declared twice",
    # names and numbers
    "undefined": "a name is used that is not declared",
    "bad-expression": "a compile-time expression cannot be evaluated",
    "magic-number": "a number of four or more digits needs a name or a formula",
    "table-mismatch": "a table has the wrong length or an element out of its type's range",
    "params-mismatch": "the params do not fit the prototype",
    "unending": "a macro or a generation-time loop does not end",
    "missing-feature": "no variant fits the features of the core",
    "ambiguous-variant": "two variants fit equally well",
    "bad-arguments": "a macro is called with arguments that do not fit its parameters",
    "bad-call": "a sub or its call breaks the sub's register contract",
    # instructions
    "unknown-mnemonic": "no instruction of this name exists",
    "bad-operands": "no form of the instruction takes these operands",
    "bad-constant": "the encoding cannot hold the constant",
    "no-meaning": "an instruction of the tables does not say what it does",
    # registers
    "reg-pressure": "more live registers than the core has",
    "no-colouring": "the count fits, but the constraints leave no assignment",
    "no-home": "spill or fill of a register without a home",
    "uninitialised": "a value is read before it is written",
    "unused": "a value is written and never read",
    "carry-lost": "a named carry is read after something else set the flag",
    "misaligned": "a wide access to an address that is not aligned as it needs",
    "out-of-bounds": "an access outside the promised buffer",
    # proofs
    "overflow": "the result can leave the range of an exact instruction",
    "assert-failed": "an assertion does not follow from the ranges",
    "post-failed": "the postcondition does not follow from the ranges",
    "ensures-refuted": "an `ensures` does not hold; a counterexample is given",
    "undecided": "the solver can neither prove nor refute an `ensures`",
    # secrecy
    "secret-branch": "a branch depends on a secret",
    "secret-address": "an address depends on a secret",
    "secret-timing": "the time of an instruction depends on a secret operand on this core",
    # code layout
    "out-of-range": "a branch or access is further than its encoding reaches",
    "bad-check": "the independent check refutes the allocation or the order",
    "stale-order": "a committed order is not one of the code as it stands",
    "bad-order": "an order file does not say what it must",
    # cores
    "bad-core": "a core file has an unknown key, a missing price or a contradiction",
    "unknown-name": "no routine, core or form has this name",
}
