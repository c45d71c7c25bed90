"""The four plots: which measures each one shows, and the picture of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import holoviews as hv
import numpy as np

from tapviz.explorer import BY_E_VALUE, BY_ERRORS, MAX_N, Explorer
from tapviz.measures import (

    epq_distribution,
    mean_precision_recall,
    mean_recall,
    retrieved_at,
    roc_n_curve,
    tap_curve,
)
from tapviz.plots import epq, precision_recall, roc, tap
from tapviz.plots.axis import ThresholdAxis
from tapviz.plots.frame import Columns, Drawn
from tapviz.plots.style import Style, styles

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
        self._grid = tuple(self.axis.grid(epq.GRID_SIZE).tolist())
        if self.axis.log:
            marked = [e for e in MARKED if self.axis.low <= e <= self.axis.high]
        else:
            marked = self.axis.grid(MARKED_SCORES + 2)[1:-1].tolist()
        self._marked = np.array(marked)

    def tap(self) -> Columns:
        """Mean TAP against the threshold."""
        explorer, shown = self.explorer, self.explorer.shown
        return tap.columns(
            self.axis,
            self._each(tap_curve),
            {name: explorer.tap(name) for name in shown},
            self._each(epq_distribution, self._grid),
            self.looks,
            ghosts=self._ghosts(tap_curve),
            line=explorer.e0 if explorer.mode == BY_E_VALUE else None,
        )

    def precision_recall(self) -> Columns:
        """Precision against recall, up to the threshold and beyond."""
        explorer, shown = self.explorer, self.explorer.shown
        recalls = {}
        for name in shown:
            e0 = explorer.tap(name).e0
            recalls[name] = (
                explorer.measure(mean_recall, name, e0) if np.isfinite(e0) else float("nan")
            )
        return precision_recall.columns(
            self._each(mean_precision_recall),
            recalls,
            {name: (self._marked, explorer.measure(self._marked_recalls, name)) for name in shown},
            self._each(retrieved_at, self._grid),
            self.looks,
            explorer.detail,
            ghosts=self._ghosts(mean_precision_recall),
        )

    def epq(self) -> Columns:
        """Errors per query of one algorithm against the threshold."""
        explorer, name = self.explorer, self.explorer.detail
        score = explorer.score(name)
        limit = max(
            explorer.measure(epq_distribution, other, self.axis_end, whole=True).maximum[0]
            for other in explorer.results
        )
        by_errors = explorer.mode == BY_ERRORS
        return epq.columns(
            self.axis,
            explorer.measure(epq_distribution, name, self._grid),
            name,
            self.looks[name],
            threshold=score.threshold,
            errors=explorer.k if by_errors and explorer.quantile == 0.5 else score.median_epq,  # noqa: PLR2004
            limit=limit,
        )

    def roc(self) -> Columns:
        """Relevant records found before each error."""
        return roc.columns(
            self._each(roc_n_curve, MAX_N),
            self.looks,
            self.explorer.n,
            ghosts=self._ghosts(roc_n_curve, MAX_N),
        )

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

    @property
    def axis_end(self) -> float:
        """The most permissive threshold."""
        return self.axis.high

    def _each(self, function: Callable[..., Any], *args: Any) -> dict[str, Any]:
        return {name: self.explorer.measure(function, name, *args) for name in self.explorer.shown}

    def _ghosts(self, function: Callable[..., Any], *args: Any) -> dict[str, Any] | None:
        """The same of all queries, while only some are selected."""
        explorer = self.explorer
        if explorer.selection.everything:
            return None
        return {
            name: explorer.measure(function, name, *args, whole=True) for name in explorer.shown
        }

    def _marked_recalls(self, lists: Any) -> Any:
        return np.array([mean_recall(lists, e0) for e0 in self._marked.tolist()])


