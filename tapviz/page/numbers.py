"""The numbers that a plot draws, as a table below it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import panel as pn

from tapviz.draw.table import rows
from tapviz.lists.words import count
from tapviz.live.templates import render
from tapviz.live.text import LiveText
from tapviz.page.controls import WIDGET, plot_choice
from tapviz.plots import PLOTS, PlotData

MAX_ROWS = 300
"""Rows of a table; of more, each layer gives some, evenly spaced."""
NAMES = ("name",)
"""Layers that only write onto the plot what stands beside it."""
SHOW, HIDE = "Show the numbers", "Hide the numbers"


class Numbers(pn.viewable.Viewer):
    """A choice of the plots on the page, and the numbers of the one chosen.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    style : str
        Style sheet of the page.
    """

    def __init__(self, data: PlotData, style: str) -> None:
        super().__init__()
        self._data = data
        self._open = False
        self._plot = plot_choice(data.explorer, "numbers of the plot", width=200, margin=0)
        self._button = pn.widgets.Button(
            label=SHOW,
            width=150,
            margin=(20, 0, 0, 8),
            stylesheets=[WIDGET],
            on_click=self._toggle,
        )
        self._table = LiveText(style, sizing_mode="stretch_width")
        self._plot.param.watch(lambda _: self.update(), "value")

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

    def update(self) -> None:
        """Show the numbers of the present choices, if any are shown."""
        self._table.text = table(self._data, self._plot.value) if self._open else ""

    def _toggle(self, _: Any) -> None:
        self._open = not self._open
        self._button.label = HIDE if self._open else SHOW
        self.update()


def table(data: PlotData, plot: str) -> str:
    """What a plot draws as a table in HTML, at most `MAX_ROWS` rows, and how many there are.

    Parameters
    ----------
    data : PlotData
    plot : str
        Name of a plot.
    """
    picture = PLOTS[plot].picture(data)
    columns, layers = rows(picture)
    layers = {name: cells for name, cells in layers.items() if name not in NAMES}
    total = sum(map(len, layers.values()))
    if not total:
        return '<p class="note">This plot draws nothing.</p>'
    algorithms = {style.color: name for name, style in reversed(data.styles.items())}
    titles = {"color": "algorithm"} | {
        side + end: re.sub(r"\s*\(.*", "", axis.label) + words
        for side, axis in (("x", picture.x), ("y", picture.y))
        for end, words in (("", ""), ("0", ", from"), ("1", ", to"))
    }
    n_each = _rows_per_layer([len(cells) for cells in layers.values()])
    shown = [
        (name, cells[i]) for name, cells in layers.items() for i in _evenly(len(cells), n_each)
    ]
    used = [i for i, _ in enumerate(columns) if any(row[i] != "" for _, row in shown)]
    status = f"{count(total, 'point')}."
    if total > len(shown):
        status = (
            f"Showing {len(shown):,} of {total:,} points, evenly spaced. "
            "Export > CSV (numbers) has all."
        )
    return render(
        "numbers.html",
        status=status,
        titles=["what", *(titles.get(columns[i], columns[i]) for i in used)],
        rows=[
            (name, [_cell(columns[i], str(row[i]), algorithms) for i in used])
            for name, row in shown
        ],
    )


def _rows_per_layer(sizes: list[int]) -> int:
    """Most rows that each layer may have so that all have at most `MAX_ROWS`."""
    n = max(sizes)
    while sum(min(size, n) for size in sizes) > MAX_ROWS and n > 1:
        n -= 1
    return n


def _evenly(size: int, n: int) -> list[int]:
    """At most n indices of so many rows, evenly spaced, the first and the last among them."""
    return [round(index) for index in np.linspace(0, size - 1, min(size, n)).tolist()]


def _cell(column: str, text: str, algorithms: dict[str, str]) -> str:
    if column == "color":
        return algorithms.get(text, "")
    if column != "text" and text:
        return re.sub("^-", "−", f"{float(text):.5g}")
    return text
