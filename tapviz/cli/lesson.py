"""The command that writes the lesson."""

from __future__ import annotations

import argparse
from typing import Any

from tapviz.cli.command import Command
from tapviz.lists.writing import write_atomically


def _lesson(given: dict[str, Any]) -> None:
    from tapviz.lesson.classroom import class_page  # noqa: PLC0415
    from tapviz.lesson.content import html_page  # noqa: PLC0415

    page = class_page() if given["class"] else html_page(given["explorer"])
    write_atomically(given["output"], page)


def _add_lesson(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="an HTML file")
    parser.add_argument(
        "--class",
        action="store_true",
        help="the page for the teacher, with the answers, instead of the lesson",
    )
    parser.add_argument(
        "--explorer",
        default="",
        metavar="URL",
        help="of an explorer that the scenes lead to (default: none)",
    )


COMMAND = Command(
    _lesson,
    "write the lesson, or the page for its teacher: one HTML file",
    "Write the lesson 'Why pooled ROC_n misleads' as one HTML file without a server; or the "
    "page that shows the predictions of a class beside the answers.",
    (_add_lesson,),
)
