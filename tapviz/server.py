"""Serves the pages. Only here are settings of the whole process changed: see `tune_process`."""

from __future__ import annotations

import sys
from functools import partial
from urllib.parse import parse_qs

import panel as pn
from panel.viewable import Viewer

from tapviz.dashboard.app import App
from tapviz.inputs import Opened
from tapviz.lesson.page import Lesson, figure4
from tapviz.live.compat import remember_defaults, send_without_delay, visit_what_is_set
from tapviz.live.gc_tuning import GC_TUNING

SWITCH_INTERVAL = 0.0005
"""Seconds for which slow work holds the interpreter while a page waits for it. By default it is
ten times as long, and a change of a page gives the interpreter away dozens of times."""


def tune_process() -> None:
    """Tune a process that serves pages and does nothing else; once or more often.

    Threads take turns more often (`sys.setswitchinterval`), so that slow work of one page does not
    delay another; what is loaded and open is frozen, and garbage is collected while no page is in
    use (`tapviz.live.gc_tuning`); Bokeh makes models faster (`tapviz.live.compat`). Importing or
    using tapviz in a notebook or a script does none of this.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    remember_defaults()
    visit_what_is_set()
    GC_TUNING.start()


def tune_session() -> None:
    """Tune the connection of the page that is being made: what it is sent goes at once."""
    if pn.state.curdoc is not None:
        pn.state.onload(partial(send_without_delay, pn.state.curdoc))


def page(opened: Opened | None, *, learn: bool = False) -> Viewer:
    """The explorer or the lesson, as the address asks: each leads to the other wherever served.

    Parameters
    ----------
    opened : Opened or None
        What the explorer opens; None for the bundled data sets.
    learn : bool
        What an address without settings is: the lesson, or the explorer. ``?learn`` is always the
        lesson, settings of the explorer are the explorer, and ``?dataset=figure4`` is the explorer
        with the lesson's own lists.
    """
    tune_process()
    tune_session()
    search = (pn.state.location.search if pn.state.location is not None else "") or ""
    asked = parse_qs(search.lstrip("?"), keep_blank_values=True)
    if "learn" in asked or (learn and "view" not in asked):
        return Lesson()
    if asked.get("dataset") == ["figure4"]:
        return figure4(search)
    return App(opened)


def serve(opened: Opened | None, *, port: int, show: bool) -> None:
    """Serve the pages until interrupted.

    Parameters
    ----------
    opened : Opened or None
        What the explorer opens; None for the bundled data sets.
    port : int
        Where to serve; 0 for any free port.
    show : bool
        Whether to open a browser.
    """
    pn.extension("filedropper")
    pn.serve(lambda: page(opened), port=port, show=show, title="tapviz")
