"""Work that is done in steps, one in each turn of the event loop, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Generator
from inspect import GEN_CLOSED, getgeneratorstate
from weakref import WeakSet

import panel as pn

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
        with pn.io.hold():
            going_on = next(steps, steps) is not steps
        if going_on:
            document.add_next_tick_callback(take_one)

    document.add_next_tick_callback(take_one)


def in_turns_if_idle(steps: Generator[None]) -> None:
    """The same, unless steps of another page are being taken: then those here are left alone."""
    if all(getgeneratorstate(others) == GEN_CLOSED for others in _BEGUN):
        in_turns(steps)
