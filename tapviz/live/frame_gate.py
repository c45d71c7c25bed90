"""Lets the page paint one change before the next is shown: the latest value wins."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn
import param
from panel.custom import JSComponent

from tapviz.live.compat import without_busy_indicator
from tapviz.live.gc_tuning import GC_TUNING
from tapviz.live.script import script


@without_busy_indicator("painted")
class PaintSignal(JSComponent):
    """Answers each frame, by its number, when the page has painted what came with it."""

    frame = param.Integer(default=0)
    painted = param.Integer(default=0)

    _esm = script("paint_signal.js")


class FrameGate:
    """Lets the page show one change before the next is made: the latest value wins.

    A slow drag sends values faster than they can be shown. The page answers when it has painted a
    change; what was chosen meanwhile is then shown at once, and what was overtaken never is.

    Parameters
    ----------
    show : callable
        Shows what is chosen now, given the names of all choices changed since it was last called.
    after_paint : callable, optional
        The same for what the eye can wait for: it goes to the page when it has painted the rest.
    patience : int
        Milliseconds after which the page is not waited for: hidden pages do not paint.
    """

    def __init__(
        self,
        show: Callable[[set[str]], None],
        after_paint: Callable[[set[str]], None] = lambda _changed: None,
        patience: int = 400,
    ) -> None:
        self._show = show
        self._after_paint = after_paint
        self._patience = patience
        self._changed: set[str] = set()
        self._shown: set[str] = set()
        self._busy = False
        self._document = pn.state.curdoc
        self.signal = PaintSignal(width=0, height=0, margin=0)
        """What answers: part of the page."""
        self.signal.param.watch(lambda event: self._painted(event.new), "painted")

    def request(self, changed: set[str]) -> None:
        """Show a change now, or after the one that the page is busy with."""
        self._changed |= changed
        GC_TUNING.page_changed()
        if self._document is not None and pn.state.curdoc is not self._document:
            # Changed from another thread: the page may only be touched in its own turn.
            self._document.add_next_tick_callback(lambda: self.request(set()))
        elif not self._busy:
            self._show_changes()

    def _show_changes(self) -> None:
        changed, self._changed = self._changed, set()
        if not changed:
            return
        self._shown |= changed
        with pn.io.hold():
            self._show(changed)
            if self._document is None:
                self._follow_up()
                return
            self._busy = True
            self.signal.frame += 1
        frame = self.signal.frame
        self._document.add_timeout_callback(lambda: self._painted(frame), self._patience)

    def _follow_up(self) -> None:
        changed, self._shown = self._shown, set()
        if changed:
            self._after_paint(changed)

    def _painted(self, frame: int) -> None:
        if self._busy and frame == self.signal.frame:
            self._busy = False
            with pn.io.hold():
                self._follow_up()
                self._show_changes()
