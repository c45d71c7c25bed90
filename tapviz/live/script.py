"""The JavaScript that a page runs, and its style sheets."""

from __future__ import annotations

from importlib.resources import files


def script(name: str, package: str = "tapviz.live") -> str:
    """Text of a JavaScript file of a package with all that it imports, made by ``npm run build``.

    Panel and Bokeh run a text, and a text in the page has no place from which to import another.
    """
    return files(package).joinpath("bundles", name).read_text(encoding="utf-8")


def style_sheet(name: str, package: str = "tapviz.live") -> str:
    """Text of a style sheet of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


STYLE = style_sheet("page.css")
"""Style sheet of the page."""
