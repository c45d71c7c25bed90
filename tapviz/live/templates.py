"""HTML from the templates of the pages' rooms; what is put into them is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

__all__ = ["Markup", "environment", "escape", "render"]

ROOM = Path(__file__).parents[1]
FOLDERS = [ROOM / name / "templates" for name in ("explorer", "page", "lesson")]


@cache
def environment() -> Environment:
    """The environment of all templates."""
    return Environment(
        loader=FileSystemLoader(FOLDERS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def render(name: str, **context: object) -> str:
    """Fill in a template.

    Parameters
    ----------
    name : str
        Of its file in a folder `templates`, such as "score_table.html".
    **context
        What the template names: text is escaped, `markupsafe.Markup` is not. A name that is
        missing is an error.

    Returns
    -------
    str
        HTML.

    Raises
    ------
    jinja2.TemplateNotFound
        If there is no such file.
    jinja2.UndefinedError
        If the template names something that is not given.
    """
    return environment().get_template(name).render(context)
