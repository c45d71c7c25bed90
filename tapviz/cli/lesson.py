"""The command that writes the lesson."""

from __future__ import annotations

from dataclasses import dataclass

from tapviz.cli.flags import REQUIRED, Command, Given, declared, flag, take
from tapviz.lists.writing import write_atomically


@dataclass(frozen=True, kw_only=True)
class _Lesson:
    output: str = flag("an HTML file", "-o", "--output", metavar="PATH", default=REQUIRED)
    of_class: bool = flag(
        "the page for the teacher, with the answers, instead of the lesson",
        "--class",
        default=False,
    )
    explorer: str = flag(
        "of an explorer that the scenes lead to (default: none)", metavar="URL", default=""
    )


def _lesson(given: Given) -> None:
    from tapviz.lesson.classroom import class_page  # noqa: PLC0415
    from tapviz.lesson.content import html_page  # noqa: PLC0415

    own = take(given, _Lesson)
    write_atomically(own.output, class_page() if own.of_class else html_page(own.explorer))


COMMAND = Command(
    _lesson,
    "write the lesson, or the page for its teacher: one HTML file",
    "Write the lesson 'Why pooled ROC_n misleads' as one HTML file without a server; or the "
    "page that shows the predictions of a class beside the answers.",
    (declared(_Lesson),),
)
