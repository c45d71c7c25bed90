"""The table below the plots: a row for each query, or each class of queries."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import param

from tapviz.explorer.query_rows import SIDES, QueryView
from tapviz.live.parts import Part
from tapviz.live.script import script
from tapviz.page.components import Json, ScrolledRows
from tapviz.plots import PlotData
from tapviz.scores import EQUAL
from tapviz.state import Range

WINDOW = 40
"""Rows that are sent at a time: those seen, and some above and below."""
LONGEST_TEXT = 200
"""Characters that are looked for, at most."""


class QueryRows(ScrolledRows):
    """The table in the browser.

    Messages from the page: rows to send (scroll), whether the first are in sight (top), what there
    is a row for (by), a column to sort by (sort), a text (find), a side (better), to make its
    queries the subset (keep), A or B, a query to focus on, a class to select.
    """

    shown = param.Dict(doc="What the table shows, with its first rows; see `Queries`.")

    _esm = script("queries.js", "tapviz.page")


class Queries(Part):
    """The queries selected with their scores, those first on which A and B differ most.

    Or their classes, with all columns, when somebody asks for more.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    on_scrolled : callable
        Called when the first rows come into sight or leave it.
    """

    view: QueryRows

    def __init__(self, data: PlotData, on_scrolled: Callable[[], None]) -> None:
        super().__init__()
        self._data, self._explorer = data, data.explorer
        self._content, self._on_scrolled = QueryView(data), on_scrolled
        self.at_top = True
        """Whether the rows in sight are the first."""
        self._from = 0
        self.stamp = 0
        self.view = QueryRows("queries.css", self._on_message, shown=self._shown())

    def update(self) -> None:
        """Show the queries under the present choices."""
        shown = self._shown()
        if shown != {**self.view.shown, "stamp": shown["stamp"]}:
            self.stamp += 1
            self.view.shown = {**shown, "stamp": self.stamp}

    def _shown(self) -> Json:
        explorer = self._explorer
        last = self._content.n_rows - WINDOW
        self._from = 0 if self.at_top else max(min(self._from, last), 0)
        return self._content.heads() | {
            "by": explorer.queries_by,
            "levels": self._content.levels,
            "pair": self._data.pair,
            "names": list(explorer.results),
            "find": explorer.queries_find,
            "better": explorer.queries_better,
            "order": explorer.queries_order,
            "focus": explorer.focus,
            "chosen": explorer.query_class.strip().rstrip("."),
            "from": self._from,
            "rows": self._content.rows(self._from, WINDOW),
            "stamp": self.stamp,
        }

    def _on_message(self, message: object) -> None:
        """Do what the page asks for."""
        explorer = self._explorer
        columns = {column["name"] for column in self.view.shown.get("columns", [])} - {""}
        match message:
            case {"scroll": int(first), "stamp": self.stamp}:
                self._from = max(first, 0)
                rows = self._content.rows(self._from, WINDOW)
                self.view.send({"from": self._from, "rows": rows, "stamp": self.stamp})
            case {"top": bool(at_top)}:
                self.at_top = at_top
                self._on_scrolled()
            case {"by": str(by)} if by in explorer.param.queries_by.objects.values():
                self.at_top = True
                explorer.queries_by = by
            case {"sort": str(column)} if column.removeprefix("-") in columns:
                explorer.queries_order = column
            case {"find": str(text)}:
                explorer.queries_find = text[:LONGEST_TEXT]
            case {"better": str(side)} if side in ("", *SIDES):
                explorer.queries_better = side
            case {"keep": True} if explorer.queries_better in SIDES:
                self._keep(explorer.queries_better)
            case {"a": str(name)} if name in explorer.results:
                self._pair(name, self._data.pair[-1])
            case {"b": str(name)} if name in explorer.results:
                self._pair(self._data.pair[0], name)
            case {"focus": str(query)} if query in explorer.param.focus.objects:
                explorer.focus = query
            case {"within": str(label)}:
                explorer.query_class = label

    def _keep(self, side: str) -> None:
        """Make the queries on which A does better, neither, or B, the subset."""
        if not self._content.can_keep:
            return
        a, b = self._data.pair
        more = float(np.nextafter(EQUAL, 1))
        low, high = {"a": (more, 1.0), "equal": (-EQUAL, EQUAL), "b": (-1.0, -more)}[side]
        at = [float(self._explorer.tap(name).e0) for name in (a, b)]
        with param.parameterized.batch_call_watchers(self._explorer):
            self._explorer.keep(Range("lead", a, at[0], low, high, b, at[1]))
            self._explorer.queries_better = ""

    def _pair(self, a: str, b: str) -> None:
        """Compare two others; where one of them is the other, they change their places."""
        if a == b:
            b, a = self._data.pair
        self._explorer.param.update(focus_algorithm=a, opponent=b)
