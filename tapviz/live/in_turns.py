"""Work that is done in steps, one in each turn of the event loop, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Iterator

import panel as pn


def in_turns(steps: Iterator[object]) -> None:
    """Take steps one after the other; on a page the next one waits for its turn.

    Between two of them the server answers everybody else, and sends what the last has made.
    Where there is no page all are taken at once.

    Parameters
    ----------
    steps : iterator
        Does a step whenever it is asked for the next item; `close` of a generator ends it.
    """
    document = pn.state.curdoc
    if document is None:
        for _ in steps:
            pass
        return

    def take_one() -> None:
        with pn.io.hold():
            going_on = next(steps, steps) is not steps
        if going_on:
            document.add_next_tick_callback(take_one)

    document.add_next_tick_callback(take_one)
