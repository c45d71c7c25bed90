"""The lesson on a served page and in a notebook; it is shown by the browser alone."""

from __future__ import annotations

import html
from concurrent.futures import Future
from functools import cache
from pathlib import Path

import panel as pn
import param
from panel.custom import JSComponent

from tapviz.lesson.content import MODULE, encoded, html_page, styles
from tapviz.lists.writing import write_atomically
from tapviz.live.background import thread_pool

FRAME_HEIGHT = 820
"""Pixels of the lesson in a notebook."""


@cache
def build_ahead() -> Future[str]:
    """Begin to make the lesson in a thread, once in a process; the lesson as base64 of JSON."""
    return thread_pool().submit(encoded)


class Player(JSComponent):  # Bokeh tells a page only of models without an underscore
    """The module that shows the lesson. Nothing comes back from it."""

    content = param.String()
    explorer = param.String(default="?")

    _esm = MODULE


class Lesson(pn.viewable.Viewer):
    """The lesson "Why pooled ROC_n misleads": served, or as the output of a cell.

    In a notebook it is a page of its own inside the output, which needs neither kernel nor network:
    it works when the notebook is opened again, too.

    Examples
    --------
    >>> from tapviz.lesson import Lesson
    >>> lesson = Lesson()
    >>> lesson.save("lesson.html")
    """

    def __panel__(self) -> pn.viewable.Viewable:
        """The lesson as a component of a served page, which gets its content when there is any."""
        document, built = pn.state.curdoc, build_ahead()
        look = {"sizing_mode": "stretch_width", "stylesheets": [styles()]}
        player = Player(**look)  # type: ignore[no-untyped-call]  # Panel says no types of it
        if document is None or built.done():
            player.content = built.result()
        else:

            def fill() -> None:
                player.content = built.result()

            built.add_done_callback(lambda _: document.add_next_tick_callback(fill))
        return player

    def _repr_mimebundle_(self, *_: object, **__: object) -> dict[str, str]:
        """The lesson as the output of a cell, whatever of it is asked for."""
        page = html.escape(html_page(), quote=True)
        style = f"width:100%;height:{FRAME_HEIGHT}px;border:1px solid #ddd;border-radius:8px"
        return {
            "text/html": f'<iframe title="Lesson" style="{style}" srcdoc="{page}"></iframe>',
            "text/plain": "Lesson()",
        }

    def save(self, path: str | Path, **_: object) -> None:
        """Write the lesson as one HTML file that fetches nothing.

        Parameters
        ----------
        path : str or Path
        """
        write_atomically(path, html_page())
