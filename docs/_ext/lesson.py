"""Writes what is alive beside the pages: the lesson, the page for its teacher, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from stand_ins import REPORT

from tapviz import Explorer, load_results
from tapviz.explorer.report import report
from tapviz.lesson.classroom import class_page
from tapviz.lesson.content import html_page


def living() -> str:
    """The report of the bundled searches that the page shows first."""
    results = load_results()
    shown = Explorer(results).shown
    return report(Explorer({name: results[name] for name in shown}), title="Protein domains")


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the files once the site is built."""
    if error is None and app.builder.format == "html":
        pages = {
            "lesson.html": html_page(),
            "class.html": class_page(),
            f"notebooks/{REPORT}": living(),
        }
        for name, page in pages.items():
            Path(app.outdir, name).write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the files at the end of a build."""
    app.connect("build-finished", write, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
