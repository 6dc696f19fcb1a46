# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Fills a template of templates/ with a view. The only importer of jinja2."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_PACKAGE = Path(__file__).resolve().parent.parent
# Inside the package once that is installed, beside it in the repository.
_PLACES = (_PACKAGE / "templates", _PACKAGE.parent / "templates")
TEMPLATES = next((place for place in _PLACES if place.is_dir()), _PLACES[1])


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render(template: str, **view: object) -> str:
    """The text of `template` with the names of `view` put in; lines end in "\\n" alone."""
    text = _environment().get_template(template).render(view)
    return text if text.endswith("\n") else text + "\n"


def render_text(template: str, **view: object) -> str:
    """As `render`, of a template that is given as text."""
    return _environment().from_string(template).render(view)
