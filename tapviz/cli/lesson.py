"""The command that writes the lesson."""

from __future__ import annotations

from dataclasses import dataclass

from tapviz.cli.arguments import add_files, inputs_of, open_once
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
    from tapviz.lesson.own import own_page  # noqa: PLC0415

    own = take(given, _Lesson)
    opened = open_once(*inputs_of(given))
    if opened and (own.of_class or own.explorer):
        msg = f"{'--class' if own.of_class else '--explorer'}: is of the lesson, which has no files"
        raise ValueError(msg)
    if opened:
        page = own_page(opened.results)
    else:
        page = class_page() if own.of_class else html_page(own.explorer)
    write_atomically(own.output, page)


COMMAND = Command(
    _lesson,
    "write the lesson, or the page for its teacher: one HTML file",
    "Write the lesson 'Why pooled ROC_n misleads' as one HTML file without a server; or the "
    "page that shows the predictions of a class beside the answers; or, given the results of two "
    "programs, its opening with these.",
    (add_files, declared(_Lesson)),
)
