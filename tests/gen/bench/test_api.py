# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The library's headers as the benchmark reads them."""

from pathlib import Path

import pytest

from gen.bench.api import Api, Param, number, prototype
from gen.cores.core import load_core
from gen.emu.build import BuildError

M4 = load_core("cortex-m4")


@pytest.fixture(scope="module")
def api(root: Path) -> Api:
    return Api.read(root, M4)


def test_functions_and_constants(api: Api) -> None:
    keygen = api["armscribe_mlkem768_keygen_derand"]
    assert keygen.answers and [param.name for param in keygen.params][:3] == ["ek", "dk", "seed"]
    assert [param.size for param in keygen.params][:3] == [1184, 2400, 64]
    assert [param.const for param in keygen.params][:3] == [False, False, True]
    assert not api["armscribe_wipe"].answers
    assert api.constants["ARMSCRIBE_MLKEM768_EK_BYTES"] == 1184
    assert "armscribe_keccak_permute" in api.prototypes


def test_work_space_is_found_by_the_name(api: Api) -> None:
    assert api.workspace("armscribe_mldsa65_sign_mu") == api.workspace("armscribe_mldsa65_sign")
    assert api.workspace("armscribe_mldsa65_sign") > api.workspace("armscribe_mldsa44_sign")
    with pytest.raises(KeyError, match="how much work space armscribe_sha256 needs"):
        api.workspace("armscribe_sha256")
    with pytest.raises(KeyError, match="no header of the library declares armscribe_rsa"):
        api["armscribe_rsa"]


def test_constants_are_those_of_the_flags(root: Path, api: Api) -> None:
    small = Api.read(root, M4, ["-Os", "-DARMSCRIBE_SMALL"])
    name = "armscribe_mldsa65_sign"
    assert small.workspace(name) < api.workspace(name)


def test_declarations() -> None:
    found = prototype("void", "armscribe_f", "uint8_t out[2 * 16],\n const uint8_t *in, size_t n")
    assert found.params == (
        Param("out", "uint8_t", True, 32),
        Param("in", "const uint8_t", True, None),
        Param("n", "size_t", False, None),
    )
    with pytest.raises(BuildError, match="cannot read the parameter"):
        prototype("int", "armscribe_f", "int (*f")


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("(1024 + 3 * (4))", 1036),
        ("0x10", 16),
        ("f(3)", None),
        ("a + 1", None),
        ("1 +", None),
        ("(int)", None),
        ("1.5", None),
    ],
)
def test_constant_expressions(term: str, value: int | None) -> None:
    assert number(term) == value


def test_headers_that_do_not_compile_are_told(tmp_path: Path) -> None:
    (tmp_path / "lib/include/armscribe").mkdir(parents=True)
    (tmp_path / "lib/include/armscribe/x.h").write_text("#error planted\n")
    with pytest.raises(BuildError, match="planted"):
        Api.read(tmp_path, M4)
