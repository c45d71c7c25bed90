"""The numbers that a plot draws, as a table below it."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import panel as pn

from tapviz.dashboard.controls import WIDGET, plot_choice
from tapviz.draw.table import rows
from tapviz.live.text import LiveText
from tapviz.plots import PLOTS, PlotData

MOST = 300
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
        self._table.text = table(self._data, self._plot.value) if self._open else ""

    def _turn(self, _: Any) -> None:
        self._open = not self._open
        self._button.label = HIDE if self._open else SHOW
        self.follow()


def table(data: PlotData, plot: str) -> str:
    """What a plot draws as a table in HTML, at most `MOST` rows, and how many there are.

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
    whose = {style.color: name for name, style in reversed(data.styles.items())}
    titles = {"color": "algorithm"} | {
        side + end: re.sub(r"\s*\(.*", "", axis.label) + words
        for side, axis in (("x", picture.x), ("y", picture.y))
        for end, words in (("", ""), ("0", ", from"), ("1", ", to"))
    }
    share = _share([len(cells) for cells in layers.values()])
    kept = [(name, cells[i]) for name, cells in layers.items() for i in _some(len(cells), share)]
    used = [i for i, _ in enumerate(columns) if any(row[i] != "" for _, row in kept)]
    heads = "".join(
        f'<th scope="col">{html.escape(title)}</th>'
        for title in ("what", *(titles.get(columns[i], columns[i]) for i in used))
    )
    body = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        + "".join(f"<td>{_cell(columns[i], str(row[i]), whose)}</td>" for i in used)
        + "</tr>"
        for name, row in kept
    )
    said = f"{total:,} points."
    if total > len(kept):
        said = (
            f"Showing {len(kept):,} of {total:,} points, evenly spaced. "
            "Export > CSV (numbers) has all."
        )
    return (
        f'<p class="note" role="status">{said}</p>'
        '<div class="scrolled numbers" tabindex="0" role="region" aria-label="numbers of the plot">'
        f'<table class="read"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
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
