# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The switch that decides which generated files are compiled: armscribe_backend.h, and the guard macros it defines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from gen.cores.core import Core, lineage
from gen.emit.render import render

PORTABLE = "ARMSCRIBE_BACKEND_PORTABLE"

_PROFILE = "defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE"
_THUMB2 = "defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB >= 2"
# What the compiler's ACLE macros (Arm C Language Extensions, chapter "Feature test macros") say of a core.
_HAS = {
    "thumb2": f"{_PROFILE} == 'M' && {_THUMB2}",
    # Code of the A profile is of one state, and its callers may be of the other.
    "thumb2 A": f"{_PROFILE} == 'A' && {_THUMB2} && defined(__thumb__)",
    "a32 A": f"{_PROFILE} == 'A' && __ARM_ARCH >= 7 && defined(__arm__) && !defined(__thumb__)",
    "aarch64": "defined(__aarch64__) && defined(__LP64__)",
    "dsp": "defined(__ARM_FEATURE_DSP)",
    "sha3": "defined(__ARM_FEATURE_SHA3)",
    # Of the cores with Thumb-2, long multiplications take their time by the data on Armv7-M without DSP alone.
    "longmul": "(defined(__ARM_FEATURE_DSP) || __ARM_ARCH >= 8)",
    "fpregs": "defined(__ARM_FP)",
}
_SAYS = {
    "thumb2": "Thumb-2 (M profile)",
    "thumb2 A": "Thumb-2 (A profile)",
    "a32 A": "A32 (Armv7-A)",
    "aarch64": "AArch64 (LP64)",
    "dsp": "the DSP extension",
    "sha3": "the SHA-3 extension",
    "longmul": "long multiplications of fixed time",
    "fpregs": "FP registers",
}


_BASES = ("thumb2", "a32", "aarch64")


def guard(core: str, form: str) -> str:
    """The macro under which the file of this core and form has content: "ARMSCRIBE_BACKEND_CORTEX_M4_GAS"."""
    if form == "portable":
        return PORTABLE
    return f"ARMSCRIBE_BACKEND_{core}_{form}".upper().replace("-", "_")


def shared(core: str, form: str) -> str:
    """The macro that stands for a core's choice, and for that of every core like it."""
    return guard(core, form).replace("_BACKEND_", "_CODE_")


def families(cores: Iterable[Core]) -> dict[str, list[str]]:
    """Keys of real cores by that of the core they are all like, in order of keys, that one first."""
    found: dict[str, list[str]] = {}
    for core in sorted(cores, key=lambda core: (bool(core.like), core.key)):
        if not core.pretend:
            found.setdefault(lineage(core)[0].key, []).append(core.key)
    return found


def condition(takers: Collection[tuple[str, str]], cores: Sequence[Core]) -> str:
    """When a file has content: for these (core, form), of all `cores`. The form `portable` stands without a core."""
    forms = sorted({form for _, form in takers})
    parts = [f"defined({PORTABLE})"] if "portable" in forms else []
    for form in forms:
        for root, family in families(cores).items():
            parts += _of_family(root, form, [(key, (key, form) in takers) for key in family])
    return " || \\\n    ".join(parts)


def _of_family(root: str, form: str, members: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """All, all but some, or some."""
    having = [guard(key, form) for key, takes in members if takes]
    lacking = [guard(key, form) for key, takes in members if not takes]
    if having and len(having) > len(lacking):
        parts = [f"defined({shared(root, form)})", *(f"!defined({name})" for name in lacking)]
        yield parts[0] if not lacking else f"({' && '.join(parts)})"
    else:
        yield from (f"defined({name})" for name in having)


def needs(core: Core) -> tuple[str, ...]:
    """Keys of _HAS that the code of this core rests on."""
    named = {"A": {"thumb2": "thumb2 A", "a32": "a32 A"}}.get(core.profile, {})
    bases = (named.get(table, table) for table in _BASES if table in core.isa)
    return (*bases, *(key for key in ("dsp", "longmul", "fpregs", "sha3") if key in core.features))


def _fits(core: Core) -> str:
    return " && \\\n      ".join(
        (*(_HAS[key] for key in needs(core)), "!defined(__ARM_BIG_ENDIAN)")
    )


def _default(forms: Sequence[str]) -> str:
    return "inline" if "inline" in forms else forms[0]


def backend_header(cores: Iterable[Core], forms_of: Callable[[Core], Sequence[str]]) -> str:
    """Text of armscribe_backend.h for the cores that have files, each in its forms (without `portable`).

    Without the user's choice the inline form of the most demanding fitting core is taken, among cores that leave
    the FP registers alone.
    """
    ordered = sorted(cores, key=lambda core: (-len(core.features), bool(core.like), core.key))
    rows = [
        {
            "name": core.name,
            "guards": [guard(core.key, form) for form in forms_of(core)],
            "default": guard(core.key, _default(forms_of(core))),
            "fits": _fits(core),
            "automatic": "fpregs" not in core.features,
            "says": ", ".join(_SAYS[key] for key in needs(core)),
        }
        for core in ordered
    ]
    every = [
        PORTABLE,
        *(name for core in ordered for name in (guard(core.key, f) for f in forms_of(core))),
    ]
    alike = [
        {"name": shared(root, form), "guards": [guard(key, form) for key in family]}
        for root, family in families(ordered).items()
        for form in forms_of(next(core for core in ordered if core.key == root))
    ]
    short = f"{_HAS['thumb2']} && \\\n    !{_HAS['longmul']}"
    return render(
        "backend.h.j2", cores=rows, every=every, portable=PORTABLE, alike=alike, short=short
    )
