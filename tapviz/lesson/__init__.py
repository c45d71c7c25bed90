"""The lesson "Why pooled ROC_n misleads", and its pieces.

`tapviz.lesson.lists` makes the two synthetic lists, `tapviz.lesson.numbers` has every number of the
scenes, `tapviz.lesson.progress` is the state of a reader, `tapviz.lesson.scenes` the words,
`tapviz.lesson.barcode` and `tapviz.lesson.lines` are pictures, `tapviz.lesson.saved` the page to
keep. `Lesson` puts them on a screen; it alone needs Panel.
"""

from typing import Any

from tapviz.lesson.lists import two_lists
from tapviz.lesson.progress import Progress

__all__ = ["Lesson", "Progress", "two_lists"]


def __getattr__(name: str) -> Any:
    """Load the page only when somebody asks for it."""
    if name == "Lesson":
        from tapviz.lesson.page import Lesson  # noqa: PLC0415

        return Lesson
    msg = f"module 'tapviz.lesson' has no attribute {name!r}"
    raise AttributeError(msg)
