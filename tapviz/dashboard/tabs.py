"""The plots of the fourth place: which measures each one shows, its picture and its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import holoviews as hv
import numpy as np

from tapviz.dashboard.gallery import alone
from tapviz.dashboard.views import Views
from tapviz.draw.log_axis import LogAxis
from tapviz.explorer import MAX_K
from tapviz.explorer.query_filter import Box
from tapviz.lists import RetrievalLists
from tapviz.measures import (
    Betweenness,
    Influence,
    NthIrrelevant,
    Progress,
    Tap,
    TapByK,
    Threshold,
    auc,
    average_roc,
    betweenness_violations,
    calibration,
    coverage_vs_epq,
    error_threshold,
    errors_per_query,
    influence,
    nth_irrelevant,
    tap_by_k,
)
from tapviz.plots import average_roc as average_roc_plot
from tapviz.plots import calibration as calibration_plot
from tapviz.plots import coverage as coverage_plot
from tapviz.plots import influence as influence_plot
from tapviz.plots import nth_error as nth_error_plot
from tapviz.plots import order as order_plot
from tapviz.plots import scatter as scatter_plot
from tapviz.plots import strip as strip_plot
from tapviz.plots import violations as violations_plot
from tapviz.plots.frame import Columns, Drawn


class Tabs:
    """Columns, picture and words of each plot of the fourth place, for the present choices.

    Those of the others are in `views`; by its name any plot of the page can be had here. Axes are
    settled once, for all queries, when a plot is first looked at.
    """

    def __init__(self, views: Views) -> None:
        self.views = views
        self.explorer = views.explorer
        self.found: Betweenness | None = None
        """Violations, once they have been looked for."""

    @cached_property
    def _rates(self) -> LogAxis:
        lists = self.explorer.results.values()
        if self.explorer.first.n_irrelevant is not None:
            return average_roc_plot.rates(int(self.explorer.first.n_irrelevant.max(initial=1)))
        listed = [errors_per_query(one, one.sign * np.inf).max(initial=1) for one in lists]
        return average_roc_plot.rates(int(max(listed)))

    @cached_property
    def _errors(self) -> LogAxis:
        curves = {name: coverage_vs_epq(lists) for name, lists in self.explorer.results.items()}
        return coverage_plot.errors_axis(self.explorer.first.weight, curves)

    @cached_property
    def _totals(self) -> LogAxis:
        return strip_plot.axis(self.explorer.first.n_relevant)

    def columns(self, plot: str) -> Columns:
        """Layers of any plot of the page, by its name."""
        made: Columns = getattr(self._source(plot), plot)()
        return made

    def picture(self, plot: str, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of any plot of the page."""
        return getattr(self._source(plot), f"draw_{plot}")(columns, drawn)

    def text(self, plot: str) -> str:
        """Any plot of the page in words."""
        words: str = getattr(self._source(plot), f"text_{plot}")()
        return words

    def _source(self, plot: str) -> Views | Tabs:
        return self.views if hasattr(self.views, plot) else self

    def average_roc(self) -> Columns:
        """ROC curves averaged over queries."""
        views, explorer = self.views, self.explorer
        grid = tuple(self._rates.grid(average_roc_plot.GRID_SIZE).tolist())
        return views.curves(
            "average_roc",
            lambda: average_roc_plot.columns(
                self._rates,
                views.each(average_roc, grid),
                views.looks,
                explorer.detail,
                ghosts=views.ghosts(average_roc, grid),
            ),
        )

    def draw_average_roc(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `average_roc`."""
        return average_roc_plot.draw(
            columns, self._rates, self.views.looks, self.explorer.detail, drawn
        )

    def text_average_roc(self) -> str:
        """`average_roc` in words."""
        grid = tuple(self._rates.grid(average_roc_plot.GRID_SIZE).tolist())
        return average_roc_plot.text(self.views.each(average_roc, grid), self.views.each(auc))

    def coverage(self) -> Columns:
        """Coverage against errors per query."""
        views, explorer = self.views, self.explorer
        found = views.each(coverage_vs_epq)
        curves = views.curves(
            "coverage",
            lambda: coverage_plot.columns(
                self._errors, found, views.looks, ghosts=views.ghosts(coverage_vs_epq)
            ),
        )
        places = {
            name: coverage_plot.at_threshold(
                curve,
                explorer.score(name)["threshold"],
                descending=explorer.first.direction == "descending",
            )
            for name, curve in found.items()
        }
        return curves | coverage_plot.threshold_columns(self._errors, places, views.looks)

    def draw_coverage(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `coverage`."""
        return coverage_plot.draw(columns, self._errors, self.views.looks, drawn)

    def text_coverage(self) -> str:
        """`coverage` in words."""
        return coverage_plot.text(self.views.each(coverage_vs_epq))

    def calibration(self) -> Columns:
        """Errors per query against the E-values that promise as many."""
        views, grid = self.views, calibration_plot.E_VALUES
        return views.curves(
            "calibration",
            lambda: calibration_plot.columns(
                views.each(calibration, grid), views.looks, ghosts=views.ghosts(calibration, grid)
            ),
        )

    def draw_calibration(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `calibration`."""
        return calibration_plot.draw(columns, self.views.looks, drawn)

    def text_calibration(self) -> str:
        """`calibration` in words."""
        return calibration_plot.text(self.views.each(calibration, calibration_plot.E_VALUES))

    def nth_error(self) -> Columns:
        """Queries by the score of their k-th error, with the algorithm in detail."""
        explorer, axis = self.explorer, self.views.axis
        result, at = self._nth_error()
        return nth_error_plot.columns(
            axis, result, self.views.looks[explorer.detail]
        ) | nth_error_plot.threshold_columns(axis, result, at)

    def draw_nth_error(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `nth_error`."""
        look = self.views.looks[self.explorer.detail]
        return nth_error_plot.draw(columns, self.views.axis, look, drawn)

    def text_nth_error(self) -> str:
        """`nth_error` in words."""
        result, at = self._nth_error()
        return nth_error_plot.text(result, self.explorer.detail, at)

    def scatter(self) -> Columns:
        """TAP of each query with the algorithm in detail against another, or against T(q)."""
        lists, looks, focus = self._lists, self.views.looks, self.explorer.focus
        of = (lists.query, lists.n_relevant)
        if alone(self.explorer):
            ((name, at),) = self._duel().items()
            return strip_plot.columns(name, at, *of, self._totals, looks[name], focus)
        return scatter_plot.columns(self._duel(), *of, looks, focus)

    def draw_scatter(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `scatter`."""
        if alone(self.explorer):
            return strip_plot.draw(columns, self._totals, drawn)
        return scatter_plot.draw(columns, drawn)

    def text_scatter(self) -> str:
        """`scatter` in words."""
        lists, duel = self._lists, self._duel()
        if alone(self.explorer):
            ((name, at),) = duel.items()
            return strip_plot.text(name, at, lists.query, lists.n_relevant)
        return scatter_plot.text(duel, lists.query)

    def keep(self, left: float, right: float, bottom: float, top: float) -> str:
        """BoxFilter the queries of a rectangle drawn into `scatter`.

        Returns
        -------
        str
            Why that was refused; empty if it was done.
        """
        # Less than a pixel is lost, and links stay short.
        ends = [round(end, 4) for end in (bottom, top, left, right)]
        if not alone(self.explorer):
            return self.keep_between(*ends)
        total = self.explorer.first.n_relevant
        place = self._totals.position(total)
        inside = total[(left <= place) & (place <= right)]
        # A side beyond which there is no query is no limit.
        least = int(inside.min(initial=total.max() + 1)) if left > place.min() else 0
        most = int(inside.max(initial=0)) if right < place.max() else None
        return self.keep_between(*ends[:2], min_relevant=least, max_relevant=most)

    def keep_between(
        self,
        a_from: float,
        a_to: float,
        b_from: float | None = None,
        b_to: float | None = None,
        *,
        min_relevant: int = 0,
        max_relevant: int | None = None,
    ) -> str:
        """BoxFilter the queries whose TAPs with A and B lie between two values each.

        Parameters
        ----------
        a_from, a_to, b_from, b_to : float
            Those of B are given where there is a B.
        min_relevant, max_relevant : int
            Limits of T(q).

        Returns
        -------
        str
            Why that was refused; empty if it was done.
        """
        duel = self._duel()
        if problem := scatter_plot.undefined(duel):
            return problem
        a, b = next(iter(duel)), next(reversed(duel))  # the same if there is only one
        if b_from is None or b_to is None:
            b_from, b_to = a_from, a_to
        box = Box(a, b, duel[a].e0, duel[b].e0, a_from, a_to, b_from, b_to)
        return self.explorer.select(box, min_relevant, max_relevant)

    def queries_at(self, x: float, y: float, width: float, height: float) -> list[str]:
        """Queries of the dot of `scatter` that is hit by a click.

        Parameters
        ----------
        x, y : float
            Where.
        width, height : float
            How far from it, along each axis, a dot is hit.
        """
        point = self.scatter()["point"]
        far = np.hypot((point["x"] - x) / width, (point["y"] - y) / height)
        if not far.size or not far.min() <= 1:
            return []
        nearest = int(np.argmin(far))
        same = (point["x"] == point["x"][nearest]) & (point["y"] == point["y"][nearest])
        ids: list[str] = self._lists.query[same].tolist()
        return ids

    @property
    def duellists(self) -> list[str]:
        """A and B of `scatter`: the algorithm in detail and the baseline, as far as they differ.

        Else the first other algorithm takes the place of A, or of a baseline not chosen; where
        there is no other, there is no B.
        """
        explorer = self.explorer
        a, b = explorer.detail, explorer.baseline
        others = [name for name in (*explorer.shown, *explorer.results) if name not in (a, b)]
        if b and a == b:
            return [*others[:1], b]
        return [a, b] if b else [a, *others[:1]]

    def influence(self) -> Columns:
        """What leaving one query out does to the scores of the algorithm in detail."""
        return influence_plot.columns(self._influence())

    def draw_influence(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `influence`."""
        return influence_plot.draw(columns, drawn)

    def text_influence(self) -> str:
        """`influence` in words."""
        return influence_plot.text(self._influence())

    def violations(self) -> Columns:
        """Queries whose pooled ROC_n lies outside the range of their own."""
        return violations_plot.columns(self.found)

    def draw_violations(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `violations`."""
        return violations_plot.draw(columns, drawn)

    def text_violations(self) -> str:
        """`violations` in words."""
        return violations_plot.text(self.found)

    def violations_work(self) -> tuple[Any, Callable[[Progress | None], Betweenness]]:
        """What the violations depend on, and what looks for them."""
        explorer = self.explorer
        lists, n, k = self._lists_in_detail, explorer.n, explorer.k
        return (lists, n, k), lambda progress: betweenness_violations(
            lists, n, k, kind="both", progress=progress
        )

    def order(self) -> Columns:
        """Order of the algorithms by TAP-k, for every k."""
        views, explorer = self.views, self.explorer
        ghosts = None
        if not explorer.selection.everything:
            ghosts = {name: self._by_k(name, whole=True) for name in explorer.shown}
        found = self._each_by_k()
        lines = order_plot.columns(found, views.looks, ghosts=ghosts)
        return lines | order_plot.k_columns(explorer.k)

    def draw_order(self, columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
        """Picture of `order`."""
        return order_plot.draw(columns, self.views.looks, drawn)

    def text_order(self) -> str:
        """`order` in words."""
        return order_plot.text(self._each_by_k())

    @property
    def _lists(self) -> RetrievalLists:
        """Any lists of the queries selected, for what is common to all."""
        return next(iter(self.explorer.lists.values()))

    @property
    def _lists_in_detail(self) -> RetrievalLists:
        return self.explorer.lists[self.explorer.detail]

    def _duel(self) -> dict[str, Tap]:
        """The algorithm in detail, A, and the one to compare it with, B."""
        return {name: self.explorer.tap(name) for name in self.duellists}

    def _by_k(self, name: str, *, whole: bool = False) -> TapByK:
        quantile = self.explorer.quantile
        return self.explorer.measure(tap_by_k, name, MAX_K, quantile=quantile, whole=whole)

    def _each_by_k(self) -> dict[str, TapByK]:
        return {name: self._by_k(name) for name in self.explorer.shown}

    def _nth_error(self) -> tuple[NthIrrelevant, Threshold]:
        explorer = self.explorer
        name, k = explorer.detail, explorer.k
        return (
            explorer.measure(nth_irrelevant, name, k),
            explorer.measure(error_threshold, name, k, quantile=explorer.quantile),
        )

    def _influence(self) -> Influence:
        explorer = self.explorer
        return explorer.measure(
            influence, explorer.detail, explorer.k, explorer.n, quantile=explorer.quantile
        )
