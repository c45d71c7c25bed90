"""The four plots: which measures each one shows, and the picture of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import holoviews as hv
import numpy as np

from tapviz.draw.style import Style, styles
from tapviz.draw.threshold_axis import ThresholdAxis
from tapviz.explorer import BY_E_VALUE, MAX_N, Explorer
from tapviz.measures import (
    epq_distribution,
    errors_per_query,
    mean_precision_recall,
    mean_recall,
    recall_of,
    retrieved_at,
    roc_n_curve,
    tap_curve,
)
from tapviz.plots import epq, precision_recall, roc, tap
from tapviz.plots.frame import Columns, Drawn, ceiling

# Thresholds marked along the precision-recall lines.
MARKED = (1e-100, 1e-50, 1e-20, 1e-10, 1e-5, 1e-2, 1.0, 10.0, 100.0)
MARKED_SCORES = 5


class Views:
    """Columns of each plot for the present choices, and how to draw them.

    The axis of thresholds and the looks of the algorithms are settled once for all results, so
    that no choice moves or recolours anything.
    """

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        lists = explorer.results.values()
        self.axis = ThresholdAxis.of(
            [one.score for one in lists], descending=explorer.first.direction == "descending"
        )
        self.looks: dict[str, Style] = styles(explorer.style_order)
        self.grid = tuple(self.axis.grid(epq.GRID_SIZE).tolist())
        if self.axis.log:
            marked = [e for e in MARKED if self.axis.low <= e <= self.axis.high]
        else:
            marked = self.axis.grid(MARKED_SCORES + 2)[1:-1].tolist()
        self._marked = np.array(marked)
        self._most_errors = max(
            int(errors_per_query(one, self.axis.high).max(initial=1)) for one in lists
        )

    def tap(self) -> Columns:
        """Mean TAP against the threshold."""
        explorer = self.explorer
        curves = self.curves(
            "tap",
            lambda: tap.columns(
                self.axis,
                self.each(tap_curve),
                self.each(epq_distribution, self.grid),
                self.looks,
                ghosts=self.ghosts(tap_curve),
            ),
        )
        taps = {name: explorer.tap(name) for name in explorer.shown}
        line = explorer.e0 if explorer.mode == BY_E_VALUE else None
        return curves | tap.threshold_columns(self.axis, taps, self.looks, line=line)

    def precision_recall(self) -> Columns:
        """Precision against recall, up to the threshold and beyond."""
        explorer = self.explorer
        means = self.each(mean_precision_recall)
        curves = self.curves(
            "precision_recall",
            lambda: precision_recall.columns(
                means,
                {name: (self._marked, at) for name, at in self.each(self._marked_recalls).items()},
                self.each(retrieved_at, self.grid),
                self.looks,
                explorer.detail,
                ghosts=self.ghosts(mean_precision_recall),
            ),
        )
        threshold = precision_recall.threshold_columns(means, self._recalls(), self.looks)
        return curves | threshold | self._focus_precision_recall()

    def epq(self) -> Columns:
        """Errors per query of one algorithm against the threshold."""
        explorer, name = self.explorer, self.explorer.detail
        look = self.looks[name]
        curves = self.curves(
            "epq",
            lambda: epq.columns(
                self.axis,
                explorer.measure(epq_distribution, name, self.grid),
                name,
                look,
                limit=self._most_errors,
            ),
        )
        score = explorer.score(name)
        return curves | epq.threshold_columns(
            self.axis, score["threshold"], score["median_epq"], look
        )

    def roc(self) -> Columns:
        """Relevant records found before each error."""
        curves = self.curves(
            "roc",
            lambda: roc.columns(
                self.each(roc_n_curve, MAX_N), self.looks, ghosts=self.ghosts(roc_n_curve, MAX_N)
            ),
        )
        return curves | roc.n_columns(self.explorer.n) | self._focus_roc(curves["view"])

    def draw_tap(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `tap`."""
        return tap.draw(columns, self.axis, self.looks, drawn)

    def draw_precision_recall(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `precision_recall`."""
        return precision_recall.draw(columns, self.looks, drawn)

    def draw_epq(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `epq`."""
        return epq.draw(columns, self.axis, self.looks[self.explorer.detail], drawn)

    def draw_roc(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `roc`."""
        return roc.draw(columns, self.looks, drawn)

    def text_tap(self) -> str:
        """`tap` in words."""
        taps = {name: self.explorer.tap(name) for name in self.explorer.shown}
        return tap.text(taps, self.each(tap_curve))

    def text_precision_recall(self) -> str:
        """`precision_recall` in words."""
        return precision_recall.text(self.each(mean_precision_recall), self._recalls())

    def text_epq(self) -> str:
        """`epq` in words."""
        name = self.explorer.detail
        score = self.explorer.score(name)
        counts = self.explorer.measure(epq_distribution, name, self.grid)
        return epq.text(counts, name, score["threshold"], score["median_epq"], score["mean_epq"])

    def text_roc(self) -> str:
        """`roc` in words."""
        return roc.text(self.each(roc_n_curve, MAX_N), self.explorer.n)

    def curves(self, name: str, compute: Callable[[], Columns]) -> Columns:
        """Layers that only the queries and algorithms chosen change."""
        explorer = self.explorer
        key = (explorer.lists, tuple(explorer.shown), explorer.detail)
        return explorer.once(("curves", name), key, compute)

    def each(self, function: Callable[..., Any], *args: Any) -> dict[str, Any]:
        """A measure of each algorithm shown."""
        return {name: self.explorer.measure(function, name, *args) for name in self.explorer.shown}

    def ghosts(self, function: Callable[..., Any], *args: Any) -> dict[str, Any] | None:
        """The same of all queries, while only some are selected."""
        explorer = self.explorer
        if explorer.selection.everything:
            return None
        return {
            name: explorer.measure(function, name, *args, whole=True) for name in explorer.shown
        }

    def _focus_precision_recall(self) -> Columns:
        """The focused query's own curve, of the algorithm in detail."""
        explorer = self.explorer
        name, lists = explorer.detail, explorer.results[explorer.detail]
        if not explorer.focus or name not in explorer.shown:
            return precision_recall.focus_columns(None, np.zeros(0, np.int64))
        found = explorer.ranked(name)
        marked = np.searchsorted(lists.sign * found.score, lists.sign * self._marked, side="right")
        return precision_recall.focus_columns(found, marked)

    def _focus_roc(self, view: dict[str, Any]) -> Columns:
        """The same in ROC_n, whose height must have room for it."""
        explorer, name = self.explorer, self.explorer.detail
        if not explorer.focus or name not in explorer.shown:
            return roc.focus_columns(None)
        lists = explorer.results[name]
        own = explorer.once(
            "focus ROC",
            (lists, explorer.focus),
            lambda: roc_n_curve(lists.subset(lists.query == explorer.focus), MAX_N),
        )
        drawn = roc.focus_columns(own)
        highest = float(drawn["focus"]["y"].max(initial=0))
        if highest > view["y"][1]:
            drawn["view"] = {"x": view["x"], "y": np.array([0.0, ceiling([highest])])}
        return drawn

    def _recalls(self) -> dict[str, float]:
        """Mean recall at each algorithm's threshold, where it has one."""
        explorer = self.explorer
        taps = {name: explorer.tap(name) for name in explorer.shown}
        return {
            name: recall_of(explorer.lists[name], at.relevant)
            for name, at in taps.items()
            if np.isfinite(at.tap)
        }

    def _marked_recalls(self, lists: Any) -> Any:
        return np.array([mean_recall(lists, e0) for e0 in self._marked.tolist()])
