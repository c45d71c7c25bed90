"""The page while it is empty: the places that header, controls, table and plots will take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import panel as pn

from tapviz.dashboard.controls import WIDGET
from tapviz.live.templates import render
from tapviz.live.text import LiveText
from tapviz.live.theme import STYLE, Theme

PLOT_BOX: dict[str, Any] = {
    "css_classes": ["plot"],
    "styles": {"flex": "1 1 420px", "min-width": "min(380px, 100%)"},
    "height": 302,
    "margin": 0,
    "stylesheets": [STYLE],
}
GROWING: dict[str, Any] = {"height": None, "min_height": PLOT_BOX["height"]}
TABS = "tabs"
"""Among the frames, that of the plots in tabs."""


class Places:
    """A page of which only the title and the table are there; its other parts are added later.

    Parameters
    ----------
    title, table : LiveText
        What is open, for the header; the score table.
    theme : Theme
    plots : iterable of str
        Names of the plots that are always seen.
    note : str
        A line of HTML that can be dismissed; empty if there is none.
    above : pn.viewable.Viewable or None
        A control for the header.
    """

    def __init__(
        self,
        title: LiveText,
        table: LiveText,
        theme: Theme,
        plots: Iterable[str],
        note: str,
        above: pn.viewable.Viewable | None,
    ) -> None:
        self._theme = theme
        self._header = pn.Row(
            pn.pane.HTML('<h1 class="brand">tapviz</h1>', margin=0, stylesheets=[STYLE]),
            *([above] if above is not None else []),
            title,
            pn.layout.HSpacer(),
            theme,
            sizing_mode="stretch_width",
            css_classes=["header"],
            stylesheets=[STYLE],
            margin=0,
        )
        self.rail = pn.Column(width=290, css_classes=["rail"], stylesheets=[STYLE], margin=0)
        self.below = pn.Row(
            sizing_mode="stretch_width",
            min_height=24,
            css_classes=["below"],
            stylesheets=[STYLE],
            margin=0,
        )
        """Below the table."""
        self.frames = {name: pn.Column(**PLOT_BOX) for name in plots}
        self.frames[TABS] = pn.Column(**(PLOT_BOX | GROWING))
        self.grid = pn.FlexBox(
            *self.frames.values(),
            sizing_mode="stretch_width",
            styles={"position": "relative"},
            margin=0,
            gap="0 14px",
        )
        self.main = pn.Column(
            *([_dismissible(note)] if note else []),
            table,
            self.below,
            self.grid,
            sizing_mode="stretch_width",
            css_classes=["main"],
            stylesheets=[STYLE],
            margin=(0, 12),
            styles={"min-width": "0"},
        )
        self.page = pn.Column(
            self._header,
            pn.Row(
                self.rail,
                self.main,
                sizing_mode="stretch_width",
                css_classes=["both"],
                stylesheets=[STYLE],
                margin=0,
            ),
            sizing_mode="stretch_width",
            stylesheets=[STYLE],
            css_classes=["tapviz"],
            margin=0,
        )

    def fill_header(
        self, left: Iterable[pn.viewable.Viewable], right: Iterable[pn.viewable.Viewable]
    ) -> None:
        """Add what stands left and right of the button for the theme."""
        first = list(self._header)[:-1]
        self._header[:] = [*first, *left, self._theme, *right]


def _dismissible(note: str) -> pn.Row:
    close = pn.widgets.Button(label="Dismiss", margin=(2, 0), width=80, stylesheets=[WIDGET])
    text = pn.pane.HTML(
        f'<div class="demo">{note}</div>',  # HTML, escaped by its template
        margin=0,
        stylesheets=[STYLE],
        sizing_mode="stretch_width",
    )
    row = pn.Row(text, close, margin=0, sizing_mode="stretch_width")
    close.on_click(lambda _event: setattr(row, "visible", False))
    return row


def lesson_link() -> list[pn.viewable.Viewable]:
    """A link to the lesson, where the page has an address; see `tapviz.server`."""
    if pn.state.curdoc is None:
        return []
    link = render("learn.html", title="Learn why pooled ROCₙ misleads")
    return [pn.pane.HTML(link, margin=(0, 0, 0, 8), stylesheets=[STYLE])]
