"""How slow work reports its progress, and is cancelled."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Cancelled", "OnProgress"]

OnProgress = Callable[[int, int], bool | None]
"""Called with what is done and the total; False stops the work."""


class Cancelled(Exception):  # noqa: N818  # nothing is wrong
    """The work was stopped by its `progress`.

    Examples
    --------
    >>> from tapviz import bootstrap, load_results
    >>> from tapviz.measures import Cancelled
    >>> try:
    ...     bootstrap(load_results("profiles"), k=5, progress=lambda done, total: False)
    ... except Cancelled:
    ...     print("stopped")
    stopped
    """


class Progress:
    """How much of a total is done, which is reported at once and whenever there is more."""

    def __init__(self, progress: OnProgress | None, total: int) -> None:
        self._progress, self._done, self._total = progress, 0, total
        self.add(0)

    def add(self, done: int) -> None:
        """Report that so much more is done."""
        self._done += done
        advance(self._progress, self._done, self._total)


def advance(progress: OnProgress | None, done: int, total: int) -> None:
    """Report how far the work is.

    Raises
    ------
    Cancelled
        If `progress` returned False.
    """
    if progress is not None and progress(done, total) is False:
        raise Cancelled
