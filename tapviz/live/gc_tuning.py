"""When garbage is collected: of pages that are served, while nobody is working on any of them.

A full collection takes a tenth of a second and more, and Bokeh and Panel ask for one whenever
a page has been closed, in the middle of what somebody does on another.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

QUIET = 5.0
"""Seconds without a change of any page after which nobody is working."""
PATIENCE = 60.0
"""Seconds after which what closed pages were made of is collected all the same."""


class GcTuning:
    """Postpones garbage collection, in a process that serves, until its pages are at rest.

    Objects that are frozen are passed over by every collection but the one here. Until `start` is
    called it changes nothing: a notebook or a script keeps Python's own settings.
    """

    def __init__(self) -> None:
        self._started = self._scheduled = False
        self._changed_at = self._closed_at = 0.0

    def start(self, give_back: Callable[[], None] = lambda: None) -> None:
        """Freeze what is loaded, once: the process serves pages and does nothing else.

        Parameters
        ----------
        give_back : callable, optional
            Gives memory that was collected back to the system.
        """
        if not self._started:
            self._started, self._give_back = True, give_back
            gc.collect()
            gc.freeze()

    def page_opened(self) -> None:
        """Freeze what a page is made of, too."""
        if self._started:
            gc.freeze()

    def page_changed(self) -> None:
        """Note that somebody is working on some page."""
        self._changed_at = monotonic()

    @property
    def rested(self) -> float:
        """Seconds since somebody changed any page."""
        return monotonic() - self._changed_at

    def page_closed(self) -> None:
        """Collect everything soon; called where an event loop runs."""
        if self._started and not self._scheduled:
            _call_later(QUIET, self._collect)
            self._scheduled, self._closed_at = True, monotonic()

    def _collect(self) -> None:
        remaining = QUIET - self.rested
        if remaining > 0 and monotonic() < self._closed_at + PATIENCE:
            _call_later(remaining, self._collect)
            return
        self._scheduled = False
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._give_back()


def _call_later(delay: float, call: Callable[[], None]) -> None:
    import asyncio  # noqa: PLC0415  # not for the command line, which never waits

    asyncio.get_running_loop().call_later(delay, call)


GC_TUNING = GcTuning()
"""That of this process; `tapviz.cli.server` starts it."""


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Disable garbage collection in what ends soon: most of what it makes stays."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
