# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The kinds of decoded instructions: complete, known to the cores, those of the forms."""

import re

import pytest

from gen import isa
from gen.cores.core import KINDS
from gen.isa.kinds import KIND_OF, access_bytes


def base(form: isa.Form) -> str:
    """Mnemonic of a form as a disassembler names it."""
    name = re.sub(r"\{\w+\.half\}", "b", form.text.split(" ")[0]).split(".")[0]
    name = re.sub(r"\{.*", "", name)
    return name if name in KIND_OF else name.removesuffix("s")


def test_every_kind_has_prices() -> None:
    assert set(KIND_OF.values()) == set(KINDS)
    assert {form.kind for form in isa.all_forms()} <= set(KINDS)


@pytest.mark.parametrize("form", isa.all_forms(), ids=lambda form: f"{form.name} {form.syntax}")
def test_forms_and_decoder_agree(form: isa.Form) -> None:
    assert KIND_OF[base(form)] == form.kind
    if form.kind in ("load", "store"):
        assert access_bytes(base(form)) == form.size_bytes


@pytest.mark.parametrize(
    ("mnemonic", "size"),
    [("ldr", 4), ("ldrt", 4), ("strb", 1), ("ldrsb", 1), ("ldrsh", 2), ("strht", 2), ("ldrexb", 1)],
)
def test_access_width(mnemonic: str, size: int) -> None:
    assert access_bytes(mnemonic) == size
