"""How slow work tells how far it is, and is stopped."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], bool | None]
"""Called with what is done and the total; False stops the work."""


class Cancelled(Exception):  # noqa: N818  # nothing is wrong: somebody no longer wants it
    """The work was stopped by its `progress`."""


def advance(progress: Progress | None, done: int, total: int) -> None:
    """Tell how far the work is.

    Raises
    ------
    Cancelled
        If the work shall stop.
    """
    if progress is not None and progress(done, total) is False:
        raise Cancelled
