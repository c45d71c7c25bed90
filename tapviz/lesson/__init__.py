"""The lesson "Why pooled ROC_n misleads".

`tapviz.lesson.numbers` makes the two synthetic lists and has every number of the scenes,
`tapviz.lesson.scenes` the scenes as data, ``words/`` their words, and `tapviz.lesson.content` all
of it as one value and as one HTML file. It is shown by ``lesson.js`` in the reader's browser: no
step asks Python. `Lesson` puts it on a served page or into a notebook;
it alone needs Panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapviz.lesson.numbers import two_lists

if TYPE_CHECKING:
    from tapviz.lesson.page import Lesson

__all__ = ["Lesson", "two_lists"]


def __getattr__(name: str) -> type[Lesson]:
    """Load the page only when somebody asks for it."""
    if name == "Lesson":
        from tapviz.lesson.page import Lesson  # noqa: PLC0415

        return Lesson
    raise AttributeError(f"module 'tapviz.lesson' has no attribute {name!r}")
