# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What every test can ask for: the repository's root, golden files that `make bless` accepts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("any-machine", deadline=None)  # a busy machine is no error
settings.load_profile("any-machine")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="accept new golden output")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return ROOT


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """A function (file, text) that fails where the text is not the file's; --bless writes it."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--bless"):
            path.write_text(text, encoding="utf-8", newline="\n")
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        assert text == expected, f"{path} differs; `make bless` accepts the new text"

    return compare
