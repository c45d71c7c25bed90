"""The numbers that a plot draws, as a table below it."""

from __future__ import annotations

import csv
import html
import re
from typing import Any

import holoviews as hv
import numpy as np
import panel as pn

from tapviz.dashboard.controls import WIDGET, plot_choice
from tapviz.dashboard.tabs import Tabs
from tapviz.live.text import LiveText

MOST = 300
"""Rows of a table; of more, each layer gives some, evenly spaced."""
UNSAID = ("name", "hint")
"""Layers that only write onto the plot what stands beside it."""
SHOW, HIDE = "Show the numbers", "Hide the numbers"


class Numbers(pn.viewable.Viewer):
    """A choice of the plots on the page, and the numbers of the one chosen.

    Parameters
    ----------
    tabs : Tabs
        The plots of the page.
    style : str
        Style sheet of the page.
    """

    def __init__(self, tabs: Tabs, style: str) -> None:
        super().__init__()
        self._tabs = tabs
        self._open = False
        self._plot = plot_choice(tabs.explorer, "numbers of the plot", width=200, margin=0)
        self._button = pn.widgets.Button(
            label=SHOW,
            width=150,
            margin=(20, 0, 0, 8),
            stylesheets=[WIDGET],
            on_click=self._turn,
        )
        self._table = LiveText(style, sizing_mode="stretch_width")
        self._plot.param.watch(lambda _: self.follow(), "value")

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.Column(
            pn.Row(
                self._plot,
                self._button,
                margin=(12, 0, 4, 0),
                styles={"flex-wrap": "wrap", "min-width": "0"},
            ),
            self._table,
            sizing_mode="stretch_width",
            margin=0,
        )

    def follow(self) -> None:
        """Show the numbers of the present choices, if any are shown."""
        self._table.text = table(self._tabs, self._plot.value) if self._open else ""

    def _turn(self, _: Any) -> None:
        self._open = not self._open
        self._button.label = HIDE if self._open else SHOW
        self.follow()


def table(tabs: Tabs, plot: str) -> str:
    """What a plot draws as a table in HTML, at most `MOST` rows, and how many there are.

    Parameters
    ----------
    tabs : Tabs
    plot : str
        Name of a plot, as `save_figure` takes it.
    """
    # matplotlib is loaded by whoever wants a figure, or its numbers.
    from tapviz.dashboard.figures import table as as_csv  # noqa: PLC0415

    columns = tabs.columns(plot)
    picture = tabs.picture(plot, columns)
    options = hv.Store.lookup_options("bokeh", picture, "plot").kwargs
    head, *lines = csv.reader(as_csv(columns, picture).splitlines())
    layers: dict[str, list[list[str]]] = {}
    for line in lines:
        if line[0] not in UNSAID:
            layers.setdefault(line[0], []).append(line)
    total = sum(map(len, layers.values()))
    if not total:
        return '<p class="note">This plot draws nothing.</p>'
    whose = {look.color: name for name, look in reversed(tabs.views.looks.items())}
    titles = {"layer": "what", "color": "algorithm"} | {
        axis + end: re.sub(r"\s*\(.*", "", options.get(f"{axis}label") or axis) + words
        for axis in "xy"
        for end, words in (("", ""), ("0", ", from"), ("1", ", to"))
    }
    share = _share([len(layer) for layer in layers.values()])
    kept = [layer[i] for layer in layers.values() for i in _some(len(layer), share)]
    used = [i for i, _ in enumerate(head) if any(line[i] for line in kept)]
    heads = "".join(
        f'<th scope="col">{html.escape(titles.get(head[i], head[i]))}</th>' for i in used
    )
    rows = "".join(
        f'<tr><th scope="row">{html.escape(line[0])}</th>'
        + "".join(f"<td>{_cell(head[i], line[i], whose)}</td>" for i in used[1:])
        + "</tr>"
        for line in kept
    )
    said = f"{total:,} rows."
    if total > len(kept):
        said = (
            f"{len(kept):,} of {total:,} rows: of long lines some, evenly spaced. "
            "All: Export, CSV (numbers)."
        )
    return (
        f'<p class="note" role="status">{said}</p>'
        '<div class="scrolled numbers" tabindex="0" role="region" aria-label="numbers of the plot">'
        f'<table class="read"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _share(sizes: list[int]) -> int:
    """Most rows that each layer may have so that all have at most `MOST`."""
    share = max(sizes)
    while sum(min(size, share) for size in sizes) > MOST and share > 1:
        share -= 1
    return share


def _some(size: int, share: int) -> list[int]:
    """Places of so many rows, the first and the last among them."""
    return [round(place) for place in np.linspace(0, size - 1, min(size, share)).tolist()]


def _cell(column: str, text: str, whose: dict[str, str]) -> str:
    if column == "color":
        return html.escape(whose.get(text, ""))
    if column != "text" and text:
        return f"{float(text):.5g}"
    return html.escape(text)
