"""Tables in words and numbers: what was read, and what a plot draws."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import panel as pn

from tapviz.draw.style import ink
from tapviz.draw.table import rows
from tapviz.lists import RetrievalLists
from tapviz.lists.words import count
from tapviz.live.parts import LiveText, Part
from tapviz.live.templates import render
from tapviz.page.controls import plot_choice
from tapviz.page.widgets import WIDE, WRAPPING, button
from tapviz.plots import PLOTS, PlotData

MAX_DOUBTS = 10


def what_was_read(results: Mapping[str, RetrievalLists], doubts: Sequence[str] = ()) -> str:
    """Table of what became of the rows of each algorithm's file, and what is doubtful.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, with the report of their join where there was one.
    doubts : sequence of str
        What is read all the same.
    """
    reports = {
        name: lists.join_report for name, lists in results.items() if lists.join_report is not None
    }
    lines = {name: report.lines() for name, report in reports.items()}
    longest: list[tuple[str, int, str]] = max(lines.values(), key=len, default=[])
    rows = [
        {
            "name": name,
            "span": 1 if name in lines else max(len(longest), 1),
            "cells": [(f"{n:,}", note) for _, n, note in lines.get(name, [])]
            or [(_size(lists), "the file says itself what is relevant")],
        }
        for name, lists in results.items()
    ]
    return render(
        "join_table.html",
        labels=sorted({report.labels for report in reports.values()}),
        titles=[title for title, *_ in longest],
        rows=rows,
        doubts=doubts[:MAX_DOUBTS],
        n_more=len(doubts) - MAX_DOUBTS,
    )


def _size(lists: RetrievalLists) -> str:
    counts = f"{count(lists.n_queries, 'list')}, {count(lists.score.size, 'record')}"
    return f"{counts}, {int(lists.relevant.sum()):,} relevant"


MAX_ROWS = 300
"""Rows of a table; of more, each layer gives some, evenly spaced."""
SHOW, HIDE = "Show the numbers", "Hide the numbers"


class Numbers(Part):
    """A choice of the plots on the page, and the numbers of the one chosen.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    """

    def __init__(self, data: PlotData) -> None:
        super().__init__()
        self._data = data
        self._open = False
        self._plot = plot_choice(data.explorer, "numbers of the plot", width=200)
        self._button = button(SHOW, self._toggle, width=150, margin=(20, 0, 0, 8))
        self._table = LiveText(sizing_mode="stretch_width")
        self._plot.param.watch(lambda _: self.update(), "value")
        row = pn.Row(self._plot, self._button, **(WRAPPING | {"margin": (12, 0, 4, 0)}))
        self.view = pn.Column(row, self._table, **WIDE)

    def update(self) -> None:
        """Show the numbers of the present choices, if any are shown."""
        self._table.text = table(self._data, self._plot.value) if self._open else ""

    def _toggle(self) -> None:
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
    layers.pop("name", None)  # it only writes onto the plot what stands beside it
    total = sum(map(len, layers.values()))
    if not total:
        return '<p class="note">This plot draws nothing.</p>'
    looks = reversed(data.styles.items())
    algorithms = {one: name for name, look in looks for one in (look.color, ink(look.color))}
    titles = {"color": "program"} | {
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
            "Figure… > CSV (numbers) has all."
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
