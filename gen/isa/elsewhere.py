# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What people type who come from other assemblers, or from Arm's: what is written here instead."""

from __future__ import annotations

from gen.isa.access import inverse
from gen.isa.meaning import CONDITIONS
from gen.isa.tables import aliases, mnemonics

# instructions of other machines and habits of other assemblers -> the line to type
OTHERS: dict[str, str] = {
    "xor": "eor d, n, m",
    "or": "orr d, n, m",
    "not": "mvn d, m",
    "neg": "rsb d, n, #0",
    "nand": "and d, n, m, and below it: mvn d, d",
    "nor": "orr d, n, m, and below it: mvn d, d",
    "xnor": "eor d, n, m, and below it: mvn d, d",
    "andn": "bic d, n, m",
    "inc": "add d, d, #1",
    "dec": "sub d, d, #1",
    "addi": "add d, n, #k",
    "subi": "sub d, n, #k",
    "andi": "and d, n, #k",
    "ori": "orr d, n, #k",
    "xori": "eor d, n, #k",
    "addw": "add d, n, #k",
    "subw": "sub d, n, #k",
    "addu": "add d, n, m",
    "subu": "sub d, n, m",
    "sbb": "sbcs d, n, m",
    "shl": "lsl d, n, #k",
    "sal": "lsl d, n, #k",
    "sll": "lsl d, n, #k",
    "slli": "lsl d, n, #k",
    "shr": "lsr d, n, #k",
    "srl": "lsr d, n, #k",
    "srli": "lsr d, n, #k",
    "sar": "asr d, n, #k",
    "sra": "asr d, n, #k",
    "srai": "asr d, n, #k",
    "rol": "ror d, n, #32 - k",
    "rotl": "ror d, n, #32 - k",
    "rotr": "ror d, n, #k",
    "bswap": "rev d, n",
    "cpy": "mov d, m",
    "mv": "mov d, m",
    "move": "mov d, m",
    "movl": "mov d, m",
    "mov32": "reg NAME : u32 = VALUE",
    "li": "mov d, #k, or at the top: reg NAME : u32 = VALUE",
    "lui": "movt d, #k",
    "la": "a table's address comes as an argument: param p : public in = TABLE",
    "adr": "a table's address comes as an argument: param p : public in = TABLE",
    "lea": "add d, n, #k",
    "lw": "ldr d, [a, #k]",
    "lh": "ldrsh d, [a, #k]",
    "lhu": "ldrh d, [a, #k]",
    "lb": "ldrsb d, [a, #k]",
    "lbu": "ldrb d, [a, #k]",
    "load": "ldr d, [a, #k]",
    "sw": "str d, [a, #k]",
    "sh": "strh d, [a, #k]",
    "sb": "strb d, [a, #k]",
    "store": "str d, [a, #k]",
    "imul": "mul d, n, m",
    "mulhu": "umull l, d, n, m",
    "mulh": "smull l, d, n, m",
    "test": "tst n, m",
    "cmpi": "cmp n, #k",
    "ldmia": "ldm p!, {...}",
    "ldmfd": "ldm p!, {...}",
    "stmia": "stm p!, {...}",
    "stmea": "stm p!, {...}",
    "stmfd": "stmdb p!, {...}",
}

_JUMPS = {"b", "bc", "jmp", "j", "goto", "bal", "bra", "br"}  # always
_ZERO = {"cbz": "eq", "cbnz": "ne", "beqz": "eq", "bnez": "ne", "bz": "eq", "bnz": "ne"}
_CALLS = {"bl", "blx", "call", "jal", "jsr", "bsr"}
_RETURNS = {"bx", "ret", "rts", "iret", "return"}
_STACK = {"push", "pop", "vpush", "vpop"}
# conditional branches of other machines; those of Arm are `b` and a condition
_WHEN = {
    "eq": ("je", "jz"),
    "ne": ("jne", "jnz"),
    "cs": ("jc",),
    "cc": ("jnc",),
    "hs": ("jae", "bgeu"),
    "lo": ("jb", "bltu"),
    "mi": ("js",),
    "pl": ("jns",),
    "vs": ("jo",),
    "vc": ("jno",),
    "hi": ("ja", "bgtu"),
    "ls": ("jbe", "bleu"),
    "ge": ("jge",),
    "lt": ("jl",),
    "gt": ("jg",),
    "le": ("jle",),
}
_CONDITIONAL = {f"b{cond}": cond for cond in CONDITIONS}
_CONDITIONAL |= {f"b.{cond}": cond for cond in CONDITIONS}
_CONDITIONAL |= {name: cond for cond, names in _WHEN.items() for name in names}


def instead(name: str) -> tuple[str, str] | None:
    """What is wrong with a name that is no instruction here, and what to type; None for a name nobody uses."""
    name = name.lower()
    if (said := _control(name)) is not None:
        return said
    if name in OTHERS:
        return f"no instruction is called {name}", OTHERS[name]
    base, cond = name[:-2].rstrip("."), name[-2:]
    if cond in CONDITIONS and base in (*mnemonics(), *aliases()):
        return (
            f"no instruction is called {name}; a condition stands above a block",
            f"then {cond}:   and below it, indented: {base} ...",
        )
    return None


def _control(name: str) -> tuple[str, str] | None:
    """Branches, calls, returns, IT and the stack, which the generator makes."""
    if name in _JUMPS:
        help = "`do:` above what is repeated and `while COND` below it, "
        help += "`loop at most N:` with `break COND` in it, or `when COND:`"
        return f"{name} is a branch; where control goes is written with blocks", help
    if name in _CONDITIONAL or name in _ZERO:
        cond = _CONDITIONAL.get(name) or _ZERO[name]
        first = "`cmp x, #0`, and " * (name in _ZERO)
        return (
            f"{name} is a branch; where control goes is written with blocks",
            f"{first}to repeat: `do:` above and `while {cond}` below; to pass something over: "
            f"`when {inverse(cond)}:` above it",
        )
    if name in _CALLS:
        return f"{name} calls something; only a `sub` can be called", "call NAME(ARGUMENTS)"
    if name in _RETURNS:
        return (
            f"{name} is not written; a routine returns behind its last line",
            "`when COND:` around the rest",
        )
    if name in _STACK:
        help = "reg NAME : u32 slot, and where it is to be kept: spill NAME ... fill NAME"
        return f"{name} is made by the generator, it cannot be written", help
    if name[:2] == "it" and set(name[2:]) <= {"t", "e"}:
        help = "then COND:   and below it, indented, one to four instructions"
        return f"{name} is made by the generator, it cannot be written", help
    return None
