"""When a process that serves pages looks for garbage: while no hand is at work.

To look through all there is takes a tenth of a second and more, and Bokeh and Panel ask for it
whenever a page has been left, in the middle of what somebody does on another.
"""

from __future__ import annotations

import asyncio
import gc
from time import monotonic

QUIET = 5.0
"""Seconds without a change of any page after which no hand is at work."""
PATIENCE = 60.0
"""Seconds after which pages that were left are looked through all the same."""


class Garbage:
    """Looks through what pages are made of once they have been left, and nobody else does.

    What is kept is passed over by every search but this one. In a process that does not serve,
    as a notebook, it changes nothing.
    """

    def __init__(self) -> None:
        self._serves = False
        self._changed = self._left = 0.0
        self._waits = False

    def serve(self) -> None:
        """Keep what is loaded, once: the process serves pages and does nothing else."""
        if not self._serves:
            self._serves = True
            gc.collect()
            gc.freeze()

    def opened(self) -> None:
        """Keep what a page is made of, too."""
        if self._serves:
            gc.freeze()

    def changed(self) -> None:
        """A hand is at work on some page."""
        self._changed = monotonic()

    def left(self) -> None:
        """Look through everything soon, now that a page has been left; in a running loop."""
        if self._serves and not self._waits:
            asyncio.get_running_loop().call_later(QUIET, self._look)
            self._waits, self._left = True, monotonic()

    def _look(self) -> None:
        now = monotonic()
        rest = self._changed + QUIET - now
        if rest > 0 and now < self._left + PATIENCE:
            asyncio.get_running_loop().call_later(rest, self._look)
            return
        self._waits = False
        gc.unfreeze()
        gc.collect()
        gc.freeze()


GARBAGE = Garbage()
