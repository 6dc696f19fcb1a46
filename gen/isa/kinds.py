# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Kind of a decoded instruction by its base mnemonic, for code that no Form wrote: a compiler's.

The mnemonic is the disassembler's, without condition, width and data type. Loads of PC and returns
from the stack are told apart by their operands, in the decoder.
"""

from __future__ import annotations

_TABLE = {
    "alu": "add addw adc sub subw sbc rsb and orr orn eor bic mov movw movt mvn cmp cmn tst teq "
    "adr lsl lsr asr ror rrx movs subs neg mrs msr",
    "bits": "sbfx ubfx bfi bfc clz rbit rev rev16 revsh sxtb sxth uxtb uxth ssat usat",
    "mul": "mul",
    "mac": "mla mls",
    "dsp": "smulbb smulbt smultb smultt smulwb smulwt smuad smuadx smusd smusdx smmul smmulr",
    "dspmac": "smlabb smlabt smlatb smlatt smlawb smlawt smlad smladx smlsd smlsdx smmla smmlar "
    "smmls smmlsr smlalbb smlalbt smlaltb smlaltt smlald smlaldx smlsld smlsldx usada8",
    "simd": "sadd16 sadd8 ssub16 ssub8 sasx ssax uadd16 uadd8 usub16 usub8 uasx usax qadd16 qadd8 "
    "qsub16 qsub8 qasx qsax shadd16 shadd8 shsub16 shsub8 shasx shsax uhadd16 uhadd8 "
    "uhsub16 uhsub8 uhasx uhsax uqadd16 uqadd8 uqsub16 uqsub8 uqasx uqsax pkhbt pkhtb sel "
    "ssat16 usat16 usad8 qadd qsub qdadd qdsub sxtab sxtah sxtab16 uxtab uxtah uxtab16 "
    "sxtb16 uxtb16",
    "mul64": "umull smull",
    "mac64": "umlal smlal umaal",
    "div": "udiv sdiv",
    "load": "ldr ldrb ldrh ldrsb ldrsh ldrt ldrbt ldrht ldrsbt ldrsht ldrex ldrexb ldrexh",
    "store": "str strb strh strt strbt strht strex strexb strexh",
    "loadpair": "ldrd",
    "storepair": "strd",
    "loadmulti": "ldm ldmdb pop",
    "storemulti": "stm stmdb push",
    "branch": "b cbz cbnz tbb tbh",
    "call": "bl blx",
    "return": "bx",
    "it": "it",
    "nop": "nop hint clrex dmb dsb isb pld pldw pli",
    "vmov": "vmov vmrs vmsr",
    "vload": "vldr",
    "vstore": "vstr",
    "vloadmulti": "vldmia vldmdb vpop",
    "vstoremulti": "vstmia vstmdb vpush",
    "vop": "vabs vadd vcmp vcmpe vcvt vcvtr vcvtb vcvtt vmul vneg vnmul vsub",
    "vmac": "vmla vmls vnmla vnmls vfma vfms vfnma vfnms",
    "vdiv": "vdiv vsqrt",
}

KIND_OF: dict[str, str] = {name: kind for kind, names in _TABLE.items() for name in names.split()}

# Lists whose base is SP, unwritten.
STACK_LISTS = frozenset({"push", "pop", "vpush", "vpop"})


def access_bytes(mnemonic: str) -> int:
    """Width of a single access of a load or store: 1, 2 or 4."""
    base = mnemonic.removesuffix("t").removeprefix("ldr").removeprefix("str").removeprefix("ex")
    return {"b": 1, "sb": 1, "h": 2, "sh": 2}.get(base, 4)
