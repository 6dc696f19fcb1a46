# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""Fills a template of templates/ with a view. The only importer of jinja2."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).resolve().parent.parent.parent / "templates"


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
