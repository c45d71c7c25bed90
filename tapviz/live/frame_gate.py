"""Lets the page paint one change before the next is made: the latest value wins."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn
import param
from panel.custom import JSComponent

from tapviz.live.gc_tuning import GARBAGE


class Painted(JSComponent):
    """Answers each turn, by its number, when the page has painted what came with it."""

    _busy__ignore = ("painted",)

    turn = param.Integer(default=0)
    painted = param.Integer(default=0)

    _esm = """
    export function render({ model }) {
        model.on("turn", () => {
            const turn = model.turn
            requestAnimationFrame(() => setTimeout(() => { model.painted = turn }, 0))
        })
        return document.createElement("div")
    }
    """


class FrameGate:
    """Lets the page show one change before the next is made: the latest value wins.

    A slow drag sends values faster than they can be shown. The page answers when it has painted a
    change; what was chosen meanwhile is then shown at once, and what was overtaken never is.

    Parameters
    ----------
    show : callable
        Shows what is chosen now, given the names of all choices changed since it was last called.
    say : callable, optional
        The same of what the eye can wait for: it goes to the page when it has painted the rest.
    """

    PATIENCE = 400
    """Milliseconds after which the page is given up on: hidden pages do not paint."""

    def __init__(
        self,
        show: Callable[[set[str]], None],
        say: Callable[[set[str]], None] = lambda _changed: None,
    ) -> None:
        self._show = show
        self._say = say
        self._changed: set[str] = set()
        self._unsaid: set[str] = set()
        self._busy = False
        self._document = pn.state.curdoc
        self.view = Painted(width=0, height=0, margin=0)
        self.view.param.watch(lambda event: self._free(event.new), "painted")

    def take(self, changed: set[str]) -> None:
        """Show a change now, or after the one that the page is busy with."""
        self._changed |= changed
        GARBAGE.changed()
        if self._document is not None and pn.state.curdoc is not self._document:
            # Changed from another thread: the page may only be touched in its own turn.
            self._document.add_next_tick_callback(lambda: self.take(set()))
        elif not self._busy:
            self._go()

    def _go(self) -> None:
        changed, self._changed = self._changed, set()
        if not changed:
            return
        self._unsaid |= changed
        with pn.io.hold():
            self._show(changed)
            if self._document is None:
                self._follow()
                return
            self._busy = True
            self.view.turn += 1
        turn = self.view.turn
        self._document.add_timeout_callback(lambda: self._free(turn), self.PATIENCE)

    def _follow(self) -> None:
        changed, self._unsaid = self._unsaid, set()
        if changed:
            self._say(changed)

    def _free(self, turn: int) -> None:
        if self._busy and turn == self.view.turn:
            self._busy = False
            with pn.io.hold():
                self._follow()
                self._go()
