"""Writes the lesson and the page for its teacher beside the pages of the site, one file each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from tapviz.lesson.classroom import class_page
from tapviz.lesson.content import html_page


def write(app: Sphinx, error: Exception | None) -> None:
    """Write both files once the site is built."""
    if error is None and app.builder.format == "html":
        for name, page in (("lesson.html", html_page()), ("class.html", class_page())):
            Path(app.outdir, name).write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the files at the end of a build."""
    app.connect("build-finished", write, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
