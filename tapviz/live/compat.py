"""What leans on names of Bokeh and Panel that are not public, each with what it buys."""

from __future__ import annotations

import panel as pn


def without_delay() -> None:
    """Send what is written to the page at once.

    A message is written in three parts. By default the system holds the second back until the
    page has acknowledged the first, which it may do 40 ms later.
    """
    session = pn.state.curdoc.session_context.session
    for connection in getattr(session, "_subscribed_connections", ()):
        connection._socket.set_nodelay(True)  # noqa: SLF001  # no public name leads there
