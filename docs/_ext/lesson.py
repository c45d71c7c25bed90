"""Writes what is alive beside the pages: the lesson, the page for its teacher, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from stand_ins import REPORT

from tapviz import Explorer, load_results, save_report
from tapviz.lesson.classroom import class_page
from tapviz.lesson.content import html_page


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the files once the site is built."""
    if error is None and app.builder.format == "html":
        for name, page in (("lesson.html", html_page()), ("class.html", class_page())):
            Path(app.outdir, name).write_text(page, encoding="utf-8")
        explorer = Explorer(load_results("scope40"))
        save_report(explorer, Path(app.outdir, "notebooks", REPORT), title="scope40")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the files at the end of a build."""
    app.connect("build-finished", write, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
