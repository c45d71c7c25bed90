"""Work in turns: a page paints one change before the next; long work is done in steps."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from inspect import GEN_CLOSED, getgeneratorstate
from weakref import WeakSet

import panel as pn
import param

from tapviz.live.gc_tuning import GC_TUNING
from tapviz.live.parts import Component
from tapviz.live.script import script

PATIENCE = 400
"""Milliseconds after which a page is not waited for: hidden pages do not paint."""
_BEGUN: WeakSet[Generator[None]] = WeakSet()


def in_turns(steps: Generator[None]) -> None:
    """Take steps one after the other; on a page the next one waits for its turn.

    Between two of them the server answers everybody else, and sends what the last has made.
    Where there is no page all are taken at once.

    Parameters
    ----------
    steps : generator
        Does a step whenever it is asked for the next item; `close` ends it.
    """
    document = pn.state.curdoc
    if document is None:
        for _ in steps:
            pass
        return
    _BEGUN.add(steps)

    def take_one() -> None:
        # For each change of a place Bokeh would look through all models of the page.
        with pn.io.hold(), document.models.freeze():
            going_on = next(steps, steps) is not steps
        if going_on:
            document.add_next_tick_callback(take_one)

    document.add_next_tick_callback(take_one)


def in_turns_if_idle(steps: Generator[None]) -> None:
    """The same, unless steps of another page are being taken: then those here are left alone."""
    if all(getgeneratorstate(others) == GEN_CLOSED for others in _BEGUN):
        in_turns(steps)


class Hand(Component):
    """What follows a hand that moves a slider: in the page where it can, else by the server.

    Answers each frame of the server, by its number, when the page has painted what came with it.
    """

    frame = param.Integer(default=0)
    painted = param.Integer(default=0)
    views = param.Dict(default={}, doc="Views that have just been made, by setting and part.")
    moving = param.List(default=[], doc="Settings and parts whose view is that of the present.")
    alone = param.List(default=[], doc="Settings that move nothing which the page does not know.")
    pace = param.Integer(default=1000, doc="Milliseconds between two places that are told.")
    place = param.Tuple(default=("", 0), doc="Setting and position that Python chose.")
    settled = param.Integer(default=0, doc="How often the page has gone back to what it was sent.")
    held = param.Boolean(default=False, doc="Whether a hand is moving what is shown.")
    shades = param.Dict(default={}, doc="Colours of a light page that are others on this one.")

    _esm = script("hand.js")


@dataclass(eq=False)
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
    """

    show: Callable[[set[str]], None]
    after_paint: Callable[[set[str]], None] = lambda _changed: None

    def __post_init__(self) -> None:
        self._changed: set[str] = set()
        self._shown: set[str] = set()
        self._busy = False
        self._document = pn.state.curdoc
        self.signal = Hand(width=0, height=0)
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
            self.show(changed)
            if self._document is None:
                self._follow_up()
                return
            self._busy = True
            self.signal.frame += 1
        frame = self.signal.frame
        self._document.add_timeout_callback(lambda: self._painted(frame), PATIENCE)

    def _follow_up(self) -> None:
        changed, self._shown = self._shown, set()
        if changed:
            self.after_paint(changed)

    def _painted(self, frame: int) -> None:
        if self._busy and frame == self.signal.frame:
            self._busy = False
            with pn.io.hold():
                self._follow_up()
                self._show_changes()
