"""The command that writes a report."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tapviz.cli.arguments import add_files
from tapviz.cli.choices import add_choices, explorer_of
from tapviz.cli.command import Command
from tapviz.cli.terminal import show_progress


def _report(given: dict[str, Any]) -> None:
    from tapviz.explorer.report import save_report  # noqa: PLC0415

    target, plain = given.pop("output"), given.pop("plain")
    title, findings = given.pop("title"), given.pop("findings")
    explorer, opened = explorer_of(given)
    save_report(
        explorer,
        target,
        title=title or opened.title,
        opening=opened.opening,
        about=opened.about,
        findings=findings,
        doubts=opened.doubts,
        plain=plain,
        progress=show_progress if sys.stderr.isatty() else None,
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="an HTML file")
    parser.add_argument(
        "--title", default="", metavar="TEXT", help="its title (default: what was opened)"
    )
    parser.add_argument(
        "--findings",
        default="",
        metavar="TEXT",
        help="what you found, in your own words, to stand at the top",
    )
    parser.add_argument("--plain", action="store_true", help="without scripts: nothing in it moves")


COMMAND = Command(
    _report,
    "write a report: one HTML file with scores, plots and settings",
    "Write one HTML file with scores, plots, settings and what was read, in which k, E_0 and n "
    "still move.",
    (add_files, _add_report, add_choices),
)
