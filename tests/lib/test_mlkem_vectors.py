# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""ML-KEM against NIST's vectors, on the host and on the emulated board."""

from __future__ import annotations

import pytest

from tests.lib.driver import SETS, Answer, Driver, Request
from tests.vectors.acvp import ML_KEM, Case, cases

CHECKS = {"encapsulationKeyCheck": ("h", "ek", 3), "decapsulationKeyCheck": ("i", "dk", 6)}


def request_for(case: Case, misalign: int) -> Request:
    """What to ask the driver."""
    fields: tuple[str, ...]
    operation, fields = "a", (case.prompt.get("d", "") + case.prompt.get("z", ""),)
    match case.group.get("function"):
        case "encapsulation":
            operation, fields = "c", (case.prompt["ek"], case.prompt["m"])
        case "decapsulation" if "dk" in case.prompt:
            operation, fields = "e", (case.prompt["c"], case.prompt["dk"])
        case "decapsulation":
            operation, fields = "g", (case.prompt["c"], *fields)
        case str(check):
            operation, fields = CHECKS[check][0], (case.prompt[CHECKS[check][1]],)
    parameter = SETS[case.group["parameterSet"]]
    return Request(operation, parameter, tuple(map(bytes.fromhex, fields)), misalign)


def expected_for(case: Case) -> Answer:
    """What the driver must answer."""
    function = case.group.get("function")
    if function in CHECKS:
        return Answer(0 if case.expected["testPassed"] else CHECKS[function][2], ())
    names = {"encapsulation": ("c", "k"), "decapsulation": ("k",), None: ("ek", "dk")}[function]
    return Answer(0, tuple(case.wanted(name) for name in names))


@pytest.mark.parametrize("name", ML_KEM)
def test_acvp(driver: Driver, name: str) -> None:
    every = list(cases(name))
    answers = driver.run(request_for(case, at % 8) for at, case in enumerate(every))
    for case, answer in zip(every, answers, strict=True):
        assert answer == expected_for(case), case.name


def test_every_kind_of_case_is_there() -> None:
    kinds = {
        (case.group["parameterSet"], case.group.get("function"), case.group.get("keyFormat"))
        for name in ML_KEM
        for case in cases(name)
    }
    for name in SETS:
        functions = {function for set_name, function, _ in kinds if set_name == name}
        assert functions == {None, "encapsulation", "decapsulation", *CHECKS}
        assert (name, "decapsulation", "seed") in kinds
    wrong = [c for n in ML_KEM for c in cases(n) if c.expected.get("testPassed") is False]
    assert wrong, "the key checks have no key to refuse"
