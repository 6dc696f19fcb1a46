# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The awkward routines of odd.py, built once for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gen.emit import odd


@pytest.fixture(scope="package")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return odd.built(tmp_path_factory.mktemp("odd"))
