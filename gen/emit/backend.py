# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The switch that decides which generated files are compiled: armscribe_backend.h, and the guard macros it defines."""

from __future__ import annotations

from collections.abc import Iterable

from gen.cores.core import Core
from gen.emit.render import render

PORTABLE = "ARMSCRIBE_BACKEND_PORTABLE"

# What the compiler's ACLE macros (Arm C Language Extensions, chapter "Feature test macros") say of a core.
_HAS = {
    "thumb2": "defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && "
    "defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB >= 2",
    "dsp": "defined(__ARM_FEATURE_DSP)",
    "fpregs": "defined(__ARM_FP)",
}
_SAYS = {"thumb2": "Thumb-2 (M profile)", "dsp": "the DSP extension", "fpregs": "FP registers"}


def guard(core: str, form: str) -> str:
    """The macro under which the file of this core and form has content: "ARMSCRIBE_BACKEND_CORTEX_M4_GAS"."""
    if form == "portable":
        return PORTABLE
    return f"ARMSCRIBE_BACKEND_{core}_{form}".upper().replace("-", "_")


def needs(core: Core) -> tuple[str, ...]:
    """Keys of _HAS that the code of this core rests on."""
    return ("thumb2", *(key for key in ("dsp", "fpregs") if key in core.features))


def _fits(core: Core) -> str:
    return " && \\\n      ".join(
        (*(_HAS[key] for key in needs(core)), "!defined(__ARM_BIG_ENDIAN)")
    )


def backend_header(cores: Iterable[Core], forms: Iterable[str]) -> str:
    """Text of armscribe_backend.h for the cores that have files, in these forms (without `portable`).

    Without the user's choice the inline form of the most demanding fitting core is taken, among cores that leave
    the FP registers alone.
    """
    ordered = sorted(cores, key=lambda core: (-len(core.features), core.key))
    forms = tuple(forms)
    rows = [
        {
            "name": core.name,
            "guards": [guard(core.key, form) for form in forms],
            "default": guard(core.key, "inline" if "inline" in forms else forms[0]),
            "fits": _fits(core),
            "automatic": "fpregs" not in core.features,
            "says": ", ".join(_SAYS[key] for key in needs(core)),
        }
        for core in ordered
    ]
    every = [PORTABLE, *(name for core in ordered for name in (guard(core.key, f) for f in forms))]
    return render("backend.h.j2", cores=rows, every=every, portable=PORTABLE)
