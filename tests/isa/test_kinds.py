# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The kinds of decoded instructions: complete, known to the cores, as the forms have them."""

import pytest

from gen import isa
from gen.cores.kinds import KINDS
from gen.isa.kinds import KIND_OF, access_bytes, base_names
from gen.isa.tables import M_PROFILE


def test_every_kind_has_prices() -> None:
    assert set(KIND_OF.values()) == {kind for kind, of in KINDS.items() if {*of} & {*M_PROFILE}}
    assert {form.kind for form in isa.all_forms()} <= set(KINDS)


@pytest.mark.parametrize(
    ("mnemonic", "kind"),
    [
        ("add", "alu"),
        ("addw", "alu"),
        ("bic", "alu"),
        ("sxth", "bits"),
        ("mls", "mac"),
        ("smulbt", "dsp"),
        ("smlatt", "dspmac"),
        ("smlaldx", "dspmac"),
        ("uhsub16", "simd"),
        ("umaal", "mac64"),
        ("ldrsb", "load"),
        ("vldmia", "vloadmulti"),
        ("it", "it"),
        ("b", "branch"),
        ("bx", "return"),
    ],
)
def test_kind(mnemonic: str, kind: str) -> None:
    assert KIND_OF[mnemonic] == kind


def test_the_widths_of_forms_are_those_of_their_names() -> None:
    for form in isa.all_forms():
        if form.kind in ("load", "store"):
            assert {access_bytes(name) for name in base_names(form)} == {form.size_bytes}


@pytest.mark.parametrize(
    ("mnemonic", "size"),
    [("ldr", 4), ("ldrt", 4), ("strb", 1), ("ldrsb", 1), ("ldrsh", 2), ("strht", 2), ("ldrexb", 1)],
)
def test_access_width(mnemonic: str, size: int) -> None:
    assert access_bytes(mnemonic) == size
